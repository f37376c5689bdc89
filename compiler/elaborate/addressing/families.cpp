// IPv4 and IPv6: which of them nodes have, and which workloads and static routes are for.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/address.h"
#include "elaborate/addressing/address_family.h"
#include "elaborate/model.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// The innermost of the prefix and those around it that is of the family. Where the `pool` or `prefix` of a place is of
// IPv6, nodes there have no other; one of IPv4 ends what such a place around it said.
PoolChoice pool_of_family(Elaboration& in, std::uint32_t pool, bool ipv6)
{
    if (pool == 0) {
        if (ipv6) return {in.network.ipv6_pool_length ? 0 : abi::kNone, in.network.ipv6_alone};
        return {in.network.ipv6_alone ? abi::kNone : 0, false};
    }
    const InstancePrefix& p = in.prefixes[pool - 1];
    const bool first_ipv6 = p.prefix && p.prefix->ipv6, first_ipv4 = p.prefix && !p.prefix->ipv6;
    if (!ipv6) {
        if (first_ipv4) return {pool, false};
        return first_ipv6 ? PoolChoice{} : pool_of_family(in, p.outer, false);
    }
    if (first_ipv6 || p.ipv6) return {pool, first_ipv6};
    const PoolChoice outer = pool_of_family(in, p.outer, true);
    return first_ipv4 && outer.alone ? PoolChoice{} : outer;
}

// Where one of those that take part does not have the family that the workload asks for.
bool lacks_family(const Network& network, ReportOnce& report, const WorkloadInfo& workload, const NodeArray* lacking)
{
    if (!lacking) return false;
    const bool ipv6 = workload.family == AddressFamily::ipv6;
    const char* const family = ipv6 ? "IPv6" : "IPv4";
    const auto row = static_cast<std::uint32_t>(lacking - network.nodes.data());
    const bool balancer = ipv6 && balancer_of(network, NodeRowId{row});
    report(Diag::address_family, workload.span,
           fmt::format("`{}` is of {}, and `{}` has no address of it", workload.name, family, lacking->name))
        .also(lacking->span,
              balancer ? "a load balancer, which is of IPv4" : fmt::format("has no address of {}", family))
        .help(balancer ? "leave out `family`, or name a back end"
              : ipv6 ? "`ipv6 = 2001:db8::1` beside an `address` of IPv4 gives it both; without `family` the workload "
                       "takes what its nodes have in common"
                     : "an `address` of IPv4 with `ipv6` beside it gives it both; without `family` the workload takes "
                       "what its nodes have in common");
    return true;
}

// Whether a route for addresses of one family would take along packets to the node's other one: routers have a table of
// nodes.
bool covers_half(ReportOnce& report, const NodeArray& node, bool ipv6, Span span)
{
    if (!(ipv6 ? node.has_ipv4() : node.has_ipv6)) return false;
    report(Diag::address_family, span,
           fmt::format("this route is for addresses of {} alone, and `{}` has both", ipv6 ? "IPv6" : "IPv4", node.name))
        .also(node.span, "declared here")
        .help(fmt::format("a route for both names the node: `to {}{}`", node.name, node.is_array ? "[*]" : ""));
    return true;
}

}  // namespace

std::string NodeArray::anycast_text() const
{ return anycast_ipv6 != 0 ? format_address(anycast_ipv6, true) : format_address(anycast); }

std::string address_text(const Network& network, std::uint32_t address)
{
    if (address < abi::kIpv6Handles) return format_address(address);
    if (address >= abi::kIpv6Shared)
        for (const NodeArray& row : network.nodes)
            if (row.anycast == address) return row.anycast_text();
    const std::uint32_t node = address - abi::kIpv6Handles;
    const auto above = std::partition_point(network.nodes.begin(), network.nodes.end(),
                                            [&](const NodeArray& row) { return row.first_node <= node; });
    const NodeArray& row = *(above - 1);
    return format_address(row.ipv6 + (node - row.first_node), true);
}

// `address` takes either family; `ipv6` stands beside one of IPv4.
bool own_addresses(Elaboration& in, const SchemaValue& attributes, const NodeStatement& s, const Statement& at,
                   NodeArray& group)
{
    const auto place = [&](std::string_view name) {
        Span span = place_of(in.program, s.attributes, in.program.node_schema(s.kind), name, at.span);
        for (const ActiveOverride& o : overrides_of(in, s.name))
            span = place_of(in.program, o.override->attributes, in.program.node_schema(s.kind), name, span);
        return span;
    };
    const auto set_ipv6 = [&](const AddressValue& value, std::string_view name) {
        group.ipv6 = value.bits;
        group.has_ipv6 = group.explicit_ipv6 = true;
        group.ipv6_span = place(name);
    };
    const auto* address = attribute_of(in.program, attributes, "address").as<AddressValue>();
    const auto* ipv6 = attribute_of(in.program, attributes, "ipv6").as<AddressValue>();
    if (address && address->ipv6) {
        set_ipv6(*address, "address");
        group.only_ipv6 = true;
    } else if (address) {
        group.address = static_cast<std::uint32_t>(address->bits);
        group.explicit_address = true;
        group.address_span = place("address");
    }
    if (const auto* anycast = attribute_of(in.program, attributes, "anycast").as<AddressValue>()) {
        group.anycast_span = place("anycast");
        if (anycast->ipv6)
            group.anycast_ipv6 = anycast->bits;
        else
            group.anycast = static_cast<std::uint32_t>(anycast->bits);
    }
    if (!ipv6) return true;
    if (!ipv6->ipv6) {
        in.report(Diag::invalid_address, place("ipv6"),
                  fmt::format("`ipv6` is {}, which is IPv4", format_address(ipv6->bits, false)))
            .help("`address` takes it");
        return false;
    }
    if (group.only_ipv6) {
        in.report(Diag::duplicate_attribute, place("ipv6"), "`address` is of IPv6, too")
            .also(group.ipv6_span, "given here")
            .help("leave out `ipv6`, or give `address` one of IPv4");
        return false;
    }
    set_ipv6(*ipv6, "ipv6");
    return true;
}

// Which pool the row's nodes take an address of the family from; none: they have one, or are to have none.
PoolChoice pool_of_row(Elaboration& in, std::uint32_t row, bool ipv6)
{
    const NodeArray& group = in.network.nodes[row];
    if (group.kind == abi::NodeKind::switch_ || group.only_ipv6) return {};
    if (ipv6 ? group.explicit_ipv6 : group.explicit_address) return {};
    const PoolChoice choice = pool_of_family(in, in.row_pool[row], ipv6);
    return ipv6 && group.explicit_address && choice.alone ? PoolChoice{} : choice;
}

void number_ipv6(Network& network)
{
    std::map<AddressBits, std::uint32_t> shared;
    for (const NodeArray& group : network.nodes)
        if (group.anycast_ipv6 != 0) shared.emplace(group.anycast_ipv6, 0);
    std::uint32_t next = abi::kIpv6Shared;
    for (auto& [bits, handle] : shared) handle = next++;
    for (NodeArray& group : network.nodes)
        if (group.anycast_ipv6 != 0) group.anycast = shared[group.anycast_ipv6];
    for (NodeArray& group : network.nodes) {
        if (!group.has_ipv6 || group.address != 0) continue;
        group.only_ipv6 = true;
        group.address = abi::kIpv6Handles + group.first_node;
    }
}

// A workload is of the family that it names. Else it is of IPv6 where all that take part have it, as real hosts prefer
// it (RFC 6724), and of IPv4 otherwise. Load balancers are of IPv4.
void choose_families(Elaboration& in)
{
    constexpr double kLongest = 65535;  // bytes of an IP packet
    for (WorkloadInfo& workload : in.network.workloads) {
        const NodeArray *without4 = nullptr, *without6 = nullptr;
        for (const auto* nodes : {&workload.targets, &workload.peers})
            for (const TargetRange& range : *nodes) {
                const NodeArray& node = in.network.nodes[range.row.value];
                if (!node.has_ipv4() && !without4) without4 = &node;
                if ((!node.has_ipv6 || balancer_of(in.network, range.row)) && !without6) without6 = &node;
            }
        if (workload.family) {
            workload.ipv6 = workload.family == AddressFamily::ipv6;
            if (lacks_family(in.network, in.report, workload, workload.ipv6 ? without6 : without4)) continue;
        } else if (without4 && without6) {
            in.report(Diag::address_family, workload.span,
                      fmt::format("`{}` is between `{}`, which has IPv6 alone, and `{}`, which has IPv4 alone",
                                  workload.name, without4->name, without6->name))
                .also(without4->span, "has no address of IPv4")
                .also(without6->span, "has no address of IPv6")
                .help("`ipv6 = 2001:db8::1` beside an `address` of IPv4 gives a node both");
            continue;
        } else {
            workload.ipv6 = !without6;
        }
        if (workload.pairing == abi::Pairing::nearest) {  // of the family of what all share
            const NodeArray& member = in.network.nodes[workload.peers.front().row.value];
            workload.ipv6 = member.anycast_ipv6 != 0;
            const NodeArray* const without = workload.ipv6 ? without6 : without4;
            if (without || (workload.family && (workload.family == AddressFamily::ipv6) != workload.ipv6)) {
                const char* const family = workload.ipv6 ? "IPv6" : "IPv4";
                in.report(Diag::address_family, workload.span,
                          fmt::format("`{}` asks {}, which is of {}", workload.name, member.anycast_text(), family))
                    .help(fmt::format("leave out `family`; all hosts need an address of {}", family));
                continue;
            }
        }
        if (!workload.ipv6) continue;
        if (const auto found = in.by_rate.find(workload.name); found != in.by_rate.end()) {
            const auto [payload, rate] = found->second;
            RecordInfo record = in.network.records[workload.record];
            const ValueExprId longer = interval_of(in.network.values, payload, rate, kHeadersIpv6);
            if (RecordValue* interval = find_value(record, "interval"))
                *interval = std::holds_alternative<DistributionValue>(*interval)
                                ? RecordValue(DistributionValue{abi::DistributionKind::constant, longer, 0})
                                : RecordValue(longer);
            workload.traits.interval = longer;
            workload.record = shared_record(in, std::move(record));
        }
        for (const std::string_view name : {"payload", "request", "response"}) {
            const RecordValue* value = find_value(in.network.records[workload.record], name);
            const auto* number = value ? std::get_if<ValueExprId>(value) : nullptr;
            if (!number || workload.traits.transport == Transport::tcp) continue;
            const double bytes = in.network.values.evaluate(*number, in.tunable_defaults);
            const std::string most =
                fmt::format("packets of IPv6 have at most {:.0f} B of it", kLongest - kHeadersIpv6);
            if (bytes + kHeadersIpv6 <= kLongest) {
                const ValueExprId fits =
                    in.network.values.make(ValueOp::le, *number, in.constant(kLongest - kHeadersIpv6));
                if (!in.network.values.as_constant(fits))
                    require(in, fits, fmt::format("`{}` of `{}`: {}", name, workload.name, most), workload.span, true);
                continue;
            }
            in.report(Diag::out_of_range, workload.span,
                      fmt::format("`{}` of `{}` is {:.0f} B, and {}", name, workload.name, bytes, most));
        }
    }
}

void add_routes(Network& network, ReportOnce& report, const StaticRoute& route, const PrefixValue& prefix)
{
    StaticRoute one = route;
    const AddressBits open = open_bits(prefix.length, prefix.ipv6), last = prefix.bits + open;
    one.others = static_cast<double>(open);
    if (!prefix.ipv6) {
        one.first = static_cast<std::uint32_t>(prefix.bits);
        one.last = static_cast<std::uint32_t>(last);
        // A route to everything is one for both families.
        for (const NodeArray& node : network.nodes)
            if (node.has_ipv4() && node.address <= one.last && node.address + (node.count - 1) >= one.first &&
                prefix.length > 0 && covers_half(report, node, false, route.span))
                return;
        // Handles of IPv6 are none of its addresses.
        if (one.last >= abi::kIpv6Handles && network.nodes_have_ipv6()) {
            one.written = format_prefix(prefix.bits, prefix.length, false);
            one.last = abi::kIpv6Handles - 1;
        }
        if (one.first <= one.last) network.static_routes.push_back(one);
        return;
    }
    const std::size_t before = network.static_routes.size();
    one.written = format_prefix(prefix.bits, prefix.length, true);
    if (prefix.length == 128) one.written = format_address(prefix.bits, true);
    for (const NodeArray& node : network.nodes) {
        if (!node.has_ipv6 || node.ipv6 > last || node.ipv6 + (node.count - 1) < prefix.bits) continue;
        if (prefix.length > 0 && covers_half(report, node, true, route.span)) return;
        const AddressBits from = std::max(node.ipv6, prefix.bits), to = std::min(node.ipv6 + (node.count - 1), last);
        one.first = node.address + static_cast<std::uint32_t>(from - node.ipv6);
        one.last = node.address + static_cast<std::uint32_t>(to - node.ipv6);
        network.static_routes.push_back(one);
    }
    std::set<std::uint32_t> shared;
    for (const NodeArray& node : network.nodes)
        if (node.anycast_ipv6 != 0 && prefix.bits <= node.anycast_ipv6 && node.anycast_ipv6 <= last)
            shared.insert(node.anycast);
    for (const std::uint32_t handle : shared) {
        one.first = one.last = handle;
        network.static_routes.push_back(one);
    }
    if (network.static_routes.size() == before)
        report(Diag::address_family, route.span, fmt::format("no node has an address in {}", one.written))
            .help("tables know nodes: a route of IPv6 is for those whose addresses it has");
}

}  // namespace anml
