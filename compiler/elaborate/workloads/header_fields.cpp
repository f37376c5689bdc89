// Header fields that web clients send besides their own (RFC 9110, 5).
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "common/ascii.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

constexpr std::size_t kMostFields = 32, kMostBytes = 8000;
// What clients say themselves, or what another message would follow from than they read.
constexpr std::string_view kReserved[] = {
    "Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "TE", "Trailer", "Upgrade", "Transfer-Encoding"};

bool of_token(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// "": nothing.
std::string what_is_wrong(std::string_view field)
{
    const std::size_t colon = field.find(':');
    const std::string_view name = field.substr(0, colon);
    if (colon == field.npos || name.empty() || !std::all_of(name.begin(), name.end(), of_token))
        return "is no header field: it is written `Name: value`";
    const auto shown = [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; };
    if (!std::all_of(field.begin(), field.end(), shown)) return "has a character that no header field may have";
    if (std::any_of(std::begin(kReserved), std::end(kReserved), [&](auto own) { return same_in_any_case(own, name); }))
        return "is a field that the clients say themselves";
    return "";
}

}  // namespace

bool headers(ReportOnce& report, const Value& list, Span place)
{
    const auto* fields = list.as<std::shared_ptr<const ListValue>>();
    std::vector<Value> one;
    if (list.as<std::string>()) one.push_back(list);
    std::size_t bytes = 0;
    for (const Value& each : fields ? **fields : one) {
        const std::string* field = each.as<std::string>();
        if (!field) return false;
        bytes += field->size();
        const std::string wrong = what_is_wrong(*field);
        if (wrong.empty()) continue;
        report(Diag::invalid_header, place, fmt::format("\"{}\" {}", *field, wrong));
        return false;
    }
    const std::size_t count = fields ? (*fields)->size() : one.size();
    if (count <= kMostFields && bytes <= kMostBytes) return true;
    report(Diag::invalid_header, place,
           fmt::format("{} header fields of {} B are more than requests carry: {} of {} B at most", count, bytes,
                       kMostFields, kMostBytes));
    return false;
}

}  // namespace anml
