#include "base/files/request_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/diagnostics.h"
#include "common/ascii.h"

namespace anml::request_text {

std::string body_as_sent(std::string_view body, std::string_view type, const Ranges& raw)
{
    const std::size_t least = raw.empty() ? 0 : raw.back().second;
    while (body.size() > least && body.ends_with('\n')) body.remove_suffix(1);
    const std::string kind = lower_case(type);
    const std::string_view end = kind.starts_with("application/x-www-form-urlencoded") ? ""
                                 : kind.starts_with("multipart/")                      ? "\r\n"
                                                                                       : "\n";
    std::string sent;
    auto next = raw.begin();
    for (std::size_t i = 0; i < body.size(); ++i) {
        if (next != raw.end() && i == next->first) {
            sent += body.substr(i, next->second - i);
            i = next++->second;
            if (i == body.size()) break;
        }
        if (body[i] == '\n')
            sent += end;
        else
            sent += body[i];
    }
    return sent;
}

std::string wrong_authority(std::string_view authority)
{
    if (authority.find('@') != authority.npos)
        return "a user and a password stand in a field: `Authorization: Basic user:password`";
    const bool literal = authority.starts_with('[');
    const std::size_t end = literal ? std::min(authority.find(']'), authority.size() - 1) + 1
                                    : std::min(authority.find(':'), authority.size());
    const std::string_view host = authority.substr(0, end), port = authority.substr(end);
    if (host.empty() || (literal && !host.ends_with(']'))) return fmt::format("`{}` is no host", shown(authority));
    std::uint16_t number = 0;
    const auto [behind, error] = std::from_chars(port.data() + !port.empty(), port.data() + port.size(), number);
    if (!port.empty() && (port[0] != ':' || error != std::errc() || behind != port.data() + port.size() || number == 0))
        return fmt::format("`{}` is no port: those are numbers from 1 to 65535", shown(port.substr(1)));
    return "";
}

}  // namespace anml::request_text
