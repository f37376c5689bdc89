#include "app/open_loop.h"

#include <algorithm>
#include <utility>

#include "app/cluster.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "app/schedule.h"
#include "app/transaction.h"
#include "app/web_connection.h"
#include "app/web_exchange.h"
#include "net/samples.h"

namespace anml::rt::app::open_loop {

enum Timer : std::uint32_t { kDue, kWaiting };

static const Row& values(const Cluster& k, std::uint32_t workload)
{
    return abi::row_of<Row>(k.image, k.image.workloads[workload].record);
}

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

// The next transaction is due an interval behind `from`: under a schedule, an interval of its work.
static void come_after(Cluster& k, std::uint32_t index, Time from, Time interval)
{
    OpenSource& source = k.open_loop.sources[index];
    const Row& row = values(k, source.workload);
    Time next = from + interval;
    if (row.schedule.count != 0) {
        source.work += interval;
        const Time due = schedule::time_of(k.model, row.schedule, repeats(k, row), source.work);
        source.next = kNever;
        if (due == kNever) return;
        next = std::max(k.now, k.statistics.origin + due);
    }
    source.next = next;
    k.schedule(source.node, next, timer_of(Number::open_loop, kDue), index);
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
    return client.connection != kNone && web_connection::open(k.closed_loop.connections[client.connection]);
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
    k.statistics.workloads[source.workload].late += k.measuring() && due.at != k.now;
    if (source.home != kNone || transaction::requests(k, client) == 1)
        client.connection = kNone;
    else if (client.connection == kNone)
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
    while (source.first_due != kNone && k.active(source.workload) && has_room(k, source))
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
    k.statistics.workloads[source.workload].due += k.measuring();
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
    if (!k.active(source.workload)) {
        source.dormant = true;
        return;
    }
    arrive(k, index, kNone);
    come_after(k, index, k.now,
               draw_time(k.model, values(k, source.workload).interval, k.seed, source.node, Purpose::think,
                         source.workload, source.arrivals, k.sampler_states.data() + source.state));
}

void resume(Cluster& k, std::uint32_t workload)
{
    for (std::uint32_t i = 0; i < k.open_loop.sources.size(); ++i) {
        OpenSource& source = k.open_loop.sources[i];
        if (source.workload != workload) continue;
        go_on(k, i);
        if (!std::exchange(source.dormant, false) && source.next == kNever) continue;  // its schedule is over
        const Time wait = wait_to_begin(k.model, k.seed, workload, source.node, source.arrivals);
        if (const Row& row = values(k, workload); row.schedule.count != 0)
            source.work = schedule::work_until(k.model, row.schedule, repeats(k, row), k.now - k.statistics.origin);
        come_after(k, i, k.now, wait);
    }
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    const OpenLoops& loops = k.open_loop;
    for (const OpenSource& source : loops.sources) {
        WorkloadStatistics& statistics = all.workloads[source.workload];
        for (std::uint32_t i = source.first_due; i != kNone; i = loops.due[i].next) {
            ++statistics.waiting;
            statistics.due_ages.push_back(now - loops.due[i].at);
        }
    }
    for (const Client& client : k.closed_loop.clients)
        if (client.open && is_open_loop(k, client.workload))
            all.workloads[client.workload].due_ages.push_back(now - client.due);
}

}  // namespace anml::rt::app::open_loop
