#include "simulator/cluster_task.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "simulator/run_events.h"

namespace anml::rt {

namespace {

constexpr std::uint32_t kFewLinks = 64;  // that a promise looks at

}  // namespace

ClusterTask::ClusterTask(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network,
                         const OpenPorts& ports)
    : cluster(model, seed, epoch, network, ports)
{
}

void ClusterTask::receive(const Crossing& crossing, std::span<const std::uint8_t> bytes)
{
    cluster.network.look_up_far_end(crossing.stream);
    const PacketId id = cluster.packets.allocate();
    Packet& packet = cluster.packets[id];
    std::memcpy(&packet, crossing.packet, sizeof packet);
    if (packet.buffer != kNone) packet.buffer = cluster.buffers.store(bytes);
    if (packet.buffer != kNone) cluster.buffers.set_entered(packet.buffer, crossing.entered);
    Event arrival{crossing.time, crossing.stream, crossing.sequence, id, crossing.version};
    Time lost_at = 0;
    if (!cluster.changes || cluster.changes->catch_up(arrival, lost_at)) {
        cluster.queue.push(arrival);
        if (cluster.changes) cluster.changes->note_arrival(arrival.stream, arrival.time, cluster.now);
        return;
    }
    const Time now = std::exchange(cluster.now, lost_at);
    cluster.lose(crossing.stream, id);
    cluster.now = now;
}

void ClusterTask::receive_all()
{
    for (Receiving& from : receiving_) from.outbox.drain([this](auto&&... arrival) { receive(arrival...); });
}

Time ClusterTask::horizon() const
{
    Time least = kNever;
    for (const ChannelState* channel : in) least = std::min(least, channel->clock());
    return least;
}

Time ClusterTask::advance(Time limit)
{
    receive_all();
    const Time left = execute(limit + 1);
    return std::min(limit, left - 1);
}

// Takes in what has come: whoever sent it waits for the room. Before the timeline has begun nobody knows when a link
// that is busy will be changed.
void ClusterTask::promise_all(Time bound)
{
    receive_all();
    flush();
    const bool may_change = cluster.changes && cluster.next_change == kNever;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const Sending& to = *sending_[i];
        const Time idle = bound + to.links[0].lookahead;
        out[i].channel->advance(may_change ? std::min(idle, to.outbox.earliest_waiting()) : promise(i, bound));
    }
}

void ClusterTask::drain(cct::Scheduler& scheduler)
{
    for (Receiving& from : receiving_)
        if (from.outbox.drain([this](auto&&... arrival) { receive(arrival...); }) && from.task)
            scheduler.wake(*from.task);
}

void ClusterTask::flush()
{
    if (!cluster.held_back) return;
    cluster.held_back = false;
    for (auto& to : sending_) cluster.held_back |= !to->outbox.flush();
}

Time ClusterTask::execute(Time safe)
{
    flush();
    run_events(cluster, safe - 1);
    return cluster.next_time();
}

// When the next packet that a link of the channel accepts, at `bound` or later, can arrive. Where many links are busy,
// as if they were idle.
Time ClusterTask::earliest_arrival(const Sending& to, Time bound) const
{
    Time earliest = kNever;
    std::uint32_t seen = 0;
    for (const Sending::Links& links : to.links) {
        const Time idle = bound + links.lookahead;
        for (std::uint32_t i = 0; i < links.count && idle < earliest; ++i) {
            if (++seen > kFewLinks) return bound + to.links[0].lookahead;
            // A change of the timeline may free it earlier.
            const LinkId id = links.first + 2 * i;
            const Time until = links.kind == Sending::Links::hold    ? 0
                               : links.kind == Sending::Links::trace ? cluster.network.traced[id].busy_until
                                                                     : cluster.network.line(id).busy_until;
            const Time busy_until = std::min(until, cluster.next_change);
            earliest = std::min(earliest, std::max(bound, busy_until) + links.lookahead);
        }
        if (idle >= earliest) break;
    }
    return earliest;
}

// What busy links promised stays true: it is worked out again only when their being idle would promise more.
Time ClusterTask::promise(std::size_t index, Time bound)
{
    Sending& to = *sending_[index];
    const Time idle = bound + to.links[0].lookahead;
    if (idle >= to.busy_until) to.busy_until = earliest_arrival(to, bound);
    return cluster.held_back ? std::min(to.busy_until, to.outbox.earliest_waiting()) : to.busy_until;
}

bool ClusterTask::blocked(cct::Scheduler& scheduler)
{
    if (!cluster.held_back) return false;
    for (auto& to : sending_) {
        if (!to->outbox.waiting()) continue;
        if (!to->outbox.channel.wait_for_room()) scheduler.wake(*this);
        if (to->task) scheduler.wake(*to->task);
    }
    return true;
}

}  // namespace anml::rt
