// Transactions that wait for a delayed acknowledgment: their server closes when it has one, and they end when it has.
#include <fmt/format.h>

#include "lint/rules.h"

namespace anml {

void lint_delayed_close(LintContext& context)
{
    constexpr std::uint32_t kAfterAck = 0, kClosed = 1;  // std.web.CloseMode, std.web.TransactionEnd
    const Network& network = context.network;
    for (const Flow& flow : context.flows) {
        if (!flow.workload->traits.asks_server()) continue;
        if (!chooses(network, flow.workload->record, "until", kClosed)) continue;
        const std::size_t row = node_row_of(network, flow.server);
        for (const ServerInfo& server : network.servers) {
            if (server.node.value != row || server.port != flow.workload->port) continue;
            if (!chooses(network, server.record, "close", kAfterAck)) continue;
            const std::uint32_t tcp = tcp_of(network, flow.client);
            if (tcp == abi::kNone) continue;
            const double delay = context.value(record_number(network.records[tcp], "delayed_ack"));
            if (delay <= 0) continue;
            context.find(delay, {Diag::delayed_close,
                                 flow.workload->span,
                                 fmt::format("transactions of `{}` wait up to {} for an acknowledgment: {} closes when "
                                             "all is acknowledged, and {} delays that",
                                             flow.workload->name, show_time(delay), context.node(flow.server),
                                             context.node(flow.client)),
                                 "servers of today close with the last data: `close = at_once`; the paper's clients "
                                 "acknowledge at once: a `tcp` with `delayed_ack = 0 s`, such as `tcp.ip_tne`",
                                 {},
                                 {"a transaction ends with the server's FIN: `until = closed`"}});
        }
    }
}

}  // namespace anml
