// Rates, delays and lengths as other tools' files write them.
#include "import/links/link_attributes.h"

#include <charconv>
#include <cmath>
#include <string>

#include "base/values/foreign_quantity.h"
#include "common/ascii.h"
#include "common/decimal.h"

namespace anml {

namespace {

std::optional<double> scan_number(std::string_view text, std::size_t& at)
{
    const auto number = parse_quantity(scan_foreign_number(text, at));
    return number ? std::optional(number->value) : std::nullopt;
}

// The unit behind a number in a label, as bit/s: one of a rate, or what Ethernet is called behind "10G".
std::optional<double> scan_unit(std::string_view text, std::size_t& at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '-' || text[at] == '_')) ++at;
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || text[end] == '/')) ++end;
    const std::string_view word = text.substr(at, end - at);
    at = end;
    if (word == "b" || word == "bit" || word == "bits") return std::nullopt;  // how many, not how fast
    if (word.empty()) return std::nullopt;
    const auto one = [](std::string_view unit) { return read_foreign("1 " + std::string(unit), dimension::rate); };
    if (const auto unit = one(word)) return unit;
    const auto prefix = one(word.substr(0, 1));
    const std::string rest = lower_case(word.substr(1));
    for (std::string_view ethernet : {"e", "be", "ge", "ig", "ige", "egabit", "ethernet", "base", "baset"})
        if (prefix && rest == ethernet) return prefix;
    return std::nullopt;
}

// "oc3", "oc-192c": the number behind a word that begins at `at`.
std::optional<double> number_behind(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == '-' || text[at] == ' ' || text[at] == '_')) ++at;
    if (at >= text.size() || !is_digit(text[at])) return std::nullopt;
    return scan_number(text, at);
}

// Levels of the digital hierarchies, whole words only.
std::optional<double> scan_hierarchy(std::string_view text)
{
    constexpr double kE[] = {64e3, 2.048e6, 8.448e6, 34.368e6, 139.264e6, 565.148e6};
    constexpr double kT[] = {64e3, 1.544e6, 6.312e6, 44.736e6, 274.176e6};
    const std::string word = lower_case(text);
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (i > 0 && (is_letter(word[i - 1]) || is_digit(word[i - 1]))) continue;
        const std::string_view rest = std::string_view(word).substr(i);
        const auto level = [&](std::string_view name) -> std::optional<double> {
            if (!rest.starts_with(name)) return std::nullopt;
            return number_behind(word, i + name.size());
        };
        if (const auto n = level("oc"); n && *n >= 1 && *n <= 3072) return *n * 51.84e6;
        if (const auto n = level("stm"); n && *n <= 1024) return *n == 0 ? 51.84e6 : *n * 155.52e6;
        if (const auto n = level("sts"); n && *n >= 1 && *n <= 3072) return *n * 51.84e6;
        if (const auto n = level("ds"); n && *n <= 4) return kT[static_cast<int>(*n)];
        if (const auto n = level("t"); n && *n >= 1 && *n <= 4) return kT[static_cast<int>(*n)];
        if (const auto n = level("e"); n && *n >= 1 && *n <= 5) return kE[static_cast<int>(*n)];
        if (const auto n = level("j"); n && *n == 1) return 1.544e6;
        for (std::string_view name : {"gigabit", "gige", "gig-e", "gige", "gbe"})
            if (rest.starts_with(name)) return 1e9;
        if (rest.starts_with("fast ethernet") || rest.starts_with("fastethernet")) return 100e6;
        if (rest == "ethernet") return 10e6;
    }
    return std::nullopt;
}

std::string_view without_spaces(std::string_view text)
{
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

}  // namespace

std::optional<double> read_number(std::string_view text)
{
    text = without_spaces(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> find_rate(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const bool times_sign = i > 1 && to_lower(text[i - 1]) == 'x' && (is_digit(text[i - 2]) || text[i - 2] == ' ');
        const bool begins =
            is_digit(text[i]) && (i == 0 || times_sign || (!is_digit(text[i - 1]) && !is_letter(text[i - 1])));
        if (!begins) {
            ++i;
            continue;
        }
        std::size_t behind = i;
        const auto number = scan_number(text, behind);
        std::size_t end = behind;
        const auto unit = number ? scan_unit(text, end) : std::nullopt;
        if (unit && *number > 0) {
            // "2 x 10 Gbps"
            double times = 1;
            std::size_t x = i;
            while (x > 0 && text[x - 1] == ' ') --x;
            if (x > 0 && (text[x - 1] == 'x' || text[x - 1] == 'X' || text[x - 1] == '*')) {
                --x;
                while (x > 0 && text[x - 1] == ' ') --x;
                std::size_t first = x;
                while (first > 0 && is_digit(text[first - 1])) --first;
                if (first < x && x - first <= 3) times = scan_number(text, first).value_or(1);
            }
            return times * *number * *unit;
        }
        i = std::max(behind, i + 1);
    }
    return scan_hierarchy(text);
}

std::optional<double> read_rate(std::string_view text)
{
    text = without_spaces(text);
    std::size_t at = 0;
    double times = 1;
    if (const auto number = scan_number(text, at)) {  // "2 x 10 Gbps"
        const std::string_view behind = without_spaces(text.substr(at));
        if (*number >= 1 && (behind.starts_with('x') || behind.starts_with('X') || behind.starts_with('*'))) {
            times = *number;
            text = without_spaces(behind.substr(1));
        }
    }
    if (const auto rate = read_foreign(text, dimension::rate)) return times * *rate;
    at = 0;
    const auto number = scan_number(text, at);
    if (!number) {
        const auto level = !text.empty() && is_letter(text[0]) ? scan_hierarchy(text) : std::nullopt;
        return level ? std::optional(times * *level) : std::nullopt;
    }
    const auto unit = scan_unit(text, at);
    const std::string rest = lower_case(without_spaces(text.substr(at)));
    return unit && (rest.empty() || rest == "ethernet") ? std::optional(times * *number * *unit) : std::nullopt;
}

std::optional<double> read_delay(std::string_view text)
{
    const auto ns = read_foreign(text, dimension::time);
    return ns ? std::optional(*ns * 1e-9) : std::nullopt;
}

std::optional<double> read_milliseconds(std::string_view text)
{
    text = without_spaces(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto ns = read_decimal(text, 1, 6);
    return ns && std::isfinite(*ns) ? ns : std::nullopt;
}

std::optional<double> read_length(std::string_view text) { return read_foreign(text, dimension::length); }
std::optional<double> read_size(std::string_view text) { return read_foreign(text, dimension::size); }
std::optional<double> read_ratio(std::string_view text) { return read_foreign(text, dimension::none); }

}  // namespace anml
