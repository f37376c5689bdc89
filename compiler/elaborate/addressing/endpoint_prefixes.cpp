// Subnets of real hosts at endpoints: on-link, bridged or routed.
#include <fmt/format.h>

#include <algorithm>

#include "base/address.h"
#include "elaborate/addressing/addressing.h"
#include "elaborate/addressing/reserved_addresses.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

std::string shown(const EndpointPrefix& p) { return fmt::format("{}/{}", format_address(p.bits), p.length); }

bool overlap(const EndpointPrefix& a, const EndpointPrefix& b)
{ return a.first() <= b.last() && b.first() <= a.last(); }

bool both_bridged(const EndpointPrefix& a, const EndpointPrefix& b)
{ return a.kind == abi::PrefixKind::bridged && b.kind == a.kind && a.bits == b.bits && a.length == b.length; }

}  // namespace

bool endpoint_prefixes(Elaboration& in, const SchemaValue& attributes, EndpointInfo& info, const Statement& at)
{
    const auto& given = std::get<NodeStatement>(at.form).attributes;
    const SchemaId schema = in.program.node_schema(abi::NodeKind::endpoint);
    const ValueExprId bridged = number_of(in.program, attributes, "bridged");
    const std::optional<double> is_bridged = in.network.values.as_constant(bridged);
    if (!is_bridged) {
        report_shape(in, bridged, place_of(in.program, given, schema, "bridged", at.span),
                     "whether an endpoint is bridged");
        return false;
    }
    bool fine = true;
    const auto add = [&](const char* name, abi::PrefixKind kind) {
        const Value& value = attribute_of(in.program, attributes, name);
        const Span span = place_of(in.program, given, schema, name, at.span);
        const auto one = [&](const Value& element) {
            const auto* prefix = element.as<PrefixValue>();
            if (!prefix) return;
            if (!prefix->ipv6) {
                info.prefixes.push_back({static_cast<std::uint32_t>(prefix->bits), prefix->length, kind, span});
                return;
            }
            fine = false;
            in.report(Diag::invalid_address, span,
                      fmt::format("`{}` takes subnets of IPv4, found {}", name,
                                  format_prefix(prefix->bits, prefix->length, true)))
                .help("`live --behind` takes subnets of IPv6 that lie behind the real host");
        };
        one(value);
        if (const auto* list = value.as<std::shared_ptr<const ListValue>>())
            for (const Value& element : **list) one(element);
    };
    add("prefix", *is_bridged != 0 ? abi::PrefixKind::bridged : abi::PrefixKind::on_link);
    add("behind", abi::PrefixKind::routed);
    return fine;
}

// An address that is given beside subnets of the segment is of one of them.
void check_address_of_segment(const Network& network, const EndpointInfo& endpoint, ReportOnce& report)
{
    const NodeArray& node = network.nodes[endpoint.node.value];
    if (!node.explicit_address || node.address == 0) return;
    const EndpointPrefix* other = nullptr;
    for (const EndpointPrefix& p : endpoint.prefixes) {
        if (p.kind == abi::PrefixKind::routed) continue;
        if (node.address >= p.first() && node.address + node.count - 1 <= p.last()) return;
        other = &p;
    }
    if (!other) return;
    unused(report, node.address_span,
           fmt::format("`{}` has {} on its segment, and {} is none of its addresses", endpoint.name, shown(*other),
                       format_address(node.address)),
           fmt::format("a host that lies behind the one at `address` is of `behind = {}`", shown(*other)));
}

// Each by itself, and with those of other endpoints.
void check_endpoint_prefixes(const Network& network, ReportOnce& report)
{
    for (std::size_t e = 0; e < network.endpoints.size(); ++e) {
        const EndpointInfo& endpoint = network.endpoints[e];
        check_address_of_segment(network, endpoint, report);
        for (std::size_t i = 0; i < endpoint.prefixes.size(); ++i) {
            const EndpointPrefix& p = endpoint.prefixes[i];
            if (!usable_anywhere(p.first(), p.last())) {
                report(Diag::invalid_address, p.span,
                       fmt::format("no hosts at `{}` have addresses of {}: {}", endpoint.name, shown(p),
                                   reserved_for(p.first(), p.last())));
                continue;
            }
            if (network.gateway >= p.first() && network.gateway <= p.last())
                report(Diag::address_conflict, p.span,
                       fmt::format("{} at `{}` has {} in it, the model's gateway", shown(p), endpoint.name,
                                   format_address(network.gateway)));
            bool shared = false;
            for (std::size_t f = 0; f < network.endpoints.size(); ++f) {
                const EndpointInfo& other = network.endpoints[f];
                for (std::size_t j = 0; j < other.prefixes.size(); ++j) {
                    const EndpointPrefix& q = other.prefixes[j];
                    const bool same_side = f == e;
                    shared |= !same_side && both_bridged(p, q);
                    const bool before = f < e || (same_side && j < i);
                    if (!before || !overlap(p, q) || (!same_side && both_bridged(p, q))) continue;
                    auto message = report(
                        Diag::address_conflict, p.span,
                        fmt::format("{} at `{}` overlaps {} at `{}`", shown(p), endpoint.name, shown(q), other.name));
                    if (q.span != p.span) message.also(q.span, fmt::format("at `{}`", other.name));
                    if (!same_side && p.bits == q.bits && p.length == q.length)
                        message.help("one subnet at several endpoints is `bridged = true` at each of them");
                }
            }
            if (p.kind == abi::PrefixKind::bridged && !shared)
                unused(report, p.span,
                       fmt::format("`{}` is bridged, and no other endpoint has {}", endpoint.name, shown(p)),
                       "the other side is an endpoint with the same `prefix` and `bridged = true`");
        }
    }
}

// Only endpoints have addresses of their own prefix on the segment.
void check_nodes_in_prefixes(const Network& network, ReportOnce& report)
{
    for (const EndpointInfo& endpoint : network.endpoints) {
        for (const EndpointPrefix& p : endpoint.prefixes) {
            for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
                const NodeArray& node = network.nodes[row];
                const std::uint64_t first = node.address, last = first + node.count - 1;
                if (first == 0 || first > p.last() || last < p.first()) continue;
                const auto is_one = [&](const EndpointInfo& e) {
                    return e.node.value == row && std::any_of(e.prefixes.begin(), e.prefixes.end(), [&](const auto& q) {
                               return q.bits == p.bits && q.length == p.length && q.kind != abi::PrefixKind::routed;
                           });
                };
                const bool border = p.length <= 30 && (first == p.first() || last == p.last());
                const bool own = std::any_of(network.endpoints.begin(), network.endpoints.end(), is_one);
                if (own && !border) continue;
                const std::string address = format_address(static_cast<std::uint32_t>(std::max(first, p.first())));
                if (own) {
                    report(Diag::invalid_address, node.explicit_address ? node.address_span : node.span,
                           fmt::format("`{}` cannot have {}: the first and the last address of {} belong to no host",
                                       node.name, address, shown(p)));
                } else {
                    report(Diag::address_conflict, p.span,
                           fmt::format("{} at `{}` has {} in it, of `{}`", shown(p), endpoint.name, address, node.name))
                        .also(node.explicit_address ? node.address_span : node.span,
                              fmt::format("`{}` is declared here", node.name));
                }
            }
        }
    }
}

}  // namespace anml
