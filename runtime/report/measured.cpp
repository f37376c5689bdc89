// What is asked of a workload's figures, whatever its kind.
#include "report/figures.h"

namespace anml::rt {

const ResponseTimes* times_of(const WorkloadFigures& w)
{
    switch (w.kind) {
        case app::Figures::calls:
            return &w.calls->time;
        case app::Figures::transactions:
        case app::Figures::flows:
            return &w.transactions.response;
        case app::Figures::datagrams:
            return &w.datagrams.delay;
        case app::Figures::echoes:
            return &w.echoes.round_trip;
        case app::Figures::fluid:
        case app::Figures::none:
            break;
    }
    return nullptr;
}

std::uint64_t completed(const WorkloadFigures& w)
{
    switch (w.kind) {
        case app::Figures::datagrams:
            return w.datagrams.received;
        case app::Figures::echoes:
            return w.echoes.received;
        case app::Figures::calls:
            return w.calls->completed;
        default:
            return w.transactions.completed;
    }
}

std::optional<double> failed_share(const WorkloadFigures& w)
{
    if (w.kind == app::Figures::datagrams) return w.datagrams.lost_share;
    if (w.kind == app::Figures::echoes) return w.echoes.lost_share;
    if (w.kind == app::Figures::fluid) return w.fluid.lost_share;
    const auto failed = static_cast<double>(w.calls ? w.calls->failed : w.transactions.failed()),
               all = static_cast<double>(completed(w)) + failed;
    return all > 0 ? std::optional(failed / all) : std::nullopt;
}

std::optional<double> throughput(const WorkloadFigures& w)
{
    if (w.kind == app::Figures::datagrams) return w.datagrams.throughput_bps;
    if (w.kind == app::Figures::flows) return w.flows.goodput_bps;
    if (w.kind == app::Figures::fluid) return w.fluid.carried_bps;
    if (w.kind == app::Figures::transactions || w.calls) return w.transactions.throughput_bps;
    return std::nullopt;
}

}  // namespace anml::rt
