#include "route/search/path_figures.h"

#include <algorithm>
#include <set>

#include "analysis/network_queries.h"

namespace anml {

bool passes(const Network& network, const PathSteps& steps, std::uint32_t from, std::uint32_t to, std::uint32_t through)
{
    if (through == from) return true;
    std::set<std::uint32_t> around{from};  // what can be reached without the node
    for (const std::vector<PathLink>& step : steps) {
        std::set<std::uint32_t> next;
        for (const PathLink& hop : step) {
            const std::uint32_t target = link_target(network, hop.link);
            if (target != through && around.contains(link_source(network, hop.link))) next.insert(target);
        }
        if (next.contains(to)) return false;
        around = std::move(next);
    }
    return around.empty();
}

bool leads_by(const Network& network, const PathSteps& steps, std::span<const std::uint32_t> between)
{
    if (steps.size() != between.size() + 1) return false;
    for (std::size_t i = 0; i < between.size(); ++i)
        for (const PathLink& hop : steps[i])
            if (link_target(network, hop.link) != between[i]) return false;
    return true;
}

std::string show_path(const Network& network, const PathSteps& steps, std::uint32_t from)
{
    std::string text = node_name(network, from);
    std::uint32_t at = from;
    for (const std::vector<PathLink>& step : steps) {
        const auto hop = std::find_if(step.begin(), step.end(),
                                      [&](const PathLink& l) { return link_source(network, l.link) == at; });
        if (hop == step.end()) break;  // it is there before others
        at = link_target(network, hop->link);
        text += " - " + node_name(network, at);
    }
    return text;
}

std::uint32_t shared_link(const PathSteps& first, const PathSteps& second)
{
    std::set<std::uint32_t> links;
    for (const std::vector<PathLink>& step : first)
        for (const PathLink& hop : step) links.insert(hop.link / 2);
    for (const std::vector<PathLink>& step : second)
        for (const PathLink& hop : step)
            if (links.contains(hop.link / 2)) return hop.link;
    return kNoLink;
}

}  // namespace anml
