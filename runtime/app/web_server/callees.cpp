#include "app/web_server/callees.h"

#include <algorithm>

#include "kernel/random.h"

namespace anml::rt::app::callees {

bool available(const Cluster& k, const Callee& callee)
{
    return !callee.circuit_open || (k.now >= callee.opens && !callee.probing);
}

std::uint32_t pick(Cluster& k, Caller& caller, std::uint64_t number)
{
    const auto count = static_cast<std::uint32_t>(caller.to.size());
    const auto may = [&](std::uint32_t at) { return caller.to[at].chosen != number && available(k, caller.to[at]); };
    std::uint32_t found = kNone;
    if (values(k, caller).pick == calls::Row::Pick::at_random) {
        std::uint32_t there = 0;
        for (std::uint32_t at = 0; at < count; ++at) there += may(at);
        if (there == 0) return kNone;
        Draws draws(k.seed, caller.node, Purpose::pick, caller.workload, caller.draws++);
        auto left = std::min(static_cast<std::uint32_t>(draws.unit() * there), there - 1);
        for (std::uint32_t at = 0; at < count && found == kNone; ++at)
            if (may(at) && left-- == 0) found = at;
        return found;
    }
    const bool least = values(k, caller).pick == calls::Row::Pick::least_busy;
    for (std::uint32_t step = 0; step < count; ++step) {
        const std::uint32_t at = (caller.next + step) % count;
        if (!may(at) || (found != kNone && caller.to[at].open >= caller.to[found].open)) continue;
        found = at;
        if (!least) break;
    }
    if (found != kNone) caller.next = (found + 1) % count;
    return found;
}

void judge(Cluster& k, Caller& caller, const Ask& ask, bool failed)
{
    const calls::Row& row = values(k, caller);
    Callee& callee = caller.to[ask.callee];
    const std::uint64_t breaker = k.model.integer(row.breaker);
    if (breaker == 0) return;
    if (ask.probe) callee.probing = false;
    if (!failed) {
        callee.failed = 0;
        if (ask.probe) callee.circuit_open = false;
        return;
    }
    if (!ask.probe && (callee.circuit_open || ++callee.failed < breaker)) return;
    callee.circuit_open = true;
    callee.opens = k.now + k.model.time(row.open_for);
    counted(k, caller).circuits_opened += k.measuring();
}

}  // namespace anml::rt::app::callees
