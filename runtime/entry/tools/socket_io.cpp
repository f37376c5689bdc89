#include "entry/tools/socket_io.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>

namespace anml::rt::entry {

bool ready(int socket, short what, Deadline deadline)
{
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd waits{socket, what, 0};
    return left.count() > 0 && poll(&waits, 1, static_cast<int>(left.count())) == 1;
}

bool send_all(int socket, std::string_view text, Deadline deadline)
{
    while (!text.empty() && ready(socket, POLLOUT, deadline)) {
        const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return text.empty();
}

std::string receive_head(int socket, std::size_t longest, Deadline deadline)
{
    std::string head;
    std::array<char, 1024> bytes;
    while (head.size() < longest && head.find("\r\n\r\n") == std::string::npos && ready(socket, POLLIN, deadline)) {
        const ssize_t count = recv(socket, bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (count <= 0) break;
        head.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return head;
}

}  // namespace anml::rt::entry
