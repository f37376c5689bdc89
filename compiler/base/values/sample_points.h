// A table of the points of a cumulative distribution, point by point: what is wrong with one, in words, or "".
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/values/quantity.h"

namespace anml {

// `shown`: how a message shows the value.
inline std::string add_point(EmpiricalTable& table, double value, double share, const std::string& shown)
{
    if (!std::isfinite(value)) return fmt::format("`{}` is too large", shown);
    if (!(share >= 0)) return fmt::format("the share {:.6g} is negative", share);
    if (!table.values.empty() && value < table.values.back())
        return fmt::format("the value {} is less than the one before", shown);
    if (!table.values.empty() && share < table.cumulated.back())
        return fmt::format("the share {:.6g} is less than the one before", share);
    table.values.push_back(value);
    table.cumulated.push_back(share);
    return "";
}

// Behind the last point. `percent`: shares may be percentages, if they end with 100.
inline std::string end_points(EmpiricalTable& table, bool percent)
{
    constexpr double kRounding = 1e-9, kPercent = 100;
    if (table.values.empty()) return "it has no points";
    const double last = table.cumulated.back();
    const bool hundred = percent && std::fabs(last - kPercent) < kPercent * kRounding;
    if (!hundred && std::fabs(last - 1) >= kRounding)
        return fmt::format("the last share is {:.6g}, not 1{}", last, percent ? " or 100" : "");
    for (double& share : table.cumulated) share /= last;
    table.cumulated.back() = 1;
    table.linear = true;
    return "";
}

}  // namespace anml
