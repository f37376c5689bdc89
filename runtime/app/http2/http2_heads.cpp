#include "app/http2/http2_heads.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "app/http/http_words.h"

namespace anml::rt::app::http2 {

nghttp2_nv field(std::string_view name, std::string_view value)
{
    // nghttp2 copies both.
    return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
            reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
            NGHTTP2_NV_FLAG_NONE};
}

namespace {

// The fields of a response that somebody reads.
constexpr std::string_view kRead[] = {"content-length", "set-cookie", "location", "etag", "last-modified"};
// And of a request.
constexpr std::string_view kReadByServer[] = {"cookie", "if-none-match", "content-type"};
constexpr std::string_view kVersion = " HTTP/1.1\r\n";
// Those that HTTP/2 has no use for (RFC 9113, 8.2.2).
constexpr std::string_view kOfConnection[] = {"connection", "proxy-connection", "keep-alive", "transfer-encoding",
                                              "upgrade"};

bool among(std::span<const std::string_view> words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void add_field(std::string& text, std::string_view name, std::string_view value)
{
    text.append(name).append(": ").append(value).append("\r\n");
}

std::string_view take_until(std::string_view& text, std::string_view end)
{
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view before = text.substr(0, at);
    text.remove_prefix(std::min(at + end.size(), text.size()));
    return before;
}

// The fields of a head as of HTTP/1.1, behind its first line; their names in lower case (RFC 9113, 8.2).
void add_fields(HeadFields& fields, std::string_view head)
{
    fields.lower.assign(head);
    std::string_view text = fields.lower;
    while (!text.empty()) {
        const std::string_view line = take_until(text, "\r\n");
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        char* const name = fields.lower.data() + (line.data() - fields.lower.data());
        std::transform(name, name + colon, name,
                       [](char c) { return static_cast<char>(http::lower(static_cast<std::uint8_t>(c))); });
        const std::string_view is = line.substr(0, colon);
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        if (among(kOfConnection, is)) continue;
        if (is == "host")
            fields.all.insert(fields.all.begin() + 2, field(":authority", value));
        else
            fields.all.push_back(field(is, value));
    }
}

}  // namespace

void add_to_request(std::string& text, std::size_t begin, bool& lined, std::string_view name, std::string_view value)
{
    if (name == ":method") {
        text.insert(begin, std::string(value) + " ");
    } else if (name == ":path") {
        // Behind the method, if that has come.
        text.append(value);
    } else if (name.front() != ':') {
        if (!std::exchange(lined, true)) text.append(kVersion);
        if (among(kReadByServer, name)) add_field(text, name, value);
    }
}

void add_to_response(std::string& text, std::string_view name, std::string_view value, bool all)
{
    if (name == ":status")
        text.append("HTTP/1.1 ").append(value).append(" \r\n");
    else if (among(kRead, name) || (all && !name.starts_with(':') && !among(kOfConnection, name)))
        add_field(text, name, value);
}

void end_request(std::string& text, bool lined)
{
    if (!lined) text.append(kVersion);
}

void list_request(HeadFields& fields, std::string_view head, std::string_view scheme)
{
    const std::string_view method = take_until(head, " "), path = take_until(head, " ");
    take_until(head, "\r\n");
    fields.all.clear();
    fields.all.push_back(field(":method", method));
    fields.all.push_back(field(":scheme", scheme));
    fields.all.push_back(field(":path", path));
    add_fields(fields, head);
}

void list_response(HeadFields& fields, std::string_view head)
{
    take_until(head, " ");
    const std::string_view status = take_until(head, " ");
    take_until(head, "\r\n");
    fields.all.clear();
    fields.all.push_back(field(":status", status));
    add_fields(fields, head);
}

}  // namespace anml::rt::app::http2
