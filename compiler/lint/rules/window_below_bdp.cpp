// TCP windows that are smaller than what fits on a path: a transfer waits for acknowledgments, not for the network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lint/rules.h"

namespace anml {

void lint_window_below_bdp(LintContext& context)
{
    for (const Flow& flow : context.flows) {
        if (flow.there.empty() || flow.back.empty()) continue;
        const Transfer transfer = largest_transfer(context.network, flow, context.tunables);
        if (transfer.window == 0) continue;
        double bottleneck = std::numeric_limits<double>::infinity(), round_trip = 0;
        for (const std::uint32_t link : transfer.upwards ? flow.there : flow.back)
            bottleneck = std::min(bottleneck, context.rate(link));
        for (const auto* path : {&flow.there, &flow.back})
            for (const std::uint32_t link : *path) round_trip += context.delay(link);
        const double product = bottleneck * round_trip * 1e-9 / 8;
        if (transfer.window >= product || transfer.bytes <= transfer.window) continue;
        const double most = transfer.window * 8 / (round_trip * 1e-9);
        if (transfer.read_rate > 0 && transfer.read_rate <= most) continue;
        const std::string receiver = context.node(transfer.upwards ? flow.server : flow.client),
                          sender = context.node(transfer.upwards ? flow.client : flow.server);
        const bool unscaled = transfer.window < transfer.buffer;
        context.find(
            product / transfer.window,
            {Diag::window_below_bdp,
             flow.workload->span,
             fmt::format("the window of {}, {}, is {} of the bandwidth-delay product {}, {} x {}", receiver,
                         show_size(transfer.window), show(transfer.window / product), show_size(product),
                         show_rate(bottleneck), show_time(round_trip)),
             unscaled ? fmt::format("{} has a buffer of {}, but {} does not offer window scaling: a `tcp` with "
                                    "`window_scaling = true`, such as `tcp.linux`, does",
                                    receiver, show_size(transfer.buffer), transfer.unscaled_sender ? sender : "it")
                      : fmt::format("the `receive_buffer` of its `tcp` limits it; `tcp.linux` has a larger one"),
             {},
             {fmt::format(
                 "{} between it and {} gets {} at most, though its path has {}",
                 std::isfinite(transfer.bytes) ? "a transfer of " + show_size(transfer.bytes) : "an endless transfer",
                 sender, show_rate(most), show_rate(bottleneck))}});
    }
}

}  // namespace anml
