// The kernel: one cluster of all nodes run sequentially, or the clusters of the model's partition run in parallel by
// Critical Channel Traversing (scheduler.h).
//
// Events run in the order (time, stream, sequence within the stream), so results depend on the
// model and the seed alone: not on the partition, the number of workers or their timing. A packet costs one event per
// hop: with drop-tail FIFO its departure is known when it is enqueued, the backlog follows from the time the link is
// busy until.
//
// Life cycle: construct; attach(); start_workloads(); run_until() ... ; run_before(); statistics().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/time.h"
#include "net/edge.h"
#include "net/packet/packet.h"
#include "net/timeline/entered.h"

namespace anml::rt {

class Model;              // net/model.h: the image with its values bound
class BufferPool;         // net/link/buffers.h
class ExternalHosts;      // net/external_hosts.h
struct Profile;           // profile/profile.h
struct Second;            // app/statistics.h
struct ConnectionRecord;  // app/connection_records.h
struct TransactionGroups;
struct WorkloadStatistics;
struct Statistics;  // statistics.h
class LinkViews;    // net/link/link_views.h
class NewTimeline;  // new_timeline.h
namespace cct {
class Post;  // kernel/post.h
}

class Simulator {
  public:
    // `epoch`: with real hosts, the wall-clock time (ns since 1970) of simulated time 0; 0 when simulating.
    // `workers`: threads, the caller's included, that run the partition's tasks; 0: sequential, as attach(), inject(),
    // watch() and buffers() need it.
    // `tasks`: how many of the partition's tasks to make, joining neighbours into one; 0: all.
    // `entered`: what changes besides what the model's timeline says.
    // `post`: of a run on several processes, each of which does with its simulator what the others do; `workers` and
    // `tasks` are those of each. Sequential, each has one task and its own time: it may run up to the horizon(), and
    // says by promise() how far others may; whoever has the post carries what is sent. Tasks are dealt to them in the
    // order of their numbers, and each has its own alone. A figure or a digest is that of this process until gather().
    Simulator(const Model& model, std::uint64_t seed, Time epoch = 0, unsigned workers = 0, unsigned tasks = 0,
              std::span<const EnteredChange> entered = {}, cct::Post* post = nullptr);
    ~Simulator();
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    // From now on `endpoint` is a real host: its packets go to `edge`, its simulated server is not
    // used. Call before the first event.
    void attach(std::uint32_t endpoint, Edge& edge);

    // The subnets behind endpoints that are attached; they are added before the first event.
    ExternalHosts& external_hosts();

    // Counts each of so many equal parts of the measured window for itself, too; before the first event.
    void cut(std::uint32_t batches);

    // Starts every workload at simulated time `at`; figures cover [at + warmup, at + duration).
    // `warmup` 0 measures the whole run.
    void start_workloads(Time at, Time warmup, Time duration);

    // Measures without workloads over the same window (live --no-workload).
    void measure(Time begin, Time end);

    // Has the timeline begin at simulated time `at`; start_workloads does it too.
    void start_timeline(Time at);

    // From now on the timeline is another one, which is as the present one was up to now(): changes have been entered
    // behind that. Sequential, once the timeline has begun. What it replaces goes to `timeline`, to be destroyed by
    // whoever has the time. False: it came too late, and nothing has happened.
    bool enter(NewTimeline& timeline);

    // The same where the model's tunables are others now (Model::bind), on which nothing depends that has happened so
    // far: the timeline is the model's own from `from` on, since its origin. False: before that it would have been
    // another one, or it is too late, and nothing has happened.
    bool follow(Time from);

    // Shows each packet that starts transmission on `link` to `tap`, until it is forgotten.
    void watch(LinkId link, LinkTap& tap);
    void forget(const LinkTap& tap);

    // Shows what a few links carry to other threads; sequential.
    void show(LinkViews& views) const;

    // From now on each TCP connection of a workload is recorded; before the first event.
    void record_connections();
    // Those that have ended since the last call, by now(); of several processes this one's. `last`: the run is over,
    // and what is open is among them. Their times are since the workloads' start. They hold until the next call.
    std::span<const ConnectionRecord> take_connections(bool last);

    // Records how the run goes, for profile(); with workers, before the first event.
    void record();
    Profile profile() const;
    // Of several processes: how long this one had nothing to do because something was to come from others: s.
    double waited() const;

    // Earliest pending event, kNever if there is none.
    Time next_event() const;

    // Runs every event with time <= limit; the clock then stands at `limit`.
    void run_until(Time limit);
    // Runs every event before `end`, as a run does; the clock then stands at `end`.
    void run_before(Time end);

    Time now() const;

    // Sequential, of several processes. Nothing comes from another one any more before this: run_until() is to stay
    // below. kNever: nothing ever does.
    Time horizon() const;
    // The same: tells the others, behind what has been sent, that nothing more will leave before now().
    void promise();

    // A packet from the real host behind `endpoint` enters the network at max(at, now()). Takes
    // ownership of packet.buffer (from buffers()), which may be kNone.
    void inject(std::uint32_t endpoint, const Packet& packet, Time at);

    // Behind the last run_before: from now on rank 0 has the statistics and the digest of all processes.
    bool gather();  // false: figures of another one are damaged, and not counted
    // Tasks of all processes together.
    std::uint32_t tasks() const;

    BufferPool& buffers();
    // Gathers the counters of all links in use first: not in a run, whose seconds can be had one by one.
    const Statistics& statistics() const;
    // In a run so long that several seconds are counted together, their mean.
    Second second(std::size_t since_start) const;
    // What the clusters have counted of a workload so far, each for itself; while it runs, too.
    std::vector<const WorkloadStatistics*> counted(std::uint32_t workload) const;
    std::vector<const TransactionGroups*> groups() const;
    std::uint64_t digest() const;  // order-free sum over all packets that were delivered or dropped

    // What is still under way: 0 each once the network is silent, or something leaks.
    struct Pending {
        std::size_t packets;
        std::size_t buffers;
        std::size_t connections;
        std::size_t law_states;
    };
    Pending pending() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace anml::rt
