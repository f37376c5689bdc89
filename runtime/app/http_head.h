// HTTP from real hosts, a byte at a time: just as much as a load generator and a simulated server must know. Nothing
// is stored but the connection's few fields, so a line may be split over segments at will.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tcp/connection.h"

namespace anml::rt::app::http {

inline constexpr std::uint16_t kNotHttp = 0xffff;

// Client: reads the status line's beginning, "HTTP/1.x NNN". connection.scratch counts bytes; connection.status is
// the number once `status_known`, kNotHttp where this is no status line.
bool status_known(const tcp::Connection& connection);
void read_status(tcp::Connection& connection, std::span<const std::uint8_t> bytes);
// The same from what a simulated server sends (app/content.h).
void take_status(tcp::Connection& connection, std::uint32_t content);

// Server: reads a request up to its empty line. True when the empty line was seen; then connection.path_hash is the
// hash of the path if the request line is a GET, and connection.status is 0; otherwise it is kNotHttp.
bool read_request(tcp::Connection& connection, std::span<const std::uint8_t> bytes);
std::uint32_t path_hash(std::string_view path);

}  // namespace anml::rt::app::http
