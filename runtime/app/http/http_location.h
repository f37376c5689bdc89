// Where a redirection leads (RFC 9110, 15.4): what Location says, as a path of the same server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anml::rt::app::http {

// Whom a client asks.
struct Origin {
    std::string_view authority;  // its field Host, or :authority
    std::uint16_t port = 80;     // that it connects to
    bool secure = false;         // https
};

// The path, with its query, of the reference `location` in the answer to a request for `path` (RFC 3986, 5.2); nothing
// if it belongs to another server, or is none.
std::optional<std::string> resolve(std::string_view location, const Origin& origin, std::string_view path);

}  // namespace anml::rt::app::http
