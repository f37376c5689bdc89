#include "entry/api/api_request.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "common/ascii.h"

namespace anml::rt::entry {

namespace {

// A mistake of the client, thrown inside this file only.
struct WrongRequest {
    int status;
    std::string why;
};

bool is_http_token(std::string_view text)
{
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               kMarks.find(static_cast<char>(c)) != kMarks.npos;
    });
}

// Up to the separator, which goes too.
std::string_view cut_off(std::string_view& text, std::string_view separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + separator.size(), text.size()));
    return part;
}

int hexadecimal(char c)
{
    const char small = to_lower(c);
    if (small >= '0' && small <= '9') return small - '0';
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string percent_decoded(std::string_view text, bool plus_is_blank)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i] == '+' && plus_is_blank ? ' ' : text[i];
        if (c == '%') {
            const int high = i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1;
            const int low = high < 0 ? -1 : hexadecimal(text[i + 2]);
            if (low < 0) throw WrongRequest{400, "`%` in the target is followed by two hexadecimal digits"};
            c = static_cast<char>(high << 4 | low);
            i += 2;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            throw WrongRequest{400, "the target has a control character"};
        result += c;
    }
    return result;
}

void read_api_target(std::string_view target, ApiRequest& request)
{
    for (const char c : target)
        if (c <= 0x20 || c == 0x7f) throw WrongRequest{400, "the target has bytes that must be written as %XX"};
    if (lower_case(target.substr(0, 7)) == "http://") {  // its authority takes the place of Host
        target.remove_prefix(7);
        const std::size_t end = std::min(target.find_first_of("/?"), target.size());
        request.host = target.substr(0, end);
        target.remove_prefix(end);
    }
    if (!target.starts_with('/')) throw WrongRequest{400, "the target is no path"};
    std::string_view query = target;
    std::string_view path = cut_off(query, "?").substr(1);
    while (!path.empty()) request.path.push_back(percent_decoded(cut_off(path, "/"), false));
    while (!query.empty()) {
        std::string_view value = cut_off(query, "&");
        std::string name = percent_decoded(cut_off(value, "="), true);
        request.query.emplace_back(std::move(name), percent_decoded(value, true));
    }
}

// What frames the request.
struct ApiFraming {
    std::optional<std::size_t> length;
    bool coded = false;
};

void read_api_field(std::string_view line, ApiRequest& request, ApiFraming& framing, std::vector<std::string>& seen)
{
    std::string_view value = line;
    const std::string_view written = cut_off(value, ":");
    if (written.size() == line.size() || !is_http_token(written)) throw WrongRequest{400, "a field has no name"};
    value = trimmed(value, " \t");
    for (const char c : value)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
            throw WrongRequest{400, "a field has a control character"};
    const std::string name = lower_case(written);
    constexpr std::array kOnce{"host", "content-length", "content-type", "authorization"};
    if (std::find(kOnce.begin(), kOnce.end(), name) != kOnce.end()) {
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
            throw WrongRequest{400, fmt::format("there are two fields `{}`", name)};
        seen.push_back(name);
    }
    if (name == "host" && request.host.empty()) request.host = value;
    if (name == "content-type") request.type = lower_case(trimmed(value.substr(0, value.find(';')), " \t"));
    if (name == "authorization") request.authorization = value;
    if (name == "origin") request.foreign = true;
    if (name == "transfer-encoding") framing.coded = true;
    if (name == "expect") throw WrongRequest{417, "nothing can be expected of this server"};
    if (name == "content-length") {
        std::size_t length = 0;
        const char* end = value.data() + value.size();
        const auto read = std::from_chars(value.data(), end, length);
        if (read.ec == std::errc::result_out_of_range) length = ApiRequest::kLongestBody + 1;
        else if (read.ec != std::errc() || read.ptr != end) throw WrongRequest{400, "Content-Length is no number"};
        framing.length = length;
    }
}

int read_whole(std::string_view bytes, ApiRequest& request)
{
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == bytes.npos || end > ApiRequest::kLongestHead) {
        if (std::min(end, bytes.size()) <= ApiRequest::kLongestHead) return 0;
        throw bytes.find("\r\n") > ApiRequest::kLongestHead ? WrongRequest{414, "the target is too long"}
                                                            : WrongRequest{431, "the head is too long"};
    }
    std::string_view head = bytes.substr(0, end), body = bytes.substr(end + 4);
    std::string_view first = cut_off(head, "\r\n");
    request.method = cut_off(first, " ");
    const std::string_view target = cut_off(first, " ");
    if (!is_http_token(request.method) || target.empty()) throw WrongRequest{400, "this is no request of HTTP"};
    if (first != "HTTP/1.1") {
        if (!first.starts_with("HTTP/")) throw WrongRequest{400, "this is no request of HTTP"};
        throw WrongRequest{505, "HTTP/1.1 is spoken here"};
    }
    read_api_target(target, request);
    ApiFraming framing;
    std::vector<std::string> seen;
    while (!head.empty()) read_api_field(cut_off(head, "\r\n"), request, framing, seen);
    if (std::find(seen.begin(), seen.end(), "host") == seen.end()) throw WrongRequest{400, "there is no Host"};
    if (framing.coded && framing.length) throw WrongRequest{400, "the body has two lengths"};
    if (framing.coded) throw WrongRequest{411, "the body needs a Content-Length"};
    const std::size_t length = framing.length.value_or(0);
    if (length > ApiRequest::kLongestBody)
        throw WrongRequest{413, fmt::format("a body has {} bytes at most", ApiRequest::kLongestBody)};
    if (body.size() < length) return 0;
    request.body = body.substr(0, length);
    return 200;
}

}  // namespace

int read_api_request(std::string_view bytes, ApiRequest& request, std::string& why)
{
    request = {};
    try {
        return read_whole(bytes, request);
    } catch (const WrongRequest& wrong) {
        why = wrong.why;
        return wrong.status;
    }
}

bool is_address_or_localhost(std::string_view host)
{
    const std::size_t colon = host.rfind(':');
    if (colon != host.npos && host.find(']', colon) == host.npos) {
        if (host.find_first_not_of("0123456789", colon + 1) != host.npos) return false;
        host = host.substr(0, colon);
    }
    if (lower_case(host) == "localhost") return true;
    std::array<unsigned char, 16> address;
    if (host.starts_with('[') && host.ends_with(']'))
        return inet_pton(AF_INET6, std::string(host.substr(1, host.size() - 2)).c_str(), address.data()) == 1;
    return inet_pton(AF_INET, std::string(host).c_str(), address.data()) == 1;
}

bool has_token(std::string_view authorization, std::string_view token)
{
    if (lower_case(cut_off(authorization, " ")) != "bearer") return false;
    authorization = trimmed(authorization, " \t");
    if (authorization.size() != token.size() || token.empty()) return false;
    unsigned char differs = 0;
    for (std::size_t i = 0; i < token.size(); ++i)
        differs = static_cast<unsigned char>(differs | (authorization[i] ^ token[i]));
    return differs == 0;
}

}  // namespace anml::rt::entry
