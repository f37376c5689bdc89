// The channels between tasks.
#include <algorithm>
#include <map>
#include <utility>

#include "net/crossing_ends.h"
#include "net/link/droptail.h"
#include "simulator/check_crossing.h"
#include "simulator/cluster_task.h"

namespace anml::rt {

namespace {

constexpr std::uint32_t kShortestPacket = 20;  // an IP header

}  // namespace

class ClusterTask::Connecting {
  public:
    Connecting(const std::vector<std::unique_ptr<ClusterTask>>& tasks, const Division& division, cct::Post* post)
        : tasks_(tasks), division_(division), post_(post)
    {
    }

    // The links lead from task `from` to task `to`.
    void carry(std::uint32_t from, std::uint32_t to, const Sending::Links& links)
    {
        ClusterTask *const sender = own(from), *const receiver = own(to);
        const auto [at, fresh] = between_.try_emplace({from, to});
        if (fresh) at->second = connect(from, to, sender, receiver);
        if (at->second.sending) at->second.sending->links.push_back(links);
        if (at->second.arrival) at->second.arrival->expect(links.first, links.count);
    }

  private:
    struct Ends {                            // of the channel, those that are here
        Sending* sending = nullptr;          // it begins here
        CrossingArrival* arrival = nullptr;  // it comes from another process
    };

    ClusterTask* own(std::uint32_t number) const
    {
        return number - division_.first < tasks_.size() ? tasks_[number - division_.first].get() : nullptr;
    }

    // Channels to other processes are numbered as all processes come upon them.
    Ends connect(std::uint32_t from, std::uint32_t to, ClusterTask* sender, ClusterTask* receiver)
    {
        const std::uint32_t number = division_.rank_of[from] == division_.rank_of[to] ? 0 : crossing_++;
        if (sender) {
            sender->sending_.push_back(std::make_unique<Sending>(receiver, sender->cluster.held_back));
            Sending& sending = *sender->sending_.back();
            sender->cluster.outboxes.push_back(&sending.outbox);
            for (std::uint32_t task = 0; task < division_.joined.size(); ++task)
                if (division_.joined[task] == to)
                    sender->cluster.outbox_to[task] = static_cast<std::uint16_t>(sender->cluster.outboxes.size());
            sender->out.push_back({&sending.outbox.channel, receiver});
            if (receiver)
                receive(*receiver, sender, sending.outbox);
            else
                post_->add(number, division_.rank_of[to], std::make_unique<CrossingDeparture>(sending.outbox, *sender));
            return {&sending, nullptr};
        }
        if (!receiver) return {};
        Arriving& arriving = *receiver->arriving_.emplace_back(std::make_unique<Arriving>());
        receive(*receiver, nullptr, arriving.outbox);
        auto arrival = std::make_unique<CrossingArrival>(
            arriving.outbox, *receiver, [receiver](const Crossing& c) { return is_of_model(receiver->cluster, c); });
        CrossingArrival* const end = arrival.get();
        post_->add(number, division_.rank_of[from], std::move(arrival));
        return {nullptr, end};
    }
    static void receive(ClusterTask& receiver, ClusterTask* sender, Outbox& outbox)
    {
        receiver.in.push_back(&outbox.channel);
        receiver.receiving_.push_back({sender, outbox});
    }

    const std::vector<std::unique_ptr<ClusterTask>>& tasks_;
    const Division& division_;
    cct::Post* post_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Ends> between_;  // by numbers of their tasks
    std::uint32_t crossing_ = 0;                                       // channels between processes
};

void ClusterTask::connect(const std::vector<std::unique_ptr<ClusterTask>>& tasks, const Model& model,
                          const Timeline& timeline, const Division& division, cct::Post* post)
{
    const abi::Image& image = model.image();
    for (auto& task : tasks) task->cluster.outbox_to.resize(model.task_count(), 0);
    Connecting connecting(tasks, division, post);
    for (std::uint32_t r = 0; r < image.link_row_count; ++r) {
        const abi::LinkRow& row = image.link_rows[r];
        for (std::uint32_t element = 0, count; element < row.count; element += count) {
            std::uint32_t task[2];
            count = row.count - element;
            for (int side = 0; side < 2; ++side) {
                const NodeId node = row.node[side] + element * row.stride[side];
                const abi::TaskRow& run = model.task_of(node);
                task[side] = division.joined[run.task];
                if (row.stride[side] != 0) count = std::min(count, run.first_node + run.count - node);
            }
            if (task[0] == task[1]) continue;
            const LinkId first = row.first_link + 2 * element;
            for (std::uint32_t direction = 0; direction < (row.one_way ? 1u : 2u); ++direction) {
                const Timeline::Bounds least = timeline.bounds(r, direction);
                const bool traced = row.trace[direction] != abi::kNone;
                const std::uint32_t shortest = kShortestPacket + static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                                                     model.integer(row.overhead), 0xffff));
                const Time transmission =
                    traced || least.held ? 0 : droptail::least_transmission_time(shortest, least.rate);
                connecting.carry(task[direction], task[1 - direction],
                                 {first + direction, count,
                                  std::max<Time>(std::max<Time>(least.delay - least.rounded, 0) + transmission, 1),
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

}  // namespace anml::rt
