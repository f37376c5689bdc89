#include "app/http/http_date.h"

#include <chrono>
#include <cstdint>

#include "app/http/http_words.h"

namespace anml::rt::app::http {

namespace {

constexpr std::string_view kMonths = "janfebmaraprmayjunjulaugsepoctnovdec";

bool delimits(std::uint8_t c)
{
    return c == '\t' || (c >= ' ' && c <= '/') || (c >= ';' && c <= '@') || (c >= '[' && c <= '`') ||
           (c >= '{' && c <= '~');
}

// The digits that `text` begins with, which are gone then; none unless they are `least` to `most`.
std::optional<unsigned> take_number(std::string_view& text, std::size_t least, std::size_t most)
{
    unsigned number = 0;
    std::size_t count = 0;
    while (count < text.size() && digit(static_cast<std::uint8_t>(text[count]))) {
        if (count == most) return std::nullopt;
        number = number * 10 + static_cast<unsigned>(text[count++] - '0');
    }
    if (count < least) return std::nullopt;
    text.remove_prefix(count);
    return number;
}

std::optional<unsigned> seconds_of(std::string_view word)
{
    unsigned parts[3];
    for (unsigned& part : parts) {
        const auto number = take_number(word, 1, 2);
        if (!number) return std::nullopt;
        part = *number;
        if (&part == &parts[2]) break;
        if (!word.starts_with(':')) return std::nullopt;
        word.remove_prefix(1);
    }
    if (parts[0] > 23 || parts[1] > 59 || parts[2] > 59) return std::nullopt;
    return (parts[0] * 60 + parts[1]) * 60 + parts[2];
}

std::optional<unsigned> month_of(std::string_view word)
{
    if (word.size() < 3) return std::nullopt;
    char begin[3];
    for (std::size_t i = 0; i < 3; ++i) begin[i] = static_cast<char>(lower(static_cast<std::uint8_t>(word[i])));
    for (std::size_t at = 0; at < kMonths.size(); at += 3)
        if (kMonths.substr(at, 3) == std::string_view(begin, 3)) return static_cast<unsigned>(at / 3 + 1);
    return std::nullopt;
}

}  // namespace

std::optional<Time> read_date(std::string_view text)
{
    std::optional<unsigned> seconds, day, month, year;
    while (!text.empty()) {
        std::size_t size = 0;
        while (size < text.size() && !delimits(static_cast<std::uint8_t>(text[size]))) ++size;
        std::string_view word = text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
        if (word.empty()) continue;
        if (!seconds && (seconds = seconds_of(word))) continue;
        std::string_view left = word;
        if (!day && (day = take_number(left, 1, 2))) continue;
        if (!month && (month = month_of(word))) continue;
        if (!year) year = take_number(word, 2, 4);
    }
    if (!seconds || !day || !month || !year) return std::nullopt;
    if (*year < 100) *year += *year >= 70 ? 1900 : 2000;
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                                           std::chrono::day(*day)};
    if (!date.ok() || *year < 1601) return std::nullopt;
    constexpr std::int64_t kLatest = kNever / kSecond - 1;
    const std::int64_t at = std::chrono::sys_days(date).time_since_epoch().count() * std::int64_t{86400} + *seconds;
    return at < 0 ? 0 : std::min(at, kLatest) * kSecond;
}

}  // namespace anml::rt::app::http
