// An HTTP request from a real host, a byte at a time: just as much as a simulated server must know. Nothing is stored
// but a few numbers, so a line may be split over segments at will.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "app/path_index.h"
#include "base/ids.h"

namespace anml::rt::app::http {

// How far a request has been read.
struct RequestHead {
    enum class Field : std::uint8_t { other, connection, length, coding };

    PathRange wanted{kNone, 0};  // what the path so far may mean; `first`: the document asked for, or kNone
    std::uint16_t depth = 0;     // bytes of its path
    std::uint8_t place = 0;
    std::uint8_t at = 0;     // in the method, the version, a name or a token
    std::uint8_t alike = 0;  // words that what was read is the beginning of: a bit each
    Field field = Field::other;
    bool head : 1 = false;   // the method is HEAD
    bool other : 1 = false;  // it is neither GET nor HEAD
    bool version_1_1 : 1 = false;
    bool close : 1 = false;       // options of Connection
    bool keep_alive : 1 = false;  //
    bool body : 1 = false;        // a body follows, which nobody reads

    bool begun() const { return place != 0 || at != 0; }
    bool complete() const;
    // Whether another request may follow on the connection (RFC 9112, 9.3).
    bool persistent() const { return !other && !body && !close && (version_1_1 || keep_alive); }
};

// Reads a request up to its empty line, and no more: how many bytes it took. Once it is complete head.wanted.first is
// the document that a GET or a HEAD asks for, kNone where there is none of this path, or for other methods.
std::size_t read_request(RequestHead& head, const PathIndex& paths, std::span<const std::uint8_t> bytes);

}  // namespace anml::rt::app::http
