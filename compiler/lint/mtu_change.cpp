// Paths on which the MTU falls behind the first link: senders find out by losing a packet and an ICMP error.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

void lint_mtu_change(LintContext& context)
{
    for (const Flow& flow : context.flows) {
        const bool datagrams = !abi::over_tcp(flow.workload->kind);
        if (flow.there.empty() || flow.back.empty()) continue;
        // The largest packet: of TCP what both ends announce for the links at their own side.
        const double largest = datagrams ? kDatagramHeaders + context.value(flow.workload->size)
                                         : std::min(context.mtu(flow.there.front()), context.mtu(flow.back.front()));
        if (const double first = context.mtu(flow.there.front()); datagrams && largest > first)
            context.find(
                largest / first,
                {Diag::mtu_change,
                 flow.workload->span,
                 fmt::format("the datagrams of `{}`, {} with their headers, are larger than the MTU {} of {}",
                             flow.workload->name, show_size(largest), show_size(first),
                             context.name(flow.there.front())),
                 fmt::format("all of them are lost, as datagrams are not fragmented: `payload` has room for {}",
                             show_size(first - kDatagramHeaders)),
                 {{context.group(flow.there.front()).span, "this link"}},
                 {}});
        for (const auto* path : {&flow.there, &flow.back}) {
            const bool back = path == &flow.back;
            if (datagrams && back && flow.workload->kind != abi::WorkloadKind::ping) continue;  // nothing comes back
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
                     datagrams ? fmt::format("every datagram, {} with its headers, is lost: send shorter ones, or "
                                             "give both links one MTU",
                                             show_size(largest))
                               : "full packets of each connection are lost, the whole first window of them, until "
                                 "the sender learns of it; where that is not what you study, give both links one MTU",
                     {{context.group(before).span, "the link before it"}},
                     {}});
            }
        }
    }
}

}  // namespace anml
