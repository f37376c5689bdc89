// Rates, delays and lengths as other tools' files write them.
#include "import/link_attributes.h"

#include <charconv>
#include <cmath>
#include <string>

#include "base/ascii.h"

namespace anml {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// A number at `at`, which is moved behind it; a comma before three digits groups, any other is a decimal one.
std::optional<double> scan_number(std::string_view text, std::size_t& at)
{
    std::string digits;
    std::size_t i = at;
    bool point = false;
    for (; i < text.size(); ++i) {
        const char c = text[i];
        if (is_digit(c)) {
            digits += c;
        } else if ((c == '.' || c == ',') && i + 1 < text.size() && is_digit(text[i + 1]) && !point && !digits.empty())
        {
            std::size_t behind = i + 1;
            while (behind < text.size() && is_digit(text[behind])) ++behind;
            if (c == ',' && behind - i - 1 == 3) continue;
            point = true;
            digits += '.';
        } else {
            break;
        }
    }
    if (digits.empty()) return std::nullopt;
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    at = i;
    return value;
}

// The unit behind a number: k, M, G or T, and then b, bit, bps ..., an `E` for Ethernet, or nothing more.
std::optional<double> scan_unit(std::string_view text, std::size_t at)
{
    while (at < text.size() && (text[at] == ' ' || text[at] == '-' || text[at] == '_')) ++at;
    if (at >= text.size()) return std::nullopt;
    double factor = 0;
    switch (text[at]) {
        case 'k':
        case 'K':
            factor = 1e3;
            break;
        case 'M':
            factor = 1e6;
            break;
        case 'm':  // "mbps" yes, "10 m" no
            factor = at + 1 < text.size() && lower(text[at + 1]) == 'b' ? 1e6 : 0;
            break;
        case 'G':
        case 'g':
            factor = 1e9;
            break;
        case 'T':
        case 't':
            factor = 1e12;
            break;
        default:
            break;
    }
    std::string rest;
    for (std::size_t i = at + (factor != 0);
         i < text.size() && (is_letter(text[i]) || text[i] == '/') && rest.size() < 12; ++i)
        rest += lower(text[i]);
    if (factor == 0) {
        for (std::string_view word : {"bps", "bit/s", "bits/s"})
            if (rest == word) return 1;
        return std::nullopt;
    }
    for (std::string_view word : {"",      "b",      "e",      "be",       "ge",     "ig",      "ige",   "bps",
                                  "bit",   "bits",   "b/s",    "bit/s",    "bits/s", "bit/sec", "bitps", "bits/sec",
                                  "b/sec", "igabit", "egabit", "ethernet", "bpsec",  "base",    "baset"})
        if (rest == word) return factor;
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
    std::string word;
    for (char c : text) word += lower(c);
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

std::optional<double> with_unit(std::string_view text, std::initializer_list<std::pair<std::string_view, double>> units)
{
    std::size_t at = text.find_first_not_of(' ');
    if (at == std::string_view::npos) return std::nullopt;
    const auto number = scan_number(text, at);
    if (!number) return std::nullopt;
    std::string_view unit = text.substr(at);
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    while (!unit.empty() && unit.back() == ' ') unit.remove_suffix(1);
    for (const auto& [name, factor] : units)
        if (unit == name) return *number * factor;
    return std::nullopt;
}

}  // namespace

std::optional<double> read_number(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> read_rate(std::string_view text)
{
    for (std::size_t i = 0; i < text.size();) {
        const bool times_sign = i > 1 && lower(text[i - 1]) == 'x' && (is_digit(text[i - 2]) || text[i - 2] == ' ');
        const bool begins =
            is_digit(text[i]) && (i == 0 || times_sign || (!is_digit(text[i - 1]) && !is_letter(text[i - 1])));
        if (!begins) {
            ++i;
            continue;
        }
        std::size_t behind = i;
        const auto number = scan_number(text, behind);
        const auto unit = number ? scan_unit(text, behind) : std::nullopt;
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

std::optional<double> read_delay(std::string_view text)
{
    return with_unit(text, {{"ns", 1e-9},
                            {"us", 1e-6},
                            {"\xC2\xB5s", 1e-6},
                            {"\xCE\xBCs", 1e-6},
                            {"ms", 1e-3},
                            {"msec", 1e-3},
                            {"s", 1},
                            {"sec", 1}});
}

std::optional<double> read_length(std::string_view text)
{
    return with_unit(text, {{"m", 1}, {"km", 1e3}, {"Km", 1e3}, {"KM", 1e3}, {"mi", 1609.344}, {"miles", 1609.344}});
}

}  // namespace anml
