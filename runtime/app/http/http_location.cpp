#include "app/http/http_location.h"

#include <algorithm>
#include <utility>

#include "app/http/http_words.h"
#include "common/ascii.h"
#include "common/url_origin.h"

namespace anml::rt::app::http {

namespace {

constexpr std::size_t kLongestTarget = 4096;

// A server of the same name on the port that is connected to, or that the client's own name for it says: a server that
// is asked by a name without a port says the one that it listens on.
bool same_server(std::string_view authority, const Origin& origin)
{
    const auto [host, port] = host_and_port(authority);
    const auto [own_host, own_port] = host_and_port(origin.authority);
    if (!same_in_any_case(host, own_host)) return false;
    const std::string_view usual = origin.secure ? "443" : "80";
    const std::string_view wanted = port.empty() ? usual : port;
    if (wanted == (own_port.empty() ? usual : own_port)) return true;
    return port_number(wanted) == origin.port;
}

// RFC 3986, 5.2.4, of an absolute path.
std::string without_dots(std::string_view path)
{
    std::string out;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/', 1), path.size());
        const std::string_view segment = path.substr(1, end - 1);
        const bool last = end == path.size();
        if (segment == "..") out.resize(std::min(out.rfind('/'), out.size()));
        if (segment != "." && segment != "..")
            out += path.substr(0, end);
        else if (last)
            out += '/';
        path.remove_prefix(end);
    }
    return out;
}

// What may not stand in a request line is written in hexadecimal, as browsers do.
std::string encoded(std::string_view text)
{
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<std::uint8_t>(c);
        if (byte > ' ' && byte < 0x7f) {
            out += c;
        } else {
            out += '%';
            out += kDigits[byte >> 4];
            out += kDigits[byte & 15];
        }
    }
    return out;
}

// The scheme that a reference begins with, its colon gone too; "": none.
std::string_view take_scheme(std::string_view& reference)
{
    const std::size_t end = reference.find_first_of(":/?#");
    if (end == 0 || end == std::string_view::npos || reference[end] != ':') return {};
    const std::string_view scheme = reference.substr(0, end);
    reference.remove_prefix(end + 1);
    return scheme;
}

}  // namespace

std::optional<std::string> resolve(std::string_view location, const Origin& origin, std::string_view path)
{
    location = location.substr(0, location.find('#'));
    const bool any = !location.empty();
    const std::string_view scheme = take_scheme(location);
    if (!scheme.empty() && (!same_in_any_case(scheme, origin.secure ? "https" : "http") || !location.starts_with("//")))
        return std::nullopt;
    if (location.starts_with("//")) {
        location.remove_prefix(2);
        const std::size_t end = std::min(location.find_first_of("/?"), location.size());
        if (!same_server(location.substr(0, end), origin)) return std::nullopt;
        location.remove_prefix(end);
        path = "/";
    }
    const std::size_t query = std::min(location.find('?'), location.size());
    const std::string_view own = location.substr(0, query), base = path.substr(0, path.find('?'));
    std::string target = own.empty()            ? std::string(base)
                         : own.starts_with('/') ? without_dots(own)
                                                : without_dots(std::string(base.substr(0, base.rfind('/') + 1)) +
                                                               std::string(own));
    target += any ? location.substr(query) : path.substr(std::min(path.find('?'), path.size()));
    target = encoded(target);
    if (!target.starts_with('/') || target.size() > kLongestTarget) return std::nullopt;
    return target;
}

}  // namespace anml::rt::app::http
