// An HTTP request from a real host, a byte at a time: just as much as a simulated server must know. Nothing is stored
// but the connection's few fields, so a line may be split over segments at will.
#pragma once

#include <cstdint>
#include <span>

#include "app/path_index.h"
#include "transport/connection.h"

namespace anml::rt::app::http {

// Reads a request up to its empty line. True when the empty line was seen; then connection.wanted.first is the
// document that a GET asks for, kNone where it asks for none or is no GET.
bool read_request(tcp::Connection& connection, const PathIndex& paths, std::span<const std::uint8_t> bytes);

}  // namespace anml::rt::app::http
