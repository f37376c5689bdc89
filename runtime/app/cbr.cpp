#include "app/cbr.h"

#include <cmath>

#include "app/cluster.h"
#include "app/phase.h"

namespace anml::rt::app::cbr {

namespace {

const Row& row(const Cluster& k, std::uint32_t workload)
{
    return abi::row_of<Row>(k.image, k.image.workloads[workload].record);
}

double interval_of(const Cluster& k, std::uint32_t workload) { return k.model.value(row(k, workload).interval); }

// When its datagram of that number is due.
Time due(const CbrSender& sender, std::uint64_t number, double interval)
{
    return sender.first + std::llround(static_cast<double>(number) * interval);
}

}  // namespace

void resume(Cluster& k, std::uint32_t workload)
{
    const double interval = interval_of(k, workload);
    for (std::uint32_t i = 0; i < k.cbr.size(); ++i) {
        CbrSender& sender = k.cbr[i];
        if (sender.to.workload != workload) continue;
        sender.to.dormant = false;
        const Time next = k.now + wait_to_begin(k.model, k.seed, workload, sender.to.node, sender.to.sent);
        sender.first = next - std::llround(static_cast<double>(sender.to.sent) * interval);
        k.schedule(sender.to.node, next, timer_of(Number::cbr), i);
    }
}

void routes_changed(Cluster& k)
{
    for (CbrSender& sender : k.cbr) datagram::choose_link(k, sender.to);
}

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const auto index = static_cast<std::uint32_t>(k.cbr.size());
    k.cbr.push_back({first, datagram::sender(k, node, peer, workload, row(k, workload).payload)});
    k.schedule(node, first, timer_of(Number::cbr), index);
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time at)
{
    CbrSender& sender = k.cbr[index];
    const double interval = interval_of(k, sender.to.workload);
    if (overtaken(at, due(sender, sender.to.sent, interval))) return;
    if (!k.active(sender.to.workload)) {
        sender.to.dormant = true;
        return;
    }
    const Time next = due(sender, sender.to.sent + 1, interval);
    datagram::send(k, sender.to);
    k.schedule(sender.to.node, next, timer_of(Number::cbr), index);
}

}  // namespace anml::rt::app::cbr
