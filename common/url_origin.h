// Hosts and ports as URLs and the field Host have them (RFC 3986, 3.2), and which of several names an origin has
// (RFC 6454).
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace anml {

// A host and, behind a colon that is none of an IPv6 address, its port; "": it says none.
constexpr std::pair<std::string_view, std::string_view> host_and_port(std::string_view authority)
{
    const std::size_t colon = authority.rfind(':');
    if (colon == std::string_view::npos || authority.find(']', colon) != std::string_view::npos) return {authority, ""};
    return {authority.substr(0, colon), authority.substr(colon + 1)};
}

// "8443"; 0: that is no port.
inline std::uint16_t port_number(std::string_view text)
{
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : std::uint16_t{0};
}

constexpr std::uint16_t usual_port(bool secure) { return secure ? 443 : 80; }

// "https://shop.example:8443", in lower case.
struct UrlOrigin {
    bool secure = false;
    std::string_view authority, host;
    std::uint16_t port = 0;  // 0: it is none
};

inline UrlOrigin url_origin(std::string_view text)
{
    UrlOrigin origin;
    origin.secure = text.starts_with("https:");
    origin.authority = text.substr(text.find("//") + 2);
    const auto [host, port] = host_and_port(origin.authority);
    origin.host = host;
    origin.port = port.empty() ? usual_port(origin.secure) : port_number(port);
    return origin;
}

// The place of the name that stands for the origin: "shop.example" for any port, "localhost:8080" for this one, which
// comes first. `names.size()`: none does.
template <class Names>
std::size_t place_of_origin(const Names& names, const UrlOrigin& origin)
{
    std::size_t found = names.size();
    for (std::size_t i = names.size(); i-- > 0 && origin.port != 0;) {
        const auto [host, port] = host_and_port(names[i]);
        if (host != origin.host) continue;
        if (!port.empty() && port_number(port) == origin.port) return i;
        if (port.empty()) found = i;
    }
    return found;
}

}  // namespace anml
