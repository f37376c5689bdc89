// Routers that carry nothing since one of several equally short paths is taken for all: a leaf-spine without ECMP.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kBusy = 0.5;               // of a link's rate
constexpr std::size_t kManyNeighbours = 3;  // that two routers share: not the two sides of a ring

// A router between two others, as packets pass it.
struct Passed {
    std::uint32_t from = 0, by = 0, to = 0;  // vertices
    auto operator<=>(const Passed&) const = default;
};

class EqualPaths {
  public:
    explicit EqualPaths(LintContext& context)
        : context_(context),
          network_(context.network),
          graph_(network_),
          domains_(network_, graph_),
          weights_(edge_weights(network_, graph_, domains_, context.tunables)),
          used_(graph_.vertices().size())
    {
    }

    void run()
    {
        find_used();
        std::map<std::uint32_t, std::set<std::uint32_t>> idle;  // by a router that carries what they could
        std::map<std::uint32_t, Passed> example;
        for (const auto& [passed, load] : passed_) {
            if (domains_.multipath(passed.from)) continue;
            const auto weight = weight_of(passed);
            for (std::uint32_t e = graph_.first_edge(passed.from); weight && e < graph_.end_edge(passed.from); ++e) {
                const std::uint32_t other = graph_.edges()[e].to;
                if (used_[other] || !graph_.vertices()[other].transit) continue;
                if (const auto known = idle.find(passed.by); known != idle.end() && known->second.contains(other))
                    continue;
                if (weight_of({passed.from, other, passed.to}) != weight) continue;
                if (load < kBusy && shared_neighbours(passed.by, other) < kManyNeighbours) continue;
                idle[passed.by].insert(other);
                example.try_emplace(passed.by, passed);
            }
        }
        for (const auto& [by, others] : idle) report(example.at(by), others);
    }

  private:
    std::uint32_t vertex(std::uint32_t node) const
    {
        const std::size_t row = node_row_of(network_, node);
        return graph_.vertex_at(NodeRowId{row}, node - network_.nodes[row].first_node);
    }

    // Who carries anything, and who passes what on between whom; with the load of the busier of the two links.
    void find_used()
    {
        const auto load = [&](std::uint32_t link) {
            const auto rate = context_.traffic.rates.find(link);
            return rate == context_.traffic.rates.end() ? 0 : rate->second / context_.rate(link);
        };
        for (const Flow& flow : context_.flows) {
            for (const auto& way : flow.ways)
                for (const std::vector<PathLink>& step : way)
                    for (const PathLink& link : step) used_[vertex(link_target(network_, link.link))] = true;
            for (const auto* path : {&flow.there, &flow.back}) {
                for (std::size_t i = 1; i < path->size(); ++i) {
                    const std::uint32_t in = (*path)[i - 1], out = (*path)[i];
                    const Passed passed{vertex(link_source(network_, in)), vertex(link_source(network_, out)),
                                        vertex(link_target(network_, out))};
                    const auto transit = [&](std::uint32_t v) { return graph_.vertices()[v].transit; };
                    if (!transit(passed.from) || !transit(passed.to)) continue;
                    double& most = passed_[passed];
                    most = std::max({most, load(in), load(out)});
                }
            }
        }
    }

    std::optional<std::int64_t> weight_of(const Passed& passed) const
    {
        const auto first = edge_weight(passed.from, passed.by), second = edge_weight(passed.by, passed.to);
        if (!first || !second) return std::nullopt;
        return *first + *second;
    }
    // The least of the links between two.
    std::optional<std::int64_t> edge_weight(std::uint32_t from, std::uint32_t to) const
    {
        std::optional<std::int64_t> least;
        for (std::uint32_t e = graph_.first_edge(from); e < graph_.end_edge(from); ++e) {
            if (graph_.edges()[e].to != to || graph_.edges()[e].closed || weights_[e] == kDown) continue;
            least = least ? std::min(*least, weights_[e]) : weights_[e];
        }
        return least;
    }

    std::size_t shared_neighbours(std::uint32_t a, std::uint32_t b)
    {
        const auto [known, fresh] = shared_.try_emplace({a, b});
        if (!fresh) return known->second;
        std::size_t& shared = known->second;
        for (std::uint32_t e = graph_.first_edge(a); e < graph_.end_edge(a); ++e) {
            const std::uint32_t to = graph_.edges()[e].to;
            shared += graph_.vertices()[to].transit && edge_weight(b, to).has_value();
        }
        return shared;
    }

    std::string name(std::uint32_t v) const
    {
        const RouteVertex& vertex = graph_.vertices()[v];
        return context_.node(network_.nodes[vertex.row.value].first_node + vertex.first);
    }

    void report(const Passed& passed, const std::set<std::uint32_t>& others)
    {
        const std::uint32_t first = *others.begin();
        const std::string more = others.size() == 1   ? "carries"
                                 : others.size() == 2 ? "and another one carry"
                                                      : fmt::format("and {} others carry", others.size() - 1);
        const std::string message =
            fmt::format("{} {} nothing: of {} equally short paths from {} to {} all packets take the one by {}",
                        name(first), more, others.size() + 1, name(passed.from), name(passed.to), name(passed.by));
        context_.find(static_cast<double>(others.size()),
                      {Diag::idle_equal_path,
                       network_.nodes[graph_.vertices()[first].row.value].span,
                       message,
                       "with `routing { multipath = ecmp }` flows share them; what is to stand by gets a higher `cost` "
                       "with `metric = cost`",
                       {},
                       {},
                       std::vector<Fix>{{routing_with(network_, "multipath = ecmp"), {}, true}}});
    }

    LintContext& context_;
    const Network& network_;
    RowGraph graph_;
    RoutingDomains domains_;
    EdgeWeights weights_;
    std::vector<bool> used_;  // by vertex
    std::map<Passed, double> passed_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> shared_;  // neighbours of two
};

}  // namespace

void lint_idle_equal_path(LintContext& context) { EqualPaths(context).run(); }

}  // namespace anml
