#include "app/web_client/request_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "abi/records.h"
#include "app/content.h"
#include "app/http/http_words.h"
#include "common/ascii.h"
#include "net/model.h"
#include "net/web_clients.h"

namespace anml::rt::content {

namespace {

using WebClient = abi::record::closed_loop;  // an open loop's row begins alike

constexpr std::string_view kMethodNames[] = {"GET ",    "HEAD ",  "POST ",   "PUT ",
                                             "DELETE ", "PATCH ", "OPTIONS "};
constexpr std::string_view kDefaults[] = {ANML_USER_AGENT, ANML_ACCEPT};
constexpr std::string_view kTypeOfBody = "Content-Type: application/octet-stream";
constexpr std::string_view kLineEnd = "\r\n";

const WebClient& client_of(const Model& model, std::uint32_t workload)
{
    return abi::row_of<WebClient>(model.image(), model.image().workloads[workload].record);
}

// One that is its content.
Variation usual(const Model& model, std::uint32_t request)
{
    const Documents::Asked asked = model.documents().asked(request_number(request));
    const abi::FileDocument* const of_file = model.documents().asked_as(asked.document);
    const auto method =
        of_file ? static_cast<app::http::Method>(of_file->method)
                : static_cast<app::http::Method>(
                      web_clients::method(model.image(), model.image().workloads[asked.workload]));
    return {asked.workload, asked.document, persistence(request), method, {}, {}, {}, nullptr, nullptr};
}

template <class Line>
void each_line(std::string_view lines, Line&& line)
{
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        line(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

// Eight digits at most (gRPC over HTTP/2, Timeout).
std::string grpc_timeout(Time most)
{
    constexpr Time kMost = 99'999'999;
    const Time milliseconds = (most + kMillisecond - 1) / kMillisecond;
    return milliseconds <= kMost ? fmt::format("grpc-timeout: {}m", milliseconds)
                                 : fmt::format("grpc-timeout: {}S", std::min(most / kSecond, kMost));
}

// The parts of a request's head, one behind the other: `text` is given each, `path` the document whose path it is.
template <class Text, class Path>
void each_part(const Model& model, const Variation& request, Text&& text, Path&& path)
{
    const WebClient& client = client_of(model, request.workload);
    const std::string_view headers = client.headers == abi::kNone ? "" : model.text(client.headers);
    const abi::WrittenRequest* const written = model.documents().written(request.document);
    const std::string_view own = request.own_fields ? *request.own_fields
                                 : written          ? model.text(written->fields)
                                                    : std::string_view();
    const abi::StringRef authority =
        written && written->authority != abi::kNone ? written->authority : client.authority;
    const auto line = [&](std::string_view whole) {
        text(whole);
        text(kLineEnd);
    };
    text(kMethodNames[static_cast<std::size_t>(request.method)]);
    if (request.path.empty())
        path(request.document);
    else
        text(request.path);
    line(request.persistence == Persistence::none ? " HTTP/1.0" : " HTTP/1.1");
    text("Host: ");
    line(!request.elsewhere.empty()      ? request.elsewhere
         : authority == abi::kNone ? ANML_HOST
                                   : model.text(authority));
    for (const std::string_view usual : kDefaults)
        if (!gives(headers, usual) && !gives(own, usual)) line(usual);
    // What was meant for one origin alone is not told another one, and what is said of a body goes with it (RFC 9110,
    // 15.4).
    const abi::FileDocument* const asked = model.documents().asked_as(request.document);
    const bool turned = asked && static_cast<app::http::Method>(asked->method) != request.method;
    const auto is_told = [&](std::string_view field) {
        if (turned && gives(field, "Content-Type:")) return false;
        return request.elsewhere.empty() || !(gives(field, "Authorization:") || gives(field, "Cookie:"));
    };
    const auto cookies = std::ranges::find(request.fields, "Cookie", &app::http::Field::name);
    bool joined = false;  // a request has one such field (RFC 6265, 5.4)
    const auto tell = [&](std::string_view field) {
        if (!is_told(field)) return;
        const bool joins = cookies != request.fields.end() && gives(field, "Cookie:");
        joined |= joins;
        text(field);
        if (joins) text("; ");
        line(joins ? cookies->value : "");
    };
    each_line(headers, [&](std::string_view field) {
        if (!gives(own, field)) tell(field);
    });
    each_line(own, tell);
    for (const app::http::Field& field : request.fields) {
        if (joined && field.name == "Cookie") continue;
        text(field.name);
        text(": ");
        line(field.value);
    }
    if (written && written->grpc) {
        const Time most = model.time(client.timeout);
        if (most > 0) line(grpc_timeout(most));
    } else if (const std::uint64_t body = request_body(model, request);
               body > 0 || app::http::has_body(request.method)) {
        char digits[20];
        const char* const end = std::to_chars(digits, digits + sizeof digits, body).ptr;
        if (!written && !gives(headers, kTypeOfBody)) line(kTypeOfBody);
        text("Content-Length: ");
        line({digits, static_cast<std::size_t>(end - digits)});
    }
    if (request.persistence == Persistence::last) line("Connection: close");
    text(kLineEnd);
}

}  // namespace

bool gives(std::string_view lines, std::string_view field)
{
    const std::string_view name = field.substr(0, field.find(':') + 1);
    bool any = false;
    each_line(lines, [&](std::string_view line) {
        any |= same_in_any_case(line.substr(0, name.size()), name);
    });
    return any;
}

// Behind a redirection that is followed with another method nothing of it is sent (RFC 9110, 15.4).
std::uint64_t request_body(const Model& model, const Variation& request)
{
    if (const abi::WrittenRequest* const written = model.documents().written(request.document))
        return request.method == static_cast<app::http::Method>(model.documents().asked_as(request.document)->method)
                   ? (request.own_body ? request.own_body->size() : written->body_length)
                   : 0;
    return app::http::has_body(request.method) ? model.integer(client_of(model, request.workload).body) : 0;
}

bool says_more(const Model& model, std::uint32_t request)
{
    return request_number(request) >= model.documents().count();
}

std::uint64_t request_length(const Model& model, std::uint32_t request)
{
    const Variation parts = usual(model, request);
    std::uint64_t length = request_body(model, parts);
    each_part(
        model, parts, [&](std::string_view text) { length += text.size(); },
        [&](std::uint32_t document) { length += model.documents().path_length(document); });
    return length;
}

void produce_request(const Model& model, std::uint32_t request, std::uint64_t offset, std::span<std::uint8_t> out)
{
    std::uint64_t at = 0;
    const auto add = [&](std::string_view text) {
        overlap(text, at, offset, out);
        at += text.size();
    };
    const auto path = [&](std::uint32_t document) {
        const std::size_t length = model.documents().path_length(document);
        if (at + length > offset && at < offset + out.size())
            add(model.documents().path(document));
        else
            at += length;
    };
    const Variation parts = usual(model, request);
    each_part(model, parts, add, path);
    if (const abi::WrittenRequest* const written = model.documents().written(parts.document))
        add(model.documents().body(*written));
}

void write_head(const Model& model, const Variation& request, std::string& head)
{
    head.clear();
    each_part(
        model, request, [&](std::string_view text) { head += text; },
        [&](std::uint32_t document) { head += model.documents().path(document); });
}

}  // namespace anml::rt::content
