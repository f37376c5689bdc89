#include "analysis/timeline/route_epochs.h"

#include <algorithm>

#include "runtime/abi/forwarding.h"

namespace anml {

RouteEpochs::RouteEpochs(const Network& network, const RouteTables& routes)
    : routes_(routes), links_(converges_late(network) ? network.directed_links : 0)
{
    start();
}

void RouteEpochs::start()
{
    state_.tables = kept_ = routes_.tables;
    if (!routes_.code_changes.empty()) state_.codes = routes_.codes;
    state_.down.assign(links_, 0);
    state_.settled = true;
    cut_off_.assign(kept_.size(), 0);
    begun_ = 0;
}

std::size_t RouteEpochs::epochs_before(double time, bool inclusive) const
{
    const auto later = std::partition_point(routes_.epochs.begin(), routes_.epochs.end(), [&](const RouteEpoch& epoch) {
        return inclusive ? epoch.time <= time : epoch.time < time;
    });
    return static_cast<std::size_t>(later - routes_.epochs.begin());
}

double settles_after(const RouteTables& routes, double time)
{
    const auto settled = std::find_if(routes.epochs.begin(), routes.epochs.end(),
                                      [&](const RouteEpoch& epoch) { return epoch.time > time && epoch.settled; });
    return settled == routes.epochs.end() ? time : settled->time;
}

const RouteState& RouteEpochs::at(double time) { return after(epochs_before(time, true)); }

const RouteState& RouteEpochs::after(std::size_t epochs)
{
    if (epochs < begun_) start();
    while (begun_ < epochs) begin(routes_.epochs[begun_++]);
    return state_;
}

void RouteEpochs::begin(const RouteEpoch& epoch)
{
    for (const LinkRun& run : epoch.links)
        for (std::uint32_t i = 0; i < run.count; ++i) state_.down[run.first + 2 * i] = run.down;
    state_.settled = epoch.settled;
    for (const std::uint32_t table : epoch.joined) {
        cut_off_[table] = 0;
        state_.tables[table] = kept_[table];
    }
    for (const abi::TableChange& change : epoch.changes) {
        kept_[change.table] = change.content;
        if (!cut_off_[change.table]) state_.tables[change.table] = change.content;
    }
    for (const std::uint32_t table : epoch.cut_off) {
        cut_off_[table] = 1;
        state_.tables[table] = {};
    }
    for (const abi::ColumnChange& change : epoch.columns) {
        for (std::uint32_t i = 0; i < change.codes.count; ++i) {
            const abi::CodeChange& code = routes_.code_changes[change.codes.first + i];
            const abi::RouteTable& table = kept_[code.table];
            abi::set_code(state_.codes.data() + table.first_code, change.column, table.bits, code.code);
        }
    }
}

}  // namespace anml
