// What only the whole network shows: delays of tunables without a range, nodes that nothing reaches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/values/value_walk.h"
#include "elaborate/model.h"

namespace anml {

void validate(Elaboration& in, const Component&)
{
    std::set<ValueExprId> seen;  // parts of delays
    const auto bounded = [&](ValueExprId delay, const std::string& link, Span span) {
        const auto known = [&](ValueExprId id) { return seen.contains(id); };
        visit_operands_first(in.network.values, delay, known, [&](ValueExprId id) {
            seen.insert(id);
            const ValueNode& node = in.network.values.node(id);
            if (node.op != ValueOp::tunable || node.a >= in.network.tunables.size()) return;
            const TunableInfo& tunable = in.network.tunables[node.a];
            if (std::isfinite(tunable.minimum) && std::isfinite(tunable.maximum)) return;
            in.report(Diag::unbounded_tunable, tunable.span,
                      fmt::format("the tunable `{}` reaches the delay of `{}` and needs a range", tunable.name, link))
                .also(span, "this link")
                .help(fmt::format(
                    "declare one, as in `tunable {}: time in 0.1 ms .. 1 s`, or fix it when compiling: -D {}=...",
                    tunable.name, tunable.name));
        });
    };
    for (const LinkArray& link : in.network.links)
        for (const ValueExprId delay : link.delay) bounded(delay, link.name, link.span);
    for (const TimelineInfo& t : in.network.timeline) {
        if (t.attribute != abi::TimelineAttribute::delay) continue;
        bounded(t.value, t.subject, t.span);
        bounded(t.value_to, t.subject, t.span);
    }
    // What IPv6 asks of a link (RFC 8200, 5).
    constexpr double kLeastMtu = 1280;
    for (const LinkArray& link : in.network.links) {
        if (!in.network.nodes_have_ipv6()) break;
        const double mtu = in.network.values.evaluate(link.mtu, in.tunable_defaults);
        if (mtu >= kLeastMtu) continue;
        const bool fixed = in.network.values.as_constant(link.mtu).has_value();
        in.report(Diag::small_mtu, link.span,
                  fmt::format("`{}` has an MTU of {:.0f} B{}; links of IPv6 have at least 1280 B", link.name, mtu,
                              fixed ? "" : " by the defaults of tunables"))
            .help("hosts do not believe a router that says less (RFC 8201): longer packets are lost here");
        break;
    }
    // By row: the ranges of elements that links end at.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> linked(in.network.nodes.size());
    for (const LinkArray& link : in.network.links)
        for (const LinkEnd& end : link.end)
            linked[end.row.value].push_back({end.first, end.first + (end.stride ? link.count : 1)});
    for (std::size_t i = 0; i < in.network.nodes.size(); ++i) {
        const NodeArray& group = in.network.nodes[i];
        auto& ranges = linked[i];
        std::sort(ranges.begin(), ranges.end());
        std::uint32_t covered = 0;
        for (const auto& [first, end] : ranges) {
            if (first > covered) break;
            covered = std::max(covered, end);
        }
        if (covered >= group.count) continue;
        const std::string name = group.element_name(static_cast<std::uint32_t>(covered));
        in.report(Diag::unconnected_node, group.span,
                  fmt::format("the {} `{}` has no link", node_kind_name(group.kind), name));
    }
}

}  // namespace anml
