#include "entry/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace anml::rt::entry {

namespace {

using abi::Unit;

struct UnitRow {
    std::string_view name;
    Unit unit;
    double scale;
    bool printed;  // chosen by format_quantity; the others are only read
};

// The closed table of the language's units, smallest first within a kind.
constexpr UnitRow kUnits[] = {
    {"ns", Unit::time, 1, true},
    {"us", Unit::time, 1e3, true},
    {"ms", Unit::time, 1e6, true},
    {"s", Unit::time, 1e9, true},
    {"min", Unit::time, 60e9, false},
    {"h", Unit::time, 3600e9, false},
    {"B", Unit::size, 1, true},
    {"KB", Unit::size, 1024, true},
    {"MB", Unit::size, 1048576.0, true},
    {"GB", Unit::size, 1073741824.0, true},
    {"KiB", Unit::size, 1024, false},
    {"MiB", Unit::size, 1048576.0, false},
    {"GiB", Unit::size, 1073741824.0, false},
    {"bps", Unit::rate, 1, true},
    {"Kbps", Unit::rate, 1e3, true},
    {"Mbps", Unit::rate, 1e6, true},
    {"Gbps", Unit::rate, 1e9, true},
    {"Tbps", Unit::rate, 1e12, true},
    {"bit/s", Unit::rate, 1, false},
    {"kbit/s", Unit::rate, 1e3, false},
    {"Mbit/s", Unit::rate, 1e6, false},
    {"Gbit/s", Unit::rate, 1e9, false},
    {"Tbit/s", Unit::rate, 1e12, false},
    {"m", Unit::length, 1, true},
    {"km", Unit::length, 1e3, true},
    {"%", Unit::none, 0.01, false},
};

std::string names_of(Unit unit)
{
    std::string names;
    for (const UnitRow& row : kUnits) {
        if (row.unit == unit) names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return names;
}

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

}  // namespace

std::string_view unit_name(Unit unit)
{
    switch (unit) {
        case Unit::time:
            return "time";
        case Unit::size:
            return "size";
        case Unit::rate:
            return "rate";
        case Unit::length:
            return "length";
        case Unit::integer:
            return "whole number";
        case Unit::none:
            break;
    }
    return "number";
}

std::string_view unit_example(Unit unit)
{
    switch (unit) {
        case Unit::time:
            return "30 s";
        case Unit::size:
            return "64 KB";
        case Unit::rate:
            return "10 Mbps";
        case Unit::length:
            return "100 km";
        case Unit::integer:
            return "8";
        case Unit::none:
            break;
    }
    return "0.5";
}

std::optional<double> parse_quantity(std::string_view text, Unit unit, std::string& error)
{
    std::string_view input = trimmed(text);
    double number = 0;
    auto [end, status] = std::from_chars(input.data(), input.data() + input.size(), number);
    if (status != std::errc() || !std::isfinite(number)) {
        error = fmt::format("'{}' is not a {}; write it like '{}'", text, unit_name(unit), unit_example(unit));
        return std::nullopt;
    }
    std::string_view suffix = trimmed(input.substr(static_cast<std::size_t>(end - input.data())));
    if (suffix.empty()) {
        if (unit == Unit::integer && number != std::floor(number)) {
            error = fmt::format("'{}' is not a whole number", text);
            return std::nullopt;
        }
        if (unit == Unit::none || unit == Unit::integer) return number;
        error = fmt::format("'{}' has no unit; a {} needs one of {}", text, unit_name(unit), names_of(unit));
        return std::nullopt;
    }
    for (const UnitRow& row : kUnits) {
        if (row.name != suffix) continue;
        if (row.unit == unit) return number * row.scale;
        error = fmt::format("'{}' is a {}, not a {}", text, unit_name(row.unit), unit_name(unit));
        return std::nullopt;
    }
    std::string units = names_of(unit);
    error = units.empty() ? fmt::format("'{}' is not a unit; a {} has none", suffix, unit_name(unit))
                          : fmt::format("'{}' is not a unit; a {} needs one of {}", suffix, unit_name(unit), units);
    return std::nullopt;
}

std::string format_quantity(double canonical, Unit unit)
{
    if (std::isinf(canonical)) return canonical > 0 ? "unlimited" : "-unlimited";
    const UnitRow* best = nullptr;
    for (const UnitRow& row : kUnits) {
        if (row.unit != unit || !row.printed) continue;
        if (!best || std::fabs(canonical) >= row.scale) best = &row;
    }
    if (!best) return fmt::format("{:.6g}", canonical);
    // 0 and whole seconds read best in the largest unit that fits; 0 has none, so it takes the unit people use.
    if (canonical == 0 && unit == Unit::time) return "0 s";
    return fmt::format("{:.6g} {}", canonical / best->scale, best->name);
}

}  // namespace anml::rt::entry
