#include "io/sandbox/datagram_relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <list>
#include <optional>
#include <vector>

namespace anml::rt::io {

namespace {

using RelayClock = std::chrono::steady_clock;

constexpr std::chrono::seconds kSilence{120};
constexpr std::size_t kMostClients = 800;  // a descriptor each, of the usual 1024
constexpr int kAtATime = 64;               // datagrams of a socket, before others have their turn
constexpr int kLongestWait = 1000;         // ms
constexpr int kRoom = 4 << 20;             // bytes of datagrams that wait

struct Client {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    in_addr to{};  // the address of this machine that it sent to, where the socket says; 0: it does not

    bool operator==(const Client& other) const
    {
        return length == other.length && to.s_addr == other.to.s_addr &&
               std::memcmp(&address, &other.address, length) == 0;
    }
};

struct Flow {
    Client client;
    Descriptor back;
    RelayClock::time_point heard;
};

class Relay {
  public:
    Relay(const Descriptor& front, const std::function<Descriptor()>& connect) : front_(front), connect_(connect) {}

    void run(int channel)
    {
        std::vector<pollfd> waits;
        for (;;) {
            waits = {{channel, POLLIN, 0}, {front_.get(), POLLIN, 0}};
            for (const Flow& flow : flows_) waits.push_back({flow.back.get(), POLLIN, 0});
            if (poll(waits.data(), waits.size(), kLongestWait) < 0 && errno != EINTR) return;
            if (waits[0].revents != 0) return;
            std::size_t wait = 2;
            for (Flow& flow : flows_)
                if (waits[wait++].revents != 0) answer(flow);
            if (waits[1].revents != 0) take_in();
            while (!flows_.empty() && RelayClock::now() - flows_.back().heard > kSilence) flows_.pop_back();
        }
    }

  private:
    // An error is that of an earlier datagram, as where nobody listens.
    static bool over(ssize_t length) { return length < 0 && errno != ECONNREFUSED && errno != EINTR; }

    void answer(Flow& flow)
    {
        for (int i = 0; i < kAtATime; ++i) {
            const ssize_t length = recv(flow.back.get(), bytes_.data(), bytes_.size(), MSG_DONTWAIT);
            if (over(length)) return;
            if (length < 0) continue;
            flow.heard = RelayClock::now();
            iovec data{bytes_.data(), static_cast<std::size_t>(length)};
            msghdr message{&flow.client.address, flow.client.length, &data, 1, nullptr, 0, 0};
            alignas(cmsghdr) char control[CMSG_SPACE(sizeof(in_pktinfo))] = {};
            if (flow.client.to.s_addr != 0) {
                message.msg_control = control;
                message.msg_controllen = sizeof control;
                cmsghdr* const header = CMSG_FIRSTHDR(&message);
                header->cmsg_level = IPPROTO_IP;
                header->cmsg_type = IP_PKTINFO;
                header->cmsg_len = CMSG_LEN(sizeof(in_pktinfo));
                in_pktinfo from{};
                from.ipi_spec_dst = flow.client.to;
                std::memcpy(CMSG_DATA(header), &from, sizeof from);
            }
            sendmsg(front_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        }
    }

    void take_in()
    {
        for (int i = 0; i < kAtATime; ++i) {
            Client client;
            iovec data{bytes_.data(), bytes_.size()};
            alignas(cmsghdr) char control[CMSG_SPACE(sizeof(in_pktinfo))];
            msghdr message{&client.address, client.length, &data, 1, control, sizeof control, 0};
            const ssize_t length = recvmsg(front_.get(), &message, MSG_DONTWAIT);
            if (over(length)) return;
            if (length < 0) continue;
            client.length = message.msg_namelen;
            const cmsghdr* const header = CMSG_FIRSTHDR(&message);
            if (header && header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_PKTINFO) {
                in_pktinfo to;
                std::memcpy(&to, CMSG_DATA(header), sizeof to);
                client.to = to.ipi_addr;
            }
            if (const Flow* const flow = flow_of(client))
                send(flow->back.get(), bytes_.data(), static_cast<std::size_t>(length), MSG_DONTWAIT | MSG_NOSIGNAL);
        }
    }

    // The one that was heard of last stands first. Null: there is no socket for it.
    const Flow* flow_of(const Client& client)
    {
        const auto known = std::ranges::find(flows_, client, &Flow::client);
        if (known != flows_.end()) {
            flows_.splice(flows_.begin(), flows_, known);
        } else {
            if (flows_.size() == kMostClients) flows_.pop_back();
            Descriptor back = connect_();
            if (!back.valid()) return nullptr;
            setsockopt(back.get(), SOL_SOCKET, SO_RCVBUF, &kRoom, sizeof kRoom);
            flows_.push_front({client, std::move(back), {}});
        }
        flows_.front().heard = RelayClock::now();
        return &flows_.front();
    }

    const Descriptor& front_;
    const std::function<Descriptor()>& connect_;
    std::list<Flow> flows_;
    std::array<char, 65536> bytes_;
};

template <class Address>
Descriptor bound_to(const Address& here)
{
    const auto* const address = reinterpret_cast<const sockaddr*>(&here);
    const int on = 1, off = 0;
    Descriptor made(socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (address->sa_family == AF_INET6) setsockopt(made.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (address->sa_family == AF_INET) setsockopt(made.get(), IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
    setsockopt(made.get(), SOL_SOCKET, SO_RCVBUF, &kRoom, sizeof kRoom);
    if (bind(made.get(), address, sizeof here) != 0) {
        const int why = errno;
        made.reset();
        errno = why;
    }
    return made;
}

}  // namespace

Descriptor receive_datagrams_at(const std::string& address, std::uint16_t port)
{
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_port = htons(port);
    if (inet_pton(AF_INET, address.c_str(), &here.sin_addr) != 1) errno = EINVAL;
    return bound_to(here);
}

Descriptor receive_datagrams(std::uint16_t port)
{
    sockaddr_in6 all{};
    all.sin6_family = AF_INET6;
    all.sin6_port = htons(port);
    if (Descriptor made = bound_to(all); made.valid()) return made;
    return receive_datagrams_at("0.0.0.0", port);
}

void relay_datagrams(int channel, const Descriptor& front, const std::function<Descriptor()>& connect)
{
    Relay(front, connect).run(channel);
}

}  // namespace anml::rt::io
