#include "io/sandbox/relay.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <list>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "io/live.h"
#include "io/sandbox/datagram_relay.h"
#include "io/sandbox/listening.h"

namespace anml::rt::io {

namespace {

constexpr int kLook = 100;                     // ms between looks at who listens
// A client may come before the endpoint that its connection goes on to listens there: for so long after the beginning,
// what is refused is tried again.
constexpr std::chrono::milliseconds kBeginning{1000}, kAgain{20};
constexpr int kUnsent = 128 * 1024;            // bytes that a socket takes before they are sent
constexpr std::size_t kPortion = 64 * 1024;    // bytes
constexpr std::size_t kMostConnections = 400;  // two descriptors each, of the usual 1024
constexpr std::uint16_t kConnect = 0;          // what the sandbox is asked for in the place of a port to listen at

using Servers = std::map<std::uint16_t, bool>;  // by port; whether it is reached over IPv6 alone

Servers read_servers()
{
    Servers servers;
    for (const Listening& one : read_listening("/proc/net"))
        if (one.on != Listening::On::other) servers.try_emplace(one.port, one.ipv6_alone);
    return servers;
}

// A connection that was accepted, [0], and the one that takes its bytes, [1].
struct Relayed {
    Descriptor ends[2];
    std::array<std::vector<char>, 2> unsent;  // to that end
    std::array<bool, 2> ended{}, closed{};    // it says nothing more; nothing more is sent to it
    bool connected = false, refused = false, broken = false;
    std::size_t first_wait = 0;  // in the list of those that poll() watches

    short events(int i) const
    {
        const bool reads = connected && !ended[i] && unsent[1 - i].empty();
        const bool writes = !unsent[i].empty() || (i == 1 && !connected);
        return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
    }

    void flush(int i)
    {
        while (!unsent[i].empty()) {
            const ssize_t sent =
                send(ends[i].get(), unsent[i].data(), unsent[i].size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (sent < 0 && errno != EINTR) {
                broken |= errno != EAGAIN;
                return;
            }
            if (sent > 0) unsent[i].erase(unsent[i].begin(), unsent[i].begin() + sent);
        }
        if (!ended[1 - i] || closed[i]) return;
        shutdown(ends[i].get(), SHUT_WR);
        closed[i] = true;
    }

    void read_from(int i)
    {
        std::vector<char>& bytes = unsent[1 - i];
        bytes.resize(kPortion);
        const ssize_t count = recv(ends[i].get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
        if (count == 0) ended[i] = true;
        if (count < 0) broken |= errno != EAGAIN && errno != EINTR;
        flush(1 - i);
    }

    void look(const pollfd* waits)
    {
        if (!connected && (waits[1].revents & (POLLOUT | POLLERR | POLLHUP))) {
            int error = 0;
            socklen_t length = sizeof error;
            getsockopt(ends[1].get(), SOL_SOCKET, SO_ERROR, &error, &length);
            connected = error == 0;
            refused = error == ECONNREFUSED;
            broken |= !connected && !refused;
            if (refused) ends[1].reset();
            return;
        }
        for (int i = 0; i < 2 && !broken; ++i) {
            if (waits[i].revents & POLLOUT) flush(i);
            if (waits[i].revents & POLLIN) read_from(i);
            if ((waits[i].revents & POLLERR) || ((waits[i].revents & POLLHUP) && !(waits[i].revents & POLLIN)))
                broken |= !(ended[0] && ended[1]);
        }
    }

    bool over() const { return broken || (closed[0] && closed[1]); }

    void set_options() const
    {
        const int on = 1;
        for (const Descriptor& end : ends) {
            setsockopt(end.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsent, sizeof kUnsent);
            setsockopt(end.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        }
    }

    // What breaks one connection resets the other.
    void end()
    {
        const linger reset{1, 0};
        for (const Descriptor& end : ends)
            if (broken) setsockopt(end.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    }
};

Descriptor connect_to(const RelayTarget& target)
{
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(target.port);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(target.port);
    const bool ipv6 = inet_pton(AF_INET, target.address.c_str(), &four.sin_addr) != 1;
    if (ipv6) inet_pton(AF_INET6, target.address.c_str(), &six.sin6_addr);
    const int type = target.udp ? SOCK_DGRAM : SOCK_STREAM;
    Descriptor socket(::socket(ipv6 ? AF_INET6 : AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int failed = ipv6 ? connect(socket.get(), reinterpret_cast<const sockaddr*>(&six), sizeof six)
                            : connect(socket.get(), reinterpret_cast<const sockaddr*>(&four), sizeof four);
    if (failed != 0 && errno != EINPROGRESS) socket.reset();
    return socket;
}

// The port goes one way, the listener the other, or a socket that connects; none: it could not be made.
bool ask_socket(int channel, std::uint16_t port, Descriptor& socket)
{
    if (send(channel, &port, sizeof port, MSG_NOSIGNAL) != sizeof port) return false;
    char byte;
    iovec data{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) <= 0) return false;
    if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header && header->cmsg_type == SCM_RIGHTS) {
        int file;
        std::memcpy(&file, CMSG_DATA(header), sizeof file);
        socket.reset(file);
    }
    return true;
}

// How many processes have yet to make their first listeners; a page that they share with the emulator.
std::atomic<int>* unready()
{
    static std::atomic<int>* const count = [] {
        constexpr int kAccess = PROT_READ | PROT_WRITE, kKind = MAP_SHARED | MAP_ANONYMOUS;
        void* const page = mmap(nullptr, sizeof(std::atomic<int>), kAccess, kKind, -1, 0);
        return page == MAP_FAILED ? nullptr : new (page) std::atomic<int>(0);
    }();
    return count;
}

void count_unready(int more)
{
    if (std::atomic<int>* const count = unready()) count->fetch_add(more);
}

// `own`: the listener of `listen`; none: the servers of this machine, or the one of `to`.
[[noreturn]] void relay(int channel, Descriptor own, const RelayTarget& to)
{
    using Clock = std::chrono::steady_clock;
    struct Listener {
        Descriptor socket;
        bool ipv6;
    };
    std::map<std::uint16_t, Listener> listeners;
    std::list<Relayed> connections;
    const bool local = !own.valid();
    if (!local) listeners[kConnect] = {std::move(own), false};
    Clock::time_point next{}, first{};
    for (;;) {
        if (local && Clock::now() >= next) {
            next = Clock::now() + std::chrono::milliseconds(kLook);
            const Servers servers = to.port != 0 ? Servers{{to.port, false}} : read_servers();
            std::erase_if(listeners, [&](const auto& listener) { return !servers.contains(listener.first); });
            for (const auto& [port, ipv6] : servers) {
                const auto [at, made] = listeners.try_emplace(port, Listener{{}, ipv6});
                if (made && !ask_socket(channel, port, at->second.socket)) _exit(0);
            }
        }
        if (first == Clock::time_point{}) {
            first = Clock::now();
            count_unready(-1);
        }
        std::vector<pollfd> waits{{channel, POLLIN, 0}};
        const bool room = connections.size() < kMostConnections;
        for (const auto& [port, listener] : listeners)
            waits.push_back({listener.socket.get(), static_cast<short>(room ? POLLIN : 0), 0});
        for (Relayed& connection : connections) {
            connection.first_wait = waits.size();
            for (int i = 0; i < 2; ++i) {
                const short events = connection.events(i);
                // What is asked nothing would say again and again that it has hung up.
                waits.push_back({events ? connection.ends[i].get() : -1, events, 0});
            }
        }
        const bool again = std::ranges::any_of(connections, &Relayed::refused);
        const int longest = again ? static_cast<int>(kAgain.count()) : kLook;
        if (poll(waits.data(), waits.size(), longest) < 0 && errno != EINTR) _exit(1);
        if (waits[0].revents != 0) _exit(0);  // the sandbox is gone
        for (Relayed& connection : connections) {
            if (connection.refused) {
                if (!ask_socket(channel, kConnect, connection.ends[1])) _exit(0);
                connection.refused = false;
                connection.broken = !connection.ends[1].valid();
                connection.set_options();
                continue;
            }
            connection.look(&waits[connection.first_wait]);
            connection.broken |= connection.refused && (local || Clock::now() - first > kBeginning);
        }
        for (auto at = connections.begin(); at != connections.end();) {
            if (at->over()) at->end();
            at = at->over() ? connections.erase(at) : std::next(at);
        }
        std::size_t wait = 1;
        for (const auto& [port, listener] : listeners) {
            if (!(waits[wait++].revents & POLLIN)) continue;
            Descriptor client(accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
            if (!client.valid()) continue;
            Relayed connection;
            connection.ends[0] = std::move(client);
            if (local)
                connection.ends[1] =
                    connect_to(to.port != 0 ? to : RelayTarget{listener.ipv6 ? "::1" : "127.0.0.1", port});
            else if (!ask_socket(channel, kConnect, connection.ends[1]))
                _exit(0);
            connection.broken = !connection.ends[1].valid();
            connection.set_options();
            connections.push_back(std::move(connection));
        }
    }
}

// Where `own` is not, clients come to the sandbox's socket.
[[noreturn]] void relay_udp(int channel, Descriptor own, const RelayTarget& to)
{
    const bool listens = own.valid();
    if (!listens && !ask_socket(channel, to.port, own)) _exit(0);
    if (!own.valid()) _exit(1);
    count_unready(-1);
    relay_datagrams(channel, own, [&] {
        if (!listens) return connect_to(to);
        Descriptor back;
        if (!ask_socket(channel, kConnect, back)) _exit(0);
        return back;
    });
    _exit(0);
}

template <class Address>
Descriptor listen_at(const Address& here)
{
    const auto* const address = reinterpret_cast<const sockaddr*>(&here);
    const int on = 1, off = 0;
    Descriptor listener(socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->sa_family == AF_INET6) setsockopt(listener.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (bind(listener.get(), address, sizeof here) != 0 || listen(listener.get(), SOMAXCONN) != 0) listener.reset();
    return listener;
}

Descriptor make_listener(std::uint16_t port)
{
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    if (Descriptor listener = listen_at(six); listener.valid()) return listener;
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    return listen_at(four);
}

void close_others(int one, int other)
{
    auto from = static_cast<unsigned>(STDERR_FILENO) + 1;
    for (const int kept : {std::min(one, other), std::max(one, other)}) {
        const auto file = static_cast<unsigned>(kept);
        if (file > from) syscall(SYS_close_range, from, file - 1, 0u);
        from = std::max(from, file + 1);
    }
    syscall(SYS_close_range, from, ~0u, 0u);
}

// Of `listen`: where clients of this machine come.
Descriptor listen_for_clients(const Attachment& attachment, std::string& error)
{
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(attachment.port);
    inet_pton(AF_INET, attachment.device.c_str(), &here.sin_addr);
    Descriptor listener =
        attachment.udp ? receive_datagrams_at(attachment.device, attachment.port) : listen_at(here);
    if (!listener.valid())
        error = fmt::format("cannot listen at {}:{}: {}", attachment.device, attachment.port, std::strerror(errno));
    return listener;
}

// A host's first address, as a number; "": `error`.
std::string number_of(const std::string& host, std::string& error)
{
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    std::array<char, INET6_ADDRSTRLEN> number{};
    int failed = getaddrinfo(host.c_str(), nullptr, &wanted, &found);
    if (failed == 0)
        failed = getnameinfo(found->ai_addr, found->ai_addrlen, number.data(), number.size(), nullptr, 0,
                             NI_NUMERICHOST);
    if (found) freeaddrinfo(found);
    if (failed == 0) return number.data();
    error = fmt::format("no address of `{}` is known: {}", host, gai_strerror(failed));
    return "";
}

}  // namespace

Descriptor begin_relay(const Attachment& attachment, std::string& error)
{
    const bool listens = attachment.kind == Attachment::Kind::listen;
    Descriptor own = listens ? listen_for_clients(attachment, error) : Descriptor();
    if (listens && !own.valid()) return {};
    RelayTarget to{"", 0, attachment.udp};
    if (attachment.kind == Attachment::Kind::to) {
        to = {number_of(attachment.device, error), attachment.port, attachment.udp};
        if (to.address.empty()) return {};
    }
    int ends[2];
    const pid_t emulator = getpid();
    count_unready(1);
    const pid_t child = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0 ? fork() : -1;
    if (child < 0) {
        error = fmt::format("cannot hand connections on: {}", std::strerror(errno));
        return {};
    }
    if (child == 0) {
        setsid();  // Ctrl-C is for others
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != emulator) _exit(1);
        prctl(PR_SET_NAME, "anml-relay");
        for (const int ours : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) signal(ours, SIG_DFL);
        close_others(ends[0], own.valid() ? own.get() : ends[0]);
        if (to.udp) relay_udp(ends[0], std::move(own), to);
        relay(ends[0], std::move(own), to);
    }
    close(ends[0]);
    return Descriptor(ends[1]);
}

bool relays_are_ready()
{
    const std::atomic<int>* const count = unready();
    return !count || count->load() <= 0;
}

void serve_relay(int channel, const RelayTarget& target)
{
    std::uint16_t port;
    while (recv(channel, &port, sizeof port, 0) == sizeof port) {
        const Descriptor made = port == kConnect ? connect_to(target)
                                : target.udp     ? receive_datagrams(port)
                                                 : make_listener(port);
        char byte = 0;
        iovec data{&byte, 1};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        if (made.valid()) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            cmsghdr* header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof(int));
            const int file = made.get();
            std::memcpy(CMSG_DATA(header), &file, sizeof file);
        }
        if (sendmsg(channel, &message, MSG_NOSIGNAL) < 0) break;
    }
    _exit(0);
}

}  // namespace anml::rt::io
