#include "app/web_server/web_answer.h"

#include <fmt/format.h>

#include <string_view>

#include "app/cluster.h"
#include "net/model.h"

namespace anml::rt::app::web_answer {

namespace {

// Before the paths of documents that have moved.
constexpr std::string_view kMoved = "/moved";

enum class Kind : std::uint8_t { document, not_modified, moved };

std::string etag(const Model& model, std::uint32_t document)
{
    return fmt::format("\"{:x}-{:x}\"", document, model.documents().size(document));
}

// Of a response that says more than where its document ends: what tells whether it is still the same (RFC 9110, 8.8.3),
// a cookie (RFC 6265), of the session with that number, where it has moved (RFC 9110, 15.4.3).
std::string response_head(const Model& model, Kind kind, std::uint32_t document, content::Persistence persistence,
                          bool etags, std::uint64_t cookie)
{
    using content::Persistence;
    constexpr std::string_view kStatuses[] = {"200 OK", "304 Not Modified", "302 Found"};
    std::string head = fmt::format("HTTP/1.{} {}\r\nServer: anml\r\n", persistence == Persistence::none ? 0 : 1,
                                   kStatuses[static_cast<std::size_t>(kind)]);
    if (kind == Kind::document)
        head += fmt::format("Content-Type: application/octet-stream\r\nContent-Length: {}\r\n",
                            model.documents().size(document));
    if (kind == Kind::moved)
        head += fmt::format("Location: {}{}\r\nContent-Length: 0\r\n", kMoved, model.documents().path(document));
    else if (etags)
        head += fmt::format("ETag: {}\r\n", etag(model, document));
    if (cookie != 0) head += fmt::format("Set-Cookie: session={}; Path=/\r\n", cookie);
    head += persistence == Persistence::kept ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return head;
}

bool says_more(const WebServer& server) { return server.etags || server.cookie || server.moved; }

// Of what the field If-None-Match says.
bool has_document(const Cluster& k, const http::Fields& fields, std::uint32_t document)
{
    const std::string tag = etag(k.model, document);
    bool found = false;
    fields.each(http::Fields::if_none_match,
                [&](std::string_view tags) { found |= tags == "*" || tags.find(tag) != std::string_view::npos; });
    return found;
}

}  // namespace

void expect(const WebServer& server, http::RequestHead& head, http::Fields& fields)
{
    head.fields = says_more(server) ? &fields : nullptr;
    if (server.moved) head.moved = kMoved;
}

WebSession::Request understand(const Cluster& k, const WebServer& server, const http::RequestHead& head,
                               const http::Fields& fields)
{
    const std::uint32_t document = head.refusal() != 0 ? kNone : head.wanted.first;
    return {document,
            !head.version_1_1 && !head.keep_alive,
            head.method,
            server.etags && document != kNone && has_document(k, fields, document),
            !fields.value(http::Fields::cookie).empty(),
            head.elsewhere,
            false,
            head.refusal()};
}

Answer answer(Cluster& k, std::uint32_t index, const WebSession::Request& request, content::Persistence persistence,
              std::uint16_t status)
{
    WebServer& server = k.web_server.servers[index];
    const bool logged = request.document != kNone && k.model.documents().logged(request.document);
    const bool given = request.method != http::Method::get && request.method != http::Method::head &&
                       request.document != kNone && !logged;
    Answer answer;
    server.statistics.failed += status != 0 && k.measuring();
    answer.content = status != 0                 ? content::failure(status, persistence)
                     : request.refusal != 0      ? content::failure(request.refusal, persistence)
                     : request.document == kNone ? content::not_found(persistence)
                     : given                     ? content::reply(index, persistence)
                                                 : content::response(request.document, persistence);
    const std::uint64_t body = content::body(k.model, answer.content);
    answer.offset = content::length(k.model, answer.content) - body;
    answer.body = request.method == http::Method::head ? 0 : body;
    if (!says_more(server) || status != 0 || request.document == kNone || given || logged) return answer;
    const Kind kind = server.moved && !request.elsewhere ? Kind::moved
                      : request.has_it                   ? Kind::not_modified
                                                         : Kind::document;
    const std::uint64_t cookie = server.cookie && !request.has_cookie ? ++server.cookies : 0;
    answer.head = response_head(k.model, kind, request.document, persistence, server.etags, cookie);
    if (kind != Kind::document) answer.body = 0;
    return answer;
}

}  // namespace anml::rt::app::web_answer
