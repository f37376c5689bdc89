// Asymmetric links on which acknowledgments are what limits TCP: the normalized bandwidth ratio is above 1.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {
namespace {

constexpr double kAcknowledgment = 40, kTimestamps = 12;  // bytes of headers, of the option

}  // namespace

void lint_bandwidth_ratio(LintContext& context)
{
    for (const Flow& flow : context.flows) {
        if (flow.workload->traits.transport != Transport::tcp) continue;
        const bool upwards = !flow.workload->traits.answers;  // the data goes from client to server
        const auto &data = upwards ? flow.there : flow.back, &acks = upwards ? flow.back : flow.there;
        const NodeArray& receiver =
            context.network.nodes[node_row_of(context.network, upwards ? flow.server : flow.client)];
        const auto tcp = [&](std::string_view setting) {
            return receiver.tcp == abi::kNone
                       ? 0
                       : context.value(record_number(context.network.records[receiver.tcp], setting));
        };
        const double packets = tcp("delayed_ack") > 0 ? 2 : 1;  // per acknowledgment
        const double bare = kAcknowledgment + (tcp("timestamps") != 0 ? kTimestamps : 0);
        for (const std::uint32_t link : data) {
            if (std::find(acks.begin(), acks.end(), link ^ 1) == acks.end()) continue;
            const LinkArray& group = context.group(link);
            const double fast = context.rate(link), slow = context.rate(link ^ 1);
            const double overhead = context.value(group.overhead);
            const double full = context.mtu(link) + overhead, ack = bare + overhead;
            const double ratio = fast / slow / (packets * full / ack);
            if (ratio <= 1) continue;
            context.find(ratio, {Diag::bandwidth_ratio,
                                 group.span,
                                 fmt::format("the normalized bandwidth ratio of {} is {}: {} for data by {} for "
                                             "acknowledgments, {} by {}",
                                             context.name(link), show(ratio), show_rate(fast), show_rate(slow),
                                             packets == 2 ? "two packets of " + show_size(full) : show_size(full),
                                             show_size(ack)),
                                 packets == 2 ? "" : "a receiver with `delayed_ack` acknowledges two packets at once",
                                 {},
                                 {fmt::format("acknowledgments hold data to {} of its rate, {}", show(1 / ratio),
                                              show_rate(fast / ratio))}});
        }
    }
}

}  // namespace anml
