#include "simulator/simulator.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/cluster.h"
#include "app/start.h"
#include "net/fluid/fluid.h"
#include "net/link/link_views.h"
#include "net/timeline/changes.h"
#include "simulator/new_timeline.h"
#include "simulator/run_events.h"
#include "simulator/state.h"

namespace anml::rt {

Simulator::State::State(const Model& m, std::uint64_t seed, Time epoch, unsigned workers, unsigned most_tasks,
                        std::span<const EnteredChange> entered, cct::Post* p)
    : timeline(std::make_unique<Timeline>(m, entered)),
      network(m, *timeline),
      ports(m),
      model(m),
      division(m,
               workers == 0      ? 1
               : most_tasks == 0 ? m.task_count()
                                 : most_tasks,
               p ? p->ranks().rank() : 0, p ? p->ranks().size() : 1),
      post(p)
{
    for (std::uint32_t i = 0; i < division.own; ++i)
        tasks.push_back(std::make_unique<ClusterTask>(model, seed, epoch, network, ports));
    follow_timeline();
    if (workers == 0 && !post) return;
    ClusterTask::connect(tasks, model, *timeline, division, post);
    std::vector<cct::Task*> all;
    for (auto& task : tasks) all.push_back(task.get());
    if (workers != 0)
        scheduler = std::make_unique<cct::Scheduler>(std::move(all), std::min(workers, division.own),
                                                     std::thread::hardware_concurrency(), post);
    else
        post->begin(0, kNever - 1);
    if (post) post->gather({});  // nobody sends before all have their ends of the channels
}

Cluster* Simulator::State::owner(NodeId node) const
{
    const std::uint32_t number = division.joined[model.task_of(node).task] - division.first;
    return number < tasks.size() ? &tasks[number]->cluster : nullptr;
}

// Gives each cluster its part of the changes.
void Simulator::State::follow_timeline()
{
    if (timeline->empty()) return;
    const abi::Image& image = model.image();
    for (std::uint32_t task = 0; task < tasks.size(); ++task) {
        std::vector<std::uint8_t> roles;
        for (const ChangingLink& link : timeline->links) {
            const abi::LinkRow& row = image.link_rows[model.link_row_of(link.link)];
            const std::uint32_t element = (link.link - row.first_link) / 2;
            std::uint8_t role = 0;
            for (std::uint32_t end = 0; end < 2; ++end) {
                const NodeId node = row.node[end] + element * row.stride[end];
                if (owner(node) != &tasks[task]->cluster) continue;
                role |= static_cast<std::uint8_t>(Changes::kSends << end | Changes::kReceives << (1 - end));
            }
            roles.push_back(role);
        }
        Cluster& cluster = tasks[task]->cluster;
        cluster.changes = std::make_unique<Changes>(*timeline, image.workload_count, std::move(roles));
        cluster.hooked = !timeline->links.empty();
    }
}

Simulator::Simulator(const Model& model, std::uint64_t seed, Time epoch, unsigned workers, unsigned tasks,
                     std::span<const EnteredChange> entered, cct::Post* post)
    : state_(new State(model, seed, epoch, workers, tasks, entered, post))
{
}
Simulator::~Simulator() = default;

void Simulator::attach(std::uint32_t endpoint, Edge& edge) { state_->network.edges[endpoint] = &edge; }

ExternalHosts& Simulator::external_hosts() { return state_->network.external_hosts; }

void Simulator::start_workloads(Time at, Time warmup, Time duration)
{
    at = std::max(at, state_->now);
    measure(at + warmup, at + duration);
    start_timeline(at);
    state_->make_cuts();
    constexpr std::size_t kLongestSeries = 1 << 17;  // a day and a half by second; longer runs by several
    const auto seconds = static_cast<std::size_t>(std::max((duration + kSecond - 1) / kSecond, Time{1}));
    const std::size_t interval = (seconds + kLongestSeries - 1) / kLongestSeries;
    const std::size_t intervals = (seconds + interval - 1) / interval;
    for (auto& task : state_->tasks) {
        task->cluster.statistics.origin = at;
        task->cluster.statistics.interval = interval;
        task->cluster.statistics.series.assign(intervals, {});
        task->cluster.statistics.second_times.reserve(intervals);
    }
    Cluster& first = state_->tasks[0]->cluster;
    app::start(first.model, first.seed, at, [&](NodeId node) { return state_->owner(node); }, first);
    state_->begin_fluid(at);
}

// Its links are filled in now, whether packets will take them or not.
void Simulator::State::begin_fluid(Time at)
{
    if (!network.fluid) return;
    const Cluster& first = tasks[0]->cluster;
    network.fluid->begin(first.seed, now, at, {first.counters.begin, first.counters.end}, timeline,
                         static_cast<std::uint32_t>(tasks.size()));
    for (const LinkId link : network.fluid->links()) {
        Cluster* const k = owner(model.near_end(link));
        if (!k) continue;
        k->fluid_links.push_back(link);
        const bool used = k->links[link].mtu != 0;  // by real hosts, before
        LinkState& state = k->link(link);
        if (used) network.fluid->set_up(link, state);
    }
    for (auto& task : tasks) {
        task->cluster.next_epoch = at;
        task->cluster.next_change = std::min(task->cluster.next_change, at);
    }
}

void Simulator::cut(std::uint32_t batches) { state_->batch_count = batches; }

void Simulator::measure(Time begin, Time end)
{
    for (auto& task : state_->tasks) {
        task->cluster.counters.begin = begin;
        task->cluster.counters.end = end;
    }
}

void Simulator::start_timeline(Time at)
{
    state_->timeline_origin = at;
    for (auto& task : state_->tasks) {
        Cluster& k = task->cluster;
        if (k.changes) k.next_instant = k.changes->begin(at);
        k.next_change = std::min(k.next_instant, k.next_epoch);
    }
}

bool Simulator::enter(NewTimeline& timeline)
{
    Cluster& k = state_->tasks[0]->cluster;
    if (state_->timeline_origin + timeline.from() <= state_->now) return false;
    timeline.exchange(k, state_->timeline, state_->timeline_origin);
    return true;
}

bool Simulator::follow(Time from)
{
    const Model& model = state_->tasks[0]->cluster.model;
    if (model.image().timeline_count == 0 && model.image().epoch_count == 0) return true;
    NewTimeline timeline(model, {}, from);
    return timeline.error().empty() && timeline.continues(*state_->timeline) && enter(timeline);
}

void Simulator::forget(const LinkTap& tap)
{
    auto& taps = state_->network.taps;
    std::erase_if(taps, [&](const auto& other) { return other.second == &tap; });
    for (auto& task : state_->tasks) task->cluster.hooked = !taps.empty() || !state_->timeline->links.empty();
}

void Simulator::show(LinkViews& views) const { views.show(state_->tasks[0]->cluster); }

void Simulator::watch(LinkId link, LinkTap& tap)
{
    state_->network.taps.emplace_back(link, &tap);
    for (auto& task : state_->tasks) task->cluster.hooked = true;
}

void Simulator::record()
{
    state_->recorder = std::make_unique<cct::Recorder>(state_->scheduler->tasks());
    state_->scheduler->observe(*state_->recorder);
}

Profile Simulator::profile() const { return state_->recorder->profile(state_->scheduler->workers()); }

double Simulator::waited() const { return state_->scheduler ? state_->scheduler->waited() : 0; }

Time Simulator::next_event() const
{
    Time next = kNever;
    for (auto& task : state_->tasks) next = std::min(next, task->cluster.next_time());
    return next;
}

void Simulator::State::run_until(Time limit)
{
    if (scheduler)
        scheduler->run(limit + 1);
    else if (post)
        limit = tasks[0]->advance(limit);
    else
        run_events(tasks[0]->cluster, limit);
    if (scheduler && !timeline->empty())
        for (auto& task : tasks) task->receive_all();
    stand_at(limit);
}

void Simulator::State::stand_at(Time time)
{
    now = std::max(now, time);
    for (auto& task : tasks) task->cluster.now = now;
}

// Those of the measured window and of its parts up to `limit`, each without the events at it.
void Simulator::State::reach_boundaries(Time limit)
{
    const NetCounters& window = tasks[0]->cluster.counters;
    const auto reach = [&](Time boundary) {
        if (boundary <= now || boundary > limit) return false;
        run_until(boundary - 1);
        return true;
    };
    if (reach(window.begin)) {
        busy_at_begin = network.busy_beyond(window.begin);
        streams_at_begin = streams();
    }
    while (cuts_over < cuts.size() && reach(cuts[cuts_over].at)) take_cut();
    if (reach(window.end)) {
        busy_at_end = network.busy_beyond(window.end);
        streams_at_end = streams();
    }
}

void Simulator::run_until(Time limit)
{
    state_->reach_boundaries(limit);
    state_->run_until(limit);
}

void Simulator::run_before(Time end)
{
    state_->reach_boundaries(end);
    state_->run_until(end - 1);
    state_->stand_at(end);
}

Time Simulator::now() const { return state_->now; }

Time Simulator::horizon() const { return state_->tasks[0]->horizon(); }

void Simulator::promise() { state_->tasks[0]->promise_all(state_->now); }

void Simulator::inject(std::uint32_t endpoint, const Packet& packet, Time at)
{
    Cluster& k = state_->tasks[0]->cluster;
    PacketId id = k.packets.allocate();
    k.packets[id] = packet;
    k.packets[id].trail = 0;
    k.schedule(k.image.endpoints[endpoint].node, std::max(at, state_->now), timer_kind::injected, id);
}

BufferPool& Simulator::buffers() { return state_->tasks[0]->cluster.buffers; }

std::uint32_t Simulator::tasks() const { return state_->division.count; }

Second Simulator::second(std::size_t since_start) const
{
    Second sum;
    const std::size_t interval = state_->tasks[0]->cluster.statistics.interval, place = since_start / interval;
    for (auto& task : state_->tasks) {
        const std::vector<Second>& series = task->cluster.statistics.series;
        if (place < series.size()) add_up(sum, series[place]);
    }
    if (interval == 1) return sum;
    sum.completed /= static_cast<std::uint32_t>(interval);
    sum.failed /= static_cast<std::uint32_t>(interval);
    sum.bytes /= interval;
    sum.took /= static_cast<Time>(interval);
    return sum;
}

std::vector<const WorkloadStatistics*> Simulator::counted(std::uint32_t workload) const
{
    std::vector<const WorkloadStatistics*> all;
    for (const auto& task : state_->tasks) all.push_back(&task->cluster.statistics.workloads[workload]);
    return all;
}

std::vector<const TransactionGroups*> Simulator::groups() const
{
    std::vector<const TransactionGroups*> all;
    for (const auto& task : state_->tasks) all.push_back(&task->cluster.statistics.groups);
    return all;
}

std::uint64_t Simulator::digest() const
{
    std::uint64_t sum = state_->other_digests;
    for (auto& task : state_->tasks) sum += task->cluster.digest;
    return sum;
}

Simulator::Pending Simulator::pending() const
{
    Pending all{0, 0, 0, 0};
    for (auto& task : state_->tasks) {
        const Cluster& k = task->cluster;
        all.packets += k.packets.in_use();
        all.buffers += k.buffers.in_use();
        all.connections += k.tcp.open;
        all.law_states += k.tcp.law_states.in_use();
    }
    return all;
}

}  // namespace anml::rt
