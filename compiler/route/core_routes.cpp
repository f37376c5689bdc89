#include "route/core_routes.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
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
                       const Destinations& destinations, NextHops& next_hops)
    : columns_(static_cast<std::uint32_t>(destinations.roots.size())), vertices_(core.size()), shared_(core.size())
{
    std::size_t degree = 0;
    for (std::uint32_t v = 0; v < vertices_; ++v) degree = std::max(degree, core.leaving(v).size());
    const std::size_t cells = std::size_t{columns_} * vertices_;
    if (2 * degree + columns_ < 0xffff) {
        narrow_.resize(cells);
    } else {
        wide_.resize(cells);
    }
    with_lengths(core, false, [&](const auto& rule) { search(graph, domains, core, destinations, rule); });
    hops_.resize(vertices_);
    std::vector<std::uint32_t> edges;
    for (std::uint32_t v = 0; v < vertices_; ++v) {
        for (const bool through : {true, false}) {
            for (const PathGraph::Link& link : core.leaving(v)) {
                const std::uint32_t edge = core.edge(v, link.port);
                hops_[v].push_back(next_hops.over({&edge, 1}, through));
            }
        }
    }
    // Their order, and so their codes, depend on the threads; what they stand for does not, and the image gets them in
    // an order of its own.
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < vertices_; ++v) {
        const std::size_t ports = hops_[v].size();
        hops_[v].resize(ports + shared_[v].size());
        order.resize(shared_[v].size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return shared_[v][a] < shared_[v][b]; });
        for (const std::uint32_t set : order) {
            edges.clear();
            for (const std::uint32_t port : shared_[v][set].ports) edges.push_back(core.edge(v, port));
            hops_[v][ports + set] = next_hops.over(edges, shared_[v][set].through);
        }
    }
    shared_.clear();
}

template <class Rule>
void CoreRoutes::search(const RowGraph& graph, const RoutingDomains& domains, const PathGraph& core,
                        const Destinations& destinations, const Rule& rule)
{
    std::vector<char> shares(vertices_);
    std::vector<std::uint32_t> without_route(vertices_, kNoPort);
    for (std::uint32_t v = 0; v < vertices_; ++v) {
        shares[v] = domains.multipath(core.vertex(v));
        if (!core.transit(v)) without_route[v] = default_port(core, v);
    }
    std::array<std::mutex, kLocks> locks;
    tbb::enumerable_thread_specific<PathSearch<Rule>> searches([&] { return PathSearch<Rule>(core, rule); });
    tbb::parallel_for(tbb::blocked_range<std::uint32_t>(0, columns_), [&](const tbb::blocked_range<std::uint32_t>& r) {
        PathSearch<Rule>& search = searches.local();
        for (std::uint32_t column = r.begin(); column < r.end(); ++column) {
            const std::uint32_t root = core.index(destinations.roots[column]);
            const bool run = graph.vertices()[destinations.roots[column]].count > 1;
            search.run(root);
            for (std::uint32_t v = 0; v < vertices_; ++v) {
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
                const auto degree = static_cast<std::uint32_t>(core.leaving(v).size());
                const bool through = !run || core.leaving(v)[port].other != root;
                if (shares[v] && ports.size() > 1) {
                    const std::lock_guard lock(locks[v % kLocks]);
                    set(column, v, shared_code(v, {through, std::move(ports)}, degree));
                } else {
                    set(column, v, (through ? 0 : degree) + port + 1);
                }
            }
        }
    });
}

std::uint32_t CoreRoutes::shared_code(std::uint32_t index, Shared shared, std::uint32_t degree)
{
    std::vector<Shared>& known = shared_[index];
    const auto at = std::find(known.begin(), known.end(), shared);
    const auto number = static_cast<std::uint32_t>(at - known.begin());
    if (at == known.end()) known.push_back(std::move(shared));
    return 2 * degree + number + 1;
}

void CoreRoutes::set(std::uint32_t column, std::uint32_t index, std::uint32_t code)
{
    const std::size_t cell = std::size_t{column} * vertices_ + index;
    if (wide_.empty()) {
        narrow_[cell] = static_cast<std::uint16_t>(code);
    } else {
        wide_[cell] = code;
    }
}

void CoreRoutes::codes(std::uint32_t index, std::uint32_t vertices, std::vector<std::uint32_t>& codes) const
{
    codes.resize(std::size_t{vertices} * columns_);
    for (std::uint32_t column = 0; column < columns_; ++column) {
        const std::size_t cell = std::size_t{column} * vertices_ + index;
        for (std::uint32_t v = 0; v < vertices; ++v)
            codes[std::size_t{v} * columns_ + column] = wide_.empty() ? narrow_[cell + v] : wide_[cell + v];
    }
}

}  // namespace anml
