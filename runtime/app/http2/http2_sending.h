// What a session of HTTP/2 has to send, on its way into the stream of its connection, and what comes out of that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/http2/http2_session.h"
#include "transport/span.h"

namespace anml::rt {

struct Cluster;

namespace app::http2 {

struct Sending {
    Output output;
    std::vector<std::uint8_t> bytes;  // of them those that go next
};

// Sends what may be sent, but no more than TCP has room for: what it has not sent yet is kept short. What comes of it
// is the session's events().
void send(Cluster& k, std::uint32_t slot, Session& session, Sending& sending);

// What has come; `take` is called for the events of each part of it.
template <class Take>
void receive(Session& session, const tcp::Piece& piece, Take&& take)
{
    for (std::size_t from = 0; from < piece.length && !over(session); from += kMostPiece) {
        const std::size_t count = std::min(piece.length - from, kMostPiece);
        if (piece.real)
            receive(session, piece.bytes.subspan(from, count));
        else
            skip(session, count);
        take();
    }
}

}  // namespace app::http2
}  // namespace anml::rt
