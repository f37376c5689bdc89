// Figures, rounded and in the unit that suits them.
#include "base/figures.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <utility>

#include "base/quantity.h"

namespace anml {

namespace {

// To three significant digits, so that format_quantity prints no more.
double rounded(double value)
{
    if (value == 0 || !std::isfinite(value)) return value;
    double scale = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return std::round(value / scale) * scale;
}

std::string in_unit(double value, std::initializer_list<std::pair<double, const char*>> units)
{
    for (const auto& [scale, name] : units)
        if (value >= scale) return fmt::format("{:g} {}", rounded(value / scale), name);
    const auto& [scale, name] = *(units.end() - 1);
    return fmt::format("{:g} {}", rounded(value / scale), name);
}

}  // namespace

std::string show(double figure) { return fmt::format("{:g}", rounded(figure)); }
std::string show_size(double bytes)
{
    constexpr double k = 1024;
    if (bytes < 64 * k && std::fmod(bytes, k) != 0) return fmt::format("{:.0f} B", bytes);  // as MTUs are written
    return in_unit(bytes, {{k * k * k, "GB"}, {k * k, "MB"}, {k, "KB"}, {1, "B"}});
}
std::string show_rate(double bps) { return approximate_quantity(bps, dimension::rate, 3); }
std::string show_time(double ns) { return approximate_quantity(ns, dimension::time, 3); }

}  // namespace anml
