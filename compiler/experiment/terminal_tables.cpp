#include "experiment/terminal_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace anml {

std::string shown_figure(double value, Dimension d)
{
    if (d == dimension::none && std::fabs(value) >= 1000 && std::fabs(value) < 1e9) return fmt::format("{:.0f}", value);
    return approximate_quantity(d == dimension::time ? value * 1e9 : value, d, 4);
}

std::string shown_variance(double share)
{
    if (share < 0.001) return "< 0.1 %";
    if (share >= 1) return fmt::format("{:.0f} %, no help", 100 * share);
    return share < 0.1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

static std::size_t width_of(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string aligned(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i == widths.size()) widths.push_back(0);
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(i + 1 == row.size() ? 0 : widths[i] - width_of(row[i]) + 2, ' ');
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

}  // namespace anml
