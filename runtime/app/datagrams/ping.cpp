#include "app/datagrams/ping.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/cluster.h"
#include "app/of_workload.h"
#include "app/phase.h"
#include "net/node/node.h"
#include "net/samples.h"

namespace anml::rt::app::ping {

namespace {

constexpr std::uint16_t kIcmpHeader = 8;
constexpr std::uint64_t kLeastRemembered = 16, kSequences = 65536;
enum : std::uint32_t { kNext, kTimeOut };  // timers
// In place of the time at which a request was sent.
constexpr Time kEnded = -1, kLost = -2;

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

// 0: it is drawn.
double interval_of(const Cluster& k, std::uint32_t workload)
{
    const abi::Distribution& interval = row(k, workload).interval;
    return interval.kind == abi::DistributionKind::constant ? k.model.value(interval.a) : 0;
}

// Echo messages carry 16 bits that say whose they are: the workload.
std::uint32_t identifier(std::uint32_t workload) { return (workload + 1) & 0xffff; }
std::uint64_t key(NodeId node, std::uint32_t identifier) { return std::uint64_t{node} << 16 | identifier; }

EchoStatistics& statistics(Cluster& k, const PingSender& sender)
{
    return k.statistics.workloads[sender.workload].echoes;
}

Time& record(PingSender& sender, std::uint64_t number) { return sender.requests[number % sender.requests.size()]; }

void end(Cluster& k, PingSender& sender, std::uint64_t number, Time how)
{
    record(sender, number) = how;
    --k.statistics.workloads[sender.workload].in_progress;
}

void choose_link(Cluster& k, PingSender& sender)
{
    const node::Self self = node::self(k, sender.node);
    sender.link = k.route(self.row, self.element(), Flow{sender.source, sender.destination, protocol::icmp, 0, 0});
}

// The request that an echo message or an error about one means; null: none that is remembered.
struct Found {
    PingSender* sender = nullptr;
    std::uint64_t number = 0;
};
Found find(Cluster& k, NodeId node, Address peer, std::uint32_t rest)
{
    const auto at = k.ping.indices.find(key(node, rest >> 16));
    if (at == k.ping.indices.end()) return {};
    PingSender& sender = k.ping.list[at->second];
    if (sender.destination != peer || sender.sent == 0) return {};
    const std::uint64_t last = sender.sent - 1, ago = (last - (rest & 0xffff)) % kSequences;
    if (ago > last || ago >= sender.requests.size()) return {};
    return {&sender, last - ago};
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const Row& values = row(k, workload);
    const auto index = static_cast<std::uint32_t>(k.ping.list.size());
    PingSender& sender = k.ping.list.emplace_back();
    sender.first = first;
    sender.node = node;
    const bool ipv6 = k.image.workloads[workload].ipv6 != 0;
    sender.source = k.model.address(node, ipv6);
    sender.destination = k.model.address_of_peer(k.image.workloads[workload], peer);
    sender.workload = workload;
    const double interval = interval_of(k, workload);
    const double unanswered = interval > 0 ? std::ceil(k.model.value(values.timeout) / interval) + 1 : 0;
    const auto room = static_cast<std::uint64_t>(std::min(unanswered, static_cast<double>(kSequences)));
    sender.requests.resize(std::bit_ceil(std::max(room, kLeastRemembered)), kEnded);
    sender.drawn = k.sampler_state(values.interval);
    choose_link(k, sender);
    k.ping.indices[key(node, identifier(workload))] = index;
    k.schedule(node, first, timer_of(Number::ping), index);
}

// When its request of that number is due.
static Time due(const PingSender& sender, std::uint64_t number, double interval)
{
    return sender.first + std::llround(static_cast<double>(number) * interval);
}

// Where intervals are drawn nobody knows how many requests will be unanswered at a time.
static void make_room(PingSender& sender)
{
    if (sender.sent - sender.timed < sender.requests.size()) return;
    std::vector<Time> more(2 * sender.requests.size(), kEnded);
    for (std::uint64_t number = sender.timed; number < sender.sent; ++number)
        more[number % more.size()] = record(sender, number);
    sender.requests = std::move(more);
}

static void send_next(Cluster& k, std::uint32_t index, Time at)
{
    PingSender& sender = k.ping.list[index];
    const Row& values = row(k, sender.workload);
    const double interval = interval_of(k, sender.workload);
    if (overtaken(at, due(sender, sender.sent, interval))) return;
    if (!k.active(sender.workload, sender.node)) {
        sender.dormant = true;
        return;
    }
    const PacketId id = k.packets.allocate();
    Packet& packet = k.packets[id];
    packet = Packet{};
    packet.source = sender.source;
    packet.destination = sender.destination;
    packet.protocol = protocol::icmp;
    if (k.model.integer(values.fragments) != 0)
        packet.icmp().identification = k.next_identification(sender.node);
    else
        packet.flags = packet_flag::dont_fragment;
    packet.traffic_class = static_cast<std::uint8_t>(k.image.workloads[sender.workload].traffic_class);
    packet.ttl = static_cast<std::uint8_t>(k.model.integer(values.ttl));
    packet.payload = static_cast<std::uint16_t>(k.model.integer(values.payload));
    packet.length = static_cast<std::uint16_t>(ip_header(packet.destination) + kIcmpHeader + packet.payload);
    packet.icmp().type = node::icmp::echo_request;
    packet.icmp().rest = identifier(sender.workload) << 16 | static_cast<std::uint32_t>(sender.sent % kSequences);

    make_room(sender);
    record(sender, sender.sent) = k.now;
    ++k.statistics.workloads[sender.workload].in_progress;
    statistics(k, sender).sent += k.measuring();
    ++sender.sent;
    k.schedule(sender.node, k.now + k.model.time(values.timeout), timer_of(Number::ping, kTimeOut), index);
    const std::uint64_t most = k.model.integer(values.count);
    if (interval == 0)
        sender.first = k.now + draw_time(k.model, values.interval, k.seed, sender.node, Purpose::think,
                                         sender.workload, sender.sent, k.sampler_states.data() + sender.drawn);
    if (most == 0 || sender.sent < most)
        k.schedule(sender.node, due(sender, sender.sent, interval), timer_of(Number::ping), index);
    if (sender.link != kNone) {
        node::send_on(k, sender.link, packet, id);
        return;
    }
    end(k, sender, sender.sent - 1, kEnded);
    statistics(k, sender).unreachable += k.measuring();
    node::originate(k, node::self(k, sender.node), packet, id);
}

// Times are up in the order of the requests: all wait equally long.
static void time_out(Cluster& k, std::uint32_t index)
{
    PingSender& sender = k.ping.list[index];
    const std::uint64_t number = sender.timed++;
    if (record(sender, number) < 0) return;
    end(k, sender, number, kLost);
    statistics(k, sender).lost += k.measuring();
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    which == kNext ? send_next(k, index, at) : time_out(k, index);
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    const double interval = interval_of(k, workload);
    const std::uint64_t most = k.model.integer(row(k, workload).count);
    for (std::uint32_t i = 0; i < k.ping.list.size(); ++i) {
        PingSender& sender = k.ping.list[i];
        if (sender.workload != workload || !hosts.have(k.model, sender.node)) continue;
        if (most != 0 && sender.sent >= most) continue;
        sender.dormant = false;
        const Time next = k.now + wait_to_begin(k.model, k.seed, workload, sender.node, sender.sent, k.passed());
        sender.first = next - std::llround(static_cast<double>(sender.sent) * interval);
        k.schedule(sender.node, next, timer_of(Number::ping), i);
    }
}

void routes_changed(Cluster& k)
{
    for (PingSender& sender : k.ping.list) choose_link(k, sender);
}

void reply(Cluster& k, NodeId node, const Packet& packet)
{
    const auto [sender, number] = find(k, node, packet.source, packet.icmp().rest);
    if (!sender) return;
    const Time sent = record(*sender, number);
    EchoStatistics& counted = statistics(k, *sender);
    if (sent >= 0) {
        end(k, *sender, number, kEnded);
        if (k.measuring()) counted.receive(k.now - sent);
    } else {
        (sent == kLost ? counted.late : counted.duplicates) += k.measuring();
        record(*sender, number) = kEnded;
    }
}

void error(Cluster& k, NodeId node, const Packet& request, std::uint8_t type)
{
    const auto [sender, number] = find(k, node, request.destination, request.icmp().rest);
    if (!sender || record(*sender, number) < 0) return;
    end(k, *sender, number, kEnded);
    EchoStatistics& counted = statistics(k, *sender);
    (type == node::icmp::time_exceeded ? counted.time_exceeded : counted.unreachable) += k.measuring();
}

}  // namespace anml::rt::app::ping
