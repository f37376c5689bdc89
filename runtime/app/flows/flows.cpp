#include "app/flows/flows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/flows/flow_peers.h"
#include "app/of_workload.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "net/samples.h"
#include "transport/tcp.h"

namespace anml::rt::app::flows {

namespace {

enum FlowTimer : std::uint32_t { kArrival, kRoom };

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

std::uint32_t take_record(Cluster& k)
{
    Flows& all = k.flows;
    if (all.free_flow == kNone) {
        all.flows.emplace_back();
        return static_cast<std::uint32_t>(all.flows.size() - 1);
    }
    return std::exchange(all.free_flow, all.flows[all.free_flow].next);
}

void give_back(Cluster& k, std::uint32_t at)
{
    k.flows.flows[at] = {.next = k.flows.free_flow};
    k.flows.free_flow = at;
}

bool has_room(const Cluster& k, const FlowSource& source)
{
    const std::uint64_t most = k.model.integer(row(k, source.workload).connections);
    return most == 0 || source.under_way < most;
}

// The sender is through with it, whatever came of it.
void end(Cluster& k, std::uint32_t at, std::optional<FailureCause> failure)
{
    const FlowRecord flow = k.flows.flows[at];
    FlowSource& source = k.flows.sources[flow.source];
    WorkloadStatistics& statistics = k.statistics.workloads[source.workload];
    give_back(k, at);
    --source.under_way;
    --statistics.in_progress;
    if (failure) {
        count_in_series(k, flow.at, failure);
        if (k.measuring()) statistics.failures[static_cast<std::size_t>(*failure)].record(k.now - flow.at);
    }
    if (source.first_due != kNone) k.schedule(source.node, k.now, timer_of(Number::flows, kRoom), flow.source);
}

// Ends the flow of a connection that is still there; what becomes of that is nobody's business any more.
void end(Cluster& k, tcp::Connection& c, std::optional<FailureCause> failure)
{
    const std::uint32_t at = std::exchange(c.owner, kNone);
    if (at == kNone) return;
    if (k.records_connections) [[unlikely]]
        connection_records::note_transfer(k, c, failure);
    end(k, at, failure);
}

void begin(Cluster& k, std::uint32_t at)
{
    FlowRecord& flow = k.flows.flows[at];
    FlowSource& source = k.flows.sources[flow.source];
    WorkloadStatistics& statistics = k.statistics.workloads[source.workload];
    flow.at = k.now;
    flow.open = true;
    ++source.begun;
    ++source.under_way;
    ++statistics.in_progress;
    if (k.measuring()) statistics.flows.most.add({source.under_way});
    const abi::WorkloadRow& workload = k.image.workloads[source.workload];
    const Address remote = k.model.address(flow.peer, workload.ipv6 != 0);
    const auto port = static_cast<std::uint16_t>(workload.port);
    const tcp::Opened opened = tcp::connect(k, owner_number(Number::flows), source.node, remote, port,
                                            static_cast<std::uint8_t>(workload.traffic_class));
    if (k.records_connections) [[unlikely]]
        connection_records::note_begun(k, source.workload, source.node, remote, port, opened);
    if (!opened) return end(k, at, cause_of(opened.failure));
    tcp::Connection& c = k.tcp.connections[opened.slot];
    c.owner = at;
    k.flows.flows[at].port = c.local_port;
}

void put_in_line(Cluster& k, std::uint32_t at)
{
    FlowRecord& flow = k.flows.flows[at];
    FlowSource& source = k.flows.sources[flow.source];
    flow.next = kNone;
    (source.first_due == kNone ? source.first_due : k.flows.flows[source.last_due].next) = at;
    source.last_due = at;
}

// Those that wait begin, as many as there is room for.
void go_on(Cluster& k, std::uint32_t index)
{
    FlowSource& source = k.flows.sources[index];
    while (source.first_due != kNone && has_room(k, source) && k.active(source.workload, source.node)) {
        const std::uint32_t at = source.first_due;
        FlowRecord& flow = k.flows.flows[at];
        source.first_due = flow.next;
        if (k.measuring() && k.now > flow.at) {
            WorkloadStatistics& statistics = k.statistics.workloads[source.workload];
            ++statistics.offered.late;
            statistics.flows.waited.record(k.now - flow.at);
        }
        begin(k, at);
    }
}

void arrive(Cluster& k, std::uint32_t index)
{
    FlowSource& source = k.flows.sources[index];
    const std::uint64_t count = flow_peers::at_once(k, source);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t number = source.arrivals * count + i;
        const std::uint32_t at = take_record(k);
        k.flows.flows[at] = {
            .at = k.now, .number = number, .source = index, .peer = flow_peers::choose(k, source, number)};
        k.statistics.workloads[source.workload].offered.due += k.measuring();
        put_in_line(k, at);
    }
    ++source.arrivals;
    go_on(k, index);
}

// The next arrival comes so much of an interval from now, as the load has it.
void wait_for(Cluster& k, std::uint32_t index, double interval)
{
    constexpr double kMost = 4e18;
    FlowSource& source = k.flows.sources[index];
    const double load = facts.timeline ? flow_peers::of(k, source.workload).load : 1;
    source.next = kNever;
    source.left = interval;
    if (load == 0 || interval / load > kMost) return;
    source.next = k.now + std::llround(interval / load);
    k.schedule(source.node, source.next, timer_of(Number::flows, kArrival), index);
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.flows.sources.size());
    const Row& values = row(k, workload);
    FlowSource& source = k.flows.sources.emplace_back();
    source.node = node;
    source.peer = peer;
    source.workload = workload;
    source.own = flow_peers::place(k, workload, node);
    source.intervals = k.sampler_state(values.interval);
    source.amounts = k.sampler_state(values.size);
    source.next = first;
    k.schedule(node, first, timer_of(Number::flows, kArrival), index);
}

void timer(Cluster& k, std::uint32_t which, std::uint32_t index, Time at)
{
    if (which == kRoom) return go_on(k, index);
    FlowSource& source = k.flows.sources[index];
    if (overtaken(at, source.next)) return;
    source.next = kNever;
    if (!k.active(source.workload, source.node)) {
        source.dormant = true;
        return;
    }
    arrive(k, index);
    const Time interval = draw_time(k.model, row(k, source.workload).interval, k.seed, source.node, Purpose::think,
                                    source.workload, source.arrivals, k.sampler_states.data() + source.intervals);
    wait_for(k, index, static_cast<double>(interval));
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    const auto [first, last] =
        of_workload(k.flows.sources, workload, [](const FlowSource& source) { return source.workload; });
    for (std::uint32_t i = first; i < last; ++i) {
        FlowSource& source = k.flows.sources[i];
        if (!hosts.have(k.model, source.node)) continue;
        if (source.first_due != kNone) k.schedule(source.node, k.now, timer_of(Number::flows, kRoom), i);
        if (!std::exchange(source.dormant, false) && source.next == kNever) continue;  // there is no load
        const Time wait = wait_to_begin(k.model, k.seed, workload, source.node, source.arrivals, k.passed());
        wait_for(k, i, static_cast<double>(wait));
    }
}

// What is left of an interval goes by as fast as the load says.
void change_pace(Cluster& k, std::uint32_t workload, double said)
{
    const double load = said == Timeline::kDeclared ? 1 : said;
    FlowPeers& peers = flow_peers::of(k, workload);
    const double before = std::exchange(peers.load, load);
    if (load == before) return;
    const auto [first, last] =
        of_workload(k.flows.sources, workload, [](const FlowSource& source) { return source.workload; });
    for (std::uint32_t i = first; i < last; ++i) {
        const FlowSource& source = k.flows.sources[i];
        if (source.dormant) continue;
        const bool waits = before != 0 && source.next != kNever;
        wait_for(k, i, waits ? static_cast<double>(source.next - k.now) * before : source.left);
    }
}

void established(Cluster& k, std::uint32_t slot)
{
    if (k.records_connections) [[unlikely]]
        connection_records::note_connected(k, slot);
    const FlowRecord& flow = k.flows.flows[k.tcp.connections[slot].owner];
    const FlowSource& source = k.flows.sources[flow.source];
    Draws draws(k.seed, source.node, Purpose::amount, source.workload, flow.number);
    const double size = sample(k.model, row(k, source.workload).size, draws, k.sampler_states.data() + source.amounts);
    const auto length = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(size)), 1);
    const std::uint64_t offset = static_cast<std::uint64_t>(flow.at) & content::kFlowTimes;
    if (k.records_connections) [[unlikely]]
        connection_records::note_offset(k, slot, offset);
    tcp::send(k, slot, {.content = content::flow(source.workload), .offset = offset, .length = length}, true);
}

void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) return;
    if (c.scoreboard == kNone) k.statistics.second(k.now).bytes += bytes;
    if (k.measuring()) k.flows.sources[k.flows.flows[c.owner].source].delivered += bytes;
}

void arrived(Cluster& k, std::uint32_t slot, std::uint32_t bytes)
{
    if (k.tcp.connections[slot].owner != kNone) k.statistics.second(k.now).bytes += bytes;
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (!c.all_acknowledged()) {  // it wants no more
        end(k, c, FailureCause::reset);
        return tcp::abort(k, slot);
    }
    if (c.owner != kNone) {
        const FlowRecord& flow = k.flows.flows[c.owner];
        if (k.attached(flow.peer))
            flow_sink::count_flow(k, k.flows.sources[flow.source].workload, k.now - flow.at, 0, 0);
    }
    end(k, c, std::nullopt);
    tcp::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    tcp::Connection& c = k.tcp.connections[slot];
    end(k, c, cause_of(c, failure));
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    const Flows& flows = k.flows;
    for (const FlowSource& source : flows.sources) {
        WorkloadStatistics& statistics = all.workloads[source.workload];
        statistics.delivered.push_back({source.node, source.delivered});
        for (std::uint32_t i = source.first_due; i != kNone; i = flows.flows[i].next) ++statistics.offered.waiting;
    }
    for (const FlowRecord& flow : flows.flows) {
        if (!flow.open) continue;
        const FlowSource& source = flows.sources[flow.source];
        all.workloads[source.workload].flows.open.push_back({source.node, flow.peer, flow.port, now - flow.at});
    }
}

}  // namespace anml::rt::app::flows
