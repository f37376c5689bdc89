// A queue that holds far less than what fits on its link: one TCP connection cannot keep the link busy.
#include <fmt/format.h>

#include <cmath>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kLeastOfProduct = 0.25;

// What a queue holds: its bytes, or as many full packets as it may, where they are fewer.
struct Queue {
    double bytes = 0, packets = 0, packet = 0;  // packets 0: bytes are what bounds it
};

Queue queue_of(const LintContext& context, const LinkArray& link, int direction)
{
    Queue queue{context.value(link.queue[direction]), context.value(link.queue_packets[direction]),
                context.value(link.mtu) + context.value(link.overhead)};
    const double full = queue.packets * queue.packet;
    queue.packets != 0 && full < queue.bytes ? queue.bytes = full : queue.packets = 0;
    return queue;
}

void check(LintContext& context, const LinkArray& link, int direction)
{
    const Queue queue = queue_of(context, link, direction);
    const double rate = context.value(link.rate[direction]), delay = context.value(link.delay[direction]);
    const double product = rate * delay * 1e-9 / 8;
    if (queue.bytes >= kLeastOfProduct * product) return;
    if (queue.packets == 0 && queue.bytes < queue.packet) return;  // queue-below-packet says so
    const bool in_packets = queue.packets != 0;
    const std::string held = in_packets ? fmt::format("{} packets of {}", show(queue.packets), show_size(queue.packet))
                                        : show_size(queue.bytes);
    const std::string enough = in_packets ? fmt::format("droptail(packets = {:.0f})", std::ceil(product / queue.packet))
                                          : fmt::format("droptail({})", show_size(product));
    context.find(
        product / queue.bytes,
        {Diag::queue_below_bdp,
         link.span,
         fmt::format("the queue of `{}`, {}, is {} of the bandwidth-delay product {}, {} x {}", link.name, held,
                     show(queue.bytes / product), show_size(product), show_rate(rate), show_time(delay)),
         fmt::format("a queue of the product's size lets one TCP connection keep the link busy: queue = {}", enough),
         {},
         {}});
}

}  // namespace

void lint_queue_below_bdp(LintContext& context)
{
    for (const LinkArray& link : context.network.links) {
        check(context, link, 0);
        const bool alike = link.rate[0] == link.rate[1] && link.delay[0] == link.delay[1] &&
                           link.queue[0] == link.queue[1] && link.queue_packets[0] == link.queue_packets[1];
        if (!link.one_way && !alike) check(context, link, 1);
    }
}

}  // namespace anml
