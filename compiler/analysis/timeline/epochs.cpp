// Replays the statements of the timeline that act on routes, moment by moment.
#include "analysis/timeline/epochs.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "analysis/timeline/moment_order.h"
#include "runtime/abi/timeline.h"

namespace anml {
namespace {

using abi::Moment;
using abi::TimelineForm;
using abi::TimelineTimes;
using abi::TimelineValue;

class EpochPlanner {
  public:
    EpochPlanner(const Network& network, const RowGraph& graph, const RoutingDomains& domains, const EdgeWeights& first,
                 Diagnostics& diagnostics)
        : network_(network),
          graph_(graph),
          domains_(domains),
          first_(first),
          diagnostics_(diagnostics),
          defaults_(default_tunables(network)),
          order_(network)
    {
        followed_ = follows_delays(network);
        for (const TimelineInfo& t : network.timeline)
            if (acts_on_routes(t.attribute) || (followed_ && t.attribute == abi::TimelineAttribute::delay))
                rows_.push_back(&t);
    }

    std::optional<std::vector<Epoch>> run()
    {
        std::vector<Epoch> epochs;
        if (rows_.empty()) return epochs;
        for (const TimelineInfo* t : rows_)
            if (!fixed_count(*t)) return std::nullopt;
        if (followed_ && !fixed_delays()) return std::nullopt;
        index_edges();
        const auto moments =
            abi::moments_of(static_cast<std::uint32_t>(rows_.size()), [&](std::uint32_t row) { return times(row); });
        if (!moments) return std::nullopt;  // reported with the rest of the timeline
        if (!ordered(*moments)) return std::nullopt;
        const double end = value(network_.duration);
        for (std::size_t i = 0; i < moments->size();) {
            const Moment& at = (*moments)[i];
            const std::optional<ValueExprId> moment = expression(at);
            for (; i < moments->size() && (*moments)[i].time == at.time; ++i) apply((*moments)[i]);
            follow(at.time);
            if (WeightChanges changes = weigh(); !changes.empty())
                epochs.push_back({static_cast<double>(at.time), moment, std::move(changes), rows_[at.row]->span});
            // Delays that are taken up before anything else happens.
            while (const auto next = next_following(at.time)) {
                if (static_cast<double>(*next) > end || (i < moments->size() && *next >= (*moments)[i].time)) break;
                follow(*next);
                if (WeightChanges changes = weigh(); !changes.empty())
                    epochs.push_back({static_cast<double>(*next), {}, std::move(changes), rows_[at.row]->span});
            }
        }
        return epochs;
    }

  private:
    // An edge that the timeline changes.
    struct Link {
        TimelineValue up[3] = {TimelineValue(1), TimelineValue(1), TimelineValue(1)};  // by abi::TimelineCause
        std::optional<TimelineValue> cost, delay;
        std::optional<std::int64_t> followed;  // the delay that routes count
        std::optional<std::int64_t> known;     // what it weighed when it was weighed last

        std::int64_t weight(std::int64_t declared) const
        {
            for (const TimelineValue& cause : up)
                if (cause.now() == 0) return kDown;
            return cost ? cost_weight(cost->now()) : followed.value_or(declared);
        }
    };

    double value(ValueExprId id) const { return network_.values.evaluate(id, defaults_); }
    TimelineTimes times(std::uint32_t row) const
    {
        const TimelineInfo& t = *rows_[row];
        return {t.form, value(t.first), value(t.last), value(t.step)};
    }

    bool refuse(const TimelineInfo& t, const std::string& message, ValueExprId expression)
    {
        return refuse(t.span, message, expression);
    }
    bool refuse(Span span, const std::string& message, ValueExprId expression)
    {
        return order_.refuse(span, message, expression, diagnostics_);
    }

    // How often a statement acts must be known.
    bool fixed_count(const TimelineInfo& t)
    {
        if (t.form != TimelineForm::every) return true;
        for (const ValueExprId id : {t.first, t.last, t.step})
            if (!network_.values.as_constant(id)) return refuse(t, "how often routes change depends on a tunable", id);
        return true;
    }

    // What routes follow is known while compiling, and so is all that they count beside it.
    bool fixed_delays()
    {
        for (const TimelineInfo* t : rows_) {
            if (t->attribute != abi::TimelineAttribute::delay) continue;
            for (const ValueExprId id : {t->first, t->last, t->step, t->value, t->value_to})
                if (!network_.values.as_constant(id))
                    return refuse(t->span, "routes follow delays, and this one depends on a tunable", id);
        }
        for (std::uint32_t e = 0; e < graph_.edges().size(); ++e) {
            if (domains_.follow_delays(e) == 0) continue;
            const std::uint32_t lane = graph_.edges()[e].lane;
            const LinkArray& link = network_.links[lane / 2];
            if (const ValueExprId delay = link.delay[lane % 2]; !network_.values.as_constant(delay))
                return refuse(link.span, "routes follow delays, and this one depends on a tunable", delay);
        }
        return true;
    }

    // Takes up the delays of links whose period ends at the time.
    void follow(std::int64_t time)
    {
        std::erase_if(pending_, [&](std::uint32_t e) {
            if (time % domains_.follow_delays(e) != 0) return false;
            Link& state = link(e);
            state.followed = std::max<std::int64_t>(0, std::llround(state.delay->now()));
            return true;
        });
    }
    // When the next of those that changed by `time` are taken up.
    std::optional<std::int64_t> next_following(std::int64_t time) const
    {
        std::optional<std::int64_t> next;
        for (const std::uint32_t e : pending_) {
            const std::int64_t period = domains_.follow_delays(e), at = (time / period + 1) * period;
            if (!next || at < *next) next = at;
        }
        return next;
    }

    std::optional<ValueExprId> expression(const Moment& moment) const
    {
        const TimelineInfo& t = *rows_[moment.row];
        const ValueExprId id = moment.ends ? t.last : t.first;
        if (t.form == TimelineForm::every || network_.values.as_constant(id)) return std::nullopt;
        return id;
    }

    // Whether the moments come in this order whatever the tunables' values.
    bool ordered(const std::vector<Moment>& moments)
    {
        for (std::size_t i = 1; i < moments.size(); ++i) {
            const std::optional<ValueExprId> a = expression(moments[i - 1]), b = expression(moments[i]);
            if (!a && !b) continue;
            const MomentOrder::At before{static_cast<double>(moments[i - 1].time), a},
                here{static_cast<double>(moments[i].time), b};
            if (order_.same(before, here) || order_.fixed(before, here)) continue;
            return refuse(*rows_[moments[i].row], "the order in which routes change depends on a tunable", b ? *b : *a);
        }
        return true;
    }

    void index_edges()
    {
        edges_of_row_.resize(network_.links.size());
        for (std::uint32_t e = 0; e < graph_.edges().size(); ++e)
            edges_of_row_[graph_.edges()[e].lane / 2].push_back(e);
        for (std::vector<std::uint32_t>& edges : edges_of_row_)
            std::sort(edges.begin(), edges.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return element(a) < element(b); });
    }
    // Of its link row: the first one that the edge stands for.
    std::uint32_t element(std::uint32_t edge) const
    {
        const RouteEdge& e = graph_.edges()[edge];
        return (e.lowest - network_.links[e.lane / 2].first_link) / 2;
    }
    template <class Each>
    void each_edge(const LinkSlice& links, const Each& each) const
    {
        const std::vector<std::uint32_t>& edges = edges_of_row_[links.row.value];
        auto at =
            std::partition_point(edges.begin(), edges.end(), [&](std::uint32_t e) { return element(e) < links.first; });
        for (; at != edges.end() && element(*at) - links.first < links.count; ++at) each(*at);
    }
    // With abi::TimelineCause: by which end.
    template <class Each>
    void each_edge(const TargetRange& nodes, const Each& each) const
    {
        const std::uint32_t end = graph_.first_vertex(nodes.row.value + 1);
        for (std::uint32_t v = graph_.vertex_at(nodes.row, nodes.first); v < end; ++v) {
            if (graph_.vertices()[v].first - nodes.first >= nodes.count) break;
            for (std::uint32_t e = graph_.first_edge(v); e < graph_.end_edge(v); ++e) {
                const std::size_t cause = 1 + graph_.edges()[e].lane % 2;
                const std::uint32_t back = graph_.reverse(e);
                each(e, cause);
                each(back, cause);
                if (const std::uint32_t copy = graph_.copy(back); copy != RowGraph::kNoEdge) {
                    each(copy, cause);
                    each(graph_.reverse(copy), cause);
                }
            }
        }
    }

    Link& link(std::uint32_t edge)
    {
        touched_.push_back(edge);
        return links_[edge];
    }
    // What weighs something else than before, of what was touched.
    WeightChanges weigh()
    {
        WeightChanges changes;
        std::sort(touched_.begin(), touched_.end());
        touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
        for (const std::uint32_t edge : touched_) {
            Link& state = links_[edge];
            const std::int64_t weight = state.weight(first_[edge]);
            if (state.known.value_or(first_[edge]) != weight) changes.emplace_back(edge, weight);
            state.known = weight;
        }
        touched_.clear();
        return changes;
    }

    void apply(const Moment& moment)
    {
        const TimelineInfo& t = *rows_[moment.row];
        const TimelineTimes when = times(moment.row);
        const double from = value(t.value), to = value(t.value_to);
        for (const LinkSlice& links : t.links) {
            const LinkArray& row = network_.links[links.row.value];
            each_edge(links, [&](std::uint32_t e) {
                const std::uint32_t direction = graph_.edges()[e].lane % 2;
                if (!(t.directions >> direction & 1)) return;
                if (t.attribute == abi::TimelineAttribute::delay) {
                    if (domains_.metric(e) != RouteMetric::delay || domains_.follow_delays(e) == 0) return;
                    Link& state = links_[e];
                    if (!state.delay) state.delay.emplace(value(row.delay[direction]));
                    state.delay->apply(when, moment, from, to);
                    pending_.insert(e);
                    return;
                }
                Link& state = link(e);
                if (t.attribute == abi::TimelineAttribute::up) {
                    state.up[0].apply(when, moment, from, to);
                } else if (domains_.metric(e) == RouteMetric::cost) {
                    if (!state.cost) state.cost.emplace(row.cost[direction]);
                    state.cost->apply(when, moment, from, to);
                }
            });
        }
        for (const TargetRange& nodes : t.nodes)
            each_edge(nodes,
                      [&](std::uint32_t e, std::size_t cause) { link(e).up[cause].apply(when, moment, from, to); });
    }

    const Network& network_;
    const RowGraph& graph_;
    const RoutingDomains& domains_;
    const EdgeWeights& first_;
    Diagnostics& diagnostics_;
    std::vector<double> defaults_;
    MomentOrder order_;
    std::vector<const TimelineInfo*> rows_;                 // those that act on routes
    std::vector<std::vector<std::uint32_t>> edges_of_row_;  // by element
    std::unordered_map<std::uint32_t, Link> links_;         // by edge
    std::vector<std::uint32_t> touched_;                    // edges, since they were weighed
    std::set<std::uint32_t> pending_;                       // whose delays have changed since they were taken up
    bool followed_ = false;
};

}  // namespace

void change_weights(EdgeWeights& weights, const WeightChanges& changes)
{
    for (const auto& [edge, weight] : changes) weights[edge] = weight;
}

std::optional<std::vector<Epoch>> plan_epochs(const Network& network, const RowGraph& graph,
                                              const RoutingDomains& domains, const EdgeWeights& first,
                                              Diagnostics& diagnostics)
{
    return EpochPlanner(network, graph, domains, first, diagnostics).run();
}

}  // namespace anml
