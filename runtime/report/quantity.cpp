#include "report/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "common/ascii.h"
#include "common/decimal.h"

namespace anml::rt {

namespace {

using abi::Unit;

struct UnitRow {
    std::string_view name;
    Unit unit;
    double scale;
    std::uint64_t numerator, denominator;  // the scale, exactly
};

// The compiler's table, in which the units of one kind stand smallest first.
constexpr UnitRow kUnits[] = {
#define ANML_UNIT(name, dimension, numerator, denominator) \
    {name, Unit::dimension, double{numerator} / denominator, numerator, denominator},
#include "common/units.def"
};

// Units that are read and never printed: second names, and those in which nobody thinks of a network.
bool only_read(std::string_view name)
{
    return name == "min" || name == "h" || name == "%" || name.find("iB") != name.npos || name.find("bit") != name.npos;
}

std::string names_of(Unit unit)
{
    std::string names;
    for (const UnitRow& row : kUnits) {
        if (row.unit == unit) names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return names;
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

std::string excerpt(std::string_view text)
{
    constexpr std::size_t kLongest = 80;
    return text.size() <= kLongest ? std::string(text) : fmt::format("{}...", text.substr(0, kLongest - 3));
}

std::optional<double> parse_quantity(std::string_view text, Unit unit, std::string& error)
{
    std::string_view input = trimmed(text);
    double number = 0;
    auto [end, status] = std::from_chars(input.data(), input.data() + input.size(), number);
    if (status != std::errc() || !std::isfinite(number)) {
        error = fmt::format("`{}` is not a {}; write it like `{}`", excerpt(text), unit_name(unit), unit_example(unit));
        if (unit != Unit::none && unit != Unit::integer) error += ", with one of " + names_of(unit);
        return std::nullopt;
    }
    const bool negative = input.starts_with('-');
    std::string_view suffix = trimmed(input.substr(static_cast<std::size_t>(end - input.data())));
    if (suffix.empty()) {
        if (unit == Unit::integer && number != std::floor(number)) {
            error = fmt::format("`{}` is not a whole number", excerpt(text));
            return std::nullopt;
        }
        if (unit == Unit::none || unit == Unit::integer) return number;
        error = fmt::format("`{}` has no unit; a {} needs one of {}", excerpt(text), unit_name(unit), names_of(unit));
        return std::nullopt;
    }
    for (const UnitRow& row : kUnits) {
        if (row.name != suffix) continue;
        if (row.unit == unit) {
            const std::string_view digits(input.data() + negative, end);
            const double value = *read_decimal(digits, row.numerator, -zeros(row.denominator));
            return negative ? -value : value;
        }
        error = fmt::format("`{}` is a {}, not a {}", excerpt(text), unit_name(row.unit), unit_name(unit));
        return std::nullopt;
    }
    std::string units = names_of(unit);
    error = units.empty()
                ? fmt::format("`{}` is not a unit; a {} has none", excerpt(suffix), unit_name(unit))
                : fmt::format("`{}` is not a unit; a {} needs one of {}", excerpt(suffix), unit_name(unit), units);
    return std::nullopt;
}

std::string format_quantity(double canonical, Unit unit)
{
    if (std::isinf(canonical)) return canonical > 0 ? "unlimited" : "-unlimited";
    if (canonical == 0 && unit == Unit::time) return "0 s";
    // The largest unit in which the number is short: 1500 B rather than 1.46484 KB, but 1.5 KB.
    const UnitRow* largest = nullptr;
    const UnitRow* best = nullptr;
    for (const UnitRow& row : kUnits) {
        if (row.unit != unit || only_read(row.name)) continue;
        if (largest && std::fabs(canonical) < row.scale) break;
        largest = &row;
        double thousandths = canonical / row.scale * 1000;
        if (std::fabs(thousandths - std::round(thousandths)) < 1e-6) best = &row;
    }
    if (!largest) return fmt::format("{:.6g}", canonical);
    if (!best) best = largest;
    return fmt::format("{:.12g} {}", std::round(canonical / best->scale * 1000) / 1000, best->name);
}

std::string duration(double seconds)
{
    if (seconds == 0) return "0 s";
    // What would be rounded to 1000 has the next unit.
    if (seconds < 999.5e-9) return fmt::format("{:.0f} ns", seconds * 1e9);
    if (seconds < 999.95e-6) return fmt::format("{:.4g} us", seconds * 1e6);
    if (seconds < 999.95e-3) return fmt::format("{:.4g} ms", seconds * 1e3);
    return seconds < 9999.5 ? fmt::format("{:.4g} s", seconds) : fmt::format("{:.0f} s", seconds);
}

std::string plural(std::uint64_t count, std::string_view thing)
{
    if (count != 1 && thing.ends_with("ply")) return fmt::format("{} {}ies", count, thing.substr(0, thing.size() - 1));
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace anml::rt
