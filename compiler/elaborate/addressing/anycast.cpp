// Addresses that several nodes share, besides their own (anycast, RFC 4786): where they may lie, and who may have one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "elaborate/addressing/address_family.h"

namespace anml {
namespace {

bool share(const NodeArray& a, const NodeArray& b)
{ return a.has_anycast() && a.anycast == b.anycast && a.anycast_ipv6 == b.anycast_ipv6; }

// Whether all of them share an address, which no other node has.
bool share_address(const Network& network, const std::vector<TargetRange>& nodes)
{
    if (nodes.empty()) return false;
    const NodeArray& one = network.nodes[nodes.front().row.value];
    std::uint64_t members = 0;
    for (const NodeArray& row : network.nodes) members += share(row, one) ? row.count : 0;
    return members == size_of(nodes) && std::ranges::all_of(nodes, [&](const TargetRange& range) {
               return share(network.nodes[range.row.value], one);
           });
}

// The first address of a pool or a prefix, and its last one, belong to nobody.
bool usable_anycast(const Network& network, ReportOnce& report, const NodeArray& group, const Family& family)
{
    const AddressBits address = family.shared(group);
    const std::string shown = group.anycast_text();
    if (!family.usable(address, address)) {
        report(Diag::invalid_address, group.anycast_span,
               fmt::format("`{}` cannot have {}: {}", group.name, shown, family.reserved(address, address)));
        return false;
    }
    for (const Pool& pool : family.pools) {
        if (pool.first != address && pool.last != address) continue;
        report(Diag::invalid_address, group.anycast_span,
               fmt::format("`{}` cannot have {}: the first and the last address of {} belong to no host", group.name,
                           shown, pool.name()));
        return false;
    }
    for (const EndpointInfo& endpoint : network.endpoints)
        for (const EndpointPrefix& p : endpoint.prefixes) {
            if (&network.nodes[endpoint.node.value] == &group) {
                report(Diag::address_conflict, group.anycast_span,
                       fmt::format("`{}` is a whole subnet, whose hosts cannot share one address", group.name))
                    .help("declare an endpoint without `prefix` or `behind` for the real host that has it");
                return false;
            }
            if (family.ipv6 || address < p.first() || address > p.last()) continue;
            report(Diag::address_conflict, group.anycast_span,
                   fmt::format("{} is an address of a host at `{}`", shown, endpoint.name))
                .also(p.span, "its subnet");
            return false;
        }
    return true;
}

}  // namespace

// Nobody has one for itself, and none is given to anybody.
void take_anycast(const Network& network, ReportOnce& report, const Family& family, std::vector<Taken>& taken)
{
    std::map<AddressBits, std::vector<const NodeArray*>> groups;
    for (const NodeArray& group : network.nodes)
        if (const AddressBits shared = family.shared(group)) groups[shared].push_back(&group);
    const std::size_t own = taken.size();
    for (const auto& [address, members] : groups) {
        const NodeArray& first = *members.front();
        if (!usable_anycast(network, report, first, family)) continue;
        const auto end = taken.begin() + static_cast<std::ptrdiff_t>(own);
        const auto holder = std::find_if(taken.begin(), end, [address = address](const Taken& t) {
            return t.first <= address && address <= t.last;
        });
        if (holder != end) {
            const bool gateway = holder->row == abi::kNone;
            const NodeArray* node = gateway ? nullptr : &network.nodes[holder->row];
            const std::string name =
                gateway ? "the gateway"
                        : "`" + node->element_name(static_cast<std::uint32_t>(address - holder->first)) + "`";
            auto message = report(
                Diag::address_conflict, first.anycast_span,
                fmt::format("{} has the address {} for itself, which others share here", name, first.anycast_text()));
            if (node) message.also(family.span(*node), "set here");
            message.help("who shares it says `anycast` too, and has another `address`, or none of its own");
        }
        if (members.size() == 1 && first.count == 1 && !first.is_array)
            unused(report, first.anycast_span, fmt::format("no other node has {}", first.anycast_text()),
                   "nodes that share it have the same `anycast`");
        taken.push_back({address, address});
    }
}

// Packets from the node itself are of the same family then.
void anycast_has_family(const Network& network, ReportOnce& report)
{
    for (const NodeArray& group : network.nodes) {
        const bool ipv6 = group.anycast_ipv6 != 0;
        if (!group.has_anycast() || (ipv6 ? group.has_ipv6 : group.has_ipv4())) continue;
        report(Diag::address_family, group.anycast_span,
               fmt::format("`{}` shares {}, and has no address of {} for itself", group.name, group.anycast_text(),
                           ipv6 ? "IPv6" : "IPv4"))
            .help(ipv6 ? "give it an `ipv6` beside its `address`, or the model one by `addressing { ipv6 = ... }`"
                       : "give it an `address` of IPv4");
        return;
    }
}

// Whether all whom the workload talks to share an address, and none of its hosts has it. False: it was reported.
bool nearest_is_known(const Network& network, ReportOnce& report, const WorkloadInfo& info, Span place,
                      std::string_view otherwise)
{
    if (!share_address(network, info.peers)) {
        const auto without = std::find_if(info.peers.begin(), info.peers.end(), [&](const TargetRange& range) {
            return !network.nodes[range.row.value].has_anycast();
        });
        const NodeArray& node = network.nodes[(without == info.peers.end() ? info.peers.front() : *without).row.value];
        auto message =
            report(Diag::no_anycast, place,
                   without == info.peers.end()
                       ? fmt::format("`nearest` is one of all nodes with an anycast address, and these are not all of "
                                     "those with {}, or have several",
                                     node.anycast_text())
                       : fmt::format("routes know no nearest one: `{}` has no anycast address", node.name));
        message.also(node.span, "declared here")
            .help(fmt::format("all that are asked have one address, `anycast = {}`; or choose otherwise: {}",
                              node.has_anycast() ? node.anycast_text() : "10.9.9.9", otherwise));
        return false;
    }
    for (const TargetRange& host : info.targets)
        if (share(network.nodes[host.row.value], network.nodes[info.peers.front().row.value])) {
            report(Diag::sends_to_itself, place,
                   fmt::format("`{}` has the address itself", network.nodes[host.row.value].name))
                .help("choose hosts that do not share it");
            return false;
        }
    return true;
}

}  // namespace anml
