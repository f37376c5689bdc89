// What differs from request to request of one client, and what is taken from its responses for that: cookies (RFC 6265),
// redirections that are followed (RFC 9110, 15.4), and questions whether a document that the client has is still the same
// (RFC 9110, 13). Such requests are real bytes; others are contents, as those of clients that do nothing of this.
//
// All clients of a host have one memory: its cookies, and what it has of documents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cluster.h"
#include "app/content.h"
#include "app/http/http_fields.h"
#include "app/statistics.h"
#include "app/web/closed_loop.h"
#include "app/web_client/body_check.h"
#include "app/web_client/request_script.h"

namespace anml::rt::app::web_exchange {

// Of a host that does the workload; kNone: its requests are all alike.
std::uint32_t make_memory(Cluster& k, std::uint32_t workload);
void forget(Cluster& k, std::uint32_t memory);  // all that it has
inline Exchange* of(Cluster& k, const Client& client)
{
    return client.memory == kNone ? nullptr : &k.closed_loop.exchanges[client.exchange];
}

// What takes values out of its response's head; null: nobody wants any.
inline http::Fields* fields(Cluster& k, const Client& client)
{
    Exchange* const e = of(k, client);
    return e && e->reads_head ? &e->fields : nullptr;
}

// Whether somebody looks at the body of its response, and who.
inline bool reads_body(Cluster& k, const Client& client)
{
    return body_check::wanted(client) || request_scripts::reads_body(k, client);
}
inline BodyTaker body_taker(Cluster& k, Client& client)
{
    ScriptedRequest* const made = request_scripts::of(k, client);
    return {body_check::hash(k, client), made && made->script->reads_body ? &made->response : nullptr};
}

void begin(Cluster& k, Client& client);  // a transaction of a client with a memory
// The request that comes next: as a content, or where it differs from the workload's others as a head and a body.
struct Request {
    std::uint32_t content = kNone;
    std::string& head;       // the room of request_scripts
    std::uint64_t body = 0;  // bytes, of either; they are those of a content from `offset` on, or `text`
    std::uint32_t body_content = content::kZeros;
    std::uint64_t offset = 0;
    std::string_view text{};
};
Request compose(Cluster& k, Client& client, content::Persistence persistence);
// Sends it: how many bytes it has.
std::uint64_t send(Cluster& k, Client& client, std::uint32_t slot, content::Persistence persistence);

// A response has come to its end: whether the transaction has, too; is to ask once more, as the response says; or has
// been sent on more often than its workload follows.
enum class Next : std::uint8_t { ends, asks_again, goes_in_circles };
Next take_response(Cluster& k, Client& client, std::uint64_t requested);

}  // namespace anml::rt::app::web_exchange
