// Load balancers: what they may have for back ends, and what clients may ask of them.
#include "elaborate/workloads/balancers.h"

#include <fmt/format.h>

#include <algorithm>

#include "elaborate/workloads/workloads.h"

namespace anml {

std::optional<Balancer> balancer_of(const Network& network, NodeRowId row)
{
    const std::uint32_t at = network.nodes[row.value].middlebox;
    if (at == abi::kNone || !is_a(network.records[at], abi::RecordSchema::load_balancer)) return std::nullopt;
    const RecordInfo& record = network.records[at];
    const auto port = [&](std::string_view name) {
        return static_cast<std::uint32_t>(network.values.as_constant(record_number(record, name)).value_or(0));
    };
    Balancer balancer{port("port"), port("to_port"), {}};
    for (const std::uint32_t group : std::get<RecordList>(*find_value(record, "back_ends")))
        for (const RecordRange& range : std::get<RecordRanges>(*find_value(network.records[group], "nodes")))
            balancer.back_ends.push_back({NodeRowId{range.row}, range.first, range.last - range.first + 1});
    return balancer;
}

std::vector<TargetRange> who_answers(const Network& network, const std::vector<TargetRange>& asked)
{
    std::vector<TargetRange> all;
    for (const TargetRange& range : asked) {
        const auto balancer = balancer_of(network, range.row);
        if (!balancer)
            all.push_back(range);
        else
            all.insert(all.end(), balancer->back_ends.begin(), balancer->back_ends.end());
    }
    return all;
}

// Each once, hosts and endpoints that are one host; ports that do not change.
void balancer(Elaboration& in, const SchemaValue& value, const NodeArray& group)
{
    const RecordInfo& record = in.network.records[group.middlebox];
    if (!is_a(record, abi::RecordSchema::load_balancer)) return;
    for (const std::string_view name : {"port", "to_port"})
        if (const ValueExprId id = record_number(record, name); !in.network.values.as_constant(id))
            report_shape(in, id, value.span, "the port of a load balancer");
    std::vector<TargetRange> back_ends;
    for (const std::uint32_t one : std::get<RecordList>(*find_value(record, "back_ends")))
        for (const RecordRange& range : std::get<RecordRanges>(*find_value(in.network.records[one], "nodes")))
            back_ends.push_back({NodeRowId{range.row}, range.first, range.last - range.first + 1});
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const TargetRange& range : back_ends) {
        const NodeArray& node = in.network.nodes[range.row.value];
        const auto wrong = [&](std::string text, std::string_view help) {
            in.report(Diag::type_mismatch, value.span, std::move(text))
                .also(node.span, "declared here")
                .help(std::string(help));
        };
        if (node.kind != abi::NodeKind::host && node.kind != abi::NodeKind::endpoint)
            return wrong(
                fmt::format("back ends are hosts or endpoints, found {}", a_type(in.program, node_type(node.kind))),
                "what is behind a router is named itself");
        const auto has_prefix = [&](const EndpointInfo& e) { return e.node == range.row && !e.prefixes.empty(); };
        if (std::any_of(in.network.endpoints.begin(), in.network.endpoints.end(), has_prefix))
            return wrong(fmt::format("a back end is one host, and `{}` is a whole subnet", node.name),
                         "declare an endpoint without `prefix` or `behind` for each real server");
        for (std::uint32_t i = 0; i < range.count; ++i)
            if (!seen.emplace(range.row.value, range.first + i).second)
                return wrong(fmt::format("`{}` is a back end twice", node.name), "give it a `weight` instead");
    }
}

// What is reached by IPv4 alone.
void balancers_have_ipv4(const Network& network, ReportOnce& report)
{
    for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
        const auto balancer = balancer_of(network, NodeRowId{row});
        if (!balancer) continue;
        const auto need = [&](const NodeArray& node) {
            if (node.has_ipv4()) return true;
            report(Diag::address_family, network.nodes[row].span,
                   fmt::format("load balancers are of IPv4, and `{}` has IPv6 alone", node.name))
                .also(node.span, "declared here")
                .help("give it an `address` of IPv4");
            return false;
        };
        if (!need(network.nodes[row])) continue;
        for (const TargetRange& range : balancer->back_ends)
            if (!need(network.nodes[range.row.value])) break;
    }
}

// Whether the balancer and its back ends have what the workload asks for. False: it was warned about, or it is an
// error.
bool matches_balancer(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info,
                      NodeRowId row, const Balancer& balancer, bool web)
{
    const NodeArray& node = in.network.nodes[row.value];
    bool fine = true;
    if (balancer.port != info.port) {
        in.report(Diag::port_mismatch, place_of(in.program, s, "port", info.span),
                  fmt::format("`{}` connects to port {}, but the load balancer `{}` listens on {}", info.name,
                              info.port, node.name, balancer.port))
            .also(node.span, "declared here");
        fine = false;
    }
    if (!web) return fine;
    for (const TargetRange& range : balancer.back_ends) {
        const NodeArray& back_end = in.network.nodes[range.row.value];
        if (back_end.kind != abi::NodeKind::endpoint) {
            in.report(Diag::type_mismatch, info.span,
                      fmt::format("web servers are endpoints, and `{}` sends to `{}`, found {}", node.name,
                                  back_end.name, a_type(in.program, node_type(back_end.kind))))
                .also(back_end.span, "declared here")
                .help("an endpoint with `simulated = web.server(...)` answers");
            return false;
        }
        fine = matches_server(in, value, s, info, range.row, balancer.to_port) && fine;
    }
    return fine;
}

}  // namespace anml
