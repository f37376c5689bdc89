#include "processes/connection.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace anml::rt::processes {

namespace {

constexpr std::size_t kHead = 5, kMostWaiting = std::size_t{8} << 20, kPiece = std::size_t{64} << 10;
// A machine that is gone is noticed by that: s.
constexpr int kIdle = 4, kInterval = 2, kProbes = 3;
constexpr unsigned kUnacknowledged = 10'000;  // ms

template <class T>
void set_option(int socket, int level, int name, T value)
{
    setsockopt(socket, level, name, &value, sizeof value);
}

struct FreeAddresses {
    void operator()(addrinfo* found) const { freeaddrinfo(found); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses find(const SocketAddress& address, int flags, std::string& error)
{
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = flags | AI_NUMERICSERV;
    if (const int wrong = getaddrinfo(address.host.c_str(), address.port.c_str(), &wanted, &found); wrong != 0)
        error = fmt::format("`{}`: {}", address.host, gai_strerror(wrong));
    return Addresses(found);
}

// Of one end: the call says of which.
std::string address_by(int (*call)(int, sockaddr*, socklen_t*), int socket)
{
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    char host[NI_MAXHOST] = "?";
    if (call(socket, plain, &length) == 0) getnameinfo(plain, length, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
    return host;
}

}  // namespace

Connection::Connection(io::Descriptor socket) : socket_(std::move(socket))
{
    const int fd = socket_.get();
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, kIdle);
    set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, kInterval);
    set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, kProbes);
    set_option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, kUnacknowledged);
}

bool Connection::send(Kind kind, std::span<const std::uint8_t> bytes)
{
    if (!open() || deaf_) return true;  // nobody is there to miss it
    if (kind == Kind::post && out_.size() - written_ > kMostWaiting) return false;
    const auto length = static_cast<std::uint32_t>(bytes.size());
    for (int shift = 0; shift < 32; shift += 8) out_.push_back(static_cast<std::uint8_t>(length >> shift));
    out_.push_back(static_cast<std::uint8_t>(kind));
    out_.insert(out_.end(), bytes.begin(), bytes.end());
    push();
    return true;
}

void Connection::push()
{
    while (open() && !deaf_ && written_ < out_.size()) {
        const ssize_t some = ::send(socket_.get(), &out_[written_], out_.size() - written_, MSG_NOSIGNAL);
        if (some > 0) {
            written_ += static_cast<std::size_t>(some);
            continue;
        }
        if (errno == EINTR) continue;
        deaf_ = errno != EAGAIN && errno != EWOULDBLOCK;
        break;
    }
    if (written_ == out_.size() || deaf_ || !open()) {
        out_.clear();
        written_ = 0;
    }
}

bool Connection::pull()
{
    if (!open()) return false;
    in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(read_));
    read_ = 0;
    if (in_.size() > kMostBytes + kHead) return false;  // until that is taken
    std::uint8_t piece[kPiece];
    ssize_t some = -1;
    do some = recv(socket_.get(), piece, kPiece, 0);
    while (some < 0 && errno == EINTR);
    if (some == 0 || (some < 0 && errno != EAGAIN && errno != EWOULDBLOCK)) ended_ = true;
    if (some <= 0) return false;
    in_.insert(in_.end(), piece, piece + some);
    return true;
}

std::optional<Connection::Frame> Connection::next(bool words_only)
{
    const std::size_t there = in_.size() - read_;
    if (there < kHead) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length |= std::size_t{in_[read_ + i]} << (8 * i);
    const std::uint8_t kind = in_[read_ + 4];
    if (length > kMostBytes || kind > static_cast<std::uint8_t>(Kind::word)) {
        ended_ = true;
        return std::nullopt;
    }
    if (there < kHead + length || (words_only && kind == static_cast<std::uint8_t>(Kind::post))) return std::nullopt;
    const std::span<const std::uint8_t> bytes(in_.data() + read_ + kHead, length);
    read_ += kHead + length;
    return Frame{static_cast<Kind>(kind), bytes};
}

std::string Connection::peer() const { return address_by(getpeername, socket_.get()); }

std::string Connection::local() const { return address_by(getsockname, socket_.get()); }

std::string SocketAddress::shown() const
{
    return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port) : fmt::format("[{}]:{}", host, port);
}

std::optional<SocketAddress> parse_socket_address(const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0) return std::nullopt;
    SocketAddress address{text.substr(0, colon), text.substr(colon + 1)};
    if (address.host.starts_with('[') && address.host.ends_with(']'))
        address.host = address.host.substr(1, address.host.size() - 2);
    else if (address.host.find(':') != std::string::npos)
        return std::nullopt;
    const bool digits = address.port.find_first_not_of("0123456789") == std::string::npos;
    if (address.host.empty() || address.port.empty() || address.port.size() > 5 || !digits) return std::nullopt;
    if (const int number = std::stoi(address.port); number < 1 || number > 65535) return std::nullopt;
    return address;
}

io::Descriptor listen_at(const SocketAddress& address, std::string& error)
{
    io::Descriptor listener;
    const Addresses found = find(address, AI_PASSIVE, error);
    if (!found) return listener;
    for (const addrinfo* at = found.get(); at; at = at->ai_next) {
        listener.reset(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (listener.valid()) set_option(listener.get(), SOL_SOCKET, SO_REUSEADDR, 1);
        if (listener.valid() && bind(listener.get(), at->ai_addr, at->ai_addrlen) == 0 &&
            listen(listener.get(), 64) == 0)
            return listener;
    }
    error = fmt::format("cannot listen on {}: {}", address.shown(), std::strerror(errno));
    listener.reset();
    return listener;
}

io::Descriptor accept_from(const io::Descriptor& listener)
{
    return io::Descriptor(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

std::string port_of(const io::Descriptor& listener)
{
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    char port[NI_MAXSERV] = "0";
    if (getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &length) == 0)
        getnameinfo(reinterpret_cast<sockaddr*>(&address), length, nullptr, 0, port, sizeof port, NI_NUMERICSERV);
    return port;
}

io::Descriptor connect_to(const SocketAddress& address, std::int64_t patience, std::string& error)
{
    io::Descriptor connected;
    const Addresses found = find(address, 0, error);
    int problem = ETIMEDOUT;
    for (const addrinfo* at = found.get(); at && !connected.valid(); at = at->ai_next) {
        io::Descriptor trying(socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!trying.valid()) continue;
        problem = connect(trying.get(), at->ai_addr, at->ai_addrlen) == 0 ? 0 : errno;
        if (problem == EINPROGRESS) {
            pollfd waits{trying.get(), POLLOUT, 0};
            socklen_t length = sizeof problem;
            problem = ETIMEDOUT;
            if (poll(&waits, 1, static_cast<int>(patience / 1'000'000)) == 1)
                getsockopt(trying.get(), SOL_SOCKET, SO_ERROR, &problem, &length);
        }
        if (problem == 0) connected = std::move(trying);
    }
    if (found && !connected.valid())
        error = fmt::format("nobody accepts a connection at {}: {}", address.shown(), std::strerror(problem));
    return connected;
}

}  // namespace anml::rt::processes
