#include "app/http2_session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "app/http_words.h"
#include "base/ids.h"

// By its name the linker is told to take this file (compiler/link).
extern "C" {
extern const char anml_http2;
const char anml_http2 = 1;
}

namespace anml::rt::app::http2 {

namespace {

// As h2load has them: flow control is TCP's.
constexpr std::int32_t kWindow = (1 << 30) - 1;
// What a simulated server lets a client have at a time, as nginx does.
constexpr std::uint32_t kMostStreams = 128;
// Of a head, in the measure of RFC 9113, 6.5.2. Browsers take 256 KB, servers less.
constexpr std::uint32_t kMostHead = 256 * 1024;
// Frames in a row by which no head and no body gets on, of either side; streams that a client gives up without having
// got another one's answer meanwhile.
constexpr std::uint32_t kMostIdleFrames = 1000;
constexpr std::size_t kFrameHead = 9;  // RFC 9113, 4.1
constexpr std::uint8_t kZeros[kMostPiece] = {};

// The fields of a response that somebody reads.
constexpr std::string_view kRead[] = {"content-length", "set-cookie", "location", "etag", "last-modified"};
// And of a request.
constexpr std::string_view kReadByServer[] = {"cookie", "if-none-match"};
constexpr std::string_view kVersion = " HTTP/1.1\r\n";
// Those that HTTP/2 has no use for (RFC 9113, 8.2.2).
constexpr std::string_view kOfConnection[] = {"connection", "proxy-connection", "keep-alive", "transfer-encoding",
                                              "upgrade"};

bool among(std::span<const std::string_view> words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

struct Body {
    std::uint32_t content = 0;
    std::uint64_t offset = 0, left = 0;
};

struct Stream {
    std::uint32_t user = kNone;
    bool final = false;  // its head is not that of an interim response
    bool lined = false;  // of a request: its first line is there
    bool ended = false;  // the peer has said all
    bool told = false;   // nothing more is to be told
    bool ours = false;   // it is this side that has reset it
    std::uint32_t begin = 0, head = 0;  // of the head that is coming: where its text begins, its size
    std::uint64_t received = 0, sent = 0;
    Body body;
    std::uint32_t next_free = kNone;
};

}  // namespace

struct Session {
    nghttp2_session* of = nullptr;
    Role role{};
    bool spoken = false, broken = false, leaves = false;
    std::uint32_t idle_frames = 0, resets = 0;
    std::string_view scheme;
    std::vector<Stream> streams;
    std::uint32_t free_stream = kNone;
    std::vector<Event> events;
    std::string text;  // of the heads among them
    std::uint32_t coming = kNone;  // the stream whose head has come in part
    std::string lower;
    std::vector<nghttp2_nv> fields;
    Output* output = nullptr;  // while something is taken
    std::uint64_t most = 0;
};

namespace {

Session& session_of(void* user) { return *static_cast<Session*>(user); }

void* pointer_to(std::uint32_t index) { return reinterpret_cast<void*>(std::uintptr_t{index} + 1); }

Stream* stream_of(Session& session, std::int32_t id)
{
    const void* pointer = id == 0 ? nullptr : nghttp2_session_get_stream_user_data(session.of, id);
    return pointer == nullptr ? nullptr : &session.streams[reinterpret_cast<std::uintptr_t>(pointer) - 1];
}

std::uint32_t new_stream(Session& session)
{
    std::uint32_t index = session.free_stream;
    if (index == kNone) {
        index = static_cast<std::uint32_t>(session.streams.size());
        session.streams.emplace_back();
    } else {
        session.free_stream = session.streams[index].next_free;
        session.streams[index] = {};
    }
    return index;
}

Event& tell(Session& session, Event::Kind kind, const Stream& stream, std::int32_t id)
{
    Event& event = session.events.emplace_back();
    event.kind = kind;
    event.user = stream.user;
    event.stream = static_cast<std::uint32_t>(id);
    return event;
}

// But for what has come of a head that is not whole.
void forget_events(Session& session)
{
    session.events.clear();
    if (session.coming == kNone) return session.text.clear();
    Stream& stream = session.streams[session.coming];
    session.text.erase(0, stream.begin);
    stream.begin = 0;
}

void tell_end(Session& session, Stream& stream, std::int32_t id)
{
    if (stream.told || stream.ended) return;
    stream.ended = true;
    Event& event = tell(session, Event::Kind::end, stream, id);
    event.received = stream.received;
    event.sent = stream.sent;
    if (session.role == Role::server || nghttp2_session_get_stream_local_close(session.of, id) != 0) return;
    stream.told = true;  // the response is there, and the request still being sent
    nghttp2_submit_rst_stream(session.of, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
}

// --- what nghttp2 calls

int begins_headers(nghttp2_session*, const nghttp2_frame* frame, void* user)
{
    Session& session = session_of(user);
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    if (session.role == Role::server && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
        nghttp2_session_set_stream_user_data(session.of, frame->hd.stream_id, pointer_to(new_stream(session)));
    Stream* stream = stream_of(session, frame->hd.stream_id);
    if (stream == nullptr || stream->final) return 0;
    session.coming = static_cast<std::uint32_t>(stream - session.streams.data());
    stream->begin = static_cast<std::uint32_t>(session.text.size());
    stream->head = 0;
    return 0;
}

std::string_view view(const std::uint8_t* bytes, std::size_t count)
{
    return {reinterpret_cast<const char*>(bytes), count};
}

void add_field(Session& session, std::string_view name, std::string_view value)
{
    session.text.append(name).append(": ").append(value).append("\r\n");
}

// A request's begins with its method, whichever field comes first; those that are none of HTTP/2's own come last.
void add_of_request(Session& session, Stream& stream, std::string_view name, std::string_view value)
{
    if (name == ":method") {
        session.text.insert(stream.begin, std::string(value) + " ");
    } else if (name == ":path") {
        // Behind the method, if that has come.
        session.text.append(value);
    } else if (name.front() != ':') {
        if (!std::exchange(stream.lined, true)) session.text.append(kVersion);
        if (among(kReadByServer, name)) add_field(session, name, value);
    }
}

int header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_length,
           const std::uint8_t* value, std::size_t value_length, std::uint8_t, void* user)
{
    Session& session = session_of(user);
    Stream* stream = frame->hd.type == NGHTTP2_HEADERS ? stream_of(session, frame->hd.stream_id) : nullptr;
    if (stream == nullptr || stream->told) return 0;
    stream->head += static_cast<std::uint32_t>(name_length + value_length + 32);
    if (stream->head > kMostHead) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    if (stream->final) return 0;  // a trailer
    const std::string_view field = view(name, name_length), is = view(value, value_length);
    if (session.role == Role::server)
        add_of_request(session, *stream, field, is);
    else if (field == ":status")
        session.text.append("HTTP/1.1 ").append(is).append(" \r\n");
    else if (among(kRead, field))
        add_field(session, field, is);
    return 0;
}

void end_head(Session& session, Stream& stream, std::int32_t id)
{
    session.coming = kNone;
    stream.final = session.role == Role::server ||
                   !std::string_view(session.text).substr(stream.begin).starts_with("HTTP/1.1 1");
    if (session.role == Role::server && !stream.lined) session.text.append(kVersion);
    session.text.append("\r\n");
    if (stream.told) return;
    Event& event = tell(session, Event::Kind::head, stream, id);
    event.at = stream.begin;
    event.length = session.text.size() - stream.begin;
}

// Whether something got on by it.
bool moves(const nghttp2_frame& frame)
{
    switch (frame.hd.type) {
        case NGHTTP2_HEADERS:
        case NGHTTP2_GOAWAY:
            return true;
        case NGHTTP2_DATA:
            return frame.hd.length > 0 || (frame.hd.flags & NGHTTP2_FLAG_END_STREAM);
        default:
            return false;
    }
}

void note_frame(Session& session, const nghttp2_frame& frame)
{
    if (moves(frame))
        session.idle_frames = 0;
    else
        ++session.idle_frames;
    if (session.role == Role::server && frame.hd.type == NGHTTP2_RST_STREAM) ++session.resets;
    if (session.idle_frames == kMostIdleFrames || session.resets == kMostIdleFrames)
        nghttp2_session_terminate_session(session.of, NGHTTP2_ENHANCE_YOUR_CALM);
}

int received_frame(nghttp2_session*, const nghttp2_frame* frame, void* user)
{
    Session& session = session_of(user);
    session.spoken |= frame->hd.type == NGHTTP2_SETTINGS;
    session.leaves |= frame->hd.type == NGHTTP2_GOAWAY;
    note_frame(session, *frame);
    Stream* stream = stream_of(session, frame->hd.stream_id);
    if (stream == nullptr) return 0;
    stream->received += frame->hd.length + kFrameHead;
    if (frame->hd.type == NGHTTP2_HEADERS && !stream->final) end_head(session, *stream, frame->hd.stream_id);
    if ((frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
        (frame->hd.flags & NGHTTP2_FLAG_END_STREAM))
        tell_end(session, *stream, frame->hd.stream_id);
    return 0;
}

int received_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* bytes, std::size_t count,
                  void* user)
{
    Session& session = session_of(user);
    Stream* stream = stream_of(session, id);
    if (stream == nullptr || stream->told || count == 0) return 0;
    Event& event = tell(session, Event::Kind::body, *stream, id);
    event.bytes = bytes;
    event.length = count;
    return 0;
}

int sent_frame(nghttp2_session*, const nghttp2_frame* frame, void* user)
{
    Session& session = session_of(user);
    session.broken |= frame->hd.type == NGHTTP2_GOAWAY && frame->goaway.error_code != NGHTTP2_NO_ERROR;
    if (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) session.idle_frames = 0;
    Stream* stream = stream_of(session, frame->hd.stream_id);
    if (stream == nullptr) return 0;
    stream->sent += frame->hd.length + kFrameHead;
    stream->ours |= frame->hd.type == NGHTTP2_RST_STREAM;
    return 0;
}

int closed(nghttp2_session*, std::int32_t id, std::uint32_t error, void* user)
{
    Session& session = session_of(user);
    const void* pointer = nghttp2_session_get_stream_user_data(session.of, id);
    if (pointer == nullptr) return 0;
    const auto index = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer) - 1);
    Stream& stream = session.streams[index];
    if (error == NGHTTP2_NO_ERROR) session.resets = 0;
    // A server has to hear of one that it was to answer, too.
    if (!stream.told && (!stream.ended || (session.role == Role::server && error != NGHTTP2_NO_ERROR))) {
        Event& event = tell(session, Event::Kind::lost, stream, id);
        event.error = error;
        event.ours = stream.ours;
    }
    if (session.coming == index) session.coming = kNone;
    stream.next_free = session.free_stream;
    session.free_stream = index;
    return 0;
}

ssize_t give_body(nghttp2_session*, std::int32_t id, std::uint8_t*, std::size_t room, std::uint32_t* flags,
                  nghttp2_data_source*, void* user)
{
    const Stream* stream = stream_of(session_of(user), id);
    if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::uint64_t count = std::min<std::uint64_t>(room, stream->body.left);
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (count == stream->body.left) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(count);
}

int send_body(nghttp2_session*, nghttp2_frame* frame, const std::uint8_t* head, std::size_t length,
              nghttp2_data_source*, void* user)
{
    Session& session = session_of(user);
    Stream* stream = stream_of(session, frame->hd.stream_id);
    if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    Output& output = *session.output;
    if (output.length >= session.most) return NGHTTP2_ERR_WOULDBLOCK;
    output.bytes.insert(output.bytes.end(), head, head + kFrameHead);
    output.length += kFrameHead + length;
    if (length == 0) return 0;
    Body& body = stream->body;
    output.parts.push_back({output.bytes.size(), body.content, body.offset, length});
    body.offset += length;
    body.left -= length;
    return 0;
}

const nghttp2_session_callbacks* callbacks()
{
    static nghttp2_session_callbacks* const all = [] {
        nghttp2_session_callbacks* made = nullptr;
        if (nghttp2_session_callbacks_new(&made) != 0) return made;
        nghttp2_session_callbacks_set_on_begin_headers_callback(made, begins_headers);
        nghttp2_session_callbacks_set_on_header_callback(made, header);
        nghttp2_session_callbacks_set_on_frame_recv_callback(made, received_frame);
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, received_data);
        nghttp2_session_callbacks_set_on_frame_send_callback(made, sent_frame);
        nghttp2_session_callbacks_set_on_stream_close_callback(made, closed);
        nghttp2_session_callbacks_set_send_data_callback(made, send_body);
        return made;
    }();
    return all;
}

const nghttp2_option* options()
{
    static nghttp2_option* const all = [] {
        nghttp2_option* made = nullptr;
        if (nghttp2_option_new(&made) != 0) return made;
        nghttp2_option_set_no_closed_streams(made, 1);
        nghttp2_option_set_max_reserved_remote_streams(made, 0);
        // It would go by the wall clock; kMostIdleFrames is there instead.
        constexpr auto kAny = std::numeric_limits<std::uint64_t>::max();
        nghttp2_option_set_stream_reset_rate_limit(made, kAny, kAny);
        return made;
    }();
    return all;
}

bool begin(Session& session)
{
    const bool client = session.role == Role::client;
    const auto made = client ? nghttp2_session_client_new2 : nghttp2_session_server_new2;
    if (made(&session.of, callbacks(), &session, options()) != 0) return false;
    const std::array<nghttp2_settings_entry, 3> of_client = {{{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                                                              {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindow},
                                                              {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kMostHead}}};
    const std::array<nghttp2_settings_entry, 2> of_server = {
        {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kMostStreams}, {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kMostHead}}};
    const std::span<const nghttp2_settings_entry> settings =
        client ? std::span<const nghttp2_settings_entry>(of_client) : of_server;
    return nghttp2_submit_settings(session.of, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0 &&
           (!client || nghttp2_session_set_local_window_size(session.of, NGHTTP2_FLAG_NONE, 0, kWindow) == 0);
}

// --- heads as fields

nghttp2_nv field(std::string_view name, std::string_view value)
{
    // nghttp2 copies both.
    return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
            reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
            NGHTTP2_NV_FLAG_NONE};
}

std::string_view take_until(std::string_view& text, std::string_view end)
{
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view before = text.substr(0, at);
    text.remove_prefix(std::min(at + end.size(), text.size()));
    return before;
}

// The fields of a head as of HTTP/1.1, behind its first line; their names in lower case (RFC 9113, 8.2).
void add_fields(Session& session, std::string_view head)
{
    session.lower.assign(head);
    std::string_view text = session.lower;
    while (!text.empty()) {
        const std::string_view line = take_until(text, "\r\n");
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        char* const name = session.lower.data() + (line.data() - session.lower.data());
        std::transform(name, name + colon, name,
                       [](char c) { return static_cast<char>(http::lower(static_cast<std::uint8_t>(c))); });
        const std::string_view is = line.substr(0, colon);
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
        if (among(kOfConnection, is)) continue;
        if (is == "host")
            session.fields.insert(session.fields.begin() + 2, field(":authority", value));
        else
            session.fields.push_back(field(is, value));
    }
}

nghttp2_data_provider provider()
{
    nghttp2_data_provider body{};
    body.read_callback = give_body;
    return body;
}

}  // namespace

void forget(Session* session)
{
    if (session == nullptr) return;
    nghttp2_session_del(session->of);
    delete session;
}

Session* make(Role role, std::string_view scheme)
{
    Owned session(new Session);
    session->role = role;
    session->scheme = scheme;
    if (!begin(*session)) throw std::bad_alloc();
    return session.release();
}

void receive(Session& session, std::span<const std::uint8_t> bytes)
{
    forget_events(session);
    if (!session.broken && nghttp2_session_mem_recv(session.of, bytes.data(), bytes.size()) < 0) session.broken = true;
}

void skip(Session& session, std::uint64_t count)
{
    receive(session, std::span(kZeros).first(static_cast<std::size_t>(std::min<std::uint64_t>(count, kMostPiece))));
}

std::span<const Event> events(const Session& session) { return session.events; }

std::string_view head(const Session& session, const Event& event)
{
    return std::string_view(session.text).substr(event.at, event.length);
}

std::uint32_t ask(Session& session, std::string_view head, std::uint64_t body, std::uint32_t user)
{
    const std::string_view method = take_until(head, " "), path = take_until(head, " ");
    take_until(head, "\r\n");
    session.fields.clear();
    session.fields.push_back(field(":method", method));
    session.fields.push_back(field(":scheme", session.scheme));
    session.fields.push_back(field(":path", path));
    add_fields(session, head);
    const std::uint32_t index = new_stream(session);
    Stream& stream = session.streams[index];
    stream.user = user;
    stream.body.left = body;
    const nghttp2_data_provider with = provider();
    const std::int32_t id = nghttp2_submit_request(session.of, nullptr, session.fields.data(), session.fields.size(),
                                                   body > 0 ? &with : nullptr, pointer_to(index));
    if (id > 0) return static_cast<std::uint32_t>(id);
    stream.next_free = session.free_stream;
    session.free_stream = index;
    return 0;
}

void answer(Session& session, std::uint32_t id, std::string_view head, std::uint32_t content, std::uint64_t offset,
            std::uint64_t body)
{
    const auto number = static_cast<std::int32_t>(id);
    Stream* stream = stream_of(session, number);
    if (stream == nullptr) return;
    take_until(head, " ");
    const std::string_view status = take_until(head, " ");
    take_until(head, "\r\n");
    session.fields.clear();
    session.fields.push_back(field(":status", status));
    add_fields(session, head);
    stream->body = {content, offset, body};
    const nghttp2_data_provider with = provider();
    nghttp2_submit_response(session.of, number, session.fields.data(), session.fields.size(),
                            body > 0 ? &with : nullptr);
}

void reset(Session& session, std::uint32_t id, std::uint32_t error)
{
    const auto number = static_cast<std::int32_t>(id);
    if (Stream* stream = stream_of(session, number)) stream->told = true;
    nghttp2_submit_rst_stream(session.of, NGHTTP2_FLAG_NONE, number, error);
}

void leave(Session& session, std::uint32_t error) { nghttp2_session_terminate_session(session.of, error); }

void take(Session& session, Output& output, std::uint64_t most)
{
    forget_events(session);
    session.output = &output;
    session.most = most;
    while (output.length < most) {
        const std::uint8_t* bytes = nullptr;
        const ssize_t count = nghttp2_session_mem_send(session.of, &bytes);
        if (count <= 0) {
            session.broken |= count < 0;
            break;
        }
        output.bytes.insert(output.bytes.end(), bytes, bytes + count);
        output.length += static_cast<std::uint64_t>(count);
    }
    session.output = nullptr;
}

bool wants_to_send(const Session& session) { return nghttp2_session_want_write(session.of) != 0; }

std::uint32_t most_streams(const Session& session)
{
    return nghttp2_session_get_remote_settings(session.of, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
}

bool takes_requests(const Session& session)
{
    return nghttp2_session_check_request_allowed(session.of) != 0;
}

bool told_to_leave(const Session& session) { return session.leaves; }

bool spoken(const Session& session) { return session.spoken; }

bool over(const Session& session) { return session.broken || nghttp2_session_want_read(session.of) == 0; }

bool broken(const Session& session) { return session.broken; }

}  // namespace anml::rt::app::http2
