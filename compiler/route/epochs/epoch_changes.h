// Which codes and which tables epochs change, before tables are made: only then is it known which tables do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/timeline/epochs.h"
#include "route/core/core_routes.h"
#include "route/core/pendant_routes.h"
#include "route/epochs/route_updates.h"
#include "route/search/transit_components.h"
#include "route/tables/static_routes.h"
#include "route/tables/table_draft.h"

namespace anml {

// A column's new codes, from an epoch on. Equal ones are kept once: epochs share them.
struct CodePatch {
    std::uint32_t column = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> codes{};  // by vertex of the core
    friend bool operator==(const CodePatch&, const CodePatch&) = default;
};

class CodePatches {
  public:
    // Its number, and whether it is new.
    std::pair<std::uint32_t, bool> add(CodePatch&& patch);
    const std::vector<CodePatch>& list() const { return patches_; }

  private:
    std::vector<CodePatch> patches_;
    std::unordered_multimap<std::size_t, std::uint32_t> known_;  // by their hashes
};

class EpochChanges {
  public:
    struct Inputs {
        const Network& network;
        const RowGraph& graph;
        const RoutingDomains& domains;
        const PendantTrees& trees;
        const Destinations& destinations;
        const StaticRoutes& statics;
    };
    EpochChanges(const Inputs& inputs, PathGraph& core, CoreRoutes& routes, NextHops& next_hops);

    void solve(const EdgeWeights& first, const std::vector<Epoch>& epochs, const PendantRoutes& pendant);

    // By vertex: its table is changed by columns. Empty: none is.
    const std::vector<char>& by_column() const { return by_column_; }
    // The codes that such a vertex of the core has in later epochs, in the order in which they come.
    const std::vector<std::uint32_t>& later_codes(std::uint32_t index) const { return later_codes_[index]; }

    const std::vector<CodePatch>& patches() const { return patches_.list(); }
    std::uint32_t vertex(std::uint32_t index) const { return core_.vertex(index); }
    std::uint32_t index(std::uint32_t vertex) const { return core_.index(vertex); }

    // Behind the first one.
    struct OfEpoch {
        std::vector<std::uint32_t> patches;          // indices
        std::vector<std::uint32_t> cut_off, joined;  // vertices: hosts and endpoints
        std::vector<LinkRun> links{};                // as RouteEpoch::links
        std::vector<ToldHead> told{};                // as RouteEpoch::told
        bool settled = true;                         // as RouteEpoch::settled
    };
    const std::vector<OfEpoch>& epochs() const { return epochs_; }

    // A vertex's table from an epoch on, as what hangs on it, or it on others, or its static routes are others.
    struct Replaced {
        std::uint32_t epoch, vertex;
        bool hangs;
        TableDraft draft{};                         // of one that hangs, without static routes
        std::vector<PendantRoutes::Below> below{};  // of one of the core
        std::vector<abi::RouteRange> statics{};
    };
    std::vector<Replaced>& replaced() { return replaced_; }

    // The same changes at other moments: convergence.h.
    void spread(std::vector<OfEpoch>&& epochs, CodePatches&& patches)
    {
        epochs_ = std::move(epochs);
        patches_ = std::move(patches);
    }

  private:
    // What a table has besides its columns.
    struct Frame {
        TableDraft draft;
        std::vector<PendantRoutes::Below> below;
        std::vector<abi::RouteRange> statics;
    };
    bool hangs(std::uint32_t vertex) const { return inputs_.trees.parent[vertex] != PendantTrees::kCore; }
    void start(const PendantRoutes& pendant);
    bool concerns_pendant(const WeightChanges& changes);
    void renew_pendant();
    void replace(std::uint32_t vertex);
    void take_codes(const std::vector<RouteUpdates::Change>& changes);
    void take_hosts(const std::vector<RouteUpdates::Change>& changes, std::vector<RouteUpdates::Change>& taken);
    void cut_off_or_join(std::uint32_t vertex, bool nothing);
    std::uint32_t patch(std::uint32_t column, std::span<const RouteUpdates::Change> changes);

    Inputs inputs_;
    PathGraph& core_;
    CoreRoutes& routes_;
    NextHops& next_hops_;
    std::unique_ptr<RouteUpdates> updates_;
    EdgeWeights weights_;
    std::vector<Frame> frames_;              // by vertex, present
    std::vector<char> cut_off_;              // by vertex
    bool routers_hang_ = false;              // and send up only what there is a way to
    std::vector<std::uint32_t> components_;  // of routers and switches, and which of them reach destinations
    std::unordered_map<std::uint32_t, std::uint32_t> live_;  // by host of the core: codes that are not 0
    // By host that is cut off: its codes as the emulator has them.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> kept_;
    std::vector<char> by_column_;
    std::vector<std::vector<std::uint32_t>> later_codes_;
    CodePatches patches_;
    std::vector<OfEpoch> epochs_;
    std::vector<Replaced> replaced_;
};

}  // namespace anml
