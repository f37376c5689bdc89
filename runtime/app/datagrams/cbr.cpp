#include "app/datagrams/cbr.h"

#include <cmath>

#include "app/cluster.h"
#include "app/of_workload.h"
#include "app/phase.h"

namespace anml::rt::app::cbr {

namespace {

const Row& row(const Cluster& k, std::uint32_t workload)
{
    return abi::row_of<Row>(k.image, k.image.workloads[workload].record);
}

double interval_of(const Cluster& k, std::uint32_t workload) { return k.model.value(row(k, workload).interval); }

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
        sender.base += static_cast<double>(k.now - sender.first) / sender.interval;
        sender.first = k.now;
        sender.interval = interval;
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
    k.cbr.push_back({first, 0, interval_of(k, workload),
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
    wait_for_next(k, index);
}

}  // namespace anml::rt::app::cbr
