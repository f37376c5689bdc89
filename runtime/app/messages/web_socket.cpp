#include "app/messages/web_socket.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/connection_records.h"
#include "app/content.h"
#include "app/flows/pairing.h"
#include "app/outcome.h"
#include "app/web_client/request_text.h"
#include "app/web_client/web_stream.h"
#include "common/ascii.h"
#include "common/mix.h"
#include "net/samples.h"
#include "transport/tcp.h"

namespace anml::rt::app::web_socket {

namespace {

using Phase = WebSocket::Phase;
using websocket::Opcode;
using websocket::Reader;

enum Timer : std::uint32_t { kBegin, kSend };
enum Wanted : std::uint8_t { kAccept, kUpgrade, kExtensions, kType };  // fields of the answer

constexpr std::string_view kWanted[] = {"sec-websocket-accept", "upgrade", "sec-websocket-extensions", "content-type"};
constexpr std::string_view kStreamType = "text/event-stream";
constexpr std::size_t kMostUnanswered = 4096;
constexpr std::size_t kMostBody = 1 << 16;  // of a stream that is looked at, at a time
constexpr Time kMostLinger = 10 * kSecond;  // behind the client's close

// What the rows of both begin with.
#define ANML_FIELD(kind, name) abi::field::kind name;
#define ANML_CHOICE(Enumeration, name, ...) Row::Enumeration name;
struct Values {
    // clang-format off: this order is that of their rows
#include "app/web/web_opening.def"
#include "app/messages/web_sockets.def"
    // clang-format on
};
#undef ANML_CHOICE
#undef ANML_FIELD

const abi::WorkloadRow& workload(const Cluster& k, const WebSocket& s) { return k.image.workloads[s.workload]; }
const Values& values(const Cluster& k, const WebSocket& s)
{
    return abi::row_of<Values>(k.image, workload(k, s).record);
}
const Row& row(const Cluster& k, const WebSocket& s) { return abi::row_of<Row>(k.image, workload(k, s).record); }
bool is_events(const Cluster& k, std::uint32_t workload)
{
    return abi::schema_of(k.image, k.image.workloads[workload].record) == abi::RecordSchema::web_events;
}
WorkloadStatistics& statistics(Cluster& k, const WebSocket& s) { return k.statistics.workloads[s.workload]; }

// What comes is an answer to what was sent, or counts by itself.
bool answers(const Cluster& k, const WebSocket& s)
{
    return !s.events && row(k, s).expect != Row::Expected::no_answer;
}

// How many of them this connection is for; 0: any number.
std::uint64_t most(const Cluster& k, const WebSocket& s)
{
    return k.model.integer(s.events ? abi::row_of<abi::record::web_events>(k.image, workload(k, s).record).events
                                    : row(k, s).messages);
}

double* state(Cluster& k, const WebSocket& s) { return k.sampler_states.data() + s.state; }

// Draws of all sockets of a host are numbered one behind the other.
std::uint64_t numbered(const Cluster& k, const WebSocket& s, std::uint64_t index)
{
    return index * k.model.integer(values(k, s).connections) + s.number;
}

std::uint64_t random(const Cluster& k, WebSocket& s)
{
    return random_bits(k.seed, s.node, Purpose::text, s.workload, numbered(k, s, s.drawn++));
}

// --- what is counted

// A transaction has ended that is in_progress; `bytes`: of its message, and of what came.
void finish(Cluster& k, const WebSocket& s, Time from, std::optional<FailureCause> failure, std::uint64_t requested,
            std::uint64_t responded)
{
    count_in_series(k, from, failure);
    count(k, s.workload, from, failure);
    if (k.records_connections) [[unlikely]]
        connection_records::note_finished(k, s.slot, failure, requested, responded);
    if (!failure) k.statistics.second(k.now).bytes += requested + responded;
    if (!k.measuring()) return;
    if (!failure) {
        statistics(k, s).request_bytes += requested;
        statistics(k, s).response_bytes += responded;
    }
    TransactionGroups& groups = k.statistics.groups;
    const std::uint16_t status = s.response.behind_head() ? s.response.status() : std::uint16_t{0};
    for (GroupStatistics* group : {&groups.subnet(k.model.subnets().of_row(k.model.row_of(s.node))), &groups.size(0),
                                   &groups.status(status)})
        group->count(k.now - from, failure, requested, responded);
    for (std::uint32_t report = 0; report < k.image.report_count; ++report)
        groups.report(report, report_group(k.image, report, s.workload, s.node))
            .count(k.now - from, failure, requested, responded);
}

// One that was not.
void finish_alone(Cluster& k, const WebSocket& s, Time from, std::optional<FailureCause> failure)
{
    ++statistics(k, s).in_progress;
    finish(k, s, from, failure, 0, s.came);
}

// --- connections

void rest(Cluster& k, std::uint32_t index, bool failed)
{
    WebSocket& s = k.web_socket.all[index];
    s.phase = Phase::rests;
    s.slot = kNone;
    s.refusals = failed ? s.refusals + 1 : 0;
    Time think = draw_time(k.model, values(k, s).think, k.seed, s.node, Purpose::think, s.workload,
                           numbered(k, s, s.begun), state(k, s));
    if (s.events && !failed) s.stream = {};  // who ends a stream itself begins another one
    if (s.stream.retry() != EventStream::kNoRetry) think = s.stream.retry() * (kSecond / 1000);
    s.due = after_refusals(k.now + think, s.started, s.refusals);
    k.schedule(s.node, s.due, timer_of(Number::web_socket, kBegin), index);
}

// From now on the TCP connection is nobody's.
void detach(Cluster& k, const WebSocket& s)
{
    tcp::set_application_timer(k, s.slot, kNever);
    k.tcp.connections[s.slot].owner = kNone;
}

// It has failed: so have the messages that wait for answers, or the connection itself.
void lose(Cluster& k, std::uint32_t index, FailureCause cause)
{
    WebSocket& s = k.web_socket.all[index];
    if (s.slot != kNone) detach(k, s);
    statistics(k, s).broken += k.measuring();
    std::vector<WebSocket::Message> lost = std::exchange(s.unanswered, {});
    for (const WebSocket::Message& message : lost) finish(k, s, message.sent, cause, 0, 0);
    if (lost.empty()) finish_alone(k, s, s.phase == Phase::opens ? s.started : s.last, cause);
    rest(k, index, true);
}

void abort(Cluster& k, std::uint32_t index, FailureCause cause)
{
    const std::uint32_t slot = k.web_socket.all[index].slot;
    lose(k, index, cause);
    web_stream::abort(k, slot);
}

void set_deadline(Cluster& k, const WebSocket& s)
{
    const Values& v = values(k, s);
    const Time limit = k.model.time(v.timeout), connecting = k.model.time(v.connect_timeout);
    Time at = kNever;
    if (s.phase == Phase::closes)
        at = s.last + kMostLinger;
    else if (limit > 0 && s.phase == Phase::opens)
        at = s.started + limit;
    else if (limit > 0 && s.events)
        at = s.last + limit;
    else if (limit > 0 && !s.unanswered.empty())
        at = s.unanswered.front().sent + limit;
    if (s.phase == Phase::opens && connecting > 0 && tcp::connecting(k.tcp.connections[s.slot]))
        at = std::min(at, s.started + connecting);
    tcp::set_application_timer(k, s.slot, at == kNever ? kNever : std::max(at, k.now));
}

void connect(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    const abi::WorkloadRow& of = workload(k, s);
    const Address remote = k.model.address_of_peer(of, server_of(k.model, k.seed, s.workload, s.node));
    const auto port = static_cast<std::uint16_t>(of.port);
    s.phase = Phase::opens;
    s.started = s.last = k.now;
    s.due = kNever;
    ++s.begun;
    s.left = most(k, s);
    s.came = 0;
    s.ends = false;
    s.slot = kNone;
    s.response = {};
    const tcp::Opened opened = tcp::connect(k, owner_number(Number::web_socket), s.node, remote, port,
                                            static_cast<std::uint8_t>(of.traffic_class));
    if (k.records_connections) [[unlikely]]
        connection_records::note_begun(k, s.workload, s.node, remote, port, opened);
    if (!opened) return lose(k, index, cause_of(opened.failure));
    s.slot = opened.slot;
    tcp::Connection& c = k.tcp.connections[s.slot];
    c.owner = index;
    c.reads = true;
    set_deadline(k, s);
}

// What is offered of compression; nothing: none is.
std::optional<websocket::Deflate> offered(const Cluster& k, const WebSocket& s)
{
    if (s.events || row(k, s).compression == Row::Compression::none) return std::nullopt;
    websocket::Direction each;
    each.takeover = row(k, s).compression == Row::Compression::deflate;
    each.bits = static_cast<std::uint8_t>(k.model.integer(row(k, s).window_bits));
    return websocket::Deflate{each, each};
}

// What is asked with.
void ask(Cluster& k, WebSocket& s)
{
    const std::uint64_t first = random(k, s), second = random(k, s);
    s.key = s.events ? "" : websocket::key(first, second);
    const abi::StringRef given = values(k, s).headers;
    const std::string_view headers = given == abi::kNone ? "" : k.model.text(given);
    std::string own = s.events ? "" : "Upgrade: websocket\nConnection: Upgrade\nSec-WebSocket-Key: " + s.key +
                                          "\nSec-WebSocket-Version: 13";
    if (const auto offer = offered(k, s)) own.append("\nSec-WebSocket-Extensions: ").append(offer_of(*offer));
    if (s.events)  // but what the workload's own say
        for (const std::string_view usual : {"Accept: text/event-stream", "Cache-Control: no-cache"})
            if (!content::gives(headers, usual)) own.append(own.empty() ? "" : "\n").append(usual);
    if (const std::string& id = s.stream.id(); !id.empty() && !content::gives(headers, "Last-Event-ID:"))
        own.append(own.empty() ? "" : "\n").append("Last-Event-ID: ").append(id);
    std::string head;
    content::write_head(k.model,
                        {s.workload, k.model.documents().first(workload(k, s).documents.first),
                         content::Persistence::kept, http::Method::get, {}, {}, {}, &own},
                        head);
    s.fields = std::make_unique<http::Fields>();
    s.fields->want(kWanted);
    s.response = s.events ? http::Response() : http::Response::of_upgrade();
    s.reader = Reader();
    s.compression.reset();
    s.stream.begin_again();
    s.asked = s.last = k.now;
    s.heard = false;
    statistics(k, s).requests += s.events && k.measuring();
    if (k.records_connections) [[unlikely]]
        connection_records::note_asked(k, s.slot, s.events ? 1 : 0);
    web_stream::send_bytes(k, s.slot, {reinterpret_cast<const std::uint8_t*>(head.data()), head.size()}, false);
}

std::uint32_t mask(const Cluster& k, WebSocket& s) { return static_cast<std::uint32_t>(random(k, s)); }

void send_control(Cluster& k, WebSocket& s, Opcode opcode, std::span<const std::uint8_t> payload)
{
    std::vector<std::uint8_t>& frame = k.web_socket.frame;
    frame.clear();
    websocket::add_frame(frame, opcode, payload, mask(k, s));
    web_stream::send_bytes(k, s.slot, frame, false);
}

void send_close(Cluster& k, WebSocket& s, std::uint16_t code)
{
    std::vector<std::uint8_t>& frame = k.web_socket.frame;
    frame.clear();
    websocket::add_close(frame, code, mask(k, s));
    web_stream::send_bytes(k, s.slot, frame, false);
}

// The client ends it: of a socket the server's close and FIN are waited for (RFC 6455, 7.1.1).
void begin_close(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    s.due = kNever;
    if (s.events) {
        const std::uint32_t slot = s.slot;
        detach(k, s);
        rest(k, index, false);
        return web_stream::close(k, slot);
    }
    s.phase = Phase::closes;
    s.last = k.now;
    send_close(k, s, websocket::kNormal);
    set_deadline(k, s);
}

// --- messages

void fill(Cluster& k, WebSocket& s, std::vector<std::uint8_t>& payload, bool& text)
{
    const Row& of = row(k, s);
    payload.clear();
    text = of.text != abi::kNone;
    if (text) {
        const std::string_view given = k.model.text(of.text);
        payload.assign(given.begin(), given.end());
        return;
    }
    Draws draws(k.seed, s.node, Purpose::amount, s.workload, numbered(k, s, s.sent));
    const double size = sample(k.model, of.size, draws, state(k, s));
    payload.resize(std::max<std::size_t>(static_cast<std::size_t>(std::llround(size)), 1));
    // Each differs from the others of its host, where there is room.
    const std::uint64_t own = mix(numbered(k, s, s.sent) + 1);
    for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<std::uint8_t>(own >> 8 * (i % 8) & 0xff);
}

// Else no message is sent, and a ping has no answer.
bool has_room(const Cluster& k, const WebSocket& s)
{
    return web_stream::has_room(k, s.slot) && s.unanswered.size() < kMostUnanswered;
}

void send_message(Cluster& k, WebSocket& s)
{
    WebSockets& all = k.web_socket;
    bool text = false;
    fill(k, s, all.payload, text);
    all.frame.clear();
    websocket::add_frame(all.frame, text ? Opcode::text : Opcode::binary, all.payload, mask(k, s), s.compression.get());
    ++s.sent;
    statistics(k, s).requests += k.measuring();
    if (k.records_connections) [[unlikely]] {
        connection_records::note_asked(k, s.slot);
        if (!answers(k, s)) connection_records::note_bytes(k, s.slot, all.frame.size());
    }
    if (answers(k, s)) {
        ++statistics(k, s).in_progress;
        s.unanswered.push_back({k.now, websocket::hash_of(text, all.payload), all.frame.size()});
        if (s.unanswered.size() == 1) set_deadline(k, s);
    } else if (k.measuring()) {
        statistics(k, s).request_bytes += all.frame.size();
    }
    web_stream::send_bytes(k, s.slot, all.frame, false);
}

void schedule_next(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    const Time wait = draw_time(k.model, row(k, s).interval, k.seed, s.node, Purpose::sending, s.workload,
                                numbered(k, s, s.sent), state(k, s));
    s.due = k.now + std::max<Time>(wait, 1);
    k.schedule(s.node, s.due, timer_of(Number::web_socket, kSend), index);
}

// The next message is due; or, behind the last one, the end.
void go_on(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    s.due = kNever;
    if (!k.active(s.workload, s.node)) return begin_close(k, index);
    if (has_room(k, s)) {
        send_message(k, s);
        s.ends = s.left != 0 && --s.left == 0;
    }
    if (!s.ends) return schedule_next(k, index);
    if (!answers(k, s)) begin_close(k, index);
}

// A message or an event has come. False: the connection has ended with it, or is to.
bool take_message(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    statistics(k, s).received += k.measuring();
    const std::uint64_t came = std::exchange(s.came, 0);
    if (s.phase == Phase::closes) return true;
    if (!answers(k, s)) {
        if (s.events && !std::exchange(s.heard, true) && k.measuring())
            statistics(k, s).first_byte.record(k.now - s.asked);
        ++statistics(k, s).in_progress;
        finish(k, s, s.last, std::nullopt, 0, came);
        s.last = k.now;
        if (!s.events) return true;
        set_deadline(k, s);
        if (s.left == 0 || --s.left != 0) return true;
        begin_close(k, index);
        return false;
    }
    const bool echo = row(k, s).expect == Row::Expected::echo;
    const auto found = std::ranges::find_if(s.unanswered, [&](const WebSocket::Message& message) {
        return !echo || message.hash == s.reader.hash();
    });
    if (found == s.unanswered.end()) return true;  // nobody has waited for it
    const WebSocket::Message message = *found;
    s.unanswered.erase(found);
    finish(k, s, message.sent, std::nullopt, message.bytes, came);
    set_deadline(k, s);
    if (s.ends && s.unanswered.empty()) begin_close(k, index);
    return true;
}

// The server closes, or answers the client's close: it is to close TCP first.
void take_close(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    const std::uint16_t code = s.reader.close_code();
    if (s.phase == Phase::closes) return;  // its FIN comes next
    if (k.measuring()) statistics(k, s).count_close(code);
    const std::uint32_t slot = s.slot;
    send_close(k, s, code == websocket::kNoStatus ? code : websocket::kNormal);
    lose(k, index, FailureCause::server_closed);
    web_stream::close(k, slot);
}

void fail_by(Cluster& k, std::uint32_t index, FailureCause cause, std::string_view why, std::uint16_t code)
{
    WebSocket& s = k.web_socket.all[index];
    if (k.measuring()) statistics(k, s).first_wrong.add({k.now, why});
    const std::uint32_t slot = s.slot;
    if (code != 0) send_close(k, s, code);
    lose(k, index, cause);
    if (code != 0)
        web_stream::close(k, slot);
    else
        web_stream::abort(k, slot);
}

// It has sent its close, and waits no longer for the server's.
void end_closing(Cluster& k, std::uint32_t index)
{
    detach(k, k.web_socket.all[index]);
    rest(k, index, false);
}

void abort_closing(Cluster& k, std::uint32_t index)
{
    const std::uint32_t slot = k.web_socket.all[index].slot;
    end_closing(k, index);
    web_stream::abort(k, slot);
}

// False: the connection is nobody's any more.
bool read_frames(Cluster& k, std::uint32_t index, std::span<const std::uint8_t> bytes)
{
    const std::uint32_t slot = k.web_socket.all[index].slot;
    while (!bytes.empty() && k.tcp.connections[slot].owner != kNone) {
        WebSocket& s = k.web_socket.all[index];
        const std::size_t taken = s.reader.read(bytes);
        bytes = bytes.subspan(taken);
        s.came += taken;
        switch (s.reader.what()) {
            case Reader::What::nothing:
            case Reader::What::pong:
                break;
            case Reader::What::message:
                take_message(k, index);
                break;
            case Reader::What::ping:
                if (s.phase == Phase::open && has_room(k, s)) send_control(k, s, Opcode::pong, s.reader.control());
                break;
            case Reader::What::close:
                take_close(k, index);
                break;
            case Reader::What::wrong: {
                const bool masked = s.reader.wrong() == Reader::Wrong::masked;
                if (s.phase == Phase::closes) return abort_closing(k, index), false;
                fail_by(k, index, masked ? FailureCause::masked : FailureCause::frame, s.reader.why(), s.reader.code());
                break;
            }
        }
    }
    return k.tcp.connections[slot].owner != kNone;
}

bool read_events(Cluster& k, std::uint32_t index, std::span<const std::uint8_t> bytes)
{
    while (!bytes.empty()) {
        WebSocket& s = k.web_socket.all[index];
        const std::size_t taken = s.stream.read(bytes);
        bytes = bytes.subspan(taken);
        s.came += taken;
        if (s.stream.ended() && !take_message(k, index)) return false;
    }
    return true;
}

// "": the answer opens the connection. Else why it does not.
std::string_view wrong_answer(const Cluster& k, WebSocket& s)
{
    const auto field = [&](Wanted which) { return s.fields->wanted(which).value_or(""); };
    const auto begins = [](std::string_view text, std::string_view with) {
        return same_in_any_case(text.substr(0, with.size()), with);
    };
    if (s.events) return begins(field(kType), kStreamType) ? "" : "the answer is no text/event-stream";
    if (!begins(field(kUpgrade), "websocket")) return "the answer upgrades to something else";
    if (field(kAccept) != websocket::accept_key(s.key)) return "the accept key is wrong";
    if (field(kExtensions).empty()) return "";
    const auto offer = offered(k, s);
    if (!offer) return "an extension that was not offered";
    const auto taken = agreed(field(kExtensions), *offer);
    if (!taken) return "no answer to the permessage-deflate that was offered";
    s.compression = websocket::Compression::of(taken->client, taken->server);
    s.reader.compression = s.compression.get();
    return "";
}

// The head of the answer has come. False: it does not open the connection.
bool take_answer(Cluster& k, std::uint32_t index)
{
    WebSocket& s = k.web_socket.all[index];
    if (k.measuring()) statistics(k, s).count_status(s.response.status());
    if (const std::string_view why = wrong_answer(k, s); !why.empty()) {
        fail_by(k, index, FailureCause::protocol, why, 0);
        return false;
    }
    s.fields.reset();
    s.key.clear();
    s.phase = Phase::open;
    s.refusals = 0;
    if (!s.events) {
        s.last = k.now;
        if (k.measuring()) statistics(k, s).first_byte.record(k.now - s.asked);
        statistics(k, s).compressed += s.compression && k.measuring();
    }
    set_deadline(k, s);
    if (k.active(s.workload, s.node)) {
        if (!s.events) go_on(k, index);
        return true;
    }
    begin_close(k, index);
    return !s.events;
}

// Bytes of the answer; how many were taken. The connection may be nobody's then.
std::size_t read_answer(Cluster& k, std::uint32_t index, std::span<const std::uint8_t> bytes)
{
    WebSocket& s = k.web_socket.all[index];
    const std::uint64_t before = s.response.length();
    const std::uint16_t opens = s.events ? 200 : 101;
    // A byte at a time, for what follows an event stream's head is its own.
    std::size_t at = 0;
    while (at < bytes.size() && !s.response.behind_head() && !s.response.broken() && !s.response.other())
        s.response.read(bytes.subspan(at++, 1), s.fields.get());
    at = s.response.length() - before;
    if (!s.response.behind_head() && !s.response.broken() && !s.response.other()) return at;
    if (k.records_connections) [[unlikely]]
        connection_records::note_answered(k, s.slot);
    if (s.response.broken() || s.response.other()) {
        fail_by(k, index, FailureCause::protocol, "the answer is no HTTP", 0);
    } else if (s.response.status() != opens) {
        if (k.measuring()) {
            statistics(k, s).count_status(s.response.status());
            statistics(k, s).first_bad_status.add(
                {k.now, k.model.documents().first(workload(k, s).documents.first), s.response.status()});
        }
        abort(k, index, FailureCause::status);
    } else {
        take_answer(k, index);
    }
    return at;
}

// The body of a stream's answer. False: the connection is nobody's any more.
bool read_body(Cluster& k, std::uint32_t index, std::span<const std::uint8_t> bytes)
{
    while (!bytes.empty()) {
        WebSocket& s = k.web_socket.all[index];
        const std::span<const std::uint8_t> piece = bytes.first(std::min(bytes.size(), kMostBody));
        bytes = bytes.subspan(piece.size());
        std::string& body = k.web_socket.body;
        body.clear();
        s.response.read(piece, nullptr, {.text = &body});
        if (!read_events(k, index, {reinterpret_cast<const std::uint8_t*>(body.data()), body.size()})) return false;
        if (!k.web_socket.all[index].response.complete() && !k.web_socket.all[index].response.broken()) continue;
        const bool broken = k.web_socket.all[index].response.broken();
        abort(k, index, broken ? FailureCause::truncated : FailureCause::server_closed);
        return false;
    }
    return true;
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const auto& given = abi::row_of<Values>(k.image, k.image.workloads[workload].record);
    const std::uint64_t count = k.model.integer(given.connections);
    const bool events = is_events(k, workload);
    const Time origin = first - wait_to_begin(k.model, k.seed, workload, node, 0, 0);
    std::uint32_t words = state_words(given.think);
    if (!events) {
        const Row& more = abi::row_of<Row>(k.image, k.image.workloads[workload].record);
        words = std::max({words, state_words(more.interval), state_words(more.size)});
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto index = static_cast<std::uint32_t>(k.web_socket.all.size());
        const std::uint32_t state = k.take_sampler_words(words);
        WebSocket& s = k.web_socket.all.emplace_back();
        s.node = node;
        s.workload = workload;
        s.number = static_cast<std::uint32_t>(i);
        s.state = state;
        s.events = events;
        s.due = origin + wait_to_begin(k.model, k.seed, workload, node, i, 0);
        k.schedule(node, s.due, timer_of(Number::web_socket, kBegin), index);
    }
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    WebSocket& s = k.web_socket.all[index];
    if (at != s.due || (which == kSend) != (s.phase == Phase::open)) return;  // of a connection that is over
    if (which == kSend) return go_on(k, index);
    s.due = kNever;
    if (k.active(s.workload, s.node)) return connect(k, index);
    s.dormant = true;
}

void resume(Cluster& k, const Hosts& hosts)
{
    for (std::uint32_t i = 0; i < k.web_socket.all.size(); ++i) {
        WebSocket& s = k.web_socket.all[i];
        if (s.workload != hosts.workload || !hosts.have(k.model, s.node) || s.phase != Phase::rests) continue;
        s.dormant = false;
        s.due = k.now + wait_to_begin(k.model, k.seed, s.workload, s.node, numbered(k, s, s.begun), k.passed());
        k.schedule(s.node, s.due, timer_of(Number::web_socket, kBegin), i);
    }
}

void stop(Cluster& k, const Hosts& hosts)
{
    for (std::uint32_t i = 0; i < k.web_socket.all.size(); ++i) {
        const WebSocket& s = k.web_socket.all[i];
        if (s.workload != hosts.workload || !hosts.have(k.model, s.node) || s.phase != Phase::open) continue;
        begin_close(k, i);
    }
}

void established(Cluster& k, std::uint32_t slot)
{
    if (k.records_connections) [[unlikely]]
        connection_records::note_connected(k, slot);
    WebSocket& s = k.web_socket.all[k.tcp.connections[slot].owner];
    if (k.measuring()) {
        ++statistics(k, s).connections;
        statistics(k, s).connect.record(k.now - s.started);
    }
    set_deadline(k, s);
    Client client;
    client.node = s.node;
    client.workload = s.workload;
    if (!web_stream::begin(k, slot, client)) ask(k, s);
}

void opened(Cluster& k, std::uint32_t slot)
{
    WebSocket& s = k.web_socket.all[k.tcp.connections[slot].owner];
    if (k.measuring()) {
        statistics(k, s).tls.record(k.now - web_stream::begun(k, slot));
        ++(web_stream::resumed(k, slot) ? statistics(k, s).resumed : statistics(k, s).handshakes);
    }
    ask(k, s);
}

void broke(Cluster& k, std::uint32_t slot, const char* why)
{
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index == kNone) return;
    if (k.measuring()) statistics(k, k.web_socket.all[index]).first_broken.add({k.now, why});
    lose(k, index, FailureCause::tls);
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index == kNone) return web_stream::abort(k, slot);  // the client has closed: nobody reads any more
    if (!piece.real) return fail_by(k, index, FailureCause::protocol, "the answer is another service's", 0);
    std::span<const std::uint8_t> bytes = piece.bytes;
    if (k.web_socket.all[index].phase == Phase::opens) {
        bytes = bytes.subspan(read_answer(k, index, bytes));
        if (k.tcp.connections[slot].owner == kNone || bytes.empty()) return;
    }
    if (k.web_socket.all[index].events)
        read_body(k, index, bytes);
    else
        read_frames(k, index, bytes);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index != kNone) {
        WebSocket& s = k.web_socket.all[index];
        if (s.phase == Phase::closes) {
            end_closing(k, index);
        } else {
            const bool framed = s.reader.within_message() || (s.events && !s.response.whole());
            lose(k, index, s.phase == Phase::opens || framed ? FailureCause::truncated : FailureCause::server_closed);
        }
    }
    web_stream::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) return;
    if (k.web_socket.all[c.owner].phase == Phase::closes) return end_closing(k, c.owner);
    lose(k, c.owner, cause_of(c, failure));
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    const std::uint32_t index = k.tcp.connections[slot].owner;
    if (index == kNone) return;
    WebSocket& s = k.web_socket.all[index];
    if (s.phase == Phase::closes) return abort_closing(k, index);
    if (tcp::connecting(k.tcp.connections[slot])) return abort(k, index, FailureCause::connect);
    if (s.phase == Phase::opens || s.events) {
        const Time limit = k.model.time(values(k, s).timeout), from = s.phase == Phase::opens ? s.started : s.last;
        if (limit > 0 && from + limit <= k.now) return abort(k, index, FailureCause::timeout);
        return set_deadline(k, s);
    }
    const Time limit = k.model.time(values(k, s).timeout);
    while (!s.unanswered.empty() && s.unanswered.front().sent + limit <= k.now) {
        finish(k, s, s.unanswered.front().sent, FailureCause::timeout, 0, 0);
        s.unanswered.erase(s.unanswered.begin());
    }
    set_deadline(k, s);
    if (s.ends && s.unanswered.empty()) begin_close(k, index);
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    for (const WebSocket& s : k.web_socket.all)
        for (const WebSocket::Message& message : s.unanswered)
            all.workloads[s.workload].open_ages.push_back(now - message.sent);
}

}  // namespace anml::rt::app::web_socket
