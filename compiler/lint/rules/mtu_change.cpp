// Paths on which the MTU falls behind the first link: senders find out by losing a packet and an ICMP error.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

void lint_mtu_change(LintContext& context)
{
    for (const Flow& flow : context.flows) {
        const WorkloadTraits& traits = flow.workload->traits;
        const double headers = datagram_headers(flow.workload->ipv6);
        const bool datagrams = traits.transport != Transport::tcp;
        if (flow.there.empty() || flow.back.empty()) continue;
        if (datagrams && context.value(traits.fragments) != 0) continue;
        for (const auto* path : {&flow.there, &flow.back}) {
            const bool back = path == &flow.back;
            if (back && !traits.comes_back()) continue;
            // The largest packet: of TCP what both ends announce for the links at their own side.
            const double largest = datagrams
                                       ? headers + context.value(back ? traits.reply : traits.request)
                                       : std::min(context.mtu(flow.there.front()), context.mtu(flow.back.front()));
            // A reply that is no larger than its request has met the link already, on the way there.
            const bool fresh = !back || context.value(traits.reply) > context.value(traits.request);
            if (const double first = context.mtu(path->front()); datagrams && fresh && largest > first)
                context.find(largest / first,
                             {Diag::mtu_change,
                              flow.workload->span,
                              fmt::format("the {} of `{}`, {} with their headers, are larger than the MTU {} of {}",
                                          back ? "replies" : "datagrams", flow.workload->name, show_size(largest),
                                          show_size(first), context.name(path->front())),
                              fmt::format("all of them are lost: {} has room for {}, and with `fragments = true` "
                                          "what is longer is cut",
                                          back ? "a reply" : "`payload`", show_size(first - headers)),
                              {{context.group(path->front()).span, "this link"}},
                              {}});
            for (std::size_t hop = 1; hop < path->size(); ++hop) {
                const std::uint32_t before = (*path)[hop - 1], link = (*path)[hop];
                const double from = context.mtu(before), to = context.mtu(link);
                if (to >= from || largest <= to) continue;
                context.find(
                    from / to,
                    {Diag::mtu_change,
                     context.group(link).span,
                     fmt::format("the MTU falls from {} on {} to {} on {}, on the way from {} to {}", show_size(from),
                                 context.name(before), show_size(to), context.name(link),
                                 context.node(back ? flow.server : flow.client),
                                 context.node(back ? flow.client : flow.server)),
                     datagrams ? fmt::format("every datagram, {} with its headers, is lost: send shorter ones, have "
                                             "them cut (`fragments = true`), or give both links one MTU",
                                             show_size(largest))
                               : "full packets of a connection are lost, the whole first window of them, until the "
                                 "sender learns of it, and again when it has forgotten, after ten minutes; where that "
                                 "is not what you study, give both links one MTU",
                     {{context.group(before).span, "the link before it"}},
                     {}});
            }
        }
    }
}

}  // namespace anml
