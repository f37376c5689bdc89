#include "app/http2/http2_session.h"

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "app/http2/http2_state.h"

// By its name the linker is told to take this file (compiler/link).
extern "C" {
extern const char anml_http2;
const char anml_http2 = 1;
}

namespace anml::rt::app::http2 {

namespace {

// What a simulated server lets a client have at a time, as nginx does.
constexpr std::uint32_t kMostStreams = 128;
constexpr std::uint8_t kZeros[kMostPiece] = {};

// But for what has come of a head that is not whole.
void forget_events(Session& session)
{
    session.events.clear();
    if (session.coming == kNone) return session.text.clear();
    Stream& stream = session.streams[session.coming];
    session.text.erase(0, stream.begin);
    stream.begin = 0;
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
           nghttp2_session_set_local_window_size(session.of, NGHTTP2_FLAG_NONE, 0, kWindow) == 0;
}

}  // namespace

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

void free_stream(Session& session, std::uint32_t index)
{
    session.streams[index].next_free = session.free_stream;
    session.free_stream = index;
}

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

void tell_all_fields(Session& session) { session.all_fields = true; }

std::uint32_t ask(Session& session, std::string_view head, const Body& body, std::uint32_t user)
{
    list_request(session.fields, head, session.scheme);
    const std::uint32_t index = new_stream(session);
    Stream& stream = session.streams[index];
    stream.user = user;
    stream.body = body;
    const nghttp2_data_provider with = provider();
    const std::int32_t id =
        nghttp2_submit_request(session.of, nullptr, session.fields.all.data(), session.fields.all.size(),
                               body.left > 0 ? &with : nullptr, pointer_to(index));
    if (id > 0) return static_cast<std::uint32_t>(id);
    free_stream(session, index);
    return 0;
}

void answer(Session& session, std::uint32_t id, std::string_view head, const Body& body)
{
    const auto number = static_cast<std::int32_t>(id);
    Stream* stream = stream_of(session, number);
    if (stream == nullptr) return;
    list_response(session.fields, head);
    stream->body = body;
    const nghttp2_data_provider with = provider();
    nghttp2_submit_response(session.of, number, session.fields.all.data(), session.fields.all.size(),
                            body.left > 0 ? &with : nullptr);
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
