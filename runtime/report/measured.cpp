// What is asked of a workload's figures, whatever its kind.
#include "report/figures.h"

namespace anml::rt {

const ResponseTimes* times_of(const WorkloadFigures& w)
{
    switch (w.kind) {
        case app::FigureKind::calls:
            return &w.calls->time;
        case app::FigureKind::transactions:
        case app::FigureKind::flows:
            return &w.transactions.response;
        case app::FigureKind::datagrams:
            return &w.datagrams.delay;
        case app::FigureKind::echoes:
            return &w.echoes.round_trip;
        case app::FigureKind::fluid:
        case app::FigureKind::none:
            break;
    }
    return nullptr;
}

std::uint64_t completed(const WorkloadFigures& w)
{
    switch (w.kind) {
        case app::FigureKind::datagrams:
            return w.datagrams.received;
        case app::FigureKind::echoes:
            return w.echoes.received;
        case app::FigureKind::calls:
            return w.calls->completed;
        default:
            return w.transactions.completed;
    }
}

std::optional<double> failed_share(const WorkloadFigures& w)
{
    if (w.kind == app::FigureKind::datagrams) return w.datagrams.lost_share;
    if (w.kind == app::FigureKind::echoes) return w.echoes.lost_share;
    if (w.kind == app::FigureKind::fluid) return w.fluid.lost_share;
    const auto failed = static_cast<double>(w.calls ? w.calls->failed : w.transactions.failed()),
               all = static_cast<double>(completed(w)) + failed;
    return all > 0 ? std::optional(failed / all) : std::nullopt;
}

std::optional<double> throughput(const WorkloadFigures& w)
{
    if (w.kind == app::FigureKind::datagrams) return w.datagrams.throughput_bps;
    if (w.kind == app::FigureKind::flows) return w.flows.goodput_bps;
    if (w.kind == app::FigureKind::fluid) return w.fluid.carried_bps;
    if (w.kind == app::FigureKind::transactions || w.calls) return w.transactions.throughput_bps;
    return std::nullopt;
}

}  // namespace anml::rt
