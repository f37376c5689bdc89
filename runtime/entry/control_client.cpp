#include "entry/control_client.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace anml::rt::entry {

short ControlClient::events() const { return static_cast<short>(POLLIN | (unsent_.empty() ? 0 : POLLOUT)); }

bool ControlClient::read()
{
    std::array<char, 1024> bytes;
    const ssize_t count = recv(connection_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
        broken_ = true;
        return false;
    }
    if (asked_) return false;  // one question a connection
    request_.append(bytes.data(), static_cast<std::size_t>(count));
    const std::size_t end = request_.find('\n');
    if (end != std::string::npos) {
        request_.resize(end);
    } else if (request_.size() <= kLongestRequest) {
        return false;
    }
    return asked_ = true;
}

void ControlClient::say(std::string_view text)
{
    if (unsent_.size() + text.size() > kMostUnsent)
        broken_ = true;
    else
        unsent_ += text;
    flush();
}

void ControlClient::flush()
{
    while (!broken_ && !unsent_.empty()) {
        const ssize_t sent = send(connection_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (sent < 0)
            broken_ = true;
        else
            unsent_.erase(0, static_cast<std::size_t>(sent));
    }
}

bool ControlClient::over(Time now) const
{
    return broken_ || (finished_ && (unsent_.empty() || now - since_ > kPatience)) ||
           (!asked_ && now - since_ > kPatience);
}

}  // namespace anml::rt::entry
