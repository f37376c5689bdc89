// Responses of calls of gRPC: their messages, and the status in their trailers, or in a head without a body
// (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md). Of simulated servers' the status alone counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "app/web/closed_loop.h"

namespace anml::rt {

struct Cluster;

namespace app::grpc_response {

// Of a client that is making one; else null.
ScriptedRequest* call(Cluster& k, const Client& client);
// Of a head or of trailers, as lines. `wanted`: takes those of trailers that somebody looks at; may be null.
void read_fields(ScriptedRequest& call, std::string_view lines, http::Fields* wanted);
void read(Cluster& k, Client& client, ScriptedRequest& call, std::span<const std::uint8_t> body);
// How it has ended, if the stream has, and `failure` does not say it. The response has its status from now on.
std::optional<FailureCause> outcome(Cluster& k, Client& client, ScriptedRequest& call,
                                    std::optional<FailureCause> failure);

}  // namespace app::grpc_response
}  // namespace anml::rt
