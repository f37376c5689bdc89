// Figures, rounded and in the unit that suits them.
#include "common/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace anml {

namespace {

// To three significant digits, so that format_quantity prints no more.
double rounded(double value)
{
    if (value == 0 || !std::isfinite(value)) return value;
    double scale = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return std::round(value / scale) * scale;
}

// In the largest of the units of which it has one.
std::string in_unit(double value, std::initializer_list<std::pair<double, const char*>> units)
{
    const auto fits = [&](const auto& unit) { return std::abs(value) >= unit.first; };
    const auto* unit = std::find_if(units.begin(), units.end() - 1, fits);
    return fmt::format("{} {}", std::stod(fmt::format("{:.3g}", value / unit->first)), unit->second);
}

}  // namespace

std::string show(double figure) { return fmt::format("{:g}", rounded(figure)); }
std::string show_size(double bytes)
{
    constexpr double k = 1024;
    if (bytes < 64 * k && std::fmod(bytes, k) != 0) return fmt::format("{:.0f} B", bytes);  // as MTUs are written
    return in_unit(bytes, {{k * k * k, "GB"}, {k * k, "MB"}, {k, "KB"}, {1, "B"}});
}
std::string show_rate(double bps)
{
    return in_unit(bps, {{1e12, "Tbps"}, {1e9, "Gbps"}, {1e6, "Mbps"}, {1e3, "Kbps"}, {1, "bps"}});
}
std::string show_time(double ns)
{
    if (ns == 0) return "0 s";
    return in_unit(ns, {{3600e9, "h"}, {60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}});
}

}  // namespace anml
