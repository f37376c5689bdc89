// HTTP/2 (RFC 9113) of one connection, either side: bytes in, what they mean out, and the other way round. Framing,
// HPACK (RFC 7541), flow control and the states of streams are nghttp2's; nothing here knows TCP, time or the model.
//
// Heads of requests and responses are given and told as HTTP/1.1 has them, so that the readers and the texts of both
// are the same. Bodies are counted, not kept; what is sent of them is a content. Memory is bounded whatever the peer
// sends: a head that is too long costs its stream, a flood of frames that move nothing the connection.
//
// nghttp2 and what knows it (http2_state.h) are only linked into the emulators of models that speak HTTP/2
// (`anml_http2`); others never come to call it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace anml::rt::app::http2 {

// What is referred to, and may be missing where it is not called.
#define ANML_HTTP2 [[gnu::weak]]

enum class Role : std::uint8_t { client, server };

// RFC 9113, 7
enum Error : std::uint32_t { kNoError = 0, kRefusedStream = 7, kCancel = 8, kEnhanceYourCalm = 11 };

struct Event {
    enum class Kind : std::uint8_t {
        head,  // `bytes` of it, as of HTTP/1.1
        body,  // `bytes` of it
        trailers,  // fields behind the body, as of a head: where all fields are told
        end,   // the peer has said all
        lost,  // it never will: `error` says why
    };
    Kind kind{};
    bool ours = false;           // lost, and it is this side that gave it up, because of what had come
    std::uint32_t user = 0;      // as given to ask()
    std::uint32_t stream = 0;    // its identifier
    std::uint32_t error = 0;     // RFC 9113, 7
    std::uint32_t at = 0;        // of a head or trailers: where they begin in the text
    std::uint64_t length = 0;    // of these or a piece of a body
    std::uint64_t received = 0;  // end: bytes on the wire, frames included, both ways
    std::uint64_t sent = 0;
    const std::uint8_t* bytes = nullptr;  // of a body: in what was received
};

// What is to be sent: bytes, between them parts of contents.
struct Output {
    struct Part {
        std::size_t behind;  // so many of the bytes
        std::uint32_t content;
        std::uint64_t offset, length;
    };
    std::vector<std::uint8_t> bytes;
    std::vector<Part> parts;
    std::uint64_t length = 0;  // of all

    bool empty() const { return length == 0; }
    void clear()
    {
        bytes.clear();
        parts.clear();
        length = 0;
    }
};

struct Session;
ANML_HTTP2 void forget(Session* session);
struct Forget {
    void operator()(Session* session) const { forget(session); }
};
using Owned = std::unique_ptr<Session, Forget>;

// `scheme`: of what a client asks for, "http" or "https".
ANML_HTTP2 Session* make(Role role, std::string_view scheme);

// What has come, at most kMostPiece bytes at a time, so that what is told of them is bounded, however well HPACK packs.
// events() are those of the last call of receive(), skip() or take().
inline constexpr std::size_t kMostPiece = 16 * 1024;
ANML_HTTP2 void receive(Session& session, std::span<const std::uint8_t> bytes);
ANML_HTTP2 void skip(Session& session, std::uint64_t count);  // so many of a body that nobody has
ANML_HTTP2 std::span<const Event> events(const Session& session);
ANML_HTTP2 std::string_view head(const Session& session, const Event& event);

// So many bytes: those of a text, and behind them those of a content, from `offset` on.
struct Body {
    std::uint32_t content = 0;
    std::uint64_t offset = 0, left = 0;
    std::string text{};
    std::size_t at = 0;       // in the text
    bool grpc_trailers = false;  // behind it stands that its status is OK
};
// Heads of responses have all of their fields from now on, and trailers are told.
ANML_HTTP2 void tell_all_fields(Session& session);
// A request. Its stream's identifier; 0: there can be no more on this connection.
ANML_HTTP2 std::uint32_t ask(Session& session, std::string_view head, const Body& body, std::uint32_t user);
ANML_HTTP2 void answer(Session& session, std::uint32_t stream, std::string_view head, const Body& body);
// Ends a stream, of which nothing is told any more.
ANML_HTTP2 void reset(Session& session, std::uint32_t stream, std::uint32_t error);
// Says that no more streams are taken, and that the connection ends: with GOAWAY.
ANML_HTTP2 void leave(Session& session, std::uint32_t error);

// Adds to `output` what may be sent now, until it has `most` bytes or a frame more.
ANML_HTTP2 void take(Session& session, Output& output, std::uint64_t most);
ANML_HTTP2 bool wants_to_send(const Session& session);

ANML_HTTP2 std::uint32_t most_streams(const Session& session);  // at a time, as the peer lets this side open them
ANML_HTTP2 bool takes_requests(const Session& session);         // of a client: no GOAWAY was sent or received
ANML_HTTP2 bool told_to_leave(const Session& session);          // by the peer's GOAWAY
ANML_HTTP2 bool spoken(const Session& session);                 // the peer's first frame was one of HTTP/2
// Nothing that comes is looked at any more; what take() still has says why to the peer. Broken: the peer's frames are
// none that it may send; else both sides have said all.
ANML_HTTP2 bool over(const Session& session);
ANML_HTTP2 bool broken(const Session& session);

#undef ANML_HTTP2

inline constexpr std::string_view kProtocol = "h2";  // for ALPN (RFC 9113, 3.2)
// What clients begin a connection with (RFC 9113, 3.4).
inline constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace anml::rt::app::http2
