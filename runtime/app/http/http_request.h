// An HTTP request from a real host, a byte at a time: just as much as a simulated server must know. Nothing is stored
// but a few numbers, so a line may be split over segments at will.
//
// A body is as long as Content-Length or its chunks say (RFC 9112, 6.3), and nobody looks at it. Where its end cannot
// be known, lengths that differ or are no numbers, both framings at once, codings that do not end in chunks, none is
// read, and no other request follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "app/http/http_fields.h"
#include "app/http/http_response.h"
#include "app/http/http_words.h"
#include "app/http/path_index.h"
#include "base/ids.h"

namespace anml::rt::app::http {

// How far a request has been read.
struct RequestHead {
    enum class Field : std::uint8_t { other, connection, length, coding, host };

    PathRange wanted{kNone, 0};  // what the path so far may mean; `first`: the document asked for, or kNone
    std::uint16_t depth = 0;     // bytes of its path
    std::uint32_t plain = kNone;  // the document of its path without its query, where it has one
    std::uint8_t state = 0;
    std::uint8_t at = 0;     // in the method, the version, a name or a token; slashes before the path, and it
    std::uint8_t alike = 0;  // words that what was read is the beginning of: a bit each
    Field field = Field::other;
    Method method = Method::get;
    Fields* fields = nullptr;   // that take values of its head; null: nobody wants any
    std::string_view moved{};   // what comes before the paths of documents that have moved
    std::uint16_t before = 0;   // bytes of it that the path has begun with
    bool elsewhere = false;     // all of them
    std::uint64_t left = 0;    // of the body
    Response chunks;           // of the body, where it has some
    bool other : 1 = false;    // the method is none of ours
    bool sized : 1 = false;    // Content-Length
    bool coded : 1 = false;    // Transfer-Encoding
    bool chunked : 1 = false;  // its last coding
    bool unclear : 1 = false;  // nobody knows where the body ends
    bool version_1_1 : 1 = false;
    bool other_version : 1 = false;  // none of HTTP/1
    bool hosted : 1 = false;         // Host
    bool hosts : 1 = false;          // two of them
    bool close : 1 = false;       // options of Connection
    bool keep_alive : 1 = false;  //

    bool begun() const { return state != 0 || at != 0; }
    bool complete() const;
    // Whether another request may follow on the connection (RFC 9112, 9.3).
    bool persistent() const { return refusal() == 0 && !close && (version_1_1 || keep_alive); }
    // The status that a server refuses it with (RFC 9112, 3 and 6.3; RFC 9110, 15.6.2 and 15.6.6); 0: none.
    std::uint16_t refusal() const
    {
        return other_version ? 505 : other ? 501 : unclear || hosts || (version_1_1 && !hosted) ? 400 : 0;
    }
};

// Reads a request with its body, and no more: how many bytes it took. Once it is complete head.wanted.first is the
// document that it asks for, with its query or else without, kNone where there is none of this path, or for other
// methods.
std::size_t read_request(RequestHead& head, const PathIndex& paths, std::span<const std::uint8_t> bytes);

}  // namespace anml::rt::app::http
