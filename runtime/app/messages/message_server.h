// Simulated servers of messages: WebSockets (websocket.h), and streams of events for those that ask for no upgrade.
// They send back what they are sent, and messages of their own at their interval.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/http/http_fields.h"
#include "app/http/http_request.h"
#include "app/messages/websocket_protocol.h"
#include "base/pool.h"
#include "base/time.h"

namespace anml::rt::app {

struct MessageSession {  // a connection
    enum class Phase : std::uint8_t { head, socket, stream, over };
    Phase phase = Phase::head;
    std::uint32_t slot = kNone;
    Time due = kNever;       // its next message of its own
    std::uint64_t sent = 0;  // of those
    http::RequestHead head;
    http::Fields fields;
    websocket::Reader reader{true};
    std::unique_ptr<websocket::Compression> compression;  // that was agreed on
    std::vector<std::uint8_t> message;  // that comes
};

struct MessageServers {
    Pool<MessageSession, 6> sessions;
    std::vector<std::vector<double>> states;   // of their random times and sizes, by row of the image's servers
    std::vector<std::uint64_t> drawn;          // by it, too
    std::vector<std::uint8_t> payload, frame;  // room
};

namespace message_server {

using namespace otherwise;
using Row = abi::record::message_server;
using State = MessageServers;

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner);
void accepted(Cluster& k, std::uint32_t slot);
void established(Cluster& k, std::uint32_t slot);
void timer(Cluster& k, std::uint32_t which, std::uint32_t session, Time at);  // a message of its own is due
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void broke(Cluster& k, std::uint32_t slot, const char* why);
bool waits_for_peer(const Cluster& k, const tcp::Connection& c);

}  // namespace message_server
}  // namespace anml::rt::app
