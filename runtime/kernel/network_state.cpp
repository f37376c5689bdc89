#include "kernel/network_state.h"

#include <algorithm>
#include <atomic>

namespace anml::rt {

NetworkState::NetworkState(const Model& m)
    : model(m),
      links(m.image().directed_links),
      far_ends(m.image().directed_links),
      nodes(m.image().nodes),
      used(m.image().directed_links / kUsedTogether + 1),
      edges(m.image().endpoint_count, nullptr),
      ports(m)
{
}

void NetworkState::set_up(LinkId id, const std::vector<std::uint16_t>& outbox_to)
{
    const abi::LinkRow& row = model.image().link_rows[model.link_row_of(id)];
    const std::uint32_t element = (id - row.first_link) / 2, direction = (id - row.first_link) & 1;
    const std::uint32_t far = 1 - direction;
    const NodeId node = row.node[far] + element * row.stride[far];
    far_ends[id] = {node, model.row_of(node)};
    LinkState& link = links[id];
    link.delay = model.time(row.delay[direction]);
    link.rate = model.value(row.rate[direction]);
    link.capacity =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(model.integer(row.queue[direction]), LinkState::kUnbounded));
    link.packet_limit = static_cast<std::uint16_t>(model.integer(row.queue_packets[direction]));
    link.mtu = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.mtu), 0xffff));
    link.overhead = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.overhead), 0xffff));
    if (!outbox_to.empty()) link.outbox = outbox_to[model.task_of(node).task];
    // Neighbours may belong to other tasks, which set the same byte to the same value.
    std::atomic_ref(used[id / kUsedTogether]).store(1, std::memory_order_relaxed);
}

template <class Visit>
void NetworkState::each_used_link(Visit&& visit) const
{
    for (std::size_t block = 0; block < used.size(); ++block) {
        if (!used[block]) continue;
        const std::size_t first = block * kUsedTogether, last = std::min(first + kUsedTogether, links.size());
        for (std::size_t id = first; id < last; ++id) visit(static_cast<LinkId>(id), links[id]);
    }
}

std::vector<LinkCounters> NetworkState::counters() const
{
    std::vector<LinkCounters> result;
    each_used_link([&](LinkId id, const LinkState& link) {
        if (link.packets != 0 || link.dropped != 0) result.push_back({id, link.packets, link.bytes, link.dropped});
    });
    return result;
}

NetworkState::BusyLinks NetworkState::busy_beyond(Time at) const
{
    BusyLinks result;
    each_used_link([&](LinkId id, const LinkState& link) {
        if (link.busy_until > at && link.busy_until != LinkState::kDown) result.emplace_back(id, link.busy_until - at);
    });
    return result;
}

}  // namespace anml::rt
