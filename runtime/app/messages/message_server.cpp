#include "app/messages/message_server.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/cluster.h"
#include "app/web_client/web_stream.h"
#include "common/ascii.h"
#include "net/samples.h"
#include "transport/tcp.h"

namespace anml::rt::app::message_server {

namespace {

using Phase = MessageSession::Phase;
using websocket::Opcode;
using websocket::Reader;

enum Wanted : std::uint8_t { kKey, kUpgrade, kExtensions, kVersion };  // fields of the request

constexpr std::string_view kWanted[] = {"sec-websocket-key", "upgrade", "sec-websocket-extensions",
                                        "sec-websocket-version"};
constexpr std::string_view kStream =
    "HTTP/1.1 200 OK\r\nServer: anml\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
    "Connection: close\r\n\r\n";
constexpr std::string_view kUpgraded =
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ";
constexpr std::string_view kRefused =
    "HTTP/1.1 400 Bad Request\r\nServer: anml\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
constexpr std::string_view kOtherVersion =
    "HTTP/1.1 426 Upgrade Required\r\nServer: anml\r\nSec-WebSocket-Version: 13\r\nUpgrade: websocket\r\n"
    "Content-Length: 0\r\nConnection: Upgrade, close\r\n\r\n";

struct Kept {                   // of a connection
    std::uint32_t session = 0;  // index + 1; 0: it is over
};

const Row& row(const Cluster& k, std::uint32_t server)
{
    return abi::row_of<Row>(k.image, k.image.servers[server].record);
}

MessageSession* session(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t index = k.tcp.connections[slot].of_application<Kept>().session;
    return index == 0 ? nullptr : &k.message_server.sessions[index - 1];
}

void forget(Cluster& k, std::uint32_t slot)
{
    Kept& kept = k.tcp.connections[slot].of_application<Kept>();
    if (kept.session == 0) return;
    MessageSession& s = k.message_server.sessions[kept.session - 1];
    s.phase = Phase::over;
    s.due = kNever;
    s.message = {};
    s.compression.reset();
    k.message_server.sessions.release(kept.session - 1);
    kept.session = 0;
}

void send_text(Cluster& k, std::uint32_t slot, std::string_view text)
{
    web_stream::send_bytes(k, slot, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, false);
}

// The server ends it: of a socket with that code.
void close(Cluster& k, std::uint32_t slot, std::optional<std::uint16_t> code)
{
    std::vector<std::uint8_t>& frame = k.message_server.frame;
    frame.clear();
    if (code) websocket::add_close(frame, *code, std::nullopt);
    forget(k, slot);
    if (code) web_stream::send_bytes(k, slot, frame, false);
    web_stream::close(k, slot);
}

std::vector<double>& state(Cluster& k, std::uint32_t server)
{
    MessageServers& all = k.message_server;
    if (all.states.empty()) {
        all.states.resize(k.image.server_count);
        all.drawn.resize(k.image.server_count);
    }
    const Row& of = row(k, server);
    all.states[server].resize(std::max(state_words(of.push), state_words(of.size)));
    return all.states[server];
}

void schedule_next(Cluster& k, std::uint32_t slot)
{
    MessageSession& s = *session(k, slot);
    const std::uint32_t server = k.tcp.connections[slot].owner;
    const NodeId node = k.image.servers[server].node;
    const Row& of = row(k, server);
    if (of.push.kind == abi::DistributionKind::constant && k.model.time(of.push.a) == 0) return;
    std::vector<double>& words = state(k, server);
    const Time wait = draw_time(k.model, of.push, k.seed, node, Purpose::sending, server,
                                k.message_server.drawn[server]++, words.data());
    s.due = k.now + std::max<Time>(wait, 1);
    const std::uint32_t index = k.tcp.connections[slot].of_application<Kept>().session - 1;
    k.schedule(node, s.due, timer_of(Number::message_server), index);
}

void send_own(Cluster& k, std::uint32_t slot, const MessageSession& s)
{
    MessageServers& all = k.message_server;
    const std::uint32_t server = k.tcp.connections[slot].owner;
    std::vector<double>& words = state(k, server);
    Draws draws(k.seed, k.image.servers[server].node, Purpose::amount, server, all.drawn[server]);
    const double size = sample(k.model, row(k, server).size, draws, words.data());
    const std::size_t count = std::max<std::size_t>(static_cast<std::size_t>(std::llround(size)), 1);
    all.payload.assign(count, 'a');
    all.frame.clear();
    if (s.phase == Phase::socket) {
        websocket::add_frame(all.frame, Opcode::text, all.payload, std::nullopt, s.compression.get());
    } else {
        constexpr std::string_view kData = "data: ";
        all.frame.assign(kData.begin(), kData.end());
        all.frame.insert(all.frame.end(), all.payload.begin(), all.payload.end());
        all.frame.insert(all.frame.end(), 2, '\n');
    }
    web_stream::send_bytes(k, slot, all.frame, false);
}

bool is_socket(const MessageSession& s)
{
    return same_in_any_case(s.fields.wanted(kUpgrade).value_or(""), "websocket");
}

// What is wrong with the request (RFC 6455, 4.2.1 and 4.4; RequestHead::refusal()); empty: nothing.
std::string_view refusal(const MessageSession& s)
{
    if (s.head.refusal() != 0) return kRefused;
    if (!is_socket(s)) return {};
    if (s.fields.wanted(kVersion).value_or("") != "13") return kOtherVersion;
    return websocket::is_key(s.fields.wanted(kKey).value_or("")) ? std::string_view() : kRefused;
}

void take_request(Cluster& k, std::uint32_t slot)
{
    MessageSession& s = *session(k, slot);
    if (const std::string_view text = refusal(s); !text.empty()) {
        send_text(k, slot, text);
        return close(k, slot, std::nullopt);
    }
    if (!is_socket(s)) {
        s.phase = Phase::stream;
        send_text(k, slot, kStream);
    } else {
        const std::string_view key = *s.fields.wanted(kKey);
        s.phase = Phase::socket;
        s.reader = Reader(true);
        std::string head = std::string(kUpgraded) + websocket::accept_key(key) + "\r\n";
        if (const auto taken = websocket::accepted(s.fields.wanted(kExtensions).value_or(""))) {
            head += "Sec-WebSocket-Extensions: " + answer_of(*taken) + "\r\n";
            s.compression = websocket::Compression::of(taken->server, taken->client);
            s.reader.compression = s.compression.get();
        }
        send_text(k, slot, head + "\r\n");
    }
    s.fields.clear();
    schedule_next(k, slot);
}

// What a frame has ended. False: the connection is over.
bool take_frame(Cluster& k, std::uint32_t slot, MessageSession& s)
{
    std::vector<std::uint8_t>& frame = k.message_server.frame;
    frame.clear();
    switch (s.reader.what()) {
        case Reader::What::nothing:
        case Reader::What::pong:
            return true;
        case Reader::What::message:
            if (k.model.value(row(k, k.tcp.connections[slot].owner).echo) == 0) return true;
            websocket::add_frame(frame, s.reader.text() ? Opcode::text : Opcode::binary, s.message, std::nullopt,
                                 s.compression.get());
            break;
        case Reader::What::ping:
            websocket::add_frame(frame, Opcode::pong, s.reader.control(), std::nullopt);
            break;
        case Reader::What::close:
            close(k, slot, s.reader.close_code());
            return false;
        case Reader::What::wrong:
            close(k, slot, s.reader.code());
            return false;
    }
    if (!web_stream::has_room(k, slot)) {  // a client that takes nothing back
        forget(k, slot);
        web_stream::abort(k, slot);
        return false;
    }
    web_stream::send_bytes(k, slot, frame, false);
    return true;
}

}  // namespace

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner)
{
    owner = k.web_server.find(node, port);
    return owner != kNone && abi::schema_of(k.image, k.image.servers[owner].record) == Row::kSchema;
}

void accepted(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    const std::uint32_t index = k.message_server.sessions.allocate();
    c.of_application<Kept>().session = index + 1;
    MessageSession& s = k.message_server.sessions[index];
    s.phase = Phase::head;
    s.slot = slot;
    s.head = {};
    s.fields.clear();
    s.fields.want(kWanted);
    web_stream::show(k, slot, true);
}

void established(Cluster& k, std::uint32_t slot) { web_stream::accept(k, slot, k.tcp.connections[slot].owner); }

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time at)
{
    MessageSession& s = k.message_server.sessions[index];
    if (at != s.due) return;  // of a connection that is over
    if (web_stream::has_room(k, s.slot)) send_own(k, s.slot, s);
    schedule_next(k, s.slot);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    if (!session(k, slot)) return;
    if (!piece.real) return close(k, slot, std::nullopt);
    std::span<const std::uint8_t> bytes = piece.bytes;
    while (!bytes.empty()) {
        MessageSession* const s = session(k, slot);
        if (!s) return;
        if (s->phase == Phase::head) {
            s->head.fields = &s->fields;
            bytes = bytes.subspan(http::read_request(s->head, k.web_server.paths(), bytes));
            if (s->head.complete()) take_request(k, slot);
        } else if (s->phase == Phase::socket) {
            s->reader.keeps = &s->message;
            bytes = bytes.subspan(s->reader.read(bytes));
            if (!take_frame(k, slot, *s)) return;
        } else {
            return;  // a stream's client says nothing more
        }
    }
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    forget(k, slot);
    web_stream::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure) { forget(k, slot); }

void broke(Cluster& k, std::uint32_t slot, const char*) { forget(k, slot); }

bool waits_for_peer(const Cluster& k, const tcp::Connection& c)
{
    const std::uint32_t index = c.of_application<Kept>().session;
    return index != 0 && k.message_server.sessions[index - 1].phase == Phase::head;
}

}  // namespace anml::rt::app::message_server
