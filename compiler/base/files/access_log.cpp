#include "base/files/access_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "base/files/document_list.h"

namespace anml {
namespace {

constexpr std::uint64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kEarliest = std::int64_t{1} << 40;  // seconds before 1970, where years have four digits
constexpr std::uint64_t kLongestSeconds = 1000 * 3600;
constexpr std::uint64_t kLargestResponse = std::uint64_t{1} << 40;
constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

template <class Number>
std::optional<Number> digits(std::string_view text)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, number);
    if (text.empty() || text.front() == '-' || code != std::errc{} || stop != end) return std::nullopt;
    return number;
}

// "10/Oct/2000:13:55:36 -0700", in seconds since 1970.
std::optional<std::int64_t> log_time(std::string_view text)
{
    constexpr std::string_view kLike = "10/Oct/2000:13:55:36 -0700";
    if (text.size() != kLike.size()) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool digit = kLike[i] >= '0' && kLike[i] <= '9', word = kLike[i] >= 'A';
        if (i == 21 ? text[i] != '+' && text[i] != '-'
                    : digit ? text[i] < '0' || text[i] > '9' : !word && text[i] != kLike[i])
            return std::nullopt;
    }
    const auto part = [&](std::size_t at, std::size_t size) { return digits<int>(text.substr(at, size)).value_or(0); };
    const auto* const month = std::find(std::begin(kMonths), std::end(kMonths), text.substr(3, 3));
    using namespace std::chrono;
    const year_month_day date{year(part(7, 4)), std::chrono::month(static_cast<unsigned>(month - kMonths) + 1),
                              day(static_cast<unsigned>(part(0, 2)))};
    const int hour = part(12, 2), minute = part(15, 2), second = part(18, 2);
    if (month == std::end(kMonths) || !date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
    const int east = (part(22, 2) * 60 + part(24, 2)) * (text[21] == '-' ? -60 : 60);
    return sys_days(date).time_since_epoch().count() * std::int64_t{86400} + hour * 3600 + minute * 60 + second - east;
}

// "www.example.org:443", "[2001:db8::1]:80"
bool is_server(std::string_view text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos || colon == 0 || !digits<std::uint16_t>(text.substr(colon + 1))) return false;
    const std::string_view host = text.substr(0, colon);
    return host.find(':') == host.npos || (host.front() == '[' && host.back() == ']');
}

// What stands in double quotes at the beginning, without them; a quote inside has a backslash before it.
std::optional<std::string_view> quoted(std::string_view text)
{
    if (!text.starts_with('"')) return std::nullopt;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\\') ++i;
        else if (text[i] == '"') return text.substr(1, i - 1);
    }
    return std::nullopt;
}

// A logged path as it was asked for: \x22 and \" are characters, \t and what else C writes so are sent as %09.
std::string unescaped(std::string_view text)
{
    std::string plain;
    const auto put = [&](unsigned byte) {
        if (byte < 0x20 || byte == 0x7f)
            plain += fmt::format("%{:02X}", byte);
        else
            plain += static_cast<char>(byte);
    };
    constexpr std::string_view kLetters = "abtnvfr";  // 7 to 13
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        if (text[i] == '\\' && i + 3 < text.size() && text[i + 1] == 'x' &&
            std::from_chars(text.data() + i + 2, text.data() + i + 4, byte, 16).ptr == text.data() + i + 4)
        {
            put(byte);
            i += 3;
        } else if (text[i] == '\\' && i + 1 < text.size()) {
            const std::size_t letter = kLetters.find(text[++i]);
            put(letter == kLetters.npos ? static_cast<unsigned char>(text[i]) : static_cast<unsigned>(letter) + 7);
        } else {
            plain += text[i];
        }
    }
    return plain;
}

}  // namespace

LineError AccessLogReader::take(std::string_view line)
{
    if (line.empty()) return {};
    std::string_view rest = line;
    const auto word = [&] {
        const std::string_view text = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(text.size() + 1, rest.size()));
        return text;
    };
    std::string_view name = word(), identity = word();
    if (name.empty() || identity.empty()) return wrong_part(line, line, "a line begins with the client's address");
    std::size_t bracket = rest.find(" [");  // a user may have blanks
    if (bracket == rest.npos) return wrong_part(line, rest.empty() ? line : rest, "there is no time in brackets");
    if (is_server(name) && identity != "-" && rest.substr(0, bracket).find(' ') != rest.npos) {
        name = identity;
        identity = word();
        bracket = rest.find(" [");
    }
    const std::string_view user = rest.substr(0, bracket);
    if (user.find(' ') != user.npos && (identity != "-" || user.starts_with("- ")))
        return wrong_part(line, line.substr(0, static_cast<std::size_t>(user.data() - line.data()) + user.size()),
                          "before the time there is more than a client, its identity and its user");
    rest.remove_prefix(bracket + 2);
    const std::string_view time = rest.substr(0, rest.find(']'));
    const auto second = log_time(time);
    if (!second)
        return wrong_part(line, time, fmt::format("`{}` is not a time such as 10/Oct/2000:13:55:36 -0700", shown(time)));
    rest.remove_prefix(std::min(time.size() + 2, rest.size()));
    const auto request = quoted(rest);
    if (!request) return wrong_part(line, rest.empty() ? line : rest, "there is no request in quotes");
    const std::string_view whole = *request;
    rest.remove_prefix(std::min(whole.size() + 3, rest.size()));
    const std::string_view status = word(), length = word();

    FileDocument wanted;
    wanted.weight = 0;
    const std::size_t first = whole.find(' '), last = whole.rfind(' ');
    if (first == whole.npos || last <= first || !whole.substr(last + 1).starts_with("HTTP/"))
        return wrong_part(line, whole.empty() ? line : whole, fmt::format("`{}` is not a request", shown(whole)));
    const auto method = abi::method_named(whole.substr(0, first));
    if (!method)
        return wrong_part(line, whole.substr(0, first),
                          fmt::format("`{}` is none of {}", shown(whole.substr(0, first)), abi::kMethodList));
    wanted.method = *method;
    const std::string_view target = whole.substr(first + 1, last - first - 1);
    if (target.starts_with('/')) wanted.path = url_path(unescaped(target));
    if (wanted.path.empty()) return wrong_part(line, target, fmt::format("`{}` is not a path", shown(target)));
    const auto code = digits<std::uint32_t>(status);
    if (status.size() != 3 || !code || *code < 200)
        return wrong_part(line, status.empty() ? line : status, fmt::format("`{}` is not a status", shown(status)));
    wanted.status = *code;
    const auto bytes = length == "-" ? std::optional<std::uint64_t>(0) : digits<std::uint64_t>(length);
    if (!bytes || *bytes > kLargestResponse)
        return wrong_part(line, length.empty() ? line : length, fmt::format("`{}` is not a length", shown(length)));
    wanted.size = *bytes;
    // Seconds for now; `finish` knows which is the first.
    arrivals.push_back({static_cast<std::uint64_t>(*second + kEarliest), client(name), document(std::move(wanted))});
    return {};
}

std::uint32_t AccessLogReader::client(std::string_view name)
{
    key_ = name;
    const auto [known, fresh] = clients_.try_emplace(key_, clients);
    clients += fresh;
    return known->second;
}

std::uint32_t AccessLogReader::document(FileDocument wanted)
{
    key_ = fmt::format("{} {} {} {}", static_cast<unsigned>(wanted.method), wanted.status, wanted.size, wanted.path);
    const auto [known, fresh] = documents_.try_emplace(key_, static_cast<std::uint32_t>(documents.size()));
    if (fresh) documents.push_back(std::move(wanted));
    ++documents[known->second].weight;
    return known->second;
}

std::string AccessLogReader::finish()
{
    if (arrivals.empty()) return "it has no requests";
    // Servers write a line when they have answered, so that times are not always in order.
    sort_by_time(arrivals);
    const std::uint64_t start = arrivals.front().at;
    if (arrivals.back().at - start > kLongestSeconds) return "it is longer than 1000 h";
    for (std::size_t begin = 0, end = 0; begin < arrivals.size(); begin = end) {
        const std::uint64_t second = arrivals[begin].at;
        while (end < arrivals.size() && arrivals[end].at == second) ++end;
        for (std::size_t i = begin; i < end; ++i)
            arrivals[i].at = (second - start) * kSecondNs + (i - begin) * kSecondNs / (end - begin);
    }
    return "";
}

}  // namespace anml
