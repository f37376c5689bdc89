// How long packets take from one real host to another, by the kernel's stamps at both ends. It shares no code with
// ours.
//
//     path_probe SPACE_A ADDRESS_A SPACE_B ADDRESS_B RATE SECONDS STAMPED [TOGETHER]
//
// sends RATE datagrams of 100 bytes a second from one network namespace (ip-netns(8)) to another, TOGETHER of them in a
// call, left to the device to split (udp(7), UDP_SEGMENT). The first of every STAMPED, a multiple of that, is stamped
// where it leaves the sender's stack and where it enters the receiver's. Prints a line of JSON: how many were
// sent and came, how many came out of order, and of those that are stamped, sorted, how many ns each took.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/udp.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using Time = std::int64_t;  // ns
constexpr Time kSecond = 1'000'000'000;
constexpr std::uint16_t kPort = 9999;
constexpr std::size_t kPayload = 100;
constexpr std::size_t kBatch = 64;
constexpr std::size_t kHeaders = 14 + 20 + 8;

Time now(clockid_t clock)
{
    timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * kSecond + t.tv_nsec;
}

Time time_of(const timespec& t) { return t.tv_sec * kSecond + t.tv_nsec; }

[[noreturn]] void die(const std::string& what)
{
    std::perror(("path_probe: " + what).c_str());
    std::exit(1);
}

// A socket stays in the namespace in which it was made.
int open_socket(const char* space, const char* address, sockaddr_in& name)
{
    const std::string path = std::string("/run/netns/") + space;
    const int handle = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (handle < 0 || setns(handle, CLONE_NEWNET) < 0) die(path);
    close(handle);
    const int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    name = {};
    name.sin_family = AF_INET;
    name.sin_port = htons(kPort);
    if (inet_pton(AF_INET, address, &name.sin_addr) != 1) die(address);
    if (made < 0 || bind(made, reinterpret_cast<sockaddr*>(&name), sizeof name) < 0) die(address);
    const int bytes = 16 << 20;
    setsockopt(made, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes);
    return made;
}

struct Flow {
    int from, to;
    sockaddr_in target;
    std::uint32_t stamped;         // every so many
    std::vector<Time> left, came;  // by number over `stamped`; 0: not known
    std::uint64_t sent = 0, received = 0, overtaken = 0;
    std::uint32_t last = 0;

    void send(std::uint32_t number, std::uint32_t count)
    {
        char payload[kBatch][kPayload] = {};
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t its_number = number + i;
            std::memcpy(payload[i], &its_number, sizeof its_number);
        }
        iovec part{payload, count * kPayload};
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint32_t))] = {};
        msghdr message{};
        message.msg_name = &target;
        message.msg_namelen = sizeof target;
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        if (number % stamped == 0) {
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            cmsghdr* header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SO_TIMESTAMPING;
            header->cmsg_len = CMSG_LEN(sizeof(std::uint32_t));
            const std::uint32_t wanted = SOF_TIMESTAMPING_TX_SOFTWARE;
            std::memcpy(CMSG_DATA(header), &wanted, sizeof wanted);
        }
        if (sendmsg(from, &message, 0) == static_cast<ssize_t>(part.iov_len)) sent += count;
    }

    // Stamps of what was sent come with the packet, its headers before the payload.
    void read_left()
    {
        char bytes[256];
        alignas(cmsghdr) char control[512];
        for (;;) {
            iovec part{bytes, sizeof bytes};
            msghdr message{};
            message.msg_iov = &part;
            message.msg_iovlen = 1;
            message.msg_control = control;
            message.msg_controllen = sizeof control;
            const ssize_t length = recvmsg(from, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
            if (length < 0) return;
            std::uint32_t number = 0;
            if (static_cast<std::size_t>(length) < kHeaders + sizeof number) continue;
            std::memcpy(&number, bytes + kHeaders, sizeof number);
            for (cmsghdr* at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
                if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SO_TIMESTAMPING) continue;
                timespec stamp;
                std::memcpy(&stamp, CMSG_DATA(at), sizeof stamp);
                if (number / stamped < left.size()) left[number / stamped] = time_of(stamp);
            }
        }
    }

    void read_came()
    {
        static char bytes[kBatch][kPayload];
        static char control[kBatch][64];
        mmsghdr messages[kBatch] = {};
        iovec parts[kBatch];
        for (std::size_t i = 0; i < kBatch; ++i) {
            parts[i] = {bytes[i], kPayload};
            messages[i].msg_hdr.msg_iov = &parts[i];
            messages[i].msg_hdr.msg_iovlen = 1;
            messages[i].msg_hdr.msg_control = control[i];
            messages[i].msg_hdr.msg_controllen = sizeof control[i];
        }
        const int count = recvmmsg(to, messages, kBatch, MSG_DONTWAIT, nullptr);
        for (int i = 0; i < count; ++i) {
            std::uint32_t number = 0;
            std::memcpy(&number, bytes[i], sizeof number);
            overtaken += received > 0 && number < last;
            last = std::max(last, number);
            ++received;
            if (number % stamped != 0 || number / stamped >= came.size()) continue;
            for (cmsghdr* at = CMSG_FIRSTHDR(&messages[i].msg_hdr); at; at = CMSG_NXTHDR(&messages[i].msg_hdr, at)) {
                if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SO_TIMESTAMPNS) continue;
                timespec stamp;
                std::memcpy(&stamp, CMSG_DATA(at), sizeof stamp);
                came[number / stamped] = time_of(stamp);
            }
        }
    }
};

}  // namespace

int main(int argc, char** argv)
{
    const auto together = static_cast<std::uint32_t>(argc == 9 ? std::atoll(argv[8]) : 1);
    if (argc < 8 || argc > 9 || together < 1 || together > kBatch || std::atoll(argv[7]) % together != 0) {
        std::fprintf(
            stderr,
            "usage: path_probe SPACE_A ADDRESS_A SPACE_B ADDRESS_B RATE SECONDS STAMPED [TOGETHER, at most 64, "
            "divides STAMPED]\n");
        return 2;
    }
    const Time rate = std::atoll(argv[5]), seconds = std::atoll(argv[6]);
    const auto total = static_cast<std::uint64_t>(rate * seconds);
    Flow flow{};
    sockaddr_in source;
    flow.from = open_socket(argv[1], argv[2], source);
    flow.to = open_socket(argv[3], argv[4], flow.target);
    flow.stamped = static_cast<std::uint32_t>(std::atoll(argv[7]));
    flow.left.resize(total / flow.stamped + 1);
    flow.came.resize(total / flow.stamped + 1);
    const int on = 1;
    const std::uint32_t stamps = SOF_TIMESTAMPING_SOFTWARE;
    if (setsockopt(flow.to, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0) die("SO_TIMESTAMPNS");
    if (setsockopt(flow.from, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof stamps) < 0) die("SO_TIMESTAMPING");
    const int segment = kPayload;
    if (together > 1 && setsockopt(flow.from, SOL_UDP, UDP_SEGMENT, &segment, sizeof segment) < 0) die("UDP_SEGMENT");
    const Time begin = now(CLOCK_MONOTONIC);
    for (std::uint64_t i = 0, calls = 0; i < total;) {
        const Time at = now(CLOCK_MONOTONIC);
        if (at - begin >= static_cast<Time>(i) * kSecond / rate) {
            flow.send(static_cast<std::uint32_t>(i), together);
            i += together;
            if (together == 1 && ++calls % 8 != 0) continue;
        }
        flow.read_left();
        flow.read_came();
    }
    const Time took = now(CLOCK_MONOTONIC) - begin;
    for (const Time end = now(CLOCK_MONOTONIC) + kSecond / 2; now(CLOCK_MONOTONIC) < end;) {
        flow.read_left();
        flow.read_came();
    }
    std::vector<Time> all;
    for (std::size_t i = 0; i < flow.left.size(); ++i)
        if (flow.left[i] != 0 && flow.came[i] != 0) all.push_back(flow.came[i] - flow.left[i]);
    std::sort(all.begin(), all.end());
    std::printf("{\"sent\": %" PRIu64 ", \"received\": %" PRIu64 ", \"overtaken\": %" PRIu64
                ", \"seconds\": %.3f, \"ns\": [",
                flow.sent, flow.received, flow.overtaken, static_cast<double>(took) / kSecond);
    for (std::size_t i = 0; i < all.size(); ++i) std::printf("%s%" PRId64, i ? "," : "", all[i]);
    std::printf("]}\n");
    return 0;
}
