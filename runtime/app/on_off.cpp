#include "app/on_off.h"

#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/phase.h"
#include "net/samples.h"

namespace anml::rt::app::on_off {

namespace {

const Row& row(const Cluster& k, std::uint32_t workload)
{
    return abi::row_of<Row>(k.image, k.image.workloads[workload].record);
}

// Has the next event come: the datagram that is due, or the period after the one that ends before it.
void wait(Cluster& k, std::uint32_t index)
{
    OnOffSender& sender = k.on_off[index];
    const Time due = k.now + static_cast<Time>(sender.rest);
    Time next = due;
    sender.silent = due >= sender.until;
    if (sender.silent) {
        sender.rest -= static_cast<double>(sender.until - k.now);
        next = sender.until + draw_time(k.model, row(k, sender.to.workload).pause, k.seed, sender.to.node,
                                        Purpose::silence, sender.to.workload, sender.periods - 1,
                                        k.sampler_states.data() + sender.off);
    } else {
        sender.rest -= static_cast<double>(due - k.now);  // less than a nanosecond is left
    }
    sender.due = next;
    k.schedule(sender.to.node, next, timer_of(Number::on_off), index);
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const Row& values = row(k, workload);
    const auto index = static_cast<std::uint32_t>(k.on_off.size());
    OnOffSender& sender = k.on_off.emplace_back();
    sender.to = datagram::sender(k, node, peer, workload, values.payload);
    sender.on = k.sampler_state(values.burst);
    sender.off = k.sampler_state(values.pause);
    sender.due = first;
    k.schedule(node, first, timer_of(Number::on_off), index);
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time at)
{
    OnOffSender& sender = k.on_off[index];
    if (overtaken(at, sender.due)) return;
    const Row& values = row(k, sender.to.workload);
    if (!k.active(sender.to.workload)) {
        sender.to.dormant = true;
        return;
    }
    if (sender.silent) {
        sender.until = k.now + draw_time(k.model, values.burst, k.seed, sender.to.node, Purpose::sending,
                                         sender.to.workload, sender.periods++, k.sampler_states.data() + sender.on);
    } else {
        datagram::send(k, sender.to);
        sender.rest += k.model.value(values.interval);
    }
    wait(k, index);
}

void resume(Cluster& k, std::uint32_t workload)
{
    for (std::uint32_t i = 0; i < k.on_off.size(); ++i) {
        OnOffSender& sender = k.on_off[i];
        if (sender.to.workload != workload) continue;
        sender.to.dormant = false;
        sender.silent = true;
        sender.rest = 0;
        sender.due = k.now + wait_to_begin(k.model, k.seed, workload, sender.to.node, sender.periods);
        k.schedule(sender.to.node, sender.due, timer_of(Number::on_off), i);
    }
}

void routes_changed(Cluster& k)
{
    for (OnOffSender& sender : k.on_off) datagram::choose_link(k, sender.to);
}

}  // namespace anml::rt::app::on_off
