// Transparent links: what they carry are the frames of two real hosts, so they have to lie between two endpoints that
// are nothing else.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/network_checks.h"

namespace anml {

void check_transparent_links(const Network& network, ReportOnce& report)
{
    const auto ends_there = [](const LinkArray& link, const LinkEnd& end, std::uint32_t row, std::uint32_t element) {
        const std::uint32_t last = end.first + (end.stride ? link.count - 1 : 0);
        return end.row.value == row && end.first <= element && element <= last;
    };
    const auto links_at = [&](std::uint32_t row, std::uint32_t element) {
        std::uint32_t count = 0;
        for (const LinkArray& link : network.links)
            for (const LinkEnd& end : link.end)
                if (ends_there(link, end, row, element)) count += end.stride ? 1 : link.count;
        return count;
    };
    for (const LinkArray& link : network.links) {
        if (!link.transparent) continue;
        for (const LinkEnd& end : link.end) {
            const NodeArray& node = network.nodes[end.row.value];
            const auto refuse = [&](const std::string& what) {
                report(Diag::transparent_link, link.span, fmt::format("`{}` is transparent, {}", link.name, what))
                    .also(node.span, "this node")
                    .help(
                        "a transparent link is a wire between two endpoints, which have no other link and no server: "
                        "their real hosts' frames cross it as they are");
            };
            if (node.kind != abi::NodeKind::endpoint) {
                refuse(fmt::format("and `{}` is a {}", node.name, node_kind_name(node.kind)));
                return;
            }
            for (std::uint32_t i = 0; i < (end.stride ? link.count : 1); ++i) {
                if (links_at(end.row.value, end.first + i) == 1) continue;
                refuse(fmt::format("and `{}` has other links besides", node.element_name(end.first + i)));
                return;
            }
            for (const EndpointInfo& endpoint : network.endpoints) {
                if (endpoint.node.value != end.row.value) continue;
                if (!endpoint.prefixes.empty())
                    return refuse(
                        fmt::format("and `{}` has subnets: `prefix` and `behind` are about routes, in which "
                                    "it has no part",
                                    node.name));
                if (endpoint.server != abi::kNone)
                    return refuse(fmt::format("and `{}` has a simulated server, which knows no frames", node.name));
            }
        }
    }
}

}  // namespace anml
