#include "app/datagrams/cbr.h"

#include <cmath>

#include "app/cluster.h"
#include "app/of_workload.h"
#include "app/phase.h"
#include "net/samples.h"

namespace anml::rt::app::cbr {

namespace {

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

// 0: it is drawn.
double interval_of(const Cluster& k, std::uint32_t workload)
{
    const abi::Distribution& interval = row(k, workload).interval;
    return interval.kind == abi::DistributionKind::constant ? k.model.value(interval.a) : 0;
}

void draw_next(Cluster& k, CbrSender& sender)
{
    sender.first = k.now + draw_time(k.model, row(k, sender.to.workload).interval, k.seed, sender.to.node,
                                     Purpose::think, sender.to.workload, sender.to.sent,
                                     k.sampler_states.data() + sender.drawn);
}

// When its datagram of that number is due; kNever: it sends none.
Time due(const CbrSender& sender, std::uint64_t number)
{
    constexpr double kMost = 4e18;
    const double passed = (static_cast<double>(number) - sender.base) * sender.interval;
    if (!(passed > 0)) return sender.first;  // it was due when the rate changed, but for a part of a nanosecond
    return passed < kMost ? sender.first + std::llround(passed) : kNever;
}

void wait_for_next(Cluster& k, std::uint32_t index)
{
    const CbrSender& sender = k.cbr[index];
    const Time next = due(sender, sender.to.sent);
    if (next != kNever) k.schedule(sender.to.node, next, timer_of(Number::cbr), index);
}

std::pair<std::uint32_t, std::uint32_t> senders_of(const Cluster& k, std::uint32_t workload)
{
    return of_workload(k.cbr, workload, [](const CbrSender& sender) { return sender.to.workload; });
}

}  // namespace

// At another rate than the declared one a host that begins somewhere in its rhythm does so in that of the new rate.
void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    const double declared = interval_of(k, workload);
    const bool phase = k.image.workloads[workload].start == abi::Start::phase;
    for (auto [i, end] = senders_of(k, workload); i != end; ++i) {
        CbrSender& sender = k.cbr[i];
        if (!hosts.have(k.model, sender.to.node)) continue;
        sender.to.dormant = false;
        const Time wait = wait_to_begin(k.model, k.seed, workload, sender.to.node, sender.to.sent, k.passed());
        const double sent = static_cast<double>(sender.to.sent);
        if (sender.interval == declared) {
            sender.first = k.now + wait - std::llround(sent * declared);
            sender.base = 0;
        } else if (declared == 0) {
            sender.first = k.now + wait;
            sender.base = sent;
        } else {
            sender.first = k.now;
            sender.base = sent - static_cast<double>(wait) / (phase ? declared : sender.interval);
        }
        wait_for_next(k, i);
    }
}

void change_pace(Cluster& k, std::uint32_t workload, double rate)
{
    for (auto [i, end] = senders_of(k, workload); i != end; ++i) {
        CbrSender& sender = k.cbr[i];
        const double interval =
            rate == Timeline::kDeclared ? interval_of(k, workload) : datagram::interval_at(rate, sender.to);
        if (interval == sender.interval) continue;
        if (sender.interval == 0)
            sender.base = static_cast<double>(sender.to.sent) - 1;
        else
            sender.base += static_cast<double>(k.now - sender.first) / sender.interval;
        sender.first = k.now;
        sender.interval = interval;
        if (interval == 0) draw_next(k, sender);
        if (!sender.to.dormant) wait_for_next(k, i);
    }
}

void routes_changed(Cluster& k)
{
    for (CbrSender& sender : k.cbr) datagram::choose_link(k, sender.to);
}

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.cbr.size());
    k.cbr.push_back({first, 0, interval_of(k, workload), k.sampler_state(row(k, workload).interval),
                     datagram::sender(k, node, peer, workload, row(k, workload).payload, row(k, workload).fragments)});
    k.schedule(node, first, timer_of(Number::cbr), index);
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time at)
{
    CbrSender& sender = k.cbr[index];
    if (overtaken(at, due(sender, sender.to.sent))) return;
    if (!k.active(sender.to.workload, sender.to.node)) {
        sender.to.dormant = true;
        return;
    }
    datagram::send(k, sender.to);
    if (sender.interval == 0) draw_next(k, sender);
    wait_for_next(k, index);
}

}  // namespace anml::rt::app::cbr
