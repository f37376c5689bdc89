#include "entry/control/control_client.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "entry/api/api_answer.h"

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
    if (http_) {
        std::string why;
        status_ = read_api_request(request_, api_request_, why);
        if (status_ != 0 && status_ != 200) request_ = why;
        return asked_ = status_ != 0;
    }
    const std::size_t end = request_.find('\n');
    if (end != std::string::npos) {
        request_.resize(end);
    } else if (request_.size() <= kLongestRequest) {
        return false;
    }
    return asked_ = true;
}

void ControlClient::answer(const nlohmann::ordered_json& json)
{
    say(http_ ? api_answer(json, api_request_.method == "HEAD") : line_of(json));
}

void ControlClient::refuse(int status, std::string_view why, std::string_view allow)
{
    say(http_ ? api_problem(status, why, allow, api_request_.method == "HEAD") : line_of({{"error", why}}));
}

void ControlClient::begin_stream(std::string_view type, std::string_view begins)
{
    streams_ = true;
    say(http_ ? api_stream(type) : std::string(begins));
}

void ControlClient::stream(std::string_view bytes)
{
    if (http_)
        say(api_chunk(bytes));
    else
        say(bytes);
}

void ControlClient::finish(Time now)
{
    if (finished_) return;
    if (http_ && streams_) say(kLastApiChunk);
    finished_ = true;
    since_ = now;
    flush();
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
    if (http_ && finished_ && unsent() == 0) shutdown(connection_.get(), SHUT_WR);
    if (sent_ <= unsent_.size() / 2) return;
    unsent_.erase(0, sent_);
    sent_ = 0;
}

bool ControlClient::over(Time now) const
{
    if (broken_ || (!asked_ && now - since_ > kPatience)) return true;
    if (!finished_) return false;
    if (unsent() != 0) return now - since_ > kPatience;
    return !http_ || ended_ || now - since_ > kLinger;
}

std::string line_of(const nlohmann::ordered_json& json)
{
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace anml::rt::entry
