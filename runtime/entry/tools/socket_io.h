// Sockets that do not block, read and written until a deadline.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace anml::rt::entry {

using Deadline = std::chrono::steady_clock::time_point;

// Waits for POLLIN or POLLOUT; false: it is too late.
bool ready(int socket, short what, Deadline deadline);

// False: not all of it.
bool send_all(int socket, std::string_view text, Deadline deadline);

// The head of a request or a response of HTTP/1.1, with what came behind it; as much as came in time, or `longest` bytes
// and a little more.
std::string receive_head(int socket, std::size_t longest, Deadline deadline);

}  // namespace anml::rt::entry
