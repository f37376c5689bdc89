// The stream of a web connection, as HTTP sees it: clients and servers send through here, and ask here how much has
// come. What they send, and the pieces that their read() is shown, are plain bytes or contents, whatever lies between
// them and TCP: nothing, or TLS (tls/tls.h), over which all that comes is real bytes.
//
// A client begins a stream when TCP has connected, and sends when it is open. Over TLS a stream may fail, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "base/ring.h"
#include "base/time.h"
#include "net/facts.h"
#include "tls/tls.h"
#include "transport/span.h"

namespace anml::rt {

class Model;
struct Cluster;

namespace app {

struct Client;
struct WebOrigins;

// One over TLS. It goes with its TCP connection.
struct SecureStream {
    std::unique_ptr<tls::Session> session;
    std::uint64_t ticket = 0;         // of a client: key in WebStreams::tickets
    Time begun = 0;
    std::uint64_t received = 0;       // plain bytes
    Ring<tcp::Span> waiting;          // to be sent, when less of what was sent before is on its way
    std::uint64_t taken = 0;          // bytes of the first of them
    tcp::Span first;                  // that one; length 0: there is none
    std::vector<std::uint8_t> ready;  // records that fill no segment yet, or are held
    bool server = false;
    bool open = false;      // the handshake is done
    bool shaken = false;    // the server has seen what a handshake asks for
    bool held = false;      // its answer takes time
    bool ends = false;      // it is to be closed behind what waits
    bool closed = false;    // that has been said
    bool peer_ended = false;  // so has the peer
    bool cut = false;         // TCP has ended without that
    bool failed = false;
};

struct WebStreams {
    // `real`: it is the time of day that counts.
    WebStreams(const Model& model, const WebOrigins& origins, std::uint64_t seed, bool real);

    std::vector<std::unique_ptr<tls::Context>> servers;               // by row; null: without TLS
    std::vector<std::vector<std::unique_ptr<tls::Context>>> clients;  // by row of the workload, and place of the origin
    std::vector<std::unique_ptr<SecureStream>> by_slot;
    std::unordered_map<std::uint64_t, std::unique_ptr<tls::Ticket>> tickets;  // by workload and host
    std::vector<std::uint8_t> plain, records;                                 // room
    std::string problem;  // why there can be no TLS; "": there can
};

namespace web_stream {

// Of a client that is connected. True: over TLS, `opened` of its application follows; false: it is open.
bool begin(Cluster& k, std::uint32_t slot, const Client& client);
// The tickets of such a client are gone.
void forget(Cluster& k, const Client& client);
// Of a server, by its row.
void accept(Cluster& k, std::uint32_t slot, std::uint32_t server);
// The server's answer, which took so long, leaves.
void go_on(Cluster& k, std::uint32_t slot);

// As their namesakes in transport/tcp.h.
void send(Cluster& k, std::uint32_t slot, const tcp::Span& span, bool then_close);
void send_bytes(Cluster& k, std::uint32_t slot, std::span<const std::uint8_t> bytes, bool then_close);
void close(Cluster& k, std::uint32_t slot);
void abort(Cluster& k, std::uint32_t slot);

// Bytes that have come so far, the piece that is being shown included.
std::uint64_t received(const Cluster& k, std::uint32_t slot);
// Whether read() is shown what comes next; else data() is told that there is more. Over TLS all is shown.
void show(Cluster& k, std::uint32_t slot, bool all);
// How many spans are not acknowledged; over TLS, that have not left.
std::size_t spans(const Cluster& k, std::uint32_t slot);
// Of a peer that takes nothing there is a bound: whether another message may be sent.
bool has_room(const Cluster& k, std::uint32_t slot);
// The peer's FIN came without its close_notify: whoever cut it off, what has come may not be all (RFC 9112, 9.8).
bool cut(const Cluster& k, std::uint32_t slot);
// Of one that is open.
bool secured(const Cluster& k, std::uint32_t slot);
bool resumed(const Cluster& k, std::uint32_t slot);
Time begun(const Cluster& k, std::uint32_t slot);             // its handshake
std::string_view protocol(const Cluster& k, std::uint32_t slot);  // that ALPN has chosen; "": none

// What transport/upcalls.h tells of a connection. True: it was for TLS alone.
bool read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
bool all_acknowledged(Cluster& k, std::uint32_t slot);
bool peer_closed(Cluster& k, std::uint32_t slot);
void drained(Cluster& k, std::uint32_t slot);
void released(Cluster& k, std::uint32_t slot);

// To whom the connection is: application.cpp knows.
namespace tell {
void opened(Cluster& k, std::uint32_t slot);
void broke(Cluster& k, std::uint32_t slot, const char* why);
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void peer_closed(Cluster& k, std::uint32_t slot);
}  // namespace tell

}  // namespace web_stream

}  // namespace app
}  // namespace anml::rt
