#include "kernel/cluster_task.h"

#include <algorithm>
#include <cstring>

#include "queue/droptail.h"

namespace anml::rt {

namespace {

// A channel of few links promises by each link's own state, one of many by the least delay alone.
constexpr std::size_t kFewLinks = 8;
constexpr std::uint32_t kShortestPacket = 20;  // an IP header

}  // namespace

ClusterTask::ClusterTask(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network)
    : cluster(model, seed, epoch, network)
{
}

void ClusterTask::connect(const std::vector<std::unique_ptr<ClusterTask>>& tasks, const Model& model)
{
    std::vector<std::vector<Sending*>> between(tasks.size(), std::vector<Sending*>(tasks.size(), nullptr));
    for (auto& task : tasks) task->cluster.outbox_to.resize(tasks.size(), 0);
    const auto carry = [&](std::uint32_t from, std::uint32_t to, LinkId first, std::uint32_t count, Time delay) {
        ClusterTask& sender = *tasks[from];
        Sending*& sending = between[from][to];
        if (!sending) {
            sender.sending_.push_back(std::make_unique<Sending>(*tasks[to], sender.cluster.held_back));
            sending = sender.sending_.back().get();
            sender.cluster.outboxes.push_back(&sending->outbox);
            sender.cluster.outbox_to[to] = static_cast<std::uint16_t>(sender.cluster.outboxes.size());
            sender.out.push_back({&sending->channel, tasks[to].get()});
            tasks[to]->in.push_back(&sending->channel);
            tasks[to]->receiving_.push_back({sender, sending->outbox});
        }
        for (std::uint32_t i = 0; i < count && sending->links.size() <= kFewLinks; ++i)
            sending->links.push_back(first + 2 * i);
        sending->lookahead = std::min(sending->lookahead, delay);
    };
    const abi::Image& image = model.image();
    for (std::uint32_t r = 0; r < image.link_row_count; ++r) {
        const abi::LinkRow& row = image.link_rows[r];
        for (std::uint32_t element = 0, count; element < row.count; element += count) {
            std::uint32_t task[2];
            count = row.count - element;
            for (int side = 0; side < 2; ++side) {
                const NodeId node = row.node[side] + element * row.stride[side];
                const abi::TaskRow& run = model.task_of(node);
                task[side] = run.task;
                if (row.stride[side] != 0) count = std::min(count, run.first_node + run.count - node);
            }
            if (task[0] == task[1]) continue;
            const LinkId first = row.first_link + 2 * element;
            carry(task[0], task[1], first, count, model.time(row.delay[0]));
            carry(task[1], task[0], first + 1, count, model.time(row.delay[1]));
        }
    }
}

void ClusterTask::receive(const Crossing& crossing)
{
    const PacketId id = cluster.packets.allocate();
    Packet& packet = cluster.packets[id];
    std::memcpy(&packet, crossing.packet, sizeof packet);
    if (packet.buffer != kNone)
        packet.buffer = cluster.buffers.store({crossing.buffer->bytes, crossing.buffer->length});
    cluster.queue.push({crossing.time, crossing.stream, crossing.sequence, id, 0});
}

void ClusterTask::drain(cct::Scheduler& scheduler)
{
    for (Receiving& from : receiving_)
        if (from.outbox.ring.drain([this](Crossing& crossing) { receive(crossing); })) scheduler.wake(from.task);
}

Time ClusterTask::execute(Time safe)
{
    if (cluster.held_back) {
        cluster.held_back = false;
        for (auto& to : sending_) cluster.held_back |= !to->outbox.flush();
    }
    run_events(cluster, safe - 1);
    for (auto& to : sending_) to->outbox.ring.publish();
    return cluster.queue.next_time();
}

Time ClusterTask::promise(std::size_t index, Time bound)
{
    const Sending& to = *sending_[index];
    Time earliest = bound + to.lookahead;
    if (to.links.size() <= kFewLinks) {
        earliest = kNever;
        for (LinkId id : to.links) {
            const LinkState& link = cluster.link(id);
            const Time transmission = droptail::transmission_time(kShortestPacket + link.overhead, link.rate);
            earliest = std::min(earliest, std::max(bound, link.busy_until) + transmission + link.delay);
        }
    }
    return cluster.held_back ? std::min(earliest, to.outbox.earliest_waiting()) : earliest;
}

bool ClusterTask::blocked(cct::Scheduler& scheduler)
{
    if (!cluster.held_back) return false;
    for (auto& to : sending_) {
        if (!to->outbox.waiting()) continue;
        if (!to->outbox.ring.wait_for_room()) scheduler.wake(*this);
        scheduler.wake(to->task);
    }
    return true;
}

}  // namespace anml::rt
