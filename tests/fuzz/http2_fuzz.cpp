// What a server or a client sends over HTTP/2, to a session of the other side: nothing crashes it, what it tells makes
// sense, and its memory is bounded.
//
// An input's first byte chooses the side, whether a client is told all fields and trailers, or a server answers with
// these, and where it is cut; the rest is the stream. A client's session has asked three times, once with a body.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "app/http2/http2_session.h"

using namespace anml::rt::app;

namespace {

void require(bool holds)
{
    if (!holds) std::abort();
}

struct Streams {
    std::uint32_t ended = 0;  // a bit each, of a client's three
};

void check(const http2::Session& session, Streams& streams, bool client)
{
    for (const http2::Event& event : http2::events(session)) {
        if (event.kind == http2::Event::Kind::head) require(http2::head(session, event).ends_with("\r\n\r\n"));
        if (event.kind == http2::Event::Kind::trailers) require(http2::head(session, event).ends_with("\r\n"));
        if (!client) continue;
        require(event.user < 3);
        const std::uint32_t bit = 1u << event.user;
        require(!(streams.ended & bit));
        if (event.kind == http2::Event::Kind::end || event.kind == http2::Event::Kind::lost) streams.ended |= bit;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2) return 0;
    const bool client = data[0] & 1;
    const bool trailers = data[0] & 2;
    const std::size_t step = 1 + data[0] / 4 * 16;
    const http2::Owned session(http2::make(client ? http2::Role::client : http2::Role::server, "http"));
    Streams streams;
    http2::Output output;
    if (client) {
        if (trailers) http2::tell_all_fields(*session);
        http2::ask(*session, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", {}, 0);
        http2::ask(*session, "HEAD /b HTTP/1.1\r\nHost: x\r\n\r\n", {}, 1);
        http2::ask(*session, "PUT /c HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n", {0, 0, 99999}, 2);
    } else {
        const auto* preface = reinterpret_cast<const std::uint8_t*>(http2::kPreface.data());
        http2::receive(*session, {preface, http2::kPreface.size()});
    }
    http2::take(*session, output, 65536);
    const std::span<const std::uint8_t> stream(data + 1, size - 1);
    for (std::size_t at = 0; at < stream.size() && !http2::over(*session); at += step) {
        http2::receive(*session, stream.subspan(at, std::min(step, stream.size() - at)));
        check(*session, streams, client);
        if (!client)
            for (const http2::Event& event : http2::events(*session))
                if (event.kind == http2::Event::Kind::end)
                    http2::answer(*session, event.stream, "HTTP/1.1 200 OK\r\n\r\n", {0, 0, 9, "text", 0, trailers});
        output.clear();
        http2::take(*session, output, 65536);
        check(*session, streams, client);
        require(output.length <= 65536 + 16384 + 9 + 1000 * 17);
    }
    return 0;
}
