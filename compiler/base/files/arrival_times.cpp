#include "base/files/arrival_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace anml {
namespace {

constexpr std::string_view kBetween = " \t,";
constexpr std::uint32_t kMostClients = 100000000;

std::optional<std::uint32_t> number_of(std::string_view text, std::uint32_t least)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (code != std::errc{} || stop != end || number < least || number > kMostClients) return std::nullopt;
    return number;
}

}  // namespace

LineError ArrivalTimesReader::take(std::string_view line)
{
    std::string_view rest = line;
    const auto next = [&] {
        rest.remove_prefix(std::min(rest.find_first_not_of(kBetween), rest.size()));
        const std::string_view field = rest.substr(0, rest.find_first_of(kBetween));
        rest.remove_prefix(field.size());
        return field;
    };
    const std::string_view time = next(), client = next(), document = next(), more = next();
    if (time.empty() || time.front() == '#') return {};
    FileArrival arrival;
    const auto at = nanoseconds(time);
    if (!at)
        return wrong_part(line, time,
                          fmt::format("`{}` is not a number of seconds, of up to 1000 h and nine decimals", shown(time)));
    arrival.at = *at;
    arrival.client = static_cast<std::uint32_t>(arrivals.size());
    if (!client.empty()) {
        const auto number = number_of(client, 0);
        if (!number) return wrong_part(line, client, fmt::format("`{}` is not the number of a client", shown(client)));
        arrival.client = *number;
        clients = std::max(clients, *number + 1);
    }
    if (!document.empty()) {
        const auto number = number_of(document, 1);
        if (!number)
            return wrong_part(line, document, fmt::format("`{}` is not the number of a document", shown(document)));
        arrival.document = *number - 1;
        documents = std::max(documents, *number);
    }
    if (!more.empty()) return wrong_part(line, more, "a line has a time, a client and a document at most");
    if (arrivals.size() == kMostArrivals) return wrong_part(line, line, "there are more than 100 million times");
    arrivals.push_back(arrival);
    return {};
}

std::string ArrivalTimesReader::finish()
{
    if (arrivals.empty()) return "it has no times";
    sort_by_time(arrivals);
    return "";
}

}  // namespace anml
