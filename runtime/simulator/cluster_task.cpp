#include "simulator/cluster_task.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "net/queue/droptail.h"
#include "simulator/run_events.h"

namespace anml::rt {

namespace {

constexpr std::uint32_t kFewLinks = 64;        // that a promise looks at
constexpr std::uint32_t kShortestPacket = 20;  // an IP header

}  // namespace

ClusterTask::ClusterTask(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network,
                         const OpenPorts& ports)
    : cluster(model, seed, epoch, network, ports)
{
}

void ClusterTask::connect(const std::vector<std::unique_ptr<ClusterTask>>& tasks, const Model& model,
                          const Timeline& timeline, const std::vector<std::uint32_t>& joined)
{
    std::vector<std::vector<Sending*>> between(tasks.size(), std::vector<Sending*>(tasks.size(), nullptr));
    const abi::Image& image = model.image();
    for (auto& task : tasks) task->cluster.outbox_to.resize(image.task_count, 0);
    const auto carry = [&](std::uint32_t from, std::uint32_t to, const Sending::Links& links) {
        ClusterTask& sender = *tasks[from];
        Sending*& sending = between[from][to];
        if (!sending) {
            sender.sending_.push_back(std::make_unique<Sending>(*tasks[to], sender.cluster.held_back));
            sending = sender.sending_.back().get();
            sender.cluster.outboxes.push_back(&sending->outbox);
            for (std::uint32_t task = 0; task < image.task_count; ++task)
                if (joined[task] == to)
                    sender.cluster.outbox_to[task] = static_cast<std::uint16_t>(sender.cluster.outboxes.size());
            sender.out.push_back({&sending->outbox.channel, tasks[to].get()});
            tasks[to]->in.push_back(&sending->outbox.channel);
            tasks[to]->receiving_.push_back({sender, sending->outbox});
        }
        sending->links.push_back(links);
    };
    for (std::uint32_t r = 0; r < image.link_row_count; ++r) {
        const abi::LinkRow& row = image.link_rows[r];
        for (std::uint32_t element = 0, count; element < row.count; element += count) {
            std::uint32_t task[2];
            count = row.count - element;
            for (int side = 0; side < 2; ++side) {
                const NodeId node = row.node[side] + element * row.stride[side];
                const abi::TaskRow& run = model.task_of(node);
                task[side] = joined[run.task];
                if (row.stride[side] != 0) count = std::min(count, run.first_node + run.count - node);
            }
            if (task[0] == task[1]) continue;
            const LinkId first = row.first_link + 2 * element;
            for (std::uint32_t direction = 0; direction < (row.one_way ? 1u : 2u); ++direction) {
                const Timeline::Bounds least = timeline.bounds(r, direction);
                const bool traced = row.trace[direction] != abi::kNone;
                const std::uint32_t shortest = kShortestPacket + static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                                                     model.integer(row.overhead), 0xffff));
                const Time transmission = traced || least.held ? 0 : droptail::transmission_time(shortest, least.rate);
                carry(task[direction], task[1 - direction],
                      {first + direction, count, std::max<Time>(least.delay + transmission, 1),
                       least.held ? Sending::Links::hold
                       : traced   ? Sending::Links::trace
                                  : Sending::Links::transmit});
            }
        }
    }
    for (auto& task : tasks)
        for (auto& sending : task->sending_)
            std::sort(sending->links.begin(), sending->links.end(), [](const auto& a, const auto& b) {
                return std::pair(a.lookahead, a.first) < std::pair(b.lookahead, b.first);
            });
}

void ClusterTask::receive(const Crossing& crossing, std::span<const std::uint8_t> bytes)
{
    cluster.network.look_up_far_end(crossing.stream);
    const PacketId id = cluster.packets.allocate();
    Packet& packet = cluster.packets[id];
    std::memcpy(&packet, crossing.packet, sizeof packet);
    if (packet.buffer != kNone) packet.buffer = cluster.buffers.store(bytes);
    Event arrival{crossing.time, crossing.stream, crossing.sequence, id, crossing.version};
    Time lost_at = 0;
    if (!cluster.changes || cluster.changes->catch_up(arrival, lost_at)) {
        cluster.queue.push(arrival);
        return;
    }
    const Time now = std::exchange(cluster.now, lost_at);
    cluster.lose(crossing.stream, id);
    cluster.now = now;
}

void ClusterTask::settle()
{
    for (Receiving& from : receiving_) from.outbox.drain([this](auto&&... arrival) { receive(arrival...); });
}

void ClusterTask::drain(cct::Scheduler& scheduler)
{
    for (Receiving& from : receiving_)
        if (from.outbox.drain([this](auto&&... arrival) { receive(arrival...); })) scheduler.wake(from.task);
}

Time ClusterTask::execute(Time safe)
{
    if (cluster.held_back) {
        cluster.held_back = false;
        for (auto& to : sending_) cluster.held_back |= !to->outbox.flush();
    }
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
        scheduler.wake(to->task);
    }
    return true;
}

}  // namespace anml::rt
