// Calls: what simulated servers ask of each other, as workloads that run on them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

// Who calls whom, by rows of nodes; endpoints are rows of their own.
struct CallGraph {
    struct Edge {
        std::uint32_t to;
        const WorkloadInfo* workload;
    };
    std::map<std::uint32_t, std::vector<Edge>> edges;
    std::set<std::uint32_t> done;  // from where no cycle is reached, or one that has been found
    std::vector<std::uint32_t> path;

    explicit CallGraph(const Network& network)
    {
        for (const WorkloadInfo& w : network.workloads)
            if (w.traits.load == Load::served)
                for (const TargetRange& from : w.targets)
                    for (const TargetRange& to : who_answers(network, w.peers))
                        edges[from.row.value].push_back({to.row.value, &w});
    }

    // Into `path` the cycle that is reached from there, and the call that closes it.
    const WorkloadInfo* cycle_from(std::uint32_t row)
    {
        if (const auto at = std::find(path.begin(), path.end(), row); at != path.end()) {
            path.erase(path.begin(), at);
            return closing_;
        }
        if (!done.insert(row).second) return nullptr;
        path.push_back(row);
        for (const Edge& edge : edges[row]) {
            closing_ = edge.workload;
            if (const WorkloadInfo* found = cycle_from(edge.to)) return found;
        }
        path.pop_back();
        return nullptr;
    }

  private:
    const WorkloadInfo* closing_ = nullptr;
};

}  // namespace

// Hosts do what workloads say, and simulated servers make calls.
bool Elaborator::runs_there(const WorkloadStatement& s, const WorkloadInfo& info)
{
    const bool served = info.traits.load == Load::served;
    const Span place = program_.expr(s.on).span;
    for (const TargetRange& range : info.targets) {
        const NodeArray& node = network_.nodes[range.row.value];
        if (!served && node.kind == abi::NodeKind::host) continue;
        if (!served || node.kind != abi::NodeKind::endpoint) {
            report(
                Diag::type_mismatch, place,
                fmt::format("{}, found {}", served ? "calls are made by simulated servers" : "a workload runs on hosts",
                            a_type(program_, node_type(node.kind))))
                .also(node.span, "declared here")
                .help(served ? "an endpoint with `simulated = web.server(...)` makes them"
                             : "what servers ask of each other is a `web.Calls`");
            return false;
        }
        const ServerInfo* server = server_of(range.row);
        if (server && is_a(network_.records[server->record], abi::RecordSchema::web_server)) continue;
        report(Diag::no_server, place, fmt::format("`{}` has no simulated server that could make calls", node.name))
            .also(node.span, "declared here")
            .help("give it one: `simulated = web.server(...)`");
        return false;
    }
    return true;
}

bool Elaborator::calls(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const Span place = place_of(s, "to", info.span);
    const NodeSet* to = attribute_of(value, "to").as<NodeSet>();
    if (!to) return false;
    info.peers = *to;
    info.pairing = abi::Pairing::random;  // each server calls any of them
    const std::uint64_t nodes = size_of(*to);
    bool alike = true;  // one that is not is told about
    if (nodes == 0) {
        report(Diag::shape_mismatch, place, fmt::format("`{}` calls no endpoint: `to` is empty", info.name));
        return false;
    }
    for (const TargetRange& range : *to) {
        const NodeArray& node = network_.nodes[range.row.value];
        if (const auto balancer = balancer_of(network_, range.row)) {
            alike = alike && matches_balancer(value, s, info, range.row, *balancer, true);
            continue;
        }
        if (node.kind != abi::NodeKind::endpoint) {
            report(
                Diag::type_mismatch, place,
                fmt::format("`to` wants endpoints or load balancers, found {}", a_type(program_, node_type(node.kind))))
                .also(node.span, "declared here");
            return false;
        }
        alike = alike && matches_server(value, s, info, range.row, info.port);
    }
    for (const std::string_view name : {"fan_out", "wait_for"}) {
        const auto asked = network_.values.as_constant(number_of(value, name));
        if (!asked || *asked <= static_cast<double>(nodes)) continue;
        report(Diag::out_of_range, place_of(s, name, info.span),
               fmt::format("`{}` is {:.0f}, and `to` has {} node{}", name, *asked, nodes, nodes == 1 ? "" : "s"));
        return false;
    }
    unused_of_calls(value, s, info);
    return asked(value, s, info);
}

void Elaborator::unused_of_calls(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info)
{
    const auto is = [&](std::string_view name, double what) {
        return network_.values.as_constant(number_of(value, name)) == what;
    };
    const auto given = [&](std::string_view name) { return place_of(s, name, info.span) != info.span; };
    if (is("retries", 0))
        for (const std::string_view name : {"backoff", "growth"})
            if (given(name))
                unused(place_of(s, name, info.span), fmt::format("`{}` is about retries, and there are none", name),
                       "`retries = 2` has what failed tried again twice");
    if (is("breaker", 0) && given("open_for"))
        unused(place_of(s, "open_for", info.span), "`open_for` is about circuits, which nothing opens",
               "`breaker = 5` opens a node's circuit after five failures in a row");
    const bool all = is("fan_out", 0) || is("fan_out", static_cast<double>(size_of(info.peers)));
    if (all && given("pick") && attribute_of(value, "pick").as<EnumValue>()->ordinal != 0)
        unused(place_of(s, "pick", info.span), "`pick` chooses among several nodes, and each call asks all of them",
               "leave it out, or say more nodes in `to`");
}

// A request would be served when itself has been.
void find_call_cycles(const Network& network, const ReportOnce& report)
{
    CallGraph graph(network);
    std::vector<std::uint32_t> callers;
    for (const auto& [row, edges] : graph.edges) callers.push_back(row);
    for (const std::uint32_t row : callers) {
        const WorkloadInfo* closing = graph.cycle_from(row);
        if (!closing) continue;
        std::vector<std::string> names;
        for (const std::uint32_t at : graph.path) names.push_back(fmt::format("`{}`", network.nodes[at].name));
        report(Diag::call_cycle, closing->span,
               names.size() == 1
                   ? fmt::format("{} would call itself", names[0])
                   : fmt::format("{} would call {} again, which calls it in the end", names.back(), names[0]))
            .help(names.size() == 1 ? "a request of its own would wait for a worker behind the one that makes it"
                                    : fmt::format("calls go from tier to tier and come to an end; these go {} -> {}",
                                                  fmt::join(names, " -> "), names[0]));
        return;  // one of a tangle is enough
    }
}

}  // namespace anml
