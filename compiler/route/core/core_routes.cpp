#include "route/core/core_routes.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>

namespace anml {
namespace {

// Where a host sends what it has no route for: to the first router that it is linked to, which says that there is none.
// Not to a customer or a peer, which might have one that is not for it.
std::uint32_t port_without_route(const PathGraph& core, std::uint32_t host)
{
    for (const PathGraph::Link& link : core.leaving(host)) {
        if (link.weight == PathGraph::kClosed) continue;
        const LinkRole role = core.tiered() ? PathGraph::role(link) : LinkRole::between;
        if (core.transit(link.other) && role != LinkRole::to_customer && role != LinkRole::to_peer) return link.port;
    }
    return kNoPort;
}

}  // namespace

CoreRoutes::CoreRoutes(const RowGraph& graph, const RoutingDomains& domains, const PathGraph& core,
                       const Destinations& destinations)
    : graph_(graph),
      domains_(domains),
      core_(core),
      destinations_(destinations),
      columns_(static_cast<std::uint32_t>(destinations.roots.size())),
      runs_(std::any_of(destinations.roots.begin(), destinations.roots.end(),
                        [&](std::uint32_t root) { return graph.vertices()[root].count > 1; })),
      codes_(code_bits(), columns_)
{
}

// At the most a vertex has a set of its own for each column.
std::vector<std::uint8_t> CoreRoutes::code_bits() const
{
    std::vector<std::uint8_t> bits;
    for (std::uint32_t v = 0; v < core_.size(); ++v) {
        const std::uint64_t sets = domains_.multipath(core_.vertex(v)) ? columns_ : 0;
        bits.push_back(static_cast<std::uint8_t>(std::bit_width(port_codes(v) + sets)));
    }
    return bits;
}

void CoreRoutes::compute()
{
    codes_.allocate();
    shared_.resize(core_.size());
    by_number_.resize(core_.size());
    shares_.resize(core_.size());
    default_.assign(core_.size(), kNoPort);
    for (std::uint32_t v = 0; v < core_.size(); ++v) {
        shares_[v] = domains_.multipath(core_.vertex(v));
        renew_default(v);
    }
    with_lengths(core_, false, [&](const auto& rule) { search(rule); });
}

void CoreRoutes::make_hops(NextHops& next_hops)
{
    hops_.resize(core_.size());
    std::vector<std::uint32_t> edges;
    for (std::uint32_t v = 0; v < core_.size(); ++v) {
        for (const bool through : {true, false}) {
            if (!through && !runs_) break;
            for (const PathGraph::Link& link : core_.leaving(v)) {
                const std::uint32_t edge = core_.edge(v, link.port);
                hops_[v].push_back(next_hops.over({&edge, 1}, through));
            }
        }
        // Their numbers depend on the threads; what they stand for does not, and the image gets them in an order of
        // its own.
        hops_[v].resize(port_codes(v) + shared_[v].size());
        for (const auto& [set, number] : shared_[v]) {
            edges.clear();
            for (const std::uint32_t port : set.ports) edges.push_back(core_.edge(v, port));
            hops_[v][port_codes(v) + number] = next_hops.over(edges, set.through);
        }
    }
}

void CoreRoutes::renew_default(std::uint32_t index)
{
    if (core_.transit(index)) return;
    const bool before = default_[index] != kNoPort;
    default_[index] = port_without_route(core_, index);
    if (before == (default_[index] != kNoPort)) return;
    if (before)
        std::erase(defaulting_, index);
    else
        defaulting_.push_back(index);
}

template <class Rule>
void CoreRoutes::search(const Rule& rule)
{
    tbb::enumerable_thread_specific<PathSearch<Rule>> searches([&] { return PathSearch<Rule>(core_, rule); });
    const tbb::blocked_range<std::uint32_t> blocks(0, (columns_ + CoreCodes::kBlock - 1) / CoreCodes::kBlock);
    tbb::parallel_for(blocks, [&](const tbb::blocked_range<std::uint32_t>& range) {
        PathSearch<Rule>& search = searches.local();
        const std::uint32_t end = std::min(range.end() * CoreCodes::kBlock, columns_);
        for (std::uint32_t column = range.begin() * CoreCodes::kBlock; column < end; ++column)
            column_codes(column, search, [&](std::uint32_t v, std::uint32_t code) { codes_.set(column, v, code); });
    });
}

std::uint32_t CoreRoutes::code_for(std::uint32_t column, std::uint32_t index, std::uint32_t port,
                                   std::vector<std::uint32_t>&& ports)
{
    const bool through = !is_run(column) || core_.leaving(index)[port].other != root(column);
    if (shares_[index] && ports.size() > 1) {
        const std::lock_guard lock(locks_[index % kLocks]);
        return shared_code(index, {through, std::move(ports)});
    }
    const auto degree = static_cast<std::uint32_t>(core_.leaving(index).size());
    return (through ? 0 : degree) + port + 1;
}

std::uint32_t CoreRoutes::shared_code(std::uint32_t index, Shared shared)
{
    const auto next = static_cast<std::uint32_t>(shared_[index].size());
    const auto [at, fresh] = shared_[index].try_emplace(std::move(shared), next);
    if (fresh) by_number_[index].push_back(&at->first);
    return port_codes(index) + at->second + 1;
}

std::span<const std::uint32_t> CoreRoutes::ports(std::uint32_t index, std::uint32_t code, std::uint32_t& single) const
{
    if (code == 0) return {};
    if (code > port_codes(index)) return by_number_[index][code - port_codes(index) - 1]->ports;
    single = (code - 1) % static_cast<std::uint32_t>(core_.leaving(index).size());
    return {&single, 1};
}

void CoreRoutes::codes(std::uint32_t index, std::uint32_t vertices, std::vector<std::uint32_t>& codes) const
{
    codes.resize(std::size_t{vertices} * columns_);
    for (std::uint32_t column = 0; column < columns_; ++column)
        for (std::uint32_t v = 0; v < vertices; ++v)
            codes[std::size_t{v} * columns_ + column] = codes_.get(column, index + v);
}

}  // namespace anml
