#include "app/datagrams/requests.h"

#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/of_workload.h"
#include "net/packet/ecn.h"
#include "net/samples.h"

namespace anml::rt::app::requests {

namespace {

constexpr std::uint16_t kUdpHeader = 8;
enum : std::uint32_t { kNext, kTimeOut };  // timers

std::uint64_t key(NodeId node, std::uint32_t workload) { return std::uint64_t{node} << 32 | workload; }

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

EchoStatistics& statistics(Cluster& k, std::uint32_t workload) { return k.statistics.workloads[workload].echoes; }

Requester* find(Cluster& k, NodeId node, std::uint32_t workload)
{
    const auto at = k.requests.indices.find(key(node, workload));
    return at == k.requests.indices.end() ? nullptr : &k.requests.list[at->second];
}

// The last request has ended: the next one comes after the think time.
void end(Cluster& k, Requester& requester)
{
    requester.waiting = false;
    const std::uint32_t workload = requester.to.workload;
    --k.statistics.workloads[workload].in_progress;
    const Time think = draw_time(k.model, row(k, workload).think, k.seed, requester.to.node, Purpose::think, workload,
                                 requester.to.sent, k.sampler_states.data() + requester.state);
    const auto index = static_cast<std::uint32_t>(&requester - k.requests.list.data());
    requester.due = k.now + think;
    k.schedule(requester.to.node, requester.due, timer_of(Number::requests, kNext), index);
}

void answer(Cluster& k, Requester& requester)
{
    if (k.measuring()) statistics(k, requester.to.workload).receive(k.now - requester.asked);
    end(k, requester);
}

// A response that nobody waits for, to the request of this number. What was asked too long ago to be remembered has
// hardly been answered twice.
void count_besides(Cluster& k, Requester& requester, std::uint64_t number)
{
    const bool remembered = number + Requester::kRemembered >= requester.to.sent;
    EchoStatistics& counted = statistics(k, requester.to.workload);
    const bool late = !remembered || requester.lost[number % Requester::kRemembered];
    if (remembered) requester.lost[number % Requester::kRemembered] = false;
    (late ? counted.late : counted.duplicates) += k.measuring();
}

void respond(Cluster& k, const node::Self& self, const Packet& request)
{
    const PacketId id = k.packets.allocate();
    Packet& packet = k.packets[id];
    packet = Packet{};
    packet.source = request.destination;
    packet.destination = request.source;
    packet.protocol = protocol::udp;
    if (k.model.integer(row(k, content::workload_of(request.content)).fragments) != 0)
        packet.udp().identification = k.next_identification(self.id);
    else
        packet.flags = packet_flag::dont_fragment;
    packet.traffic_class = ecn::without(request.traffic_class);
    packet.payload =
        static_cast<std::uint16_t>(k.model.integer(row(k, content::workload_of(request.content)).response));
    packet.length = static_cast<std::uint16_t>(ip_header(packet.destination) + kUdpHeader + packet.payload);
    packet.source_port = request.destination_port;
    packet.destination_port = request.source_port;
    packet.content = request.content;
    packet.content_offset = request.content_offset;
    packet.udp().set_sent_at(k.now);
    node::originate(k, self, packet, id);
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.requests.list.size());
    const Row& values = row(k, workload);
    const std::uint32_t state = k.sampler_state(values.think);
    k.requests.list.push_back(
        {datagram::sender(k, node, peer, workload, values.request, values.fragments), 0, first, state, false});
    k.requests.indices[key(node, workload)] = index;
    k.schedule(node, first, timer_of(Number::requests, kNext), index);
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    Requester& requester = k.requests.list[index];
    const std::uint32_t workload = requester.to.workload;
    const Time timeout = k.model.time(row(k, workload).timeout);
    if (which == kTimeOut) {
        if (!requester.waiting || requester.asked + timeout != at) return;
        statistics(k, workload).lost += k.measuring();
        requester.lost[(requester.to.sent - 1) % Requester::kRemembered] = true;
        end(k, requester);
        return;
    }
    if (overtaken(at, requester.due)) return;
    requester.due = kNever;
    if (!k.active(workload, requester.to.node)) {
        requester.to.dormant = true;
        return;
    }
    requester.asked = k.now;
    requester.waiting = true;
    requester.lost[requester.to.sent % Requester::kRemembered] = false;
    ++k.statistics.workloads[workload].in_progress;
    statistics(k, workload).sent += k.measuring();
    k.schedule(requester.to.node, k.now + timeout, timer_of(Number::requests, kTimeOut), index);
    datagram::send(k, requester.to);
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (std::uint32_t i = 0; i < k.requests.list.size(); ++i) {
        Requester& requester = k.requests.list[i];
        DatagramSender& to = requester.to;
        if (to.workload != workload || !hosts.have(k.model, to.node)) continue;
        if (!std::exchange(to.dormant, false) && requester.due == kNever) continue;  // a request is under way
        requester.due = k.now + wait_to_begin(k.model, k.seed, workload, to.node, to.sent, k.passed());
        k.schedule(to.node, requester.due, timer_of(Number::requests, kNext), i);
    }
}

void routes_changed(Cluster& k)
{
    for (Requester& requester : k.requests.list) datagram::choose_link(k, requester.to);
}

void received(Cluster& k, const node::Self& self, const Packet& packet)
{
    const std::uint32_t workload = content::workload_of(packet.content);
    if (packet.destination_port == k.image.workloads[workload].port) return respond(k, self, packet);
    Requester* const requester =
        packet.destination_port == datagram::source_port(workload) ? find(k, self.id, workload) : nullptr;
    if (!requester) {
        // A load balancer's back end may have another port than the balancer, and ask it, too.
        if (k.ports.open(protocol::udp, self.id, packet.destination_port)) respond(k, self, packet);
        return;
    }
    if (requester->waiting && packet.content_offset + 1 == requester->to.sent)
        answer(k, *requester);
    else
        count_besides(k, *requester, packet.content_offset);
}

bool answered(Cluster& k, const node::Self& self, const Packet& packet)
{
    const std::uint32_t workload = datagram::workload_between(k, packet.destination_port, packet.source_port);
    Requester* const requester = find(k, self.id, workload);
    if (!requester || requester->to.destination != packet.source) return false;
    if (requester->waiting)
        answer(k, *requester);
    else
        count_besides(k, *requester, requester->to.sent - 1);
    return true;
}

void refused(Cluster& k, std::uint32_t workload, const Packet& offender)
{
    const auto node = k.model.node_with(offender.source);
    Requester* const requester = node ? find(k, *node, workload) : nullptr;
    if (!requester || !requester->waiting) return;
    statistics(k, workload).unreachable += k.measuring();
    end(k, *requester);
}

}  // namespace anml::rt::app::requests
