// Autonomous systems that are each their own customers, by way of others.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/routes/routing_domains.h"
#include "lint/rules.h"

namespace anml {

namespace {

// A way from each system to its providers, by links; the walk that comes back to where it was is a cycle.
class ProviderWalk {
  public:
    ProviderWalk(const RowGraph& graph, const RoutingDomains& domains) : graph_(graph), system_(domains.systems())
    {
        for (std::uint32_t e = 0; e < graph.edges().size(); ++e)
            if (domains.roles()[e] == LinkRole::to_provider) up_[system_[graph.source(e)]].push_back(e);
    }

    // Edges from customer to provider, round; empty where there is no cycle.
    std::vector<std::uint32_t> find()
    {
        for (const auto& [system, edges] : up_)
            if (auto cycle = walk(system); !cycle.empty()) return cycle;
        return {};
    }

  private:
    std::vector<std::uint32_t> walk(std::uint32_t start)
    {
        struct Visit {
            std::uint32_t system;
            std::size_t next = 0;
        };
        std::vector<Visit> path;
        std::vector<std::uint32_t> edges;  // between the visits
        const auto enter = [&](std::uint32_t system) {
            state_[system] = State::open;
            path.push_back({system});
        };
        if (state_[start] == State::untouched) enter(start);
        while (!path.empty()) {
            Visit& visit = path.back();
            const auto known = up_.find(visit.system);
            if (known == up_.end() || visit.next == known->second.size()) {
                state_[visit.system] = State::done;
                path.pop_back();
                if (!edges.empty()) edges.pop_back();
                continue;
            }
            const std::uint32_t edge = known->second[visit.next++], to = system_[graph_.edges()[edge].to];
            if (state_[to] == State::open) {
                const auto first =
                    std::find_if(path.begin(), path.end(), [&](const Visit& v) { return v.system == to; });
                edges.push_back(edge);
                return {edges.begin() + (first - path.begin()), edges.end()};
            }
            if (state_[to] == State::done) continue;
            edges.push_back(edge);
            enter(to);
        }
        return {};
    }

    enum class State : char { untouched, open, done };
    const RowGraph& graph_;
    std::vector<std::uint32_t> system_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> up_;  // by system: edges to its providers
    std::map<std::uint32_t, State> state_;
};

}  // namespace

void lint_provider_cycle(LintContext& context)
{
    const RowGraph graph(context.network);
    const RoutingDomains domains(context.network, graph);
    if (!domains.policy()) return;
    const std::vector<std::uint32_t> cycle = ProviderWalk(graph, domains).find();
    if (cycle.empty()) return;
    std::string systems;
    constexpr std::size_t kMostShown = 5;
    for (std::size_t i = 0; i < std::min(cycle.size(), kMostShown); ++i)
        systems += context.node(link_source(context.network, graph.edges()[cycle[i]].lowest)) + " buys from ";
    systems +=
        cycle.size() > kMostShown ? fmt::format("{} others, the last of them from ", cycle.size() - kMostShown) : "";
    systems += context.node(link_source(context.network, graph.edges()[cycle[0]].lowest));
    context.find(1, {Diag::provider_cycle,
                     context.group(graph.edges()[cycle[0]].lowest).span,
                     fmt::format("each system here is a customer of itself: {}", systems),
                     "money goes up in a hierarchy: make one of the links a peering",
                     {},
                     {}});
}

}  // namespace anml
