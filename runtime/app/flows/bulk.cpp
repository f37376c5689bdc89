#include "app/flows/bulk.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/content.h"
#include "app/of_workload.h"
#include "app/outcome.h"
#include "app/phase.h"
#include "net/samples.h"
#include "transport/tcp.h"

namespace anml::rt::app::bulk {

namespace {

constexpr std::uint64_t kEndless = std::uint64_t{1} << 62;

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

bool endless(const Cluster& k, const Row& row)
{
    return row.size.kind == abi::DistributionKind::constant && k.model.integer(row.size.a) == 0;
}

// The sender's transfer has ended: counts it and has the next one begin, if there is to be one.
void end(Cluster& k, std::uint32_t index, std::optional<FailureCause> failure)
{
    BulkSender& sender = k.bulk[index];
    sender.open = false;
    sender.refusals = refusals(sender.refusals, failure);
    count_in_series(k, sender.started, failure);
    count(k, sender.workload, sender.started, failure);
    const Row& values = row(k, sender.workload);
    const std::uint64_t most = k.model.integer(values.transfers);
    if (most != 0 && sender.transfers >= most) return;
    const Time think = draw_time(k.model, values.think, k.seed, sender.node, Purpose::think, sender.workload,
                                 sender.transfers, k.sampler_states.data() + sender.state);
    sender.due = after_refusals(k.now + think, sender.started, sender.refusals);
    k.schedule(sender.node, sender.due, timer_of(Number::bulk), index);
}

// Ends the transfer of a connection that is still there; what becomes of it is nobody's business any more.
void end(Cluster& k, tcp::Connection& c, std::optional<FailureCause> failure)
{
    const std::uint32_t index = std::exchange(c.owner, kNone);
    if (index == kNone) return;
    if (k.records_connections) [[unlikely]]
        connection_records::note_transfer(k, c, failure);
    end(k, index, failure);
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.bulk.size());
    const std::uint32_t state = k.sampler_state(row(k, workload).think);
    const std::uint32_t amounts = k.sampler_state(row(k, workload).size);
    BulkSender& sender = k.bulk.emplace_back();
    sender.node = node;
    sender.destination = k.model.address_of_peer(k.image.workloads[workload], peer);
    sender.workload = workload;
    sender.state = state;
    sender.amounts = amounts;
    sender.due = first;
    k.schedule(node, first, timer_of(Number::bulk), index);
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time at)
{
    BulkSender& sender = k.bulk[index];
    if (overtaken(at, sender.due)) return;
    sender.due = kNever;
    const Row& values = row(k, sender.workload);
    if (!k.active(sender.workload, sender.node)) {
        sender.dormant = true;
        return;
    }
    sender.started = k.now;
    sender.open = !endless(k, values);
    ++sender.transfers;
    ++k.statistics.workloads[sender.workload].in_progress;
    const abi::WorkloadRow& workload = k.image.workloads[sender.workload];
    const auto port = static_cast<std::uint16_t>(workload.port);
    const tcp::Opened opened = tcp::connect(k, owner_number(Number::bulk), sender.node, sender.destination, port,
                                            static_cast<std::uint8_t>(workload.traffic_class));
    if (k.records_connections) [[unlikely]]
        connection_records::note_begun(k, sender.workload, sender.node, sender.destination, port, opened);
    if (!opened) {
        end(k, index, cause_of(opened.failure));
        return;
    }
    k.tcp.connections[opened.slot].owner = index;
    if (const Time limit = k.model.time(values.connect_timeout); limit > 0)
        tcp::set_application_timer(k, opened.slot, k.now + limit);
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (std::uint32_t i = 0; i < k.bulk.size(); ++i) {
        BulkSender& sender = k.bulk[i];
        if (sender.workload != workload || !hosts.have(k.model, sender.node)) continue;
        if (!std::exchange(sender.dormant, false) && sender.due == kNever) continue;  // a transfer is under way
        sender.due = k.now + wait_to_begin(k.model, k.seed, workload, sender.node, sender.transfers, k.passed());
        k.schedule(sender.node, sender.due, timer_of(Number::bulk), i);
    }
}

// By sender, so that the order of what is sent does not depend on that of the connections.
void stop(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    if (!endless(k, row(k, workload))) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> slots;
    for (std::uint32_t slot = 0; slot < k.tcp.connections.size(); ++slot) {
        const tcp::Connection& c = k.tcp.connections[slot];
        const bool open = c.state != tcp::State::free && c.app == owner_number(Number::bulk) && c.owner != kNone;
        if (!open || k.bulk[c.owner].workload != workload) continue;
        if (hosts.have(k.model, k.bulk[c.owner].node)) slots.emplace_back(c.owner, slot);
    }
    std::sort(slots.begin(), slots.end());
    for (const auto& [sender, slot] : slots) {
        k.tcp.connections[slot].owner = kNone;
        k.bulk[sender].dormant = true;
        --k.statistics.workloads[workload].in_progress;
        tcp::abort(k, slot);
    }
}

void established(Cluster& k, std::uint32_t slot)
{
    if (k.records_connections) [[unlikely]]
        connection_records::note_connected(k, slot);
    const BulkSender& sender = k.bulk[k.tcp.connections[slot].owner];
    const Row& values = row(k, sender.workload);
    if (!tcp::connecting(k.tcp.connections[slot])) tcp::set_application_timer(k, slot, kNever);
    if (endless(k, values)) {
        tcp::send(k, slot, {.content = content::kZeros, .length = kEndless}, false);
        return;
    }
    Draws draws(k.seed, sender.node, Purpose::amount, sender.workload, sender.transfers);
    const double size = sample(k.model, values.size, draws, k.sampler_states.data() + sender.amounts);
    const auto length = std::max<std::uint64_t>(static_cast<std::uint64_t>(std::llround(size)), 1);
    tcp::send(k, slot, {.content = content::kZeros, .length = length}, true);
}

void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes)
{
    const tcp::Connection& c = k.tcp.connections[slot];
    if (c.owner == kNone) return;
    if (c.scoreboard == kNone) k.statistics.second(k.now).bytes += bytes;
    if (k.measuring()) k.bulk[c.owner].delivered += bytes;
}

void arrived(Cluster& k, std::uint32_t slot, std::uint32_t bytes)
{
    if (k.tcp.connections[slot].owner != kNone) k.statistics.second(k.now).bytes += bytes;
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.all_acknowledged()) {
        end(k, c, std::nullopt);
        tcp::close(k, slot);
    } else {  // it wants no more
        end(k, c, FailureCause::reset);
        tcp::abort(k, slot);
    }
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    tcp::Connection& c = k.tcp.connections[slot];
    end(k, c, cause_of(c, failure));
}

void connection_timer(Cluster& k, std::uint32_t slot)
{
    if (!tcp::connecting(k.tcp.connections[slot])) return;
    end(k, k.tcp.connections[slot], FailureCause::connect);
    tcp::abort(k, slot);
}

void collect(const Cluster& k, AppStatistics& all, Time now)
{
    for (const BulkSender& sender : k.bulk) {
        all.workloads[sender.workload].delivered.push_back({sender.node, sender.delivered});
        if (sender.open) all.workloads[sender.workload].open_ages.push_back(now - sender.started);
    }
}

}  // namespace anml::rt::app::bulk

namespace anml::rt::app::bulk_sink {

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner)
{
    owner = kNone;
    return k.ports.open(protocol::tcp, node, port);
}

void peer_closed(Cluster& k, std::uint32_t slot) { tcp::close(k, slot); }

}  // namespace anml::rt::app::bulk_sink
