// An HTTP request from a real host, a byte at a time: just as much as a simulated server must know. Nothing is stored
// but a few numbers, so a line may be split over segments at will.
#pragma once

#include <cstdint>
#include <span>

#include "app/path_index.h"

namespace anml::rt::app::http {

// How far a request has been read.
struct RequestHead {
    PathRange wanted;         // what the path so far may mean; `first`: the document asked for, or kNone
    std::uint16_t depth = 0;  // bytes of its path
    std::uint8_t place = 0;
};

// Reads a request up to its empty line. True when the empty line was seen; then head.wanted.first is the document that
// a GET asks for, kNone where it asks for none or is no GET.
bool read_request(RequestHead& head, const PathIndex& paths, std::span<const std::uint8_t> bytes);

}  // namespace anml::rt::app::http
