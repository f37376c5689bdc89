// Why a transaction or a transfer failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace anml::rt {

enum class FailureCause : std::uint8_t {
    connect,    // SYN unanswered
    reset,      // RST, or ICMP unreachable, or no route to the peer
    timeout,    // transaction time-out, or retransmissions exhausted
    truncated,  // the server closed before its response was whole, or its framing is broken
    status,     // HTTP status 400 and above, or no HTTP at all
    redirect,   // sent on more often than is followed
    tls,        // the handshake or a record of it, or the server's certificate
    no_port,    // all local ports have connections to that server, or are in TIME_WAIT
    check,      // a check of the response, or a value that is wanted of it
    protocol,   // the answer does not open a WebSocket or a stream of events: its accept key, its type, or no HTTP
    frame,      // a frame that RFC 6455 does not allow
    masked,     // a server's frame that is masked
    server_closed,  // the server has closed a WebSocket or a stream of events
    grpc_status,    // of gRPC: another status than OK
    no_trailers,    // of gRPC: the response ends without one
    compressed,     // of gRPC: a message is, which no request asks for
};
inline constexpr std::size_t kFailureCauses = 16;
std::string_view failure_name(FailureCause cause);  // "connect"

}  // namespace anml::rt
