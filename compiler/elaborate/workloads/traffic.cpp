// Workloads of std.traffic: who sends to whom, and how much.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/addressing/addressing.h"
#include "elaborate/model.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// A host that would have to send to itself, by its row and element; nothing where none would.
std::optional<std::pair<NodeRowId, std::uint32_t>> sends_to_itself(const WorkloadInfo& info)
{
    if (size_of(info.peers) == 1) {
        const TargetRange& peer = info.peers[0];
        for (const TargetRange& host : info.targets) {
            const bool inside = host.row == peer.row && peer.first - host.first < host.count;
            // A permutation of one, or a draw from one, leaves no other either.
            if (inside) return std::pair(peer.row, peer.first);
        }
        return std::nullopt;
    }
    if (info.pairing != abi::Pairing::in_order) return std::nullopt;
    std::size_t t = 0, p = 0;
    for (std::uint32_t i = 0, j = 0; t < info.targets.size() && p < info.peers.size();) {
        const TargetRange &host = info.targets[t], &peer = info.peers[p];
        if (host.row == peer.row && host.first + i == peer.first + j) return std::pair(host.row, host.first + i);
        const std::uint32_t step = std::min(host.count - i, peer.count - j);
        i += step;
        j += step;
        if (i == host.count) ++t, i = 0;
        if (j == peer.count) ++p, j = 0;
    }
    return std::nullopt;
}

// As the library's traffic.Pairing and DatagramPairing have them.
constexpr abi::Pairing kPairings[] = {abi::Pairing::in_order, abi::Pairing::permutation, abi::Pairing::random,
                                      abi::Pairing::nearest, abi::Pairing::multicast};

// Where each flow chooses for itself any host may send to any receiver, as where hosts draw one.
abi::Pairing pairing_of_flows(std::uint32_t ordinal)
{
    using Flows = abi::record::flows::FlowPairing;
    switch (static_cast<Flows>(ordinal)) {
        case Flows::in_order:
            return abi::Pairing::in_order;
        case Flows::permutation:
            return abi::Pairing::permutation;
        default:
            return abi::Pairing::random;
    }
}

// Each host to all of `to` but itself.
bool sends_to_group(const Network& network, const CheckedProgram& program, ReportOnce& report, const SchemaValue& value,
                    const WorkloadStatement& s, const WorkloadInfo& info)
{
    const Span place = place_of(program, s, "to", info.span);
    for (const TargetRange& range : info.peers) {
        const NodeArray& node = network.nodes[range.row.value];
        if (node.kind == abi::NodeKind::host || node.kind == abi::NodeKind::endpoint) continue;
        report(
            Diag::type_mismatch, place,
            fmt::format("members of a group are hosts or endpoints, found {}", a_type(program, node_type(node.kind))))
            .also(node.span, "declared here");
        return false;
    }
    if (size_of(info.peers) < 2) {
        report(Diag::shape_mismatch, place,
               fmt::format("a group has at least two members, and `to` has {} node{}", size_of(info.peers),
                           size_of(info.peers) == 1 ? "" : "s"))
            .help("without `pairing = multicast` all send to the one");
        return false;
    }
    if (network.values.as_constant(number_of(program, value, "fragments")) == 0.0) return true;
    report(Diag::requirement_failed, place_of(program, s, "fragments", info.span),
           "datagrams for a group are not cut: routers lose what a link's MTU is too small for")
        .help("leave `fragments` out, and have the payload fit");
    return false;
}

}  // namespace

bool peers(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const Span place = place_of(in.program, s, "to", info.span);
    const NodeSet* to = attribute_of(in.program, value, "to").as<NodeSet>();
    const auto* pairing = attribute_of(in.program, value, "pairing").as<EnumValue>();
    if (!to || !pairing) return false;
    info.peers = *to;
    const bool flows = layout_of(in, value.schema) == static_cast<std::uint32_t>(abi::RecordSchema::flows);
    info.pairing = flows ? pairing_of_flows(pairing->ordinal) : kPairings[pairing->ordinal];
    for (const TargetRange& range : info.peers) {
        const NodeArray& node = in.network.nodes[range.row.value];
        // Routers answer echo requests; a NAT's address is where datagrams for those inside go.
        const bool nat = node.middlebox != abi::kNone && info.traits.transport == Transport::udp;
        const auto balancer = balancer_of(in.network, range.row);
        const bool router =
            (info.traits.transport == Transport::icmp || nat || balancer) && node.kind == abi::NodeKind::router;
        if (node.kind != abi::NodeKind::host && node.kind != abi::NodeKind::endpoint && !router) {
            in.report(Diag::type_mismatch, place,
                      fmt::format("`to` wants hosts{} or endpoints, found {}",
                                  info.traits.transport == Transport::icmp ? ", routers" : "",
                                  a_type(in.program, node_type(node.kind))))
                .also(node.span, "declared here");
            return false;
        }
        if (balancer && info.traits.transport != Transport::icmp)
            matches_balancer(in, value, s, info, range.row, *balancer, false);
        if (const ServerInfo* simulated = server_of(in, range.row); simulated && simulated->port == info.port) {
            in.report(Diag::port_conflict, place_of(in.program, s, "port", info.span),
                      fmt::format("`{}` sends to port {} of `{}`, where its simulated server listens", info.name,
                                  info.port, node.name))
                .also(node.span, "declared here")
                .help("give the workload another `port`");
            return false;
        }
    }
    const std::uint64_t hosts = size_of(info.targets), peers = size_of(info.peers);
    if (hosts == 0) return true;
    if (info.pairing == abi::Pairing::multicast)
        return sends_to_group(in.network, in.program, in.report, value, s, info);
    const bool each_has_one = info.pairing == abi::Pairing::in_order || info.pairing == abi::Pairing::permutation;
    if (peers == 0 || (peers > 1 && each_has_one && peers != hosts)) {
        in.report(Diag::shape_mismatch, place,
                  fmt::format("{} host{} cannot be paired with {} node{}", hosts, hosts == 1 ? "" : "s", peers,
                              peers == 1 ? "" : "s"))
            .help(flows ? "choose as many as there are hosts, or a single one; or let each flow draw one, `pairing = "
                          "each_time`"
                        : "choose as many as there are hosts, or a single one; or let each draw one, `pairing = "
                          "at_random`");
        return false;
    }
    if (info.pairing == abi::Pairing::nearest) {
        const Span at = place_of(in.program, s, "pairing", info.span);
        if (layout_of(in, value.schema) == static_cast<std::uint32_t>(abi::RecordSchema::background)) {
            in.report(Diag::type_mismatch, at, "flows of a fluid have no packets that routes could lead to the nearest")
                .help("`pairing = at_random` or `in_order` says which node each host sends to");
            return false;
        }
        if (!nearest_is_known(in.network, in.report, info, at, "`pairing = at_random` or `in_order`")) return false;
    }
    if (const auto self = sends_to_itself(info)) {
        const NodeArray& node = in.network.nodes[self->first.value];
        in.report(Diag::sends_to_itself, place,
                  fmt::format("`{}` would send to itself", node.element_name(self->second)))
            .help(peers == 1 && info.targets.size() == 1 && info.targets.front().count == 1
                      ? "another node is to be `to`"
                  : peers == 1 ? "leave it out of the hosts behind `on`"
                  : flows ? "`pairing = each_time` or `permutation` finds others for all, where there are several"
                          : "`pairing = permutation` or `at_random` finds others for all, where there are several");
        return false;
    }
    return true;
}

// Relays: who gets what they send on.
bool relays(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const Span place = place_of(in.program, s, "to", info.span);
    const NodeSet* to = attribute_of(in.program, value, "to").as<NodeSet>();
    if (!to || !fixed_number(in, value, "listen", place_of(in.program, s, "listen", info.span), "a port")) return false;
    info.peers = *to;
    info.pairing = abi::Pairing::random;  // each host sends to any of them
    if (to->empty()) {
        in.report(Diag::shape_mismatch, place, fmt::format("`{}` has no subscriber: `to` is empty", info.name));
        return false;
    }
    for (const TargetRange& range : *to) {
        const NodeArray& node = in.network.nodes[range.row.value];
        if (node.kind != abi::NodeKind::host && node.kind != abi::NodeKind::endpoint) {
            in.report(
                  Diag::type_mismatch, place,
                  fmt::format("subscribers are hosts or endpoints, found {}", a_type(in.program, node_type(node.kind))))
                .also(node.span, "declared here");
            return false;
        }
        for (const TargetRange& host : info.targets)
            if (host.row == range.row && host.first < range.first + range.count &&
                range.first < host.first + host.count)
            {
                in.report(
                      Diag::sends_to_itself, place,
                      fmt::format("`{}` would send to itself", node.element_name(std::max(host.first, range.first))))
                    .help("subscribers are other nodes than the relay");
                return false;
            }
    }
    return true;
}

// Of datagrams at a rate, which counts IP packets.
ValueExprId interval_of(ValuePool& values, ValueExprId payload, ValueExprId rate, double headers)
{
    constexpr double kNanosecondBits = 8e9;
    ValuePool& pool = values;
    const ValueExprId bytes = pool.make(ValueOp::add, payload, values.constant(headers));
    return pool.make(ValueOp::div, pool.make(ValueOp::mul, bytes, values.constant(kNanosecondBits)), rate);
}

// From one datagram to the next, by a rate; no number where it is said as such. None: an error was reported.
std::optional<ComputedNumbers> interval_by_rate(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s,
                                                const WorkloadInfo& info)
{
    const bool by_rate = !attribute_of(in.program, value, "rate").absent(),
               by_interval = !attribute_of(in.program, value, "interval").absent();
    if (!by_rate && !by_interval) {
        in.report(Diag::missing_attribute, info.span, fmt::format("`{}` needs `rate` or `interval`", s.name));
        return std::nullopt;
    }
    if (by_rate && by_interval) {
        in.report(Diag::duplicate_attribute, place_of(in.program, s, "interval", info.span),
                  "the interval follows from `rate`")
            .also(place_of(in.program, s, "rate", info.span), "given here")
            .help("leave out one of the two")
            .fix(Edit{place_of(in.program, s, "interval", info.span), "", EditAt::attribute})
            .fix(Edit{place_of(in.program, s, "rate", info.span), "", EditAt::attribute});
        return std::nullopt;
    }
    if (by_interval) return ComputedNumbers();
    ValuePool& pool = in.network.values;
    in.by_rate[info.name] = {number_of(in.program, value, "payload"), number_of(in.program, value, "rate")};
    const ValueExprId interval = interval_of(in.network.values, number_of(in.program, value, "payload"),
                                             number_of(in.program, value, "rate"), kHeadersIpv4);
    const ValueExprId holds = pool.make(ValueOp::ge, interval, in.constant(1));
    constexpr std::string_view kTooFast = "more than a datagram per nanosecond";
    if (pool.evaluate(holds, in.tunable_defaults) == 0) {
        in.report(Diag::out_of_range, place_of(in.program, s, "rate", info.span), std::string(kTooFast));
        return std::nullopt;
    }
    require(in, holds, fmt::format("`{}` sends {}", info.name, kTooFast), info.span, true);
    return ComputedNumbers{{"interval", interval}};
}

}  // namespace anml
