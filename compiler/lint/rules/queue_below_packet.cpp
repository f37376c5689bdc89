// A queue that is too small for a packet of the link's MTU, so that none of them ever waits. A bound in packets leaves
// room for one.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

void lint_queue_below_packet(LintContext& context)
{
    for (const LinkArray& link : context.network.links) {
        const double queue = std::min(context.value(link.queue[0]), context.value(link.queue[1]));
        const double mtu = context.value(link.mtu);
        const double packet = mtu + context.value(link.overhead);
        if (queue >= packet) continue;
        context.find(packet / queue,
                     {Diag::queue_below_packet,
                      link.span,
                      fmt::format("the queue of `{}`, {}, holds no full packet: {} and {} of overhead", link.name,
                                  show_size(queue), show_size(mtu), show_size(packet - mtu)),
                      "a full packet that finds the link busy is dropped: enlarge the queue, or lower the MTU",
                      {},
                      {}});
    }
}

}  // namespace anml
