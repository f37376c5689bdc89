// What a session of HTTP/2 consists of. For the files that know nghttp2 alone: http2_session.cpp has what others call,
// http2_callbacks.cpp what nghttp2 does, http2_heads.cpp what heads are.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/http2/http2_heads.h"
#include "app/http2/http2_session.h"
#include "base/ids.h"

namespace anml::rt::app::http2 {

// Of a head, in the measure of RFC 9113, 6.5.2. Browsers take 256 KB, servers less.
inline constexpr std::uint32_t kMostHead = 256 * 1024;

// Of a connection and of a stream, as h2load has them: so large that flow control is TCP's
// (docs/decisions/0052-http2.md).
inline constexpr std::int32_t kWindow = (1 << 30) - 1;

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

struct Session {
    nghttp2_session* of = nullptr;
    Role role{};
    bool spoken = false, broken = false, leaves = false;
    bool all_fields = false;  // of responses: somebody may want any
    std::uint32_t idle_frames = 0, resets = 0;
    std::string_view scheme;
    std::vector<Stream> streams;
    std::uint32_t free_stream = kNone;
    std::vector<Event> events;
    std::string text;  // of the heads among them
    std::uint32_t coming = kNone;  // the stream whose head has come in part
    HeadFields fields;  // of one that is sent
    Output* output = nullptr;  // while something is taken
    std::uint64_t most = 0;
};

inline void* pointer_to(std::uint32_t index) { return reinterpret_cast<void*>(std::uintptr_t{index} + 1); }
// Null: nothing is known of it, or nothing any more.
Stream* stream_of(Session& session, std::int32_t id);
std::uint32_t new_stream(Session& session);
void free_stream(Session& session, std::uint32_t index);

const nghttp2_session_callbacks* callbacks();
nghttp2_data_provider provider();  // of what is left of a stream's body

}  // namespace anml::rt::app::http2
