#include "report/summary/summary_lines.h"

#include <fmt/format.h>

namespace anml::rt::summary {

std::string rate(double bps)
{
    // What would be rounded to 1000 has the next unit.
    if (bps < 9.5) return fmt::format("{:.2g} bps", bps);
    if (bps < 999.5) return fmt::format("{:.0f} bps", bps);
    if (bps < 999.95e3) return fmt::format("{:.4g} Kbps", bps / 1e3);
    if (bps < 999.95e6) return fmt::format("{:.4g} Mbps", bps / 1e6);
    if (bps < 999.95e9) return fmt::format("{:.4g} Gbps", bps / 1e9);
    return fmt::format("{:.4g} Tbps", bps / 1e12);
}

std::string per_second(double value)
{
    return value < 1000 ? fmt::format("{:.4g}/s", value) : fmt::format("{:.0f}/s", value);
}

std::string percent(double share)
{
    if (share > 0 && share < 1e-6) return "below 0.0001 %";
    if (share < 0.9995 || share >= 1) return fmt::format("{:.3g} %", 100 * share);
    if (share < 0.99995) return fmt::format("{:.4g} %", 100 * share);  // not all
    return share < 0.9999995 ? fmt::format("{:.6g} %", 100 * share) : "above 99.9999 %";
}

std::string named(const std::string& name, std::string_view label)
{
    return label.empty() ? name : fmt::format("{} ({})", name, label);
}

}  // namespace anml::rt::summary
