#include "kernel/simulator.h"

#include <algorithm>

#include "app/closed_loop.h"
#include "kernel/cluster.h"
#include "node/node.h"
#include "tcp/tcp.h"

namespace anml::rt {

struct Simulator::State {
    Cluster cluster;

    void timer(const Event& event)
    {
        NodeId node = event.stream - cluster.image.directed_links;
        switch (static_cast<TimerKind>(event.kind)) {
            case TimerKind::transport:
                tcp::transport_timer(cluster, event.payload, event.time);
                break;
            case TimerKind::application:
                tcp::application_timer(cluster, event.payload, event.time);
                break;
            case TimerKind::client:
                app::client_timer(cluster, event.payload);
                break;
            case TimerKind::injected:
                node::inject(cluster, node::self(cluster, node), event.payload);
                break;
        }
    }
};

Simulator::Simulator(const Model& model, std::uint64_t seed, Time epoch)
    : state_(new State{Cluster(model, seed, epoch)})
{
}
Simulator::~Simulator() = default;

void Simulator::attach(std::uint32_t endpoint, Edge& edge) { state_->cluster.edges[endpoint] = &edge; }

void Simulator::start_workloads(Time at, Time warmup, Time duration)
{
    Cluster& k = state_->cluster;
    at = std::max(at, k.now);
    measure(at + warmup, at + duration);
    app::start(k, at, duration);
}

void Simulator::measure(Time begin, Time end)
{
    state_->cluster.statistics.begin = begin;
    state_->cluster.statistics.end = end;
}

void Simulator::watch(LinkId link, LinkTap& tap) { state_->cluster.taps.emplace_back(link, &tap); }

Time Simulator::next_event() const { return state_->cluster.queue.next_time(); }

void Simulator::run_until(Time limit)
{
    Cluster& k = state_->cluster;
    const std::uint32_t links = k.image.directed_links;
    std::uint64_t events = 0;
    for (Event event; k.queue.pop(limit, event); ++events) {
        k.now = event.time;
        if (event.stream < links)
            node::receive(k, event.stream, event.payload);
        else
            state_->timer(event);
    }
    k.statistics.total_events += events;
    k.now = std::max(k.now, limit);
}

Time Simulator::now() const { return state_->cluster.now; }

void Simulator::inject(std::uint32_t endpoint, const Packet& packet, Time at)
{
    Cluster& k = state_->cluster;
    PacketId id = k.packets.allocate();
    k.packets[id] = packet;
    k.packets[id].trail = 0;
    k.schedule(k.image.endpoints[endpoint].node, std::max(at, k.now), TimerKind::injected, id);
}

BufferPool& Simulator::buffers() { return state_->cluster.buffers; }

const Statistics& Simulator::statistics() const
{
    Cluster& k = state_->cluster;
    k.statistics.links.resize(k.image.directed_links);
    for (LinkId link = 0; link < k.image.directed_links; ++link) {
        const LinkState& state = k.links[link];
        k.statistics.links[link] = {state.packets, state.bytes, state.dropped};
    }
    return k.statistics;
}

std::uint64_t Simulator::digest() const { return state_->cluster.digest; }

Simulator::Pending Simulator::pending() const
{
    const Cluster& k = state_->cluster;
    return {k.packets.in_use(), k.buffers.in_use(), k.tcp.open};
}

}  // namespace anml::rt
