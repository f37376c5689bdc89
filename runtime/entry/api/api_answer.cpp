#include "entry/api/api_answer.h"

#include <fmt/format.h>

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view reason_phrase(int status)
{
    switch (status) {
        case 200:
            return "OK";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 409:
            return "Conflict";
        case 411:
            return "Length Required";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 421:
            return "Misdirected Request";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Error";
    }
}

std::string api_head(int status, std::string_view type)
{
    return fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
        "Connection: close\r\n",
        status, reason_phrase(status), type);
}

std::string whole_answer(std::string head, const Json& json, bool without_body)
{
    const std::string body = json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    head += fmt::format("Content-Length: {}\r\n\r\n", body.size());
    return without_body ? head : head + body;
}

}  // namespace

std::string api_answer(const Json& json, bool without_body)
{
    return whole_answer(api_head(200, "application/json"), json, without_body);
}

std::string api_problem(int status, std::string_view why, std::string_view allow, bool without_body)
{
    std::string fields = api_head(status, "application/problem+json");
    if (status == 401) fields += "WWW-Authenticate: Bearer\r\n";
    if (!allow.empty()) fields += fmt::format("Allow: {}\r\n", allow);
    return whole_answer(std::move(fields),
                 {{"type", "about:blank"}, {"title", reason_phrase(status)}, {"status", status}, {"detail", why}},
                 without_body);
}

std::string api_stream(std::string_view type) { return api_head(200, type) + "Transfer-Encoding: chunked\r\n\r\n"; }

std::string api_chunk(std::string_view bytes)
{
    return bytes.empty() ? std::string() : fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

}  // namespace anml::rt::entry
