#include "route/core_routes.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>

#include "route/path_search.h"

namespace anml {
namespace {

constexpr std::size_t kLocks = 256;  // of what vertices share, by the number modulo it

// Where a host sends what it has no route for: to the first router that it is linked to, which says that there is none.
// Not to a customer or a peer, which might have one that is not for it.
std::uint32_t default_port(const PathGraph& core, std::uint32_t host)
{
    for (const PathGraph::Link& link : core.leaving(host)) {
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

void CoreRoutes::compute(NextHops& next_hops)
{
    codes_.allocate();
    shared_.resize(core_.size());
    with_lengths(core_, false, [&](const auto& rule) { search(rule); });
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
    shared_.clear();
}

template <class Rule>
void CoreRoutes::search(const Rule& rule)
{
    std::vector<char> shares(core_.size());
    std::vector<std::uint32_t> without_route(core_.size(), kNoPort), defaulting;
    for (std::uint32_t v = 0; v < core_.size(); ++v) {
        shares[v] = domains_.multipath(core_.vertex(v));
        if (!core_.transit(v)) without_route[v] = default_port(core_, v);
        if (without_route[v] != kNoPort) defaulting.push_back(v);
    }
    std::array<std::mutex, kLocks> locks;
    tbb::enumerable_thread_specific<PathSearch<Rule>> searches([&] { return PathSearch<Rule>(core_, rule); });
    const auto one = [&](std::uint32_t column, PathSearch<Rule>& search) {
        const std::uint32_t root = core_.index(destinations_.roots[column]);
        const bool run = is_run(column);
        if (core_.entering(root).empty()) {  // nobody reaches it
            for (const std::uint32_t v : defaulting)
                if (v != root) codes_.set(column, v, without_route[v] + 1);
            return;
        }
        search.run(root);
        for (std::uint32_t v = 0; v < core_.size(); ++v) {
            std::uint32_t port = search.port(v);
            std::vector<std::uint32_t> ports;
            if (v == root) {
                // Elements of a run reach each other by way of a neighbour.
                if (run) ports = search.equal_ports(v);
                if (!ports.empty()) port = ports[0];
            } else if (shares[v] && search.tied(v)) {
                ports = search.equal_ports(v);
            } else if (port == kNoPort) {
                port = without_route[v];
            }
            if (port == kNoPort) continue;
            const bool through = !run || core_.leaving(v)[port].other != root;
            if (shares[v] && ports.size() > 1) {
                const std::lock_guard lock(locks[v % kLocks]);
                codes_.set(column, v, shared_code(v, {through, std::move(ports)}));
            } else {
                const auto degree = static_cast<std::uint32_t>(core_.leaving(v).size());
                codes_.set(column, v, (through ? 0 : degree) + port + 1);
            }
        }
    };
    const tbb::blocked_range<std::uint32_t> blocks(0, (columns_ + CoreCodes::kBlock - 1) / CoreCodes::kBlock);
    tbb::parallel_for(blocks, [&](const tbb::blocked_range<std::uint32_t>& range) {
        PathSearch<Rule>& search = searches.local();
        const std::uint32_t end = std::min(range.end() * CoreCodes::kBlock, columns_);
        for (std::uint32_t column = range.begin() * CoreCodes::kBlock; column < end; ++column) one(column, search);
    });
}

std::uint32_t CoreRoutes::shared_code(std::uint32_t index, Shared shared)
{
    const auto next = static_cast<std::uint32_t>(shared_[index].size());
    return port_codes(index) + shared_[index].try_emplace(std::move(shared), next).first->second + 1;
}

void CoreRoutes::codes(std::uint32_t index, std::uint32_t vertices, std::vector<std::uint32_t>& codes) const
{
    codes.resize(std::size_t{vertices} * columns_);
    for (std::uint32_t column = 0; column < columns_; ++column)
        for (std::uint32_t v = 0; v < vertices; ++v)
            codes[std::size_t{v} * columns_ + column] = codes_.get(column, index + v);
}

}  // namespace anml
