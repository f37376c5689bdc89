#include "simulator/simulator.h"

#include <algorithm>

#include "app/cluster.h"
#include "app/start.h"
#include "net/air.h"
#include "net/changes.h"
#include "net/fluid/fluid.h"
#include "net/link_views.h"
#include "net/middlebox/middleboxes.h"
#include "net/shared_buffers.h"
#include "simulator/cluster_task.h"
#include "simulator/join_tasks.h"
#include "simulator/new_timeline.h"
#include "simulator/run_events.h"
#include "simulator/statistics.h"

namespace anml::rt {

namespace {

// Both by link.
void add_carried(std::vector<LinkCounters>& links, const NetworkState::BusyLinks& busy, int sign)
{
    auto at = busy.begin();
    for (LinkCounters& link : links) {
        while (at != busy.end() && at->first < link.link) ++at;
        if (at != busy.end() && at->first == link.link) link.carried += sign * at->second;
    }
}

// Of the two directions of a changing link, as one cluster saw it. What follows a trace transmits at no rate.
void add_transmitters(std::vector<LinkCounters>& links, const ChangingLink& link,
                      const std::array<Transmitter, 2>& directions)
{
    auto at = std::lower_bound(links.begin(), links.end(), link.link,
                               [](const LinkCounters& counters, LinkId id) { return counters.link < id; });
    for (; at != links.end() && at->link <= link.link + 1; ++at) {
        const LinkId direction = at->link - link.link;
        const QueueDelay delay = directions[direction].queue_delay();
        at->queue_delay += delay.sum;
        at->longest_queue_delay = std::max(at->longest_queue_delay, delay.longest);
        if (!link.traced[direction])
            at->transmitting = at->transmitting.value_or(0) + directions[direction].transmitting;
    }
}

bool measures_links(const abi::Image& image)
{
    return std::any_of(image.measures, image.measures + image.measure_count,
                       [](const abi::MeasureRow& row) { return abi::is_of_link(row.kind); });
}

}  // namespace

struct Simulator::State {
    State(const Model& model, std::uint64_t seed, Time epoch, unsigned workers, unsigned most_tasks,
          std::span<const EnteredChange> entered);
    void follow_timeline(const Model& model);
    void begin_fluid(Time at);

    std::unique_ptr<const Timeline> timeline;
    NetworkState network;
    const OpenPorts ports;
    std::vector<std::uint32_t> joined;  // by task of the image: index of `tasks`
    std::vector<std::unique_ptr<ClusterTask>> tasks;
    std::unique_ptr<cct::Scheduler> scheduler;  // null: sequential
    Time now = 0;
    Time timeline_origin = 0;
    NetworkState::BusyLinks busy_at_begin, busy_at_end;  // of the measured window, where time has passed those
    Statistics statistics;                               // gathered from the clusters
    std::uint32_t batch_count = 0;
    std::vector<WorkloadStatistics> counted;               // at the end of the last batch
    std::vector<std::vector<WorkloadStatistics>> batches;  // that are over
    std::vector<LinkCounters> counted_links;               // the same
    std::vector<std::vector<LinkCounters>> batch_links;

    void run_until(Time limit);
    void end_batch();
    std::vector<LinkCounters> count_links() const;
};

Simulator::State::State(const Model& model, std::uint64_t seed, Time epoch, unsigned workers, unsigned most_tasks,
                        std::span<const EnteredChange> entered)
    : timeline(std::make_unique<Timeline>(model, entered)), network(model, *timeline), ports(model)
{
    const abi::Image& image = model.image();
    const std::uint32_t count = workers == 0      ? 1
                                : most_tasks == 0 ? image.task_count
                                                  : std::min(most_tasks, image.task_count);
    for (std::uint32_t i = 0; i < count; ++i)
        tasks.push_back(std::make_unique<ClusterTask>(model, seed, epoch, network, ports));
    joined = join_tasks(image, count);
    follow_timeline(model);
    if (workers == 0) return;
    ClusterTask::connect(tasks, model, *timeline, joined);
    std::vector<cct::Task*> all;
    for (auto& task : tasks) all.push_back(task.get());
    scheduler = std::make_unique<cct::Scheduler>(std::move(all), std::min(workers, count));
}

// Gives each cluster its part of the changes.
void Simulator::State::follow_timeline(const Model& model)
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
                if (joined[model.task_of(node).task] != task) continue;
                role |= static_cast<std::uint8_t>(Changes::kSends << end | Changes::kReceives << (1 - end));
            }
            roles.push_back(role);
        }
        Cluster& cluster = tasks[task]->cluster;
        cluster.changes = std::make_unique<Changes>(*timeline, image.workload_count, std::move(roles));
        cluster.attended = !timeline->links.empty();
    }
}

Simulator::Simulator(const Model& model, std::uint64_t seed, Time epoch, unsigned workers, unsigned tasks,
                     std::span<const EnteredChange> entered)
    : state_(new State(model, seed, epoch, workers, tasks, entered))
{
}
Simulator::~Simulator() = default;

void Simulator::attach(std::uint32_t endpoint, Edge& edge) { state_->network.edges[endpoint] = &edge; }

Strangers& Simulator::strangers() { return state_->network.strangers; }

void Simulator::start_workloads(Time at, Time warmup, Time duration)
{
    at = std::max(at, state_->now);
    measure(at + warmup, at + duration);
    start_timeline(at);
    constexpr Time kLongestSeries = 1 << 20;  // seconds reserved beforehand
    const Time seconds = std::clamp((duration + kSecond - 1) / kSecond, Time{1}, kLongestSeries);
    for (auto& task : state_->tasks) {
        task->cluster.statistics.origin = at;
        task->cluster.statistics.series.assign(static_cast<std::size_t>(seconds), {});
        task->cluster.statistics.second_times.reserve(static_cast<std::size_t>(seconds));
    }
    const Cluster& first = state_->tasks[0]->cluster;
    app::start(first.model, first.seed, at, [&](NodeId node) -> Cluster& {
        return state_->tasks[state_->joined[first.model.task_of(node).task]]->cluster;
    });
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
        Cluster& k = tasks[joined[first.model.task_of(first.model.near_end(link)).task]]->cluster;
        k.fluid_links.push_back(link);
        const bool used = k.links[link].mtu != 0;  // by real hosts, before
        LinkState& state = k.link(link);
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
    for (auto& task : state_->tasks) task->cluster.attended = !taps.empty() || !state_->timeline->links.empty();
}

void Simulator::show(LinkViews& views) const { views.show(state_->tasks[0]->cluster); }

void Simulator::watch(LinkId link, LinkTap& tap)
{
    state_->network.taps.emplace_back(link, &tap);
    for (auto& task : state_->tasks) task->cluster.attended = true;
}

void Simulator::record() { state_->scheduler->record(); }
Profile Simulator::profile() const { return state_->scheduler->profile(); }

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
    else
        run_events(tasks[0]->cluster, limit);
    if (scheduler && !timeline->empty())
        for (auto& task : tasks) task->settle();
    now = std::max(now, limit);
    for (auto& task : tasks) task->cluster.now = now;
}

// What it allocates is little, and so often as there are batches.
void Simulator::State::end_batch()
{
    AppStatistics all;
    all.workloads.resize(tasks[0]->cluster.statistics.workloads.size());
    all.servers.resize(tasks[0]->cluster.statistics.servers.size());
    for (auto& task : tasks) {
        const Cluster& k = task->cluster;
        for (std::size_t i = 0; i < all.workloads.size(); ++i) all.workloads[i].add(k.statistics.workloads[i]);
        app::collect(k, all, now);
    }
    all.settle_flows();
    counted.resize(all.workloads.size());  // the first batch has all that was counted
    batches.push_back(all.workloads);
    for (std::size_t i = 0; i < counted.size(); ++i) batches.back()[i].remove(counted[i]);
    counted = std::move(all.workloads);
    std::vector<LinkCounters>& links = batch_links.emplace_back();
    if (!measures_links(tasks[0]->cluster.image)) return;
    links = count_links();
    std::vector<LinkCounters> now_counted = links;
    for (LinkCounters& link : links) {
        const auto before =
            std::lower_bound(counted_links.begin(), counted_links.end(), link.link,
                             [](const LinkCounters& counters, LinkId id) { return counters.link < id; });
        if (before == counted_links.end() || before->link != link.link) continue;
        link.packets -= before->packets;
        link.dropped -= before->dropped;
        link.queue_delay -= before->queue_delay;
    }
    counted_links = std::move(now_counted);
}

// With what changing links have kept, but for fluid and for what is transmitted over the ends of the window.
std::vector<LinkCounters> Simulator::State::count_links() const
{
    std::vector<LinkCounters> links = network.counters();
    for (std::size_t i = 0; i < timeline->links.size(); ++i)
        for (const auto& task : tasks)
            add_transmitters(links, timeline->links[i], task->cluster.changes->transmitters()[i]);
    return links;
}

void Simulator::run_until(Time limit)
{
    const NetCounters& window = state_->tasks[0]->cluster.counters;
    // Up to the boundary, without the events at it.
    const auto reach = [&](Time boundary) {
        if (boundary <= state_->now || boundary > limit) return false;
        state_->run_until(boundary - 1);
        return true;
    };
    if (reach(window.begin)) state_->busy_at_begin = state_->network.busy_beyond(window.begin);
    while (state_->batches.size() < state_->batch_count && window.begin < window.end) {
        const auto ended = static_cast<unsigned>(state_->batches.size()) + 1;
        const auto length = static_cast<unsigned __int128>(window.end - window.begin);
        if (!reach(window.begin + static_cast<Time>(length * ended / state_->batch_count))) break;
        state_->end_batch();
    }
    if (reach(window.end)) state_->busy_at_end = state_->network.busy_beyond(window.end);
    state_->run_until(limit);
}

Time Simulator::now() const { return state_->now; }

void Simulator::inject(std::uint32_t endpoint, const Packet& packet, Time at)
{
    Cluster& k = state_->tasks[0]->cluster;
    PacketId id = k.packets.allocate();
    k.packets[id] = packet;
    k.packets[id].trail = 0;
    k.schedule(k.image.endpoints[endpoint].node, std::max(at, state_->now), timer_kind::injected, id);
}

BufferPool& Simulator::buffers() { return state_->tasks[0]->cluster.buffers; }

const Statistics& Simulator::statistics() const
{
    Statistics& all = state_->statistics;
    // The first one's are assigned, so that what was asked before stays where it is.
    const Cluster& first = state_->tasks[0]->cluster;
    static_cast<NetCounters&>(all) = first.counters;
    static_cast<AppStatistics&>(all) = first.statistics;
    all.retransmissions = 0;
    for (auto& task : state_->tasks) {
        const Cluster& k = task->cluster;
        if (&k != &first) {
            all.NetCounters::add(k.counters);
            all.AppStatistics::add(k.statistics);
        }
        app::collect(k, all, state_->now);
        all.retransmissions += k.retransmissions;
    }
    all.settle_flows();
    all.timeline_origin = state_->timeline_origin;
    all.batches = state_->batches;
    all.batch_links = state_->batch_links;
    all.batch_count = state_->batch_count;
    all.links = state_->count_links();
    if (state_->network.middleboxes) all.middleboxes = state_->network.middleboxes->counters(state_->now);
    if (state_->network.shared_buffers) all.buffers = state_->network.shared_buffers->counters(all);
    if (state_->network.airs) all.airs = state_->network.airs->counters();
    all.changing_links.clear();
    for (std::size_t i = 0; i < state_->timeline->links.size(); ++i) {
        ChangingLinkCounters& link = all.changing_links.emplace_back();
        link.link = state_->timeline->links[i].link;
        for (auto& task : state_->tasks) {
            const auto& lost = task->cluster.changes->lost_packets()[i];
            link.lost += lost[0] + lost[1];
        }
        link.down = Timeline::downtime(state_->timeline->links[i], state_->now - all.timeline_origin);
    }
    if (state_->network.fluid) state_->network.fluid->count(all.links, state_->now);
    add_carried(all.links, state_->busy_at_begin, 1);
    add_carried(all.links, state_->now < all.end ? state_->network.busy_beyond(state_->now) : state_->busy_at_end, -1);
    return all;
}

Second Simulator::second(std::size_t since_start) const
{
    Second sum;
    for (auto& task : state_->tasks) {
        const std::vector<Second>& series = task->cluster.statistics.series;
        if (since_start < series.size()) sum.add(series[since_start]);
    }
    return sum;
}

std::vector<const WorkloadStatistics*> Simulator::counted(std::uint32_t workload) const
{
    std::vector<const WorkloadStatistics*> all;
    for (const auto& task : state_->tasks) all.push_back(&task->cluster.statistics.workloads[workload]);
    return all;
}

std::uint64_t Simulator::digest() const
{
    std::uint64_t sum = 0;
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
