#include "app/datagrams/on_off.h"

#include <cmath>
#include <utility>

#include "app/cluster.h"
#include "app/of_workload.h"
#include "app/phase.h"
#include "net/samples.h"

namespace anml::rt::app::on_off {

namespace {

const Row& row(const Cluster& k, std::uint32_t workload) { return workload_row<Row>(k.image, workload); }

double interval_of(const Cluster& k, std::uint32_t workload) { return k.model.value(row(k, workload).interval); }

// The pause behind the period: drawn when it is known that the period ends before the next datagram, and once.
Time pause_of(Cluster& k, OnOffSender& sender)
{
    if (sender.pause == kNever)
        sender.pause = draw_time(k.model, row(k, sender.to.workload).pause, k.seed, sender.to.node, Purpose::silence,
                                 sender.to.workload, sender.periods - 1, k.sampler_states.data() + sender.off);
    return sender.pause;
}

// Has the next event come: the datagram that is due, or the period after the one that ends before it.
void wait(Cluster& k, std::uint32_t index)
{
    OnOffSender& sender = k.on_off[index];
    const double left = static_cast<double>(sender.until - k.now);
    sender.silent = sender.rest >= left;
    if (sender.silent) {
        sender.rest -= left;
        sender.due = sender.until + pause_of(k, sender);
    } else {
        sender.due = k.now + static_cast<Time>(sender.rest);
        sender.rest -= static_cast<double>(sender.due - k.now);  // less than a nanosecond is left
    }
    k.schedule(sender.to.node, sender.due, timer_of(Number::on_off), index);
}

std::pair<std::uint32_t, std::uint32_t> senders_of(const Cluster& k, std::uint32_t workload)
{
    return of_workload(k.on_off, workload, [](const OnOffSender& sender) { return sender.to.workload; });
}

}  // namespace

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first)
{
    const Row& values = row(k, workload);
    const auto index = static_cast<std::uint32_t>(k.on_off.size());
    OnOffSender& sender = k.on_off.emplace_back();
    sender.to = datagram::sender(k, node, peer, workload, values.payload, values.fragments);
    sender.on = k.sampler_state(values.burst);
    sender.off = k.sampler_state(values.pause);
    sender.due = first;
    sender.interval = interval_of(k, workload);
    k.schedule(node, first, timer_of(Number::on_off), index);
}

void timer(Cluster& k, std::uint32_t, std::uint32_t index, Time at)
{
    OnOffSender& sender = k.on_off[index];
    if (overtaken(at, sender.due)) return;
    const Row& values = row(k, sender.to.workload);
    if (!k.active(sender.to.workload, sender.to.node)) {
        sender.to.dormant = true;
        return;
    }
    if (sender.silent) {
        sender.pause = kNever;
        sender.until = k.now + draw_time(k.model, values.burst, k.seed, sender.to.node, Purpose::sending,
                                         sender.to.workload, sender.periods++, k.sampler_states.data() + sender.on);
    } else {
        datagram::send(k, sender.to);
        sender.rest += sender.interval;
    }
    wait(k, index);
}

void resume(Cluster& k, const Hosts& hosts)
{
    const std::uint32_t workload = hosts.workload;
    for (auto [i, end] = senders_of(k, workload); i != end; ++i) {
        OnOffSender& sender = k.on_off[i];
        if (!hosts.have(k.model, sender.to.node)) continue;
        sender.to.dormant = false;
        sender.silent = true;
        sender.until = k.now;
        sender.share = 0;
        sender.rest = std::isfinite(sender.interval) ? 0 : sender.interval;
        sender.due = k.now + wait_to_begin(k.model, k.seed, workload, sender.to.node, sender.periods, k.passed());
        k.schedule(sender.to.node, sender.due, timer_of(Number::on_off), i);
    }
}

// Sending time that is left until the next datagram passes at the new rate: also behind the end of a period, which may
// have room for it now.
void change_pace(Cluster& k, std::uint32_t workload, double rate)
{
    for (auto [i, end] = senders_of(k, workload); i != end; ++i) {
        OnOffSender& sender = k.on_off[i];
        const double interval =
            rate == Timeline::kDeclared ? interval_of(k, workload) : datagram::interval_at(rate, sender.to);
        if (interval == sender.interval) continue;
        const bool sends = sender.periods > 0 && k.now < sender.until && !sender.to.dormant;
        const double left =
            sender.rest + static_cast<double>((sender.silent ? sender.until : sender.due) - k.now) * sends;
        if (std::isfinite(sender.interval)) sender.share = left / sender.interval;
        sender.rest = std::isfinite(interval) ? sender.share * interval : interval;
        sender.interval = interval;
        if (sends) wait(k, i);
    }
}

void routes_changed(Cluster& k)
{
    for (OnOffSender& sender : k.on_off) datagram::choose_link(k, sender.to);
}

}  // namespace anml::rt::app::on_off
