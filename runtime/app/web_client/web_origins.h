// Whom the requests of a workload go to, where their URLs name several origins (RFC 6454): its server, in place 0, and
// those of its `origins`, a place for each scheme, host and port that a URL names. A client has connections, sessions of
// TLS and a connection of HTTP/2 of its own for each place, in this order, and its next request turns it to one of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "app/http/http_location.h"
#include "app/web/closed_loop.h"
#include "net/model.h"

namespace anml::rt {

namespace app {

struct WebOrigin {
    http::Origin named;
    NodeId node = 0;
    abi::StringRef text = kNone;  // as a URL has it, or its name
};

struct WebOrigins {
    struct OfWorkload {
        std::vector<WebOrigin> all;         // empty: it has one server
        std::vector<std::uint8_t> places;   // by row of image().requests
    };
    explicit WebOrigins(const Model& model);
    std::vector<OfWorkload> of;  // by workload; empty: none has several
};

namespace web_origins {

// The same for one workload: what there is besides its server.
WebOrigins::OfWorkload of_workload(const Model& model, std::uint32_t workload);

// Null: the client's workload has one server.
inline const WebOrigins::OfWorkload* several(const WebOrigins& origins, std::uint32_t workload)
{
    if (!present(abi::RecordSchema::origin) || origins.of.empty() || origins.of[workload].all.empty()) return nullptr;
    return &origins.of[workload];
}

// How many places a client of the workload has; 1: its server's alone.
inline std::uint32_t places(const WebOrigins& origins, std::uint32_t workload)
{
    const auto* all = several(origins, workload);
    return all ? static_cast<std::uint32_t>(all->all.size()) : 1;
}

// The client's next request goes there.
inline void turn(Client& client, std::uint32_t place)
{
    const std::uint32_t step = place - client.origin;
    if (client.connection != kNone) client.connection += step;
    if (client.home != kNone) client.home += step;
    client.origin = place;
}

// What the origin is called that the client asks; kNone: there is one, or it has no name.
inline abi::StringRef name(const WebOrigins& origins, const Client& client)
{
    const auto* all = several(origins, client.workload);
    return all ? all->all[client.origin].text : kNone;
}

// To where the URL of its document says.
void turn_to_document(const Cluster& k, Client& client);

// Where a redirection leads that leaves the origin it is of: the place, and the path. kNone: to none of them.
struct Elsewhere {
    std::uint32_t place = kNone;
    std::string path;
};
Elsewhere resolve(const Cluster& k, const Client& client, std::string_view location);

}  // namespace web_origins
}  // namespace app
}  // namespace anml::rt
