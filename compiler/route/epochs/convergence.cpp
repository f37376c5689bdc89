#include "route/epochs/convergence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <tuple>

#include "analysis/network_queries.h"
#include "analysis/timeline/moment_order.h"
#include "route/epochs/flooding.h"
#include "runtime/abi/timeline.h"

namespace anml {
namespace {

class Spreading {
  public:
    Spreading(const Network& network, const RowGraph& graph, const RoutingDomains& domains, const EdgeWeights& first,
              const std::vector<Epoch>& states, EpochChanges& changes, Diagnostics& diagnostics)
        : graph_(graph),
          states_(states),
          changes_(changes),
          diagnostics_(diagnostics),
          order_(network),
          flooding_(graph, domains),
          weights_(first),
          known_(graph.vertices().size(), 0),
          until_(states.size(), 0),
          replaced_at_(changes.replaced().size(), 0)
    {
        movable_ = std::any_of(states.begin(), states.end(), [](const Epoch& state) { return state.moment; });
        for (const SegmentRoute& route : network.segment_routes)
            heads_.emplace(route.to.source, vertex_of(network, graph, route.to.source));
    }

    std::optional<std::vector<Epoch>> run()
    {
        for (std::uint32_t s = 0; s < states_.size(); ++s) {
            const Epoch& state = states_[s];
            if (!make_moment(time_of(s), s)) return std::nullopt;
            Moment& here = moments_.at(time_of(s));
            here.begins = true;
            for (const auto& [edge, weight] : state.changes) take_link(edge, weight, here.of.links);
            change_weights(weights_, state.changes);
            if (!tell(s)) return std::nullopt;
            take_changes(s);
            if (!put_changes(s) || !tell_heads(s)) return std::nullopt;
        }
        if (movable_ && !ordered()) return std::nullopt;
        return finish();
    }

  private:
    struct Moment {
        MomentOrder::At at;
        Span span;
        bool begins = false;    // a state
        bool replaces = false;  // tables
        EpochChanges::OfEpoch of{};
    };
    // What changes at a vertex: a code of a column, or its whole table.
    struct Change {
        static constexpr std::uint32_t kTable = 0xffffffffu;
        std::uint32_t state;
        std::uint32_t column;  // or kTable
        std::uint32_t vertex;  // of the row graph
        std::uint32_t code;    // or which one it is of those that are replaced
    };
    struct Code {
        std::int64_t time;
        std::uint32_t column, vertex, code;
        friend auto operator<=>(const Code&, const Code&) = default;
    };

    std::int64_t time_of(std::uint32_t state) const { return std::llround(states_[state].time); }

    // Makes room for what happens then; false: an error was reported.
    bool make_moment(std::int64_t time, std::uint32_t state)
    {
        const Epoch& from = states_[state];
        MomentOrder::At at{static_cast<double>(time), from.moment, 0};
        if (at.expression) at.later = static_cast<double>(time - time_of(state));
        const auto [place, fresh] = moments_.try_emplace(time, Moment{at, from.span});
        if (!fresh && !order_.same(place->second.at, at)) return refuse(place->second, {at, from.span});
        if (moments_.size() <= abi::kMostMoments) return true;
        diagnostics_
            .report(Diag::timeline_too_long, from.span,
                    fmt::format("up to here, at {}, routes change at more than {} moments",
                                format_quantity(from.time, dimension::time), abi::kMostMoments))
            .help("each distance from a change is a moment of its own: with `flooding = 0 s` there are fewer");
        return false;
    }

    bool refuse(const Moment& a, const Moment& b)
    {
        const std::optional<ValueExprId> expression = b.at.expression ? b.at.expression : a.at.expression;
        return order_.refuse(b.span, "the order in which routers learn of changes depends on a tunable", *expression,
                             diagnostics_);
    }

    void take_link(std::uint32_t edge, std::int64_t weight, std::vector<LinkRun>& links) const
    {
        const RouteEdge& e = graph_.edges()[edge];
        if ((weights_[edge] == kDown) == (weight == kDown) || e.closed || graph_.original(edge) != edge)
            return;
        const std::uint32_t count =
            std::max(graph_.vertices()[graph_.source(edge)].count, graph_.vertices()[e.to].count);
        links.push_back({e.lowest, count, weight == kDown});
    }

    // When each vertex has this state's routes. Where news of it does not get nothing changes: a way on which something
    // changed leads to one of its ends.
    bool tell(std::uint32_t state)
    {
        const std::int64_t now = time_of(state);
        const bool at_start = now == 0 && !states_[state].moment;
        const std::vector<std::int64_t>* heard =
            at_start ? nullptr : &flooding_.spread(states_[state].changes, weights_);
        for (std::uint32_t v = 0; v < known_.size(); ++v) {
            const std::int64_t later = heard == nullptr || (*heard)[v] == Flooding::kNever ? 0 : (*heard)[v];
            known_[v] = std::max(known_[v], now + later);
            // Whatever changes then, the order of news may depend on no tunable.
            if (movable_ && !make_moment(now + later, state)) return false;
        }
        return true;
    }

    // Any change may decide whether lists of segments can be followed, those of links that no shortest path takes, too.
    bool tell_heads(std::uint32_t state)
    {
        for (const auto& [node, vertex] : heads_) {
            const std::int64_t time = known_[vertex];
            until_[state] = std::max(until_[state], time);
            if (!movable_ && !make_moment(time, state)) return false;
            moments_.at(time).of.told.push_back({node, state + 1});
        }
        return true;
    }

    void take_changes(std::uint32_t state)
    {
        for (const std::uint32_t number : changes_.epochs()[state].patches) {
            const CodePatch& patch = changes_.patches()[number];
            for (const auto& [index, code] : patch.codes) take({state, patch.column, changes_.vertex(index), code});
        }
        const std::vector<EpochChanges::Replaced>& replaced = changes_.replaced();
        for (; next_ < replaced.size() && replaced[next_].epoch == state; ++next_)
            take({state, Change::kTable, replaced[next_].vertex, next_});
    }

    void take(const Change& change)
    {
        const std::int64_t time = known_[change.vertex];
        until_[change.state] = std::max(until_[change.state], time);
        if (change.column != Change::kTable) return codes_.push_back({time, change.column, change.vertex, change.code});
        replaced_at_[change.code] = time;
        tables_.push_back(time);
    }

    bool put_changes(std::uint32_t state)
    {
        std::sort(codes_.begin(), codes_.end());
        for (std::size_t i = 0; i < codes_.size();) {
            const std::int64_t time = codes_[i].time;
            if (!movable_ && !make_moment(time, state)) return false;
            Moment& then = moments_.at(time);
            while (i < codes_.size() && codes_[i].time == time) {
                CodePatch patch{codes_[i].column, {}};
                for (; i < codes_.size() && codes_[i].time == time && codes_[i].column == patch.column; ++i)
                    patch.codes.emplace_back(changes_.index(codes_[i].vertex), codes_[i].code);
                then.of.patches.push_back(patches_.add(std::move(patch)).first);
            }
        }
        codes_.clear();
        for (const std::int64_t time : tables_) {
            if (!movable_ && !make_moment(time, state)) return false;
            moments_.at(time).replaces = true;
        }
        tables_.clear();
        return true;
    }

    bool ordered()
    {
        const Moment* before = nullptr;
        for (const auto& [time, moment] : moments_) {
            if ((before != nullptr) && !order_.fixed(before->at, moment.at)) return refuse(*before, moment);
            before = &moment;
        }
        return true;
    }

    std::vector<Epoch> finish()
    {
        std::vector<Epoch> epochs;
        std::vector<EpochChanges::OfEpoch> of;
        std::vector<std::int64_t> times;
        std::int64_t until = 0;  // some state is not known to all that it concerns
        std::uint32_t begun = 0;
        while (!moments_.empty()) {
            const std::int64_t time = moments_.begin()->first;
            Moment moment = std::move(moments_.extract(moments_.begin()).mapped());
            for (; begun < states_.size() && time_of(begun) <= time; ++begun) until = std::max(until, until_[begun]);
            const bool changes = moment.replaces || !moment.of.patches.empty() || !moment.of.told.empty();
            if (!moment.begins && !changes) continue;
            times.push_back(time);
            epochs.push_back({moment.at.time, moment.at.expression, {}, moment.span, moment.at.later});
            of.push_back(std::move(moment.of));
            of.back().settled = time >= until;
        }
        number_replaced(times);
        changes_.spread(std::move(of), std::move(patches_));
        return epochs;
    }

    void number_replaced(const std::vector<std::int64_t>& times)
    {
        const auto number = [&](std::int64_t time) {
            return static_cast<std::uint32_t>(std::lower_bound(times.begin(), times.end(), time) - times.begin());
        };
        std::vector<std::tuple<std::uint32_t, std::uint32_t, std::size_t>> order;  // epoch, vertex, which one
        for (std::size_t i = 0; i < replaced_at_.size(); ++i)
            order.emplace_back(number(replaced_at_[i]), changes_.replaced()[i].vertex, i);
        std::sort(order.begin(), order.end());
        std::vector<EpochChanges::Replaced> moved;
        for (const auto& [epoch, vertex, i] : order) {
            // Of several tables at once the last one counts.
            if (!moved.empty() && moved.back().epoch == epoch && moved.back().vertex == vertex) moved.pop_back();
            moved.push_back(std::move(changes_.replaced()[i]));
            moved.back().epoch = epoch;
        }
        changes_.replaced() = std::move(moved);
    }

    const RowGraph& graph_;
    const std::vector<Epoch>& states_;
    EpochChanges& changes_;
    Diagnostics& diagnostics_;
    MomentOrder order_;
    Flooding flooding_;
    EdgeWeights weights_;
    std::map<std::uint32_t, std::uint32_t> heads_;  // nodes that give packets segments, and their vertices
    std::vector<std::int64_t> known_;        // by vertex: when it has the routes of the last state that it is told of
    std::vector<std::int64_t> until_;        // by state: somebody it concerns does not know it
    std::vector<std::int64_t> replaced_at_;  // by table that is replaced
    bool movable_ = false;                   // by tunables
    std::map<std::int64_t, Moment> moments_;
    std::vector<Code> codes_;           // that the present state's news changes
    std::vector<std::int64_t> tables_;  // when it changes whole tables
    CodePatches patches_;
    std::uint32_t next_ = 0;  // of what is replaced
};

}  // namespace

std::optional<std::vector<Epoch>> spread_changes(const Network& network, const RowGraph& graph,
                                                 const RoutingDomains& domains, const EdgeWeights& first,
                                                 const std::vector<Epoch>& states, EpochChanges& changes,
                                                 Diagnostics& diagnostics)
{
    return Spreading(network, graph, domains, first, states, changes, diagnostics).run();
}

}  // namespace anml
