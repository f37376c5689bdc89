// A cluster as a task of the parallel kernel: it exchanges packets with its neighbours over channels.
#pragma once

#include <memory>
#include <vector>

#include "app/cluster.h"
#include "kernel/post.h"
#include "kernel/scheduler.h"
#include "net/crossing.h"
#include "simulator/join_tasks.h"

namespace anml::rt {

class ClusterTask final : public cct::Task {
  public:
    ClusterTask(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network, const OpenPorts& ports);

    // Makes the channels between tasks: one for each ordered pair that a link joins. `tasks`: of this process; what
    // leads to others the post has, which has an end of each such channel there, too.
    static void connect(const std::vector<std::unique_ptr<ClusterTask>>& tasks, const Model& model,
                        const Timeline& timeline, const Division& division, cct::Post* post);

    // Where no scheduler runs it. Executes all up to `limit`, which is below the horizon: nothing comes from others
    // before that; or less, where what it sends has no room. Returns up to where.
    Time advance(Time limit);
    Time horizon() const;
    // What has left by `bound` is handed over, and no more will.
    void promise_all(Time bound);

    // Takes in what waits in the in-channels, of which links that went down may have lost some.
    void receive_all();

    Cluster cluster;

  private:
    struct Sending {
        Sending(ClusterTask* to, bool& waiting) : task(to), outbox(waiting) {}
        ClusterTask* task;  // null: of another process
        Outbox outbox;
        // Links that it carries: first, first + 2, ... Their lookahead is the shortest transmission and the delay;
        // several packets may end at one opportunity of a trace.
        struct Links {
            LinkId first;
            std::uint32_t count;
            Time lookahead;
            enum { transmit, trace, hold } kind;  // at their rate, by a trace, or where an event sends them off
        };
        std::vector<Links> links;  // least lookahead first
        Time busy_until = 0;       // by when a packet that the busy links yet accept arrives at the earliest
    };
    struct Receiving {
        ClusterTask* task;  // null: of another process
        Outbox& outbox;
    };
    struct Arriving {  // from another process
        bool waits = false;
        Outbox outbox{waits};
    };
    class Connecting;

    void drain(cct::Scheduler& scheduler) override;
    Time execute(Time safe) override;
    Time promise(std::size_t index, Time bound) override;
    bool blocked(cct::Scheduler& scheduler) override;
    std::uint64_t executed() const override { return cluster.counters.total_events; }
    std::uint64_t sent(std::size_t index) const override { return sending_[index]->outbox.channel.claimed(); }

    void flush();  // what waits for room, as far as there is some
    void receive(const Crossing& crossing, std::span<const std::uint8_t> bytes);
    Time earliest_arrival(const Sending& to, Time bound) const;

    std::vector<std::unique_ptr<Sending>> sending_;  // by index of out-channel
    std::vector<Receiving> receiving_;
    std::vector<std::unique_ptr<Arriving>> arriving_;
};

}  // namespace anml::rt
