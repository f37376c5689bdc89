#include "route/epochs/epoch_changes.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "analysis/network_queries.h"

namespace anml {
namespace {

template <class Rows>
bool same_rows(const Rows& a, const Rows& b)
{
    static_assert(std::has_unique_object_representations_v<typename Rows::value_type>);
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

bool same_draft(const TableDraft& a, const TableDraft& b)
{
    return a.bits == b.bits && same_rows(a.ranges, b.ranges) && same_rows(a.hops, b.hops) &&
           same_rows(a.codes, b.codes);
}

}  // namespace

EpochChanges::EpochChanges(const Inputs& inputs, PathGraph& core, CoreRoutes& routes, NextHops& next_hops)
    : inputs_(inputs), core_(core), routes_(routes), next_hops_(next_hops)
{
}

void EpochChanges::solve(const EdgeWeights& first, const std::vector<Epoch>& epochs, const PendantRoutes& pendant)
{
    weights_ = first;
    if (core_.changes()) updates_ = RouteUpdates::make(core_, routes_);
    start(pendant);
    for (const Epoch& epoch : epochs) {
        epochs_.emplace_back();
        change_weights(weights_, epoch.changes);
        if (concerns_pendant(epoch.changes)) renew_pendant();
        std::vector<std::uint32_t> sources;
        for (const auto& [edge, weight] : epoch.changes) sources.push_back(inputs_.graph.source(edge));
        for (const std::uint32_t v : inputs_.statics.sources()) {
            if (std::find(sources.begin(), sources.end(), v) == sources.end()) continue;
            std::vector<abi::RouteRange> statics = inputs_.statics.of(v, weights_, next_hops_);
            if (same_rows(statics, frames_[v].statics)) continue;
            frames_[v].statics = std::move(statics);
            replace(v);
        }
        if (updates_) take_codes(updates_->update(epoch.changes));
    }
}

void EpochChanges::start(const PendantRoutes& pendant)
{
    const auto count = static_cast<std::uint32_t>(inputs_.graph.vertices().size());
    frames_.resize(count);
    cut_off_.assign(count, 0);
    by_column_.assign(count, 0);
    later_codes_.resize(core_.size());
    for (std::uint32_t v = 0; v < count; ++v) {
        frames_[v].statics = inputs_.statics.of(v, weights_, next_hops_);
        if (hangs(v)) {
            frames_[v].draft = pendant.table(v);
            const bool router =
                inputs_.network.nodes[inputs_.graph.vertices()[v].row.value].kind == abi::NodeKind::router;
            routers_hang_ = routers_hang_ || (router && !inputs_.domains.policy());
            continue;
        }
        frames_[v].below.assign(pendant.below(v).begin(), pendant.below(v).end());
        const std::uint32_t index = core_.index(v);
        if (core_.transit(index)) continue;
        std::uint32_t& live = live_[index];
        for (std::uint32_t column = 0; column < routes_.columns(); ++column) live += routes_.code(column, index) != 0;
    }
    concerns_pendant({});
}

// Whether what hangs on the core, or what it reaches, may have other tables now.
bool EpochChanges::concerns_pendant(const WeightChanges& changes)
{
    const RowGraph& graph = inputs_.graph;
    if (inputs_.trees.order.empty()) return false;
    const bool direct = std::any_of(changes.begin(), changes.end(), [&](const auto& change) {
        return hangs(graph.source(change.first)) || hangs(graph.edges()[change.first].to);
    });
    if (!routers_hang_) return direct;
    const TransitComponents components(graph, weights_);
    std::vector<std::uint32_t> present;
    for (std::uint32_t v = 0; v < graph.vertices().size(); ++v)
        if (graph.vertices()[v].transit) present.push_back(components.of(v));
    for (const Destination& destination : inputs_.destinations.list) {
        if (graph.vertices()[destination.vertex].transit) continue;
        for (std::uint32_t e = graph.first_edge(destination.vertex); e < graph.end_edge(destination.vertex); ++e)
            present.push_back(weights_[e] == kDown ? TransitComponents::kNone : components.of(graph.edges()[e].to));
    }
    const bool same = present == components_;
    components_ = std::move(present);
    return direct || !same;
}

void EpochChanges::renew_pendant()
{
    PendantRoutes fresh(inputs_.network, inputs_.graph, inputs_.domains, weights_, inputs_.trees, inputs_.destinations,
                        next_hops_);
    for (std::uint32_t v = 0; v < frames_.size(); ++v) {
        Frame& frame = frames_[v];
        if (hangs(v)) {
            TableDraft draft = fresh.take_table(v);
            const bool nothing = draft.ranges.empty() && draft.hops.empty() && frame.statics.empty();
            cut_off_or_join(v, nothing);
            if (cut_off_[v] || same_draft(draft, frame.draft)) continue;
            frame.draft = std::move(draft);
            replace(v);
        } else if (const auto below = fresh.below(v);
                   !same_rows(below, std::span<const PendantRoutes::Below>(frame.below)))
        {
            frame.below.assign(below.begin(), below.end());
            replace(v);
        }
    }
}

void EpochChanges::replace(std::uint32_t vertex)
{
    const Frame& frame = frames_[vertex];
    replaced_.push_back({static_cast<std::uint32_t>(epochs_.size() - 1), vertex, hangs(vertex), frame.draft,
                         frame.below, frame.statics});
}

// Only hosts and endpoints: they keep what they have.
void EpochChanges::cut_off_or_join(std::uint32_t vertex, bool nothing)
{
    if (inputs_.graph.vertices()[vertex].transit || (cut_off_[vertex] != 0) == nothing) return;
    cut_off_[vertex] = nothing;
    (nothing ? epochs_.back().cut_off : epochs_.back().joined).push_back(vertex);
}

void EpochChanges::take_codes(const std::vector<RouteUpdates::Change>& changes)
{
    std::vector<RouteUpdates::Change> taken, of_hosts;
    for (const RouteUpdates::Change& change : changes)
        (core_.transit(change.vertex) ? taken : of_hosts).push_back(change);
    if (!of_hosts.empty()) take_hosts(of_hosts, taken);
    std::sort(taken.begin(), taken.end(), [](const RouteUpdates::Change& a, const RouteUpdates::Change& b) {
        return std::pair(a.column, a.vertex) < std::pair(b.column, b.vertex);
    });
    for (std::size_t i = 0; i < taken.size();) {
        std::size_t end = i;
        while (end < taken.size() && taken[end].column == taken[i].column) ++end;
        epochs_.back().patches.push_back(
            patch(taken[i].column, std::span<const RouteUpdates::Change>(taken).subspan(i, end - i)));
        i = end;
    }
}

void EpochChanges::take_hosts(const std::vector<RouteUpdates::Change>& changes,
                              std::vector<RouteUpdates::Change>& taken)
{
    std::vector<std::uint32_t> hosts;
    for (const RouteUpdates::Change& change : changes) {
        std::uint32_t& live = live_[change.vertex];
        live += (change.code != 0 ? 1 : 0);
        live -= (change.before != 0 ? 1 : 0);
        hosts.push_back(change.vertex);
    }
    std::sort(hosts.begin(), hosts.end());
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    for (const std::uint32_t host : hosts) {
        const std::uint32_t v = core_.vertex(host);
        const bool before = cut_off_[v] != 0;
        cut_off_or_join(v, live_[host] == 0 && frames_[v].statics.empty());
        if (!cut_off_[v] && !before) {
            for (const RouteUpdates::Change& change : changes)
                if (change.vertex == host) taken.push_back(change);
            continue;
        }
        std::vector<std::uint32_t>& kept = kept_[host];
        if (!before) {
            kept.resize(routes_.columns());
            for (std::uint32_t c = 0; c < routes_.columns(); ++c) kept[c] = updates_->code(c, host);
            for (const RouteUpdates::Change& change : changes)
                if (change.vertex == host) kept[change.column] = change.before;
        } else if (!cut_off_[v]) {
            for (std::uint32_t c = 0; c < routes_.columns(); ++c)
                if (const std::uint32_t code = updates_->code(c, host); code != kept[c])
                    taken.push_back({c, host, kept[c], code});
            kept_.erase(host);
        }
    }
}

std::uint32_t EpochChanges::patch(std::uint32_t column, std::span<const RouteUpdates::Change> changes)
{
    CodePatch patch{column, {}};
    for (const RouteUpdates::Change& change : changes) patch.codes.emplace_back(change.vertex, change.code);
    const auto [number, fresh] = patches_.add(std::move(patch));
    if (!fresh) return number;
    for (const RouteUpdates::Change& change : changes) {
        by_column_[core_.vertex(change.vertex)] = 1;
        later_codes_[change.vertex].push_back(change.code);
    }
    return number;
}

std::pair<std::uint32_t, bool> CodePatches::add(CodePatch&& patch)
{
    std::size_t hash = patch.column;
    for (const auto& [vertex, code] : patch.codes) {
        hash = (hash ^ (std::uint64_t{vertex} << 32 | code)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    const auto [begin, end] = known_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (patches_[at->second] == patch) return {at->second, false};
    const auto number = static_cast<std::uint32_t>(patches_.size());
    patches_.push_back(std::move(patch));
    known_.emplace(hash, number);
    return {number, true};
}

}  // namespace anml
