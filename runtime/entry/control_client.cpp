#include "entry/control_client.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace anml::rt::entry {

short ControlClient::events() const
{
    return static_cast<short>((ended_ ? 0 : POLLIN) | (unsent() == 0 ? 0 : POLLOUT));
}

bool ControlClient::read()
{
    std::array<char, 1024> bytes;
    const ssize_t count = recv(connection_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
        (asked_ && count == 0 ? ended_ : broken_) = true;
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
    if (unsent() + text.size() > kMostUnsent)
        broken_ = true;
    else
        unsent_ += text;
    flush();
}

void ControlClient::flush()
{
    while (!broken_ && unsent() != 0) {
        const ssize_t sent = send(connection_.get(), unsent_.data() + sent_, unsent(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR)) break;
        if (sent < 0)
            broken_ = true;
        else
            sent_ += static_cast<std::size_t>(sent);
    }
    if (sent_ <= unsent_.size() / 2) return;
    unsent_.erase(0, sent_);
    sent_ = 0;
}

bool ControlClient::over(Time now) const
{
    return broken_ || (finished_ && (unsent() == 0 || now - since_ > kPatience)) ||
           (!asked_ && now - since_ > kPatience);
}

}  // namespace anml::rt::entry
