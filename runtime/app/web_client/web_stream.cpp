#include "app/web_client/web_stream.h"

#include <algorithm>
#include <string>
#include <utility>

#include "abi/records.h"
#include "app/cluster.h"
#include "app/content.h"
#include "common/mix.h"
#include "transport/tcp.h"

namespace anml::rt::app {

namespace {

constexpr std::uint64_t kRecordBytes = 16 << 10;  // of plain bytes
// So much is made of records before TCP has sent it. It asks for more when half of it is left.
constexpr std::uint64_t kMostUnsent = 2 * tcp::kFewUnsent;
// More that the peer asks for, and does not take, is no handshake.
constexpr std::uint64_t kMostAnswers = 1 << 20;
constexpr std::int64_t kSimulatedClock = 1767225600;  // 2026-01-01, when a simulated run begins

SecureStream* stream_at(const Cluster& k, std::uint32_t slot)
{
    if (!facts.secured) return nullptr;
    const auto& all = k.web_streams.by_slot;
    return slot < all.size() ? all[slot].get() : nullptr;
}

void tell_time(const Cluster& k)
{
    const Time origin = k.epoch == 0 ? kSimulatedClock * kSecond : k.epoch;
    anml_tls_library()->set_time((origin + k.now) / kSecond);
}

tls::Session& at_work(const Cluster& k, const SecureStream& s)
{
    tell_time(k);
    return *s.session;
}

// Of what a session draws: connections differ in it, and so do their ends.
std::uint64_t stream_seed(const Cluster& k, const tcp::Connection& c)
{
    return mix(tcp::tuple(c).hash() ^ mix(k.seed ^ mix(static_cast<std::uint64_t>(k.epoch + k.now))));
}

void keep_stream(Cluster& k, std::uint32_t slot, std::unique_ptr<SecureStream> s)
{
    auto& all = k.web_streams.by_slot;
    if (slot >= all.size()) all.resize(std::max<std::size_t>(slot + 1, 2 * all.size()));
    all[slot] = std::move(s);
    all[slot]->begun = k.now;
    k.tcp.connections[slot].reads = true;
}

// What of the records fills segments goes to TCP, all of them if nothing follows.
void send_ready(Cluster& k, std::uint32_t slot, SecureStream& s, bool more, bool then_close)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    std::vector<std::uint8_t>& all = s.ready;
    const std::size_t count = more ? all.size() / c.mss * c.mss : all.size();
    if (count == 0) return;
    tcp::send_bytes(k, slot, std::span(all).first(count), then_close);
    if (count == all.size())
        all = {};
    else
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
}

void collect_records(SecureStream& s)
{
    const std::span<const std::uint8_t> records = s.session->records();
    s.ready.insert(s.ready.end(), records.begin(), records.end());
}

// What the session itself has to say.
void answer(Cluster& k, std::uint32_t slot, SecureStream& s)
{
    collect_records(s);
    if (!s.held && !s.ready.empty() && !k.tcp.connections[slot].fin_queued)
        send_ready(k, slot, s, s.first.length != 0, false);
}

// The next of what waits to be sent becomes a record.
void seal_next(Cluster& k, SecureStream& s)
{
    const std::uint64_t count = std::min(s.first.length - s.taken, kRecordBytes);
    std::vector<std::uint8_t>& room = k.web_streams.plain;
    if (s.first.bytes == kNone) {
        room.resize(kRecordBytes);
        const std::span<std::uint8_t> out(room.data(), count);
        content::produce(k.model, s.first.content, s.first.offset + s.taken, out);
        s.session->write(out);
    } else {
        s.session->write(k.buffers.bytes(s.first.bytes).subspan(s.first.offset + s.taken, count));
    }
    collect_records(s);
    s.taken += count;
    if (s.taken < s.first.length) return;
    k.buffers.release(s.first.bytes);
    s.first = s.waiting.empty() ? tcp::Span{} : s.waiting.pop();
    s.taken = 0;
}

void pump(Cluster& k, std::uint32_t slot, SecureStream& s)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (!s.open || s.closed || s.failed || c.fin_queued) return;
    at_work(k, s);
    while (s.first.length != 0 && tcp::unsent(c) + s.ready.size() < kMostUnsent) seal_next(k, s);
    const bool more = s.first.length != 0;
    c.refills = more;
    if (!more && s.ends) {
        s.closed = true;
        s.session->close();
        collect_records(s);
    }
    send_ready(k, slot, s, more, s.closed);
    if (s.closed && !c.fin_queued) tcp::close(k, slot);
}

void queue_span(SecureStream& s, const tcp::Span& span)
{
    if (span.length == 0) return;
    if (s.first.length == 0)
        s.first = span;
    else
        s.waiting.push(span);
}

void forget_waiting(Cluster& k, SecureStream& s)
{
    if (s.first.length != 0) k.buffers.release(s.first.bytes);
    while (!s.waiting.empty()) k.buffers.release(s.waiting.pop().bytes);
    s.first = {};
}

void fail_stream(Cluster& k, std::uint32_t slot, SecureStream& s, const char* why)
{
    forget_waiting(k, s);
    s.held = false;
    answer(k, slot, s);  // an alert
    s.failed = true;
    k.tcp.connections[slot].refills = false;
    web_stream::tell::broke(k, slot, why);
    if (stream_at(k, slot) == &s) tcp::close(k, slot);
}

// Shows the application what the session has; false: the stream is gone, or has failed.
bool show_plain(Cluster& k, std::uint32_t slot, SecureStream& s)
{
    for (;;) {
        const std::span<const std::uint8_t> plain = at_work(k, s).plain();
        answer(k, slot, s);
        if (plain.empty()) break;
        s.received += plain.size();
        const tcp::Piece piece{0, 0, static_cast<std::uint32_t>(plain.size()), true, plain};
        web_stream::tell::read(k, slot, piece);
        if (stream_at(k, slot) != &s) return false;
    }
    if (!s.server)
        if (std::unique_ptr<tls::Ticket> ticket = s.session->ticket())
            k.web_streams.tickets.insert_or_assign(s.ticket, std::move(ticket));
    const bool floods = tcp::unsent(k.tcp.connections[slot]) > kMostAnswers;
    if (s.session->state() == tls::State::failed || floods) {
        fail_stream(k, slot, s, floods ? "too many messages" : s.session->why());
        return false;
    }
    if (s.session->state() == tls::State::ended && !std::exchange(s.peer_ended, true)) {
        web_stream::tell::peer_closed(k, slot);
        return stream_at(k, slot) == &s;
    }
    return true;
}

// False: the stream is gone, or has failed.
bool take_records(Cluster& k, std::uint32_t slot, SecureStream& s, std::span<const std::uint8_t> bytes)
{
    tls::Session& session = at_work(k, s);
    session.take(bytes);
    if (!s.open) {
        if (session.state() == tls::State::failed) {
            fail_stream(k, slot, s, session.why());
            return false;
        }
        if (s.server && !s.shaken) {
            collect_records(s);
            s.shaken = !s.ready.empty();
            if (s.shaken && !session.resumed() && k.tcp.connections[slot].app == owner_number(Number::web_server))
                s.held = web_server::shakes(k, slot);
        }
        answer(k, slot, s);
        if (session.state() == tls::State::handshake) return true;
        s.open = true;
        web_stream::tell::opened(k, slot);
        if (stream_at(k, slot) != &s) return false;
    }
    return show_plain(k, slot, s);
}

// A host has tickets of its own for each workload; of those that look at pages each user has, and callers have them for
// each node that they call.
std::uint64_t ticket_key(const Cluster& k, const Client& client)
{
    constexpr RecordSet kOfUsers = bit_of(abi::RecordSchema::browser) | bit_of(abi::RecordSchema::sessions);
    const abi::RecordSchema schema = abi::schema_of(k.image, k.image.workloads[client.workload].record);
    const std::uint32_t whose = bit_of(schema) & kOfUsers ? client.first : client.node;
    std::uint64_t key = static_cast<std::uint64_t>(client.workload) << 32 | whose;
    if (client.origin != 0) key = mix(mix(key) + client.origin);
    return client.peer == kNone ? key : mix(key) ^ client.peer;
}

std::string text_of(const Model& model, abi::StringRef text)
{
    return text == abi::kNone ? std::string() : std::string(model.text(text));
}

// Without its port.
std::string host_of(std::string_view authority)
{
    if (authority.starts_with('[')) return std::string(authority.substr(1, authority.find(']') - 1));
    return std::string(authority.substr(0, authority.find(':')));
}

}  // namespace

WebStreams::WebStreams(const Model& model, const WebOrigins& origins, std::uint64_t seed, bool real)
{
    const abi::Image& image = model.image();
    clients.resize(image.workload_count);
    servers.resize(image.server_count);
    for (std::uint32_t i = 0; facts.secured && i < image.workload_count; ++i) {
        constexpr RecordSet kWebClients = closed_loop::kActsFor | bit_of(closed_loop::Row::kSchema) |
                                          web_socket::kActsFor | bit_of(web_socket::Row::kSchema);
        if (!(bit_of(abi::schema_of(image, image.workloads[i].record)) & kWebClients)) continue;
        // Their rows begin alike.
        const auto& row = abi::row_of<closed_loop::Row>(image, image.workloads[i].record);
        const WebOrigins::OfWorkload* const several = web_origins::several(origins, i);
        for (std::uint32_t place = 0; place < web_origins::places(origins, i); ++place) {
            std::unique_ptr<tls::Context>& made = clients[i].emplace_back();
            const http::Origin* const to = place == 0 ? nullptr : &several->all[place].named;
            if (to ? !to->secure : row.scheme != closed_loop::Row::Scheme::https) continue;
            made = anml_tls_library()->client(
                {.version = static_cast<tls::Version>(row.tls_version),
                 .resumption = model.value(row.resumption) != 0,
                 .trust_anchors = text_of(model, row.trust_anchors),
                 .dated = real,
                 .name = to ? host_of(to->authority) : host_of(text_of(model, row.authority)),
                 .protocols = http2_client::speaks(model, i) ? "h2" : "http/1.1"},
                problem);
            if (made) continue;
            problem = "workload `" + std::string(model.text(image.workloads[i].name)) +
                      "` cannot speak TLS with the certificates in `" + text_of(model, row.trust_anchors) +
                      "`: " + problem;
            return;
        }
    }
    for (std::uint32_t i = 0; facts.secured && i < image.server_count; ++i) {
        const abi::RecordSchema schema = abi::schema_of(image, image.servers[i].record);
        const bool web = schema == web_server::Row::kSchema;
        if (!web && schema != message_server::Row::kSchema) continue;
        const auto& row = abi::row_of<web_server::Row>(image, image.servers[i].record);  // they begin alike
        if (row.scheme != web_server::Row::Scheme::https) continue;
        servers[i] = anml_tls_library()->server(
            {.version = static_cast<tls::Version>(row.tls_version),
             .resumption = model.value(row.resumption) != 0,
             .certificate = text_of(model, row.certificate),
             .protocols = web && row.version == web_server::Row::Version::HTTP_2 ? "h2,http/1.1" : "http/1.1",
             .seed = mix(seed ^ mix(i + 1))},
            problem);
        if (!servers[i]) {
            problem = "server `" + model.node_name(image.servers[i].node) +
                      "` cannot speak TLS with the key and certificates in `" + text_of(model, row.certificate) +
                      "`: " + problem;
            return;
        }
    }
}

namespace web_stream {

bool begin(Cluster& k, std::uint32_t slot, const Client& client)
{
    WebStreams& all = k.web_streams;
    if (!facts.secured || !all.clients[client.workload][client.origin]) return false;
    auto s = std::make_unique<SecureStream>();
    const tcp::Connection& c = k.tcp.connections[slot];
    s->ticket = ticket_key(k, client);
    const auto ticket = all.tickets.find(s->ticket);
    tell_time(k);
    s->session = all.clients[client.workload][client.origin]->open(
        stream_seed(k, c), ticket == all.tickets.end() ? nullptr : ticket->second.get());
    SecureStream& kept = *s;
    keep_stream(k, slot, std::move(s));
    answer(k, slot, kept);
    return true;
}

void forget(Cluster& k, const Client& client)
{
    if (facts.secured) k.web_streams.tickets.erase(ticket_key(k, client));
}

void accept(Cluster& k, std::uint32_t slot, std::uint32_t server)
{
    if (!facts.secured || !k.web_streams.servers[server]) return;
    auto s = std::make_unique<SecureStream>();
    s->server = true;
    s->session = k.web_streams.servers[server]->open(stream_seed(k, k.tcp.connections[slot]), nullptr);
    keep_stream(k, slot, std::move(s));
}

void go_on(Cluster& k, std::uint32_t slot)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s || !std::exchange(s->held, false)) return;
    send_ready(k, slot, *s, false, false);
}

void send(Cluster& k, std::uint32_t slot, const tcp::Span& span, bool then_close)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s) return tcp::send(k, slot, span, then_close);
    queue_span(*s, span);
    s->ends |= then_close;
    pump(k, slot, *s);
}

void send_bytes(Cluster& k, std::uint32_t slot, std::span<const std::uint8_t> bytes, bool then_close)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s) return tcp::send_bytes(k, slot, bytes, then_close);
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), PacketBuffer::kCapacity);
        queue_span(*s, {.length = count, .bytes = k.buffers.store(bytes.first(count))});
        bytes = bytes.subspan(count);
    }
    s->ends |= then_close;
    pump(k, slot, *s);
}

void close(Cluster& k, std::uint32_t slot)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s || !s->open || s->failed) return tcp::close(k, slot);
    s->ends = true;
    pump(k, slot, *s);
}

void abort(Cluster& k, std::uint32_t slot) { tcp::abort(k, slot); }

std::uint64_t received(const Cluster& k, std::uint32_t slot)
{
    const SecureStream* const s = stream_at(k, slot);
    return s ? s->received : k.tcp.connections[slot].received;
}

void show(Cluster& k, std::uint32_t slot, bool all)
{
    k.tcp.connections[slot].reads = all || stream_at(k, slot) != nullptr;
}

std::size_t spans(const Cluster& k, std::uint32_t slot)
{
    const SecureStream* const s = stream_at(k, slot);
    return s ? s->waiting.size() : tcp::spans(k, k.tcp.connections[slot]);
}

bool has_room(const Cluster& k, std::uint32_t slot)
{
    constexpr std::uint64_t kMostBytes = 1 << 20;
    constexpr std::size_t kMostSpans = 4096;
    return tcp::unsent(k.tcp.connections[slot]) < kMostBytes && spans(k, slot) < kMostSpans;
}

bool cut(const Cluster& k, std::uint32_t slot)
{
    const SecureStream* const s = stream_at(k, slot);
    return s && s->cut;
}

bool secured(const Cluster& k, std::uint32_t slot) { return stream_at(k, slot) != nullptr; }

bool resumed(const Cluster& k, std::uint32_t slot)
{
    const SecureStream* const s = stream_at(k, slot);
    return s && s->session->resumed();
}

Time begun(const Cluster& k, std::uint32_t slot) { return stream_at(k, slot)->begun; }

std::string_view protocol(const Cluster& k, std::uint32_t slot)
{
    const SecureStream* const s = stream_at(k, slot);
    return s ? s->session->protocol() : std::string_view();
}

bool read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s) return false;
    if (s->failed) {  // its kernel says that nobody reads any more
        tcp::abort(k, slot);
        return true;
    }
    if (piece.real) {
        take_records(k, slot, *s, piece.bytes);
        return true;
    }
    // A simulated peer that speaks no TLS.
    std::vector<std::uint8_t>& room = k.web_streams.records;
    for (std::uint32_t at = 0; at < piece.length;) {
        room.resize(std::min<std::size_t>(piece.length - at, kRecordBytes));
        content::produce(k.model, piece.content, piece.offset + at, room);
        if (!take_records(k, slot, *s, room)) return true;
        at += static_cast<std::uint32_t>(room.size());
    }
    return true;
}

bool all_acknowledged(Cluster& k, std::uint32_t slot)
{
    const SecureStream* const s = stream_at(k, slot);
    return s && (!s->open || s->failed || s->first.length != 0);
}

bool peer_closed(Cluster& k, std::uint32_t slot)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s) return false;
    if (s->failed || s->peer_ended) {
        if (s->failed || !s->server) tcp::close(k, slot);  // a server may have an answer to send, of which it was told
        return true;
    }
    if (!s->open) {
        fail_stream(k, slot, *s, "closed during the handshake");
        return true;
    }
    s->cut = true;
    return false;
}

void drained(Cluster& k, std::uint32_t slot)
{
    if (SecureStream* const s = stream_at(k, slot)) pump(k, slot, *s);
}

void released(Cluster& k, std::uint32_t slot)
{
    SecureStream* const s = stream_at(k, slot);
    if (!s) return;
    forget_waiting(k, *s);
    k.web_streams.by_slot[slot].reset();
}

}  // namespace web_stream

}  // namespace anml::rt::app
