#include "route/epochs/solve_epochs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "analysis/network_queries.h"
#include "route/core/core_tables.h"
#include "route/epochs/convergence.h"
#include "route/epochs/epoch_changes.h"
#include "route/epochs/route_updates.h"
#include "route/tables/lay_out_tables.h"
#include "route/tables/static_routes.h"
#include "route/tables/table_store.h"

namespace anml {
namespace {

std::string gibibytes(std::uint64_t bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / 0x1p30); }

class EpochSolver {
  public:
    EpochSolver(const EpochInputs& inputs, RouteTables& routes, Diagnostics& diagnostics)
        : inputs_(inputs),
          graph_(inputs.graph),
          routes_(routes),
          diagnostics_(diagnostics),
          trees_(graph_, inputs.domains),
          destinations_(inputs.network, graph_, trees_, inputs.scope),
          next_hops_(inputs.network, graph_, inputs.domains),
          statics_(inputs.network, graph_),
          core_(graph_, inputs.first, inputs.domains.roles(), in_core(), all_changes()),
          core_routes_(graph_, inputs.domains, core_, destinations_),
          store_(routes)
    {
    }

    bool run(bool at_once)
    {
        constexpr std::uint64_t kMost = std::uint64_t{8} << 30;  // bytes
        if (core_routes_.bytes() > kMost) {
            diagnostics_
                .report(
                    Diag::network_too_large, {},
                    fmt::format("routes from {} nodes to {} destinations take {} of memory, more than {}", core_.size(),
                                core_routes_.columns(), gibibytes(core_routes_.bytes()), gibibytes(kMost)))
                .help("nodes in a tree that hangs on the rest by one link, and what nothing sends to, take none");
            return false;
        }
        PendantRoutes pendant = pendant_routes(inputs_.first);
        core_routes_.compute();
        EpochChanges changes({inputs_.network, graph_, inputs_.domains, trees_, destinations_, statics_}, core_,
                             core_routes_, next_hops_);
        if (!inputs_.epochs.empty()) changes.solve(inputs_.first, inputs_.epochs, pendant);
        if (!inputs_.epochs.empty() && converges_late(inputs_.network) && !at_once) {
            auto moments = spread_changes(inputs_.network, graph_, inputs_.domains, inputs_.first, inputs_.epochs,
                                          changes, diagnostics_);
            if (!moments) return false;
            spread_ = std::move(*moments);
            moments_ = &spread_;
        }
        core_routes_.make_hops(next_hops_);

        std::vector<TableDraft> drafts(graph_.vertices().size());
        for (const std::uint32_t v : trees_.order) drafts[v] = pendant.take_table(v);
        const std::vector<char>& by_column = changes.by_column();
        make_core_tables(graph_, core_, destinations_, core_routes_, pendant, by_column, drafts);
        for (const std::uint32_t v : statics_.sources())
            StaticRoutes::put(statics_.of(v, inputs_.first, next_hops_), drafts[v].ranges);
        bool columns = false;
        std::vector<std::uint32_t> placed;
        for (std::uint32_t v = 0; v < drafts.size(); ++v) {
            if (!by_column.empty() && by_column[v]) {
                placed.push_back(place_changing(v, pendant, changes));
                columns = true;
                continue;
            }
            columns = columns || !drafts[v].hops.empty();
            placed.push_back(store_.place(std::move(drafts[v])));
        }
        if (!place_later(changes, placed, columns)) return false;
        if (columns) routes_.columns = destinations_.columns();
        routes_.alternatives = next_hops_.take_alternatives();
        lay_out_tables(graph_, store_, placed, later_, *moments_, changes, dense_, routes_);
        if (!routes_.codes.empty()) routes_.codes.resize(routes_.codes.size() + abi::kCodePadding);
        return fits();
    }

  private:
    std::vector<char> in_core() const
    {
        std::vector<char> in(graph_.vertices().size());
        for (std::uint32_t v = 0; v < in.size(); ++v) in[v] = trees_.parent[v] == PendantTrees::kCore;
        return in;
    }

    WeightChanges all_changes() const
    {
        WeightChanges all;
        for (const Epoch& epoch : inputs_.epochs) all.insert(all.end(), epoch.changes.begin(), epoch.changes.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }

    PendantRoutes pendant_routes(const EdgeWeights& weights)
    {
        return {inputs_.network, graph_, inputs_.domains, weights, trees_, destinations_, next_hops_};
    }

    CoreVertex core_vertex(std::uint32_t vertex, std::span<const PendantRoutes::Below> below) const
    {
        return {graph_, destinations_, vertex, core_.index(vertex), below};
    }

    std::uint32_t place_changing(std::uint32_t vertex, const PendantRoutes& pendant, const EpochChanges& changes)
    {
        const std::uint32_t index = core_.index(vertex);
        core_routes_.codes(index, 1, codes_);
        TableDraft draft = make_changing_table(core_vertex(vertex, pendant.below(vertex)), core_routes_, codes_,
                                               changes.later_codes(index), dense_[vertex]);
        StaticRoutes::put(statics_.of(vertex, inputs_.first, next_hops_), draft.ranges);
        return store_.place_alone(draft);
    }

    // Tables that are replaced as wholes. `present` by vertex, those of the first epoch.
    bool place_later(EpochChanges& changes, std::vector<std::uint32_t> present, bool& columns)
    {
        for (EpochChanges::Replaced& replaced : changes.replaced()) {
            const std::uint32_t v = replaced.vertex;
            TableDraft draft = std::move(replaced.draft);
            const CoreVertex core = core_vertex(v, replaced.below);
            if (!replaced.hangs && changes.by_column()[v]) {
                draft.ranges = core_ranges(core);
                StaticRoutes::put(replaced.statics, draft.ranges);
                present[v] = store_.with_ranges(present[v], draft.ranges);
            } else {
                if (!replaced.hangs) {
                    core_routes_.codes(core.index, 1, codes_);
                    draft = make_core_table(core, core_routes_, codes_);
                }
                StaticRoutes::put(replaced.statics, draft.ranges);
                columns = columns || !draft.hops.empty();
                present[v] = store_.place(std::move(draft));
            }
            later_.push_back({replaced.epoch, v, present[v]});
            if (!fits()) return false;
        }
        return true;
    }

    bool fits()
    {
        constexpr std::uint64_t kMost = std::uint64_t{2} << 30;  // bytes
        if (!store_.fits()) {
            diagnostics_
                .report(Diag::network_too_large, {},
                        "the forwarding tables take more than 4 GiB, which an emulator has no room for")
                .help(
                    "nodes in a tree that hangs on the rest by one link, and what nothing sends to, take little of it");
            return false;
        }
        std::uint64_t bytes = routes_.code_changes.size() * sizeof(abi::CodeChange);
        bytes += routes_.ranges.size() * sizeof(abi::RouteRange) + routes_.hops.size() * sizeof(abi::NextHop);
        for (const RouteEpoch& epoch : routes_.epochs) {
            bytes += epoch.changes.size() * sizeof(abi::TableChange) + epoch.columns.size() * sizeof(abi::ColumnChange);
            if (bytes <= kMost) continue;
            const auto at = static_cast<std::size_t>(&epoch - routes_.epochs.data());
            diagnostics_
                .report(Diag::timeline_too_long, (*moments_)[at].span,
                        fmt::format("up to here, at {}, changes of routes take more than {}",
                                    format_quantity(epoch.time, dimension::time), gibibytes(kMost)))
                .help("let links go up and down less often");
            return false;
        }
        return true;
    }

    const EpochInputs& inputs_;
    const RowGraph& graph_;
    RouteTables& routes_;
    Diagnostics& diagnostics_;
    PendantTrees trees_;
    Destinations destinations_;
    NextHops next_hops_;
    StaticRoutes statics_;
    PathGraph core_;
    CoreRoutes core_routes_;
    TableStore store_;
    std::vector<std::uint32_t> codes_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> dense_;  // by vertex: what codes are in its table
    std::vector<LaterTable> later_;
    std::vector<Epoch> spread_;                            // where routes change later than the network
    const std::vector<Epoch>* moments_ = &inputs_.epochs;  // at which tables change
};

}  // namespace

bool solve_epochs(const EpochInputs& inputs, RouteTables& routes, Diagnostics& diagnostics, bool at_once)
{
    return EpochSolver(inputs, routes, diagnostics).run(at_once);
}

}  // namespace anml
