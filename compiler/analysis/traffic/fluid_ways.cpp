#include "analysis/traffic/fluid_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "analysis/network_queries.h"
#include "analysis/timeline/route_epochs.h"
#include "analysis/traffic/workload_pairs.h"
#include "runtime/abi/records.h"

namespace anml {

namespace {

class FluidCheck {
  public:
    FluidCheck(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
        : network_(network), routes_(routes), diagnostics_(diagnostics), epochs_(network, routes)
    {
    }

    bool run()
    {
        const std::size_t before = diagnostics_.errors();
        const RowGraph graph(network_);
        const Alike alike = [&](NodeRowId row, std::uint32_t element) {
            const RouteVertex& run = graph.vertices()[graph.vertex_at(row, element)];
            return run.first + run.count - element;
        };
        for (const WorkloadInfo& workload : network_.workloads) {
            const auto fluid = network_.values.as_constant(workload.traits.fluid);
            if (fluid && *fluid == 0) continue;
            if (!hosts_alone(workload)) continue;
            const auto pairs = workload_pairs(network_, workload, alike, nearest_by(network_, routes_));
            for (std::size_t epoch = 0; epoch <= routes_.epochs.size(); ++epoch)
                for (const WorkloadPair& pair : pairs) follow(workload, pair, epochs_.after(epoch));
        }
        return diagnostics_.errors() == before;
    }

  private:
    Diagnostics::Builder refuse(const WorkloadInfo& workload, std::string text)
    {
        return diagnostics_.report(Diag::unsupported_fluid, workload.span, std::move(text));
    }

    bool hosts_alone(const WorkloadInfo& workload)
    {
        for (const TargetRange& peer : workload.peers) {
            const NodeArray& node = network_.nodes[peer.row.value];
            if (node.kind == abi::NodeKind::host) continue;
            refuse(workload, fmt::format("the fluid of `{}` goes to `{}`, which is no host", workload.name, node.name))
                .also(node.span, "declared here")
                .help("real hosts and NATs have to do with packets alone: send it to a host behind the same links");
            return false;
        }
        return true;
    }

    static bool alike(const std::vector<std::vector<PathLink>>& a, const std::vector<std::vector<PathLink>>& b)
    {
        const auto same_link = [](const PathLink& x, const PathLink& y) { return x.link == y.link; };
        const auto same = [&](const std::vector<PathLink>& x, const std::vector<PathLink>& y) {
            return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_link);
        };
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
    }

    void follow(const WorkloadInfo& workload, const WorkloadPair& pair, const RouteState& state)
    {
        const std::uint32_t from = network_.nodes[pair.host_row.value].first_node + pair.host;
        const std::uint32_t to = network_.nodes[pair.peer_row.value].first_node + pair.peer;
        std::vector<std::vector<PathLink>> steps;
        const bool arrives = trace_paths(network_, routes_, from, to, steps, &state, marks_of(workload));
        std::vector<std::vector<PathLink>> shortest;
        if (!routes_.steering.empty() && told_.insert(&workload).second &&
            arrives == trace_shortest(network_, routes_, from, to, shortest, &state) && !alike(steps, shortest))
            refuse(workload, fmt::format("the fluid of `{}` would take a route by segments", workload.name))
                .help("lists of segments are for packets: name a `source` or a destination that the fluid has not");
        for (const auto& step : steps)
            for (const PathLink& way : step) {
                const std::size_t row = link_row_of(network_, way.link);
                look_at(workload, row, (way.link - network_.links[row].first_link) % 2,
                        network_.nodes[node_row_of(network_, link_source(network_, way.link))]);
                const std::uint32_t next = link_target(network_, way.link);
                const NodeArray& node = network_.nodes[node_row_of(network_, next)];
                if (node.middlebox == abi::kNone || !told_.insert(&node).second) continue;
                refuse(workload,
                       fmt::format("the fluid of `{}` would pass `{}`, which is a middlebox", workload.name, node.name))
                    .also(node.span, "declared here")
                    .help("middleboxes decide on packets, of which fluid has none");
            }
    }

    void look_at(const WorkloadInfo& workload, std::size_t row, std::uint32_t direction, const NodeArray& source)
    {
        const LinkArray& link = network_.links[row];
        std::string why,
            help = "fluid shares drop-tail queues that are bounded in bytes, as `queue = droptail(256 KB)`";
        const auto packets = network_.values.as_constant(link.queue_packets[direction]);
        if (on_air(network_, link)) {
            why = "which shares the air with others of its cell";
            help = "its transmissions are of packets: let the fluid begin and end behind wires";
        } else if (link.discipline[direction] != abi::kNone) {
            const std::uint32_t layout = network_.records[link.discipline[direction]].layout;
            why = fmt::format("whose queue is a `{}`", abi::record_layout(layout).schema.substr(4));
        } else if (link.trace[direction] != abi::kNone) {
            why = "which transmits what a trace says";
            help = "give it a rate";
        } else if (!packets || *packets != 0 || counted_later(row)) {
            why = "whose queue is bounded in packets";
        } else if (source.buffer != abi::kNone) {
            why = fmt::format("whose queue is in the buffer that the links of `{}` share", source.name);
        }
        if (why.empty() || !told_.insert(&link).second) return;
        refuse(workload, fmt::format("the fluid of `{}` would take `{}`, {}", workload.name, link.name, why))
            .also(link.span, "declared here")
            .help(help);
    }

    // The timeline bounds its queue in packets.
    bool counted_later(std::size_t row) const
    {
        for (const TimelineInfo& t : network_.timeline) {
            if (t.attribute != abi::TimelineAttribute::queue_packets) continue;
            const auto packets = network_.values.as_constant(t.value);
            if (packets && *packets == 0) continue;
            for (const auto& target : t.links)
                if (target.row.value == row) return true;
        }
        return false;
    }

    const Network& network_;
    const RouteTables& routes_;
    Diagnostics& diagnostics_;
    RouteEpochs epochs_;
    std::set<const void*> told_;  // links and nodes that an error was reported of
};

}  // namespace

bool check_fluid(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
{
    for (const WorkloadInfo& workload : network.workloads)
        if (const auto fluid = network.values.as_constant(workload.traits.fluid); !fluid || *fluid != 0)
            return FluidCheck(network, routes, diagnostics).run();
    return true;
}

}  // namespace anml
