#include "app/web_server/web_answer.h"

#include <string_view>

#include "app/cluster.h"
#include "app/web_server/response_text.h"

namespace anml::rt::app::web_answer {

namespace {

bool says_more(const WebServer& server) { return server.etags || server.cookie || server.moved; }

// Of what the field If-None-Match says.
bool has_document(const Cluster& k, const http::Fields& fields, std::uint32_t document)
{
    const std::string tag = content::etag(k.model, document);
    bool found = false;
    fields.each(http::Fields::if_none_match,
                [&](std::string_view tags) { found |= tags == "*" || tags.find(tag) != std::string_view::npos; });
    return found;
}

}  // namespace

void expect(const WebServer& server, http::RequestHead& head, http::Fields& fields)
{
    head.fields = says_more(server) ? &fields : nullptr;
    if (server.moved) head.moved = content::kMoved;
}

WebSession::Request understand(const Cluster& k, const WebServer& server, const http::RequestHead& head,
                               const http::Fields& fields)
{
    const std::uint32_t document = head.wanted.first;
    return {document,
            !head.version_1_1 && !head.keep_alive,
            head.method,
            server.etags && document != kNone && has_document(k, fields, document),
            !fields.value(http::Fields::cookie).empty(),
            head.elsewhere};
}

Answer answer(Cluster& k, std::uint32_t index, const WebSession::Request& request, content::Persistence persistence,
              std::uint16_t status)
{
    WebServer& server = k.web_server.servers[index];
    const bool logged = request.document != kNone && k.model.logged(request.document);
    const bool given = request.method != http::Method::get && request.method != http::Method::head &&
                       request.document != kNone && !logged;
    Answer answer;
    server.statistics.failed += status != 0 && k.measuring();
    answer.content = status != 0                 ? content::failure(status, persistence)
                     : request.document == kNone ? content::not_found(persistence)
                     : given                     ? content::reply(index, persistence)
                                                 : content::response(request.document, persistence);
    const std::uint64_t body = content::body(k.model, answer.content);
    answer.offset = content::length(k.model, answer.content) - body;
    answer.body = request.method == http::Method::head ? 0 : body;
    if (!says_more(server) || status != 0 || request.document == kNone || given || logged) return answer;
    const content::Answer kind = server.moved && !request.elsewhere ? content::Answer::moved
                                 : request.has_it                   ? content::Answer::not_modified
                                                                    : content::Answer::document;
    const std::uint64_t cookie = server.cookie && !request.has_cookie ? ++server.cookies : 0;
    answer.head = content::response_head(k.model, {kind, request.document, persistence, server.etags, cookie});
    if (kind != content::Answer::document) answer.body = 0;
    return answer;
}

}  // namespace anml::rt::app::web_answer
