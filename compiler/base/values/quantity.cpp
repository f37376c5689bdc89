// Units: the closed table, exact reading and readable printing of quantities.
#include "base/values/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

#include "common/ascii.h"
#include "common/decimal.h"

namespace anml {
namespace {

constexpr std::array kUnits = {
#define ANML_UNIT(name, dim, numerator, denominator) \
    UnitEntry{name, dimension::dim, double(numerator) / double(denominator), numerator, denominator},
#include "common/units.def"
};

// One byte per nanosecond is 8e9 bit/s: the factor from the product of base units (ns, B, m) to the canonical unit.
double canonical_factor(Dimension d) { return d == dimension::rate ? 8e9 : 1.0; }

void append_power(std::string& out, std::string_view name, int exponent)
{
    if (exponent <= 0) return;
    if (!out.empty()) out += " * ";
    out += name;
    if (exponent > 1) out += fmt::format("^{}", exponent);
}

}  // namespace

Dimension operator*(Dimension a, Dimension b)
{
    const auto sum = [](std::int8_t x, std::int8_t y) { return static_cast<std::int8_t>(x + y); };
    Dimension result{sum(a.time, b.time), sum(a.size, b.size), sum(a.length, b.length)};
    for (std::size_t i = 0; i < a.open.size(); ++i) result.open[i] = sum(a.open[i], b.open[i]);
    return result;
}

Dimension operator/(Dimension a, Dimension b)
{
    const auto difference = [](std::int8_t x, std::int8_t y) { return static_cast<std::int8_t>(x - y); };
    Dimension result{difference(a.time, b.time), difference(a.size, b.size), difference(a.length, b.length)};
    for (std::size_t i = 0; i < a.open.size(); ++i) result.open[i] = difference(a.open[i], b.open[i]);
    return result;
}

double product_scale(Dimension a, Dimension b)
{
    return canonical_factor(a * b) / (canonical_factor(a) * canonical_factor(b));
}

double quotient_scale(Dimension a, Dimension b)
{
    return canonical_factor(a / b) * canonical_factor(b) / canonical_factor(a);
}

std::string dimension_name(Dimension d)
{
    if (d == dimension::none) return "number";
    if (d == dimension::rate) return "rate";
    std::string above, below;
    static constexpr std::array<const char*, 3> kOpen{"quantity", "second quantity", "third quantity"};
    for (std::size_t i = 0; i < kOpen.size(); ++i) {
        append_power(above, kOpen[i], d.open[i]);
        append_power(below, kOpen[i], -d.open[i]);
    }
    append_power(above, "size", d.size);
    append_power(above, "time", d.time);
    append_power(above, "length", d.length);
    append_power(below, "size", -d.size);
    append_power(below, "time", -d.time);
    append_power(below, "length", -d.length);
    if (below.empty()) return above;
    if (above.empty()) above = "1";
    if (below.find('*') != std::string::npos) return fmt::format("{} / ({})", above, below);
    return fmt::format("{} / {}", above, below);
}

namespace {

using UnitNames = std::array<std::string_view, 6>;

// Of the dimensions that have units of their own, smallest first.
const UnitNames* units_of(Dimension d)
{
    static constexpr UnitNames kTime{"ns", "us", "ms", "s", "min", "h"}, kSize{"B", "KB", "MB", "GB", "TB"},
        kRate{"bps", "Kbps", "Mbps", "Gbps", "Tbps"}, kLength{"m", "km"};
    return d == dimension::time     ? &kTime
           : d == dimension::size   ? &kSize
           : d == dimension::rate   ? &kRate
           : d == dimension::length ? &kLength
                                    : nullptr;
}

}  // namespace

std::string approximate_quantity(double canonical, Dimension d, int digits)
{
    const UnitNames* names = units_of(d);
    if (!names || !std::isfinite(canonical)) return fmt::format("{:.{}g}", canonical, digits);
    std::string_view unit = d == dimension::time && canonical == 0 ? "s" : (*names)[0];
    for (const std::string_view name : *names)
        if (!name.empty() && std::fabs(canonical) >= find_unit(name)->scale) unit = name;
    // Rounded first, so that no exponent is printed.
    const double value = std::stod(fmt::format("{:.{}g}", canonical / find_unit(unit)->scale, digits));
    return fmt::format("{} {}", value, unit);
}

std::string exact_quantity(double canonical, Dimension d)
{
    if (canonical < 0) return "-" + exact_quantity(-canonical, d);
    const UnitNames* names = units_of(d);
    static constexpr UnitNames kNone{};
    const auto text_in = [&](std::string_view unit) {
        const double scale = unit.empty() ? 1 : find_unit(unit)->scale;
        std::string text = fmt::format("{}", canonical / scale);
        if (!unit.empty()) text += fmt::format(" {}", unit);
        const auto read = parse_quantity(text);
        return read && read->value == canonical ? text : std::string();
    };
    if (canonical == 0) return d == dimension::time ? "0 s" : names ? fmt::format("0 {}", names->front()) : "0";
    // The unit that needs the fewest digits; of equals the largest.
    std::string best;
    for (const std::string_view name : names ? *names : kNone) {
        if (names && name.empty()) break;
        if ((name == "min" || name == "h") && canonical < 600e9) break;
        if (!best.empty() && canonical < find_unit(name)->scale) break;
        std::string text = text_in(name);
        const bool shorter = best.empty() || text.find(' ') <= best.find(' ');
        if (!text.empty() && text.find('e') > text.find(' ') && shorter) best = std::move(text);
        if (!names) break;
    }
    return best.empty() ? text_in(names ? names->front() : "") : best;
}

std::string rate_name(double rate)
{
    std::string text = format_quantity(rate, dimension::rate);  // "2.5 Gbps"
    const std::size_t blank = text.find(' ');
    const std::string unit = lower_case(text.substr(blank + 1));
    std::string number = text.substr(0, blank);
    for (char& c : number)
        if ((c < '0' || c > '9') && (c < 'a' || c > 'z')) c = '_';
    return fmt::format("{}_{}", unit, number);
}

std::string format_quantity(double canonical, Dimension d)
{
    const UnitNames* names = units_of(d);
    if (d == dimension::none) return fmt::format("{}", canonical);
    if (!names) return fmt::format("{} {}", canonical, dimension_name(d));
    if (canonical == 0 || !std::isfinite(canonical))
        return fmt::format("{} {}", canonical, d == dimension::time ? "s" : (*names)[0]);
    // The unit that needs the fewest digits; of equals the largest.
    const double magnitude = std::fabs(canonical);
    std::string best, rough;
    for (std::string_view name : *names) {
        if (name.empty()) break;
        if ((name == "min" || name == "h") && magnitude < 600e9) break;
        const double value = canonical / find_unit(name)->scale;
        if (std::fabs(value) < 1 && !best.empty()) break;
        std::string text = fmt::format("{} {}", value, name);
        rough = fmt::format("{:.6g} {}", value, name);
        if (best.empty() || text.find(' ') <= best.find(' ')) best = std::move(text);
    }
    return best.find(' ') > 10 && magnitude >= 1 ? rough : best;
}

std::optional<UnitEntry> find_unit(std::string_view name)
{
    for (const UnitEntry& unit : kUnits)
        if (unit.name == name) return unit;
    return std::nullopt;
}

std::string ambiguous_unit_help(std::string_view name)
{
    // [prefix][i](b|B|bps|Bps|b/s|B/s|bit|bits|...): letters whose case, or missing "ps", leaves two readings.
    const std::string lower = lower_case(name);
    std::string_view rest = lower;
    const std::size_t prefix = rest.empty() ? std::string_view::npos : std::string_view("kmgt").find(rest.front());
    if (prefix != std::string_view::npos) rest.remove_prefix(1);
    const bool binary = prefix != std::string_view::npos && rest.starts_with('i');
    if (binary) rest.remove_prefix(1);
    if (rest != "b" && rest != "bps" && rest != "b/s" && rest != "bit" && rest != "bits" && rest != "byte" &&
        rest != "bytes" && rest != "bit/s" && rest != "byte/s")
        return "";
    if (find_unit(name)) return "";
    static constexpr std::array<std::array<std::string_view, 2>, 4> kNames{
        {{"1024", "1000"}, {"1024^2", "10^6"}, {"1024^3", "10^9"}, {"1024^4", "10^12"}}};
    if (prefix == std::string_view::npos) return "B (1 byte) or bps (1 bit/s)";
    const char letter = "KMGT"[prefix];
    return fmt::format("{}B ({} bytes) or {}bps ({} bit/s)", letter, kNames[prefix][0], letter, kNames[prefix][1]);
}

std::size_t unit_position(std::string_view text)
{
    std::size_t i = 0;
    while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t j = i + 1;
        if (j < text.size() && (text[j] == '+' || text[j] == '-')) ++j;
        if (j < text.size() && is_digit(text[j])) {
            while (j < text.size() && is_digit(text[j])) ++j;
            i = j;
        }
    }
    while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
    return i;
}

std::optional<Quantity> parse_quantity(std::string_view text)
{
    const std::size_t at = unit_position(text);
    std::string_view digits = text.substr(0, at), name = text.substr(at);
    while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
    const auto unit = name.empty() ? UnitEntry{"", dimension::none, 1} : find_unit(name);
    if (!unit) return std::nullopt;
    const auto value = read_decimal(digits, unit->numerator, -zeros(unit->denominator));
    if (!value) return std::nullopt;
    Quantity result{*value, unit->dim};
    result.integer = name.empty() && digits.find_first_of(".eE") == std::string_view::npos;
    return result;
}

}  // namespace anml
