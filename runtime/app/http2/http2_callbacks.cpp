// What nghttp2 calls: frames that have come become events, and bodies leave as parts of contents.
#include <algorithm>
#include <span>

#include "app/http2/http2_state.h"

namespace anml::rt::app::http2 {

namespace {

// Frames in a row by which no head and no body gets on, of either side; streams that a client gives up without having
// got another one's answer meanwhile.
constexpr std::uint32_t kMostIdleFrames = 1000;
constexpr std::size_t kFrameHead = 9;  // RFC 9113, 4.1

Session& session_of(void* user) { return *static_cast<Session*>(user); }

Event& tell(Session& session, Event::Kind kind, const Stream& stream, std::int32_t id)
{
    Event& event = session.events.emplace_back();
    event.kind = kind;
    event.user = stream.user;
    event.stream = static_cast<std::uint32_t>(id);
    return event;
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

bool tells_trailers(const Session& session) { return session.role == Role::client && session.all_fields; }

int begins_headers(nghttp2_session*, const nghttp2_frame* frame, void* user)
{
    Session& session = session_of(user);
    if (frame->hd.type != NGHTTP2_HEADERS) return 0;
    if (session.role == Role::server && frame->headers.cat == NGHTTP2_HCAT_REQUEST)
        nghttp2_session_set_stream_user_data(session.of, frame->hd.stream_id, pointer_to(new_stream(session)));
    Stream* stream = stream_of(session, frame->hd.stream_id);
    if (stream == nullptr || (stream->final && !tells_trailers(session))) return 0;
    session.coming = static_cast<std::uint32_t>(stream - session.streams.data());
    stream->begin = static_cast<std::uint32_t>(session.text.size());
    stream->head = 0;
    return 0;
}

std::string_view view(const std::uint8_t* bytes, std::size_t count)
{
    return {reinterpret_cast<const char*>(bytes), count};
}

int header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_length,
           const std::uint8_t* value, std::size_t value_length, std::uint8_t, void* user)
{
    Session& session = session_of(user);
    Stream* stream = frame->hd.type == NGHTTP2_HEADERS ? stream_of(session, frame->hd.stream_id) : nullptr;
    if (stream == nullptr || stream->told) return 0;
    stream->head += static_cast<std::uint32_t>(name_length + value_length + 32);
    if (stream->head > kMostHead) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    if (stream->final && !tells_trailers(session)) return 0;
    const std::string_view field = view(name, name_length), is = view(value, value_length);
    if (session.role == Role::server)
        add_to_request(session.text, stream->begin, stream->lined, field, is);
    else
        add_to_response(session.text, field, is, session.all_fields);
    return 0;
}

void end_head(Session& session, Stream& stream, std::int32_t id)
{
    session.coming = kNone;
    const bool behind = stream.final;
    stream.final = behind || session.role == Role::server ||
                   !std::string_view(session.text).substr(stream.begin).starts_with("HTTP/1.1 1");
    if (session.role == Role::server) end_request(session.text, stream.lined);
    session.text.append("\r\n");
    if (stream.told) return;
    Event& event = tell(session, behind ? Event::Kind::trailers : Event::Kind::head, stream, id);
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
    if (frame->hd.type == NGHTTP2_HEADERS && (!stream->final || tells_trailers(session)))
        end_head(session, *stream, frame->hd.stream_id);
    if (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA) return 0;
    if (frame->hd.flags & NGHTTP2_FLAG_END_STREAM)
        tell_end(session, *stream, frame->hd.stream_id);
    else if (session.role == Role::server && frame->hd.type == NGHTTP2_HEADERS)  // its body may come
        nghttp2_session_set_local_window_size(session.of, NGHTTP2_FLAG_NONE, frame->hd.stream_id, kWindow);
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
    free_stream(session, index);
    return 0;
}

ssize_t give_body(nghttp2_session* of, std::int32_t id, std::uint8_t*, std::size_t room, std::uint32_t* flags,
                  nghttp2_data_source*, void* user)
{
    const Stream* stream = stream_of(session_of(user), id);
    if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::uint64_t count = std::min<std::uint64_t>(room, stream->body.left);
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (count == stream->body.left) *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (count == stream->body.left && stream->body.grpc_trailers) {
        const nghttp2_nv status = field("grpc-status", "0");
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        if (nghttp2_submit_trailer(of, id, &status, 1) != 0) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
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
    const std::size_t of_text = std::min(length, body.text.size() - body.at);
    const auto from = body.text.begin() + static_cast<std::ptrdiff_t>(body.at);
    output.bytes.insert(output.bytes.end(), from, from + static_cast<std::ptrdiff_t>(of_text));
    if (length > of_text) output.parts.push_back({output.bytes.size(), body.content, body.offset, length - of_text});
    body.at += of_text;
    body.offset += length - of_text;
    body.left -= length;
    return 0;
}

}  // namespace

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

nghttp2_data_provider provider()
{
    nghttp2_data_provider body{};
    body.read_callback = give_body;
    return body;
}

}  // namespace anml::rt::app::http2
