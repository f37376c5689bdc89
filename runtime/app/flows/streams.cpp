#include "app/flows/streams.h"

#include <algorithm>

#include "app/cluster.h"
#include "app/content.h"
#include "transport/tcp.h"

namespace anml::rt {

void Streams::add(const Streams& other)
{
    sent.insert(sent.end(), other.sent.begin(), other.sent.end());
    arrived.insert(arrived.end(), other.arrived.begin(), other.arrived.end());
}

std::vector<std::uint64_t> Streams::unknown()
{
    std::ranges::sort(arrived, {}, &ArrivedStream::key);
    std::vector<std::uint64_t> bytes;
    for (const SentStream& stream : sent) {
        const auto at = std::ranges::lower_bound(arrived, stream.key, {}, &ArrivedStream::key);
        if (at == arrived.end() || at->key != stream.key)
            bytes.push_back(stream.selectively);
        else
            bytes.push_back(at->bytes - std::min(at->bytes, stream.acknowledged));
    }
    return bytes;
}

namespace {

// `offset`: of its first byte in its content, from which the connection counts.
SentStream sent_stream(const Cluster& k, const tcp::Connection& c, std::uint32_t workload, std::uint64_t offset)
{
    const std::uint64_t acknowledged = c.length == 0 ? 0 : c.acknowledged - offset;
    SentStream stream{{c.node, kNone, c.local_port, c.remote_port}, workload, acknowledged, 0};
    if (const auto to = k.model.node_with(c.remote)) stream.key.to = *to;
    if (c.scoreboard != kNone) stream.selectively = k.tcp.scoreboards[c.scoreboard].arrived.bytes;
    return stream;
}

}  // namespace

void app::collect_streams(const Cluster& k, Streams& all)
{
    for (std::uint32_t slot = 0; slot < k.tcp.connections.size(); ++slot) {
        const tcp::Connection& c = k.tcp.connections[slot];
        if (c.state == tcp::State::free) continue;
        if (c.app == owner_number(Number::bulk) && c.owner != kNone) {
            all.sent.push_back(sent_stream(k, c, k.bulk[c.owner].workload, 0));
        } else if (c.app == owner_number(Number::flows) && c.owner != kNone) {
            const FlowRecord& flow = k.flows.flows[c.owner];
            all.sent.push_back(sent_stream(k, c, k.flows.sources[flow.source].workload,
                                           static_cast<std::uint64_t>(flow.at) & content::kFlowTimes));
        } else if (c.app == owner_number(Number::bulk_sink) || c.app == owner_number(Number::flow_sink)) {
            const auto from = k.model.node_with(c.remote);
            if (!from) continue;
            const std::uint64_t held = c.out_of_order == kNone ? 0 : k.tcp.out_of_order[c.out_of_order].ranges.bytes;
            // A sender does not know where an anycast address leads.
            const bool own = c.local == k.model.address(c.node, is_ipv6(c.local));
            all.arrived.push_back({{*from, own ? c.node : kNone, c.remote_port, c.local_port}, c.received + held});
        }
    }
}

}  // namespace anml::rt
