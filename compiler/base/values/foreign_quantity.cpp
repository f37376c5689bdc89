#include "base/values/foreign_quantity.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "common/ascii.h"
#include "common/decimal.h"

namespace anml {
namespace {

struct ForeignName {
    std::string_view name;
    ForeignUnit unit;
};

// Symbols, in which case matters, besides the language's own.
constexpr ForeignName kTimeSymbols[] = {{"ps", {1, -3}},       {"\xC2\xB5s", {1, 3}}, {"\xCE\xBCs", {1, 3}}};
constexpr ForeignName kLengthSymbols[] = {{"Km", {1, 3}}, {"KM", {1, 3}}};
// Words, in small letters, each also with an `s`.
constexpr ForeignName kTimeWords[] = {
    {"picosecond", {1, -3}}, {"psec", {1, -3}},       {"nanosecond", {}}, {"nsec", {}},
    {"microsecond", {1, 3}}, {"usec", {1, 3}},        {"micro", {1, 3}},  {"\xC2\xB5sec", {1, 3}},
    {"\xCE\xBCsec", {1, 3}}, {"millisecond", {1, 6}}, {"msec", {1, 6}},   {"milli", {1, 6}},
    {"second", {1, 9}},      {"sec", {1, 9}},         {"minute", {60, 9}}, {"min", {60, 9}},
    {"hour", {3600, 9}},     {"hr", {3600, 9}}};
constexpr ForeignName kLengthWords[] = {
    {"metre", {}},       {"meter", {}},       {"kilometre", {1, 3}}, {"kilometer", {1, 3}}, {"mi", {1609344, -3}},
    {"mile", {1609344, -3}}, {"ft", {3048, -4}}, {"feet", {3048, -4}},  {"foot", {3048, -4}},  {"nmi", {1852, 0}},
    {"nautical mile", {1852, 0}}};
constexpr ForeignName kRatioWords[] = {{"%", {1, -2}},     {"percent", {1, -2}},       {"per cent", {1, -2}},
                                       {"pct", {1, -2}},   {"\xE2\x80\xB0", {1, -3}},  {"permille", {1, -3}},
                                       {"per mille", {1, -3}}, {"ppm", {1, -6}}};

std::optional<ForeignUnit> named(std::string_view name, const auto& list)
{
    for (const ForeignName& entry : list)
        if (entry.name == name) return entry.unit;
    return std::nullopt;
}

std::optional<ForeignUnit> word(std::string_view name, const auto& list)
{
    const std::string small = lower_case(name);
    const auto found = named(small, list);
    if (found || small.size() < 3 || !small.ends_with('s')) return found;
    return named(std::string_view(small).substr(0, small.size() - 1), list);
}

// Blanks of any kind: those of Unicode that stand between a number and its unit too.
std::size_t blank(std::string_view text)
{
    for (const std::string_view one : {" ", "\t", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF"})
        if (text.starts_with(one)) return one.size();
    return 0;
}

std::string_view without_blanks(std::string_view text)
{
    while (const std::size_t size = blank(text)) text.remove_prefix(size);
    while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
    return text;
}

// Takes one of these words from the front, whatever its case.
bool take_word(std::string_view& text, std::initializer_list<std::string_view> words)
{
    for (const std::string_view w : words) {
        if (lower_case(text.substr(0, w.size())) != w) continue;
        text.remove_prefix(w.size());
        return true;
    }
    return false;
}

constexpr std::array<std::uint64_t, 6> kBinary{1,          1ull << 10, 1ull << 20,
                                               1ull << 30, 1ull << 40, 1ull << 50};

// What stands before `bit` and `byte`: taken from the front; the power of 1000, and whether it is of 1024 instead.
struct DataPrefix {
    unsigned power = 0;
    bool binary = false, is_word = false;
};
DataPrefix take_prefix(std::string_view& unit)
{
    static constexpr std::array<std::array<std::string_view, 2>, 5> kWords{
        {{"kilo", "kibi"}, {"mega", "mebi"}, {"giga", "gibi"}, {"tera", "tebi"}, {"peta", "pebi"}}};
    for (unsigned i = 0; i < kWords.size(); ++i)
        for (unsigned k = 0; k < 2; ++k)
            if (std::string_view behind = unit; take_word(behind, {kWords[i][k]}) &&
                                                std::string_view("bBoO").find(behind.substr(0, 1)) != behind.npos)
                return unit = behind, DataPrefix{i + 1, k == 1, true};
    // "mbps" yes, "10 m" no.
    const std::size_t at = unit.empty() ? std::string_view::npos : std::string_view("kKmMgGtTP").find(unit[0]);
    if (at == std::string_view::npos) return {};
    std::string_view behind = unit.substr(1);
    const bool binary = behind.size() > 1 && behind[0] == 'i' && (behind[1] | 0x20) == 'b';
    if (binary) behind.remove_prefix(1);
    if (unit[0] == 'm' && (behind.empty() || (behind[0] | 0x20) != 'b')) return {};
    unit = behind;
    return {static_cast<unsigned>(at / 2) + 1, binary};
}

// Bits and bytes, and those per second.
std::optional<ForeignUnit> data_unit(std::string_view unit, Dimension dim)
{
    const bool rate = dim == dimension::rate;
    const DataPrefix prefix = take_prefix(unit);
    bool bytes = false, symbol = false, any = true;
    if (take_word(unit, {"bits", "bit"})) {
    } else if (take_word(unit, {"bytes", "byte", "octets", "octet"})) {
        bytes = true;
    } else if (unit.starts_with('b') || unit.starts_with('B')) {
        bytes = unit.starts_with('B');
        symbol = true;
        unit.remove_prefix(1);
    } else {
        any = false;
    }
    if (!any && (prefix.is_word || prefix.binary)) return std::nullopt;
    unit = without_blanks(unit);
    const bool per_second = !unit.empty();
    if (per_second) {
        // "MBPS" may mean either.
        if (!any || (symbol && unit.find_first_of("PS") != std::string_view::npos)) return std::nullopt;
        if (!take_word(unit, {"/", "per", "p"})) return std::nullopt;
        unit = without_blanks(unit);
        if (!take_word(unit, {"seconds", "second", "sec", "s"}) || !unit.empty()) return std::nullopt;
    }
    if (rate ? !per_second && bytes : per_second || !any) return std::nullopt;
    if (!any && prefix.power == 0) return std::nullopt;
    if (!rate && symbol && !bytes) return std::nullopt;  // "10 kb": who knows
    ForeignUnit result;
    if (prefix.binary)
        result.factor = kBinary[prefix.power];
    else
        result.exponent = static_cast<int>(3 * prefix.power);
    if (rate && bytes) result.factor *= 8;
    if (!rate && !bytes) {  // an eighth is 125 / 1000
        result.factor *= 125;
        result.exponent -= 3;
    }
    return result;
}

}  // namespace

std::optional<ForeignUnit> foreign_unit(std::string_view name, Dimension dim)
{
    name = without_blanks(name);
    if (const auto own = find_unit(name); own && own->dim == dim)
        return ForeignUnit{own->numerator, -zeros(own->denominator)};
    if (dim == dimension::rate || dim == dimension::size) return data_unit(name, dim);
    if (dim == dimension::time) {
        const auto symbol = named(name, kTimeSymbols);
        return symbol ? symbol : word(name, kTimeWords);
    }
    if (dim == dimension::length) {
        const auto symbol = named(name, kLengthSymbols);
        return symbol ? symbol : word(name, kLengthWords);
    }
    return dim == dimension::none ? word(name, kRatioWords) : std::nullopt;
}

std::string scan_foreign_number(std::string_view text, std::size_t& at)
{
    std::string digits;
    std::size_t i = at;
    bool point = false, grouped = false;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (is_digit(c)) {
            digits += c;
        } else if ((c == '.' || c == ',') && i + 1 < text.size() && is_digit(text[i + 1]) && !point &&
                   (c == '.' || !digits.empty()))
        {
            std::size_t behind = i + 1;
            while (behind < text.size() && is_digit(text[behind])) ++behind;
            grouped |= c == ',' && digits.size() <= 3 && digits[0] != '0';
            if (c == ',' && grouped && behind - i - 1 == 3) continue;
            point = true;
            digits += '.';
        } else {
            break;
        }
    }
    if (digits.empty()) return digits;
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        std::size_t behind = i + 1;
        if (behind < text.size() && (text[behind] == '-' || text[behind] == '+')) ++behind;
        const std::size_t first = behind;
        while (behind < text.size() && is_digit(text[behind])) ++behind;
        if (behind > first) {
            digits += text.substr(i, behind - i);
            i = behind;
        }
    }
    at = i;
    return digits;
}

std::optional<double> read_foreign(std::string_view text, Dimension dim)
{
    text = without_blanks(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    std::size_t at = 0;
    const std::string digits = scan_foreign_number(text, at);
    if (digits.empty()) return std::nullopt;
    const std::string_view name = without_blanks(text.substr(at));
    if (name.empty()) return dim == dimension::none ? read_decimal(digits) : std::nullopt;
    if (dim == dimension::none && name.starts_with('/')) {
        const auto above = read_decimal(digits), below = read_decimal(without_blanks(name.substr(1)));
        return above && below && *below > 0 ? std::optional(*above / *below) : std::nullopt;
    }
    const auto unit = foreign_unit(name, dim);
    return unit ? read_decimal(digits, unit->factor, unit->exponent) : std::nullopt;
}

}  // namespace anml
