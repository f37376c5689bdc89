#include "app/web/open_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/of_workload.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "app/web/schedule.h"
#include "app/web_client/transaction.h"
#include "app/web_client/web_connection.h"
#include "app/web_client/web_exchange.h"
#include "app/web_client/web_origins.h"
#include "net/samples.h"

namespace anml::rt::app::open_loop {

enum Timer : std::uint32_t { kDue, kWaiting };

static const Row& values(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

bool is_open_loop(const Cluster& k, std::uint32_t workload)
{
    const abi::RecordSchema schema = abi::schema_of(k.image, k.image.workloads[workload].record);
    return schema == Row::kSchema || schema == abi::RecordSchema::replay;
}

// Of a host at a time; 0: any number.
static std::uint64_t most_connections(const Cluster& k, std::uint32_t workload)
{
    const std::uint32_t record = k.image.workloads[workload].record;
    const bool replays = abi::schema_of(k.image, record) == abi::RecordSchema::replay;
    return k.model.integer(replays ? abi::row_of<abi::record::replay>(k.image, record).connections
                                   : values(k, workload).connections);
}

static bool repeats(const Cluster& k, const Row& row) { return k.model.value(row.repeat) != 0; }

// The sources' work is counted: under a schedule, and when the timeline has changed the load.
static bool counts_work(const Cluster& k, std::uint32_t workload)
{
    const std::vector<OpenPace>& paces = k.open_loop.paces;
    return values(k, workload).schedule.count != 0 || (facts.timeline && !paces.empty() && paces[workload].changed);
}

// The schedule's work by a time since the workloads' start: without one, that time.
static double scheduled(const Cluster& k, const Row& row, Time passed)
{
    const bool constant = row.schedule.count == 0;
    return static_cast<double>(constant ? passed
                                        : schedule::work_until(k.model, row.schedule, repeats(k, row), passed));
}

static double work_until(const Cluster& k, std::uint32_t workload, Time passed)
{
    const Row& row = values(k, workload);
    if (!facts.timeline || k.open_loop.paces.empty()) return scheduled(k, row, passed);
    const OpenPace& pace = k.open_loop.paces[workload];
    return pace.work + pace.factor * (scheduled(k, row, passed) - scheduled(k, row, pace.since));
}

// From the workloads' start; kNever: there will not be so much.
static Time time_of(const Cluster& k, std::uint32_t workload, Time work)
{
    constexpr double kMost = 4e18;
    const Row& row = values(k, workload);
    auto own = static_cast<double>(work);
    if (facts.timeline && !k.open_loop.paces.empty()) {
        const OpenPace& pace = k.open_loop.paces[workload];
        if (pace.factor == 0) return kNever;
        own = scheduled(k, row, pace.since) + (own - pace.work) / pace.factor;
    }
    if (row.schedule.count != 0) return schedule::time_of(k.model, row.schedule, repeats(k, row), own);
    return own < kMost ? std::llround(own) : kNever;
}

static void wait_for_work(Cluster& k, std::uint32_t index)
{
    OpenSource& source = k.open_loop.sources[index];
    source.next = kNever;
    const Time due = time_of(k, source.workload, source.work);
    if (due == kNever) return;
    source.next = std::max(k.now, k.statistics.origin + due);
    k.schedule(source.node, source.next, timer_of(Number::open_loop, kDue), index);
}

// The next transaction is due an interval behind `from`: where work is counted, an interval of that.
static void come_after(Cluster& k, std::uint32_t index, Time from, Time interval)
{
    OpenSource& source = k.open_loop.sources[index];
    if (counts_work(k, source.workload)) {
        source.work += interval;
        return wait_for_work(k, index);
    }
    source.next = from + interval;
    k.schedule(source.node, source.next, timer_of(Number::open_loop, kDue), index);
}

std::uint32_t add_source(Cluster& k, NodeId node, std::uint32_t workload)
{
    OpenSource& source = k.open_loop.sources.emplace_back();
    source.node = node;
    source.workload = workload;
    source.memory = web_exchange::make_memory(k, workload);
    source.choices = k.take_sampler_words(closed_loop::choice_words(k, k.image.workloads[workload]));
    if (http2_client::speaks(k.model, workload)) source.home = http2_client::make(k, node, workload, 0);
    return static_cast<std::uint32_t>(k.open_loop.sources.size() - 1);
}

void start(Cluster& k, NodeId node, NodeId, std::uint32_t workload, Time first)
{
    const std::uint32_t index = add_source(k, node, workload);
    k.open_loop.sources[index].state = k.sampler_state(values(k, workload).interval);
    come_after(k, index, k.statistics.origin, first - k.statistics.origin);
}

static bool rests(const Cluster& k, const Client& client)
{
    return client.connection != kNone && web_connection::any_open(k, client);
}

// One on a connection; else one without. Those whose connection has been closed since are without.
static std::uint32_t take_client(Cluster& k, OpenSource& source)
{
    while (source.resting != kNone) {
        const std::uint32_t at = source.resting;
        source.resting = k.closed_loop.clients[at].next;
        if (rests(k, k.closed_loop.clients[at])) return at;
        k.open_loop.idle.push_back(at);
    }
    if (k.open_loop.idle.empty()) {
        k.closed_loop.clients.emplace_back();
        return static_cast<std::uint32_t>(k.closed_loop.clients.size() - 1);
    }
    const std::uint32_t at = k.open_loop.idle.back();
    k.open_loop.idle.pop_back();
    return at;
}

static void put_in_line(Cluster& k, OpenSource& source, std::uint32_t document)
{
    OpenLoops& loops = k.open_loop;
    std::uint32_t at = loops.free_due;
    if (at == kNone) {
        at = static_cast<std::uint32_t>(loops.due.size());
        loops.due.emplace_back();
    } else {
        loops.free_due = loops.due[at].next;
    }
    loops.due[at] = {k.now, document, kNone};
    (source.first_due == kNone ? source.first_due : loops.due[source.last_due].next) = at;
    source.last_due = at;
}

// The first in line.
static DueTransaction take_from_line(Cluster& k, OpenSource& source)
{
    OpenLoops& loops = k.open_loop;
    const std::uint32_t at = source.first_due;
    source.first_due = std::exchange(loops.due[at].next, loops.free_due);
    loops.free_due = at;
    return loops.due[at];
}

static void begin(Cluster& k, std::uint32_t index, const DueTransaction& due)
{
    OpenSource& source = k.open_loop.sources[index];
    const std::uint32_t at = take_client(k, source);
    Client& client = k.closed_loop.clients[at];
    web_origins::turn(client, 0);
    client.node = source.node;
    client.workload = source.workload;
    client.first = at;
    client.begun = source.transactions++;
    client.due = due.at;
    client.wanted = due.document;
    client.state = index;
    client.choices = source.choices;
    client.memory = source.memory;
    client.home = source.home;
    ++source.under_way;
    k.statistics.workloads[source.workload].offered.late += k.measuring() && due.at != k.now;
    if (source.home != kNone || transaction::requests(k, client) == 1)
        client.connection = kNone;
    else if (client.connection == kNone || client.places < web_origins::places(k.web_origins, source.workload))
        client.connection = web_connection::make(k, at);
    closed_loop::begin(k, at);
}

static bool has_room(const Cluster& k, const OpenSource& source)
{
    const std::uint64_t most = most_connections(k, source.workload);
    return most == 0 || source.under_way < most;
}

static void begin_waiting(Cluster& k, std::uint32_t index)
{
    OpenSource& source = k.open_loop.sources[index];
    while (source.first_due != kNone && k.active(source.workload, source.node) && has_room(k, source))
        begin(k, index, take_from_line(k, source));
}

void go_on(Cluster& k, std::uint32_t index)
{
    const OpenSource& source = k.open_loop.sources[index];
    if (source.first_due != kNone) k.schedule(source.node, k.now, timer_of(Number::open_loop, kWaiting), index);
}

void finished(Cluster& k, std::uint32_t index, bool complete)
{
    Client& client = k.closed_loop.clients[index];
    if (complete) count_from_due(k, client.workload, client.due);
    OpenSource& source = k.open_loop.sources[client.state];
    --source.under_way;
    go_on(k, client.state);
    if (!rests(k, client)) {
        k.open_loop.idle.push_back(index);
        return;
    }
    client.next = source.resting;
    source.resting = index;
    web_connection::rests(k, client.connection, kNever);
}

void arrive(Cluster& k, std::uint32_t index, std::uint32_t document)
{
    OpenSource& source = k.open_loop.sources[index];
    ++source.arrivals;
    k.statistics.workloads[source.workload].offered.due += k.measuring();
    if (source.first_due == kNone && has_room(k, source))
        begin(k, index, {k.now, document, kNone});
    else
        put_in_line(k, source, document);
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    if (which == kWaiting) return begin_waiting(k, index);
    OpenSource& source = k.open_loop.sources[index];
    if (overtaken(at, source.next)) return;
    source.next = kNever;
    if (!k.active(source.workload, source.node)) {
        source.dormant = true;
        return;
    }
    arrive(k, index, kNone);
    come_after(k, index, k.now,
               draw_time(k.model, values(k, source.workload).interval, k.seed, source.node, Purpose::think,
                         source.workload, source.arrivals, k.sampler_states.data() + source.state));
}

static std::pair<std::uint32_t, std::uint32_t> sources_of(const Cluster& k, std::uint32_t workload)
{
    return of_workload(k.open_loop.sources, workload, [](const OpenSource& source) { return source.workload; });
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (auto [i, end] = sources_of(k, workload); i != end; ++i) {
        OpenSource& source = k.open_loop.sources[i];
        if (!hosts.have(k.model, source.node)) continue;
        go_on(k, i);
        if (!std::exchange(source.dormant, false) && source.next == kNever) continue;  // there is no load
        const Time wait = wait_to_begin(k.model, k.seed, workload, source.node, source.arrivals, k.passed());
        if (counts_work(k, workload)) source.work = std::llround(work_until(k, workload, k.now - k.statistics.origin));
        come_after(k, i, k.now, wait);
    }
}

// What waits for its work goes on under the new load.
void change_pace(Cluster& k, std::uint32_t workload, double load)
{
    OpenLoops& loops = k.open_loop;
    if (loops.paces.empty()) loops.paces.resize(k.image.workload_count);
    const double factor = load == Timeline::kDeclared ? 1 : load;
    const Time passed = k.now - k.statistics.origin;
    const bool counted = counts_work(k, workload);
    OpenPace& pace = loops.paces[workload];
    if (factor == pace.factor) return;
    pace = {passed, factor, work_until(k, workload, passed), true};
    for (auto [i, end] = sources_of(k, workload); i != end; ++i) {
        OpenSource& source = loops.sources[i];
        if (source.dormant) continue;
        if (!counted) source.work = source.next - k.statistics.origin;
        wait_for_work(k, i);
    }
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    const OpenLoops& loops = k.open_loop;
    for (const OpenSource& source : loops.sources) {
        WorkloadStatistics& statistics = all.workloads[source.workload];
        for (std::uint32_t i = source.first_due; i != kNone; i = loops.due[i].next) {
            ++statistics.offered.waiting;
            statistics.offered.ages.push_back(now - loops.due[i].at);
        }
    }
    for (const Client& client : k.closed_loop.clients)
        if (client.open && is_open_loop(k, client.workload))
            all.workloads[client.workload].offered.ages.push_back(now - client.due);
}

}  // namespace anml::rt::app::open_loop
