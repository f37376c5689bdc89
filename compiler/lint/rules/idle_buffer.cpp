// A buffer that the ports of a node share, but never fill: the queues of all ports together leave so much of it free
// that no threshold is ever reached.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

namespace {

// What a node's ports may have at most: by element of its row, all of them together, and the largest of any.
struct PortQueues {
    std::vector<double> together;
    double largest = 0;
};

PortQueues port_queues(const LintContext& context, std::uint32_t row)
{
    PortQueues queues{std::vector<double>(context.network.nodes[row].count), 0};
    for (const LinkArray& link : context.network.links) {
        for (int side = 0; side < (link.one_way ? 1 : 2); ++side) {
            const LinkEnd& end = link.end[side];
            if (end.row.value != row) continue;
            const double packet = context.value(link.mtu) + context.value(link.overhead);
            const double packets = context.value(link.queue_packets[side]);
            double bytes = context.value(link.queue[side]);
            if (packets != 0) bytes = std::min(bytes, (packets + 1) * packet);  // and the one in transmission
            queues.largest = std::max(queues.largest, bytes);
            for (std::uint32_t i = 0; i < link.count; ++i) queues.together[end.first + i * end.stride] += bytes;
        }
    }
    return queues;
}

}  // namespace

void lint_idle_buffer(LintContext& context)
{
    for (std::uint32_t row = 0; row < context.network.nodes.size(); ++row) {
        const NodeArray& node = context.network.nodes[row];
        if (node.buffer == abi::kNone) continue;
        const RecordInfo& record = context.network.records[node.buffer];
        const double capacity = context.value(record_number(record, "capacity")),
                     alpha = context.value(record_number(record, "alpha"));
        const PortQueues queues = port_queues(context, row);
        const double most = *std::max_element(queues.together.begin(), queues.together.end());
        if (most == 0 || queues.largest > alpha * (capacity - most)) continue;
        context.find(
            capacity / most,
            {Diag::idle_buffer,
             node.span,
             fmt::format("the queues of `{}` take at most {} together, and its buffer of {} bounds none of them",
                         node.name, show_size(most), show_size(capacity)),
             "queues that are to be bounded by the buffer have to be larger: queue = droptail(1 GB)",
             {},
             {}});
    }
}

}  // namespace anml
