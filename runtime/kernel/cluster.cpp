#include "kernel/cluster.h"

#include <algorithm>

#include "queue/droptail.h"

namespace anml::rt {

NetworkState::NetworkState(const Model& model)
    : links(model.image().directed_links),
      far_ends(model.image().directed_links),
      nodes(model.image().nodes),
      edges(model.image().endpoint_count, nullptr)
{
    const abi::Image& image = model.image();
    for (std::uint32_t r = 0; r < image.link_row_count; ++r) {
        const abi::LinkRow& row = image.link_rows[r];
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            LinkState initial;
            initial.delay = model.time(row.delay[direction]);
            initial.rate = model.value(row.rate[direction]);
            initial.capacity =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(model.integer(row.queue[direction]), 0xffffffffu));
            initial.mtu = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.mtu), 0xffff));
            initial.overhead = static_cast<std::uint16_t>(std::min<std::uint64_t>(model.integer(row.overhead), 0xffff));
            std::uint32_t far = 1 - direction;
            for (std::uint32_t i = 0; i < row.count; ++i) {
                const LinkId link = row.first_link + 2 * i + direction;
                FarEnd end{row.node[far] + i * row.stride[far], 0};
                end.row = i == 0 || row.stride[far] != 0 ? model.row_of(end.node) : far_ends[link - 2].row;
                far_ends[link] = end;
                links[link] = initial;
            }
        }
    }
}

Cluster::Cluster(const Model& m, std::uint64_t s, Time e, NetworkState& network)
    : model(m),
      image(m.image()),
      seed(s),
      epoch(e),
      links(network.links),
      far_ends(network.far_ends),
      nodes(network.nodes),
      edges(network.edges),
      taps(network.taps),
      servers(m)
{
    statistics.workloads.resize(image.workload_count);
}

void Cluster::transmit(LinkId id, PacketId packet_id)
{
    LinkState& link = links[id];
    Packet& packet = packets[packet_id];
    droptail::Admission admission = droptail::admit(link, packet.length, now);
    if (!admission.accepted) {
        link.dropped += measuring();
        drop(packet_id, Fate::queue);
        return;
    }
    ++statistics.total_packet_hops;
    if (measuring()) {
        ++link.packets;
        link.bytes += packet.length;
    }
    if (!taps.empty()) [[unlikely]]
        for (auto [tapped, tap] : taps)
            if (tapped == id) tap->packet(id, packet, admission.start);
    const Event arrival{admission.departure + link.delay, id, link.sequence++, packet_id, 0};
    if (link.outbox == 0) {
        queue.push(arrival);
    } else {
        outboxes[link.outbox - 1]->send(arrival, packet, buffers);
        release(packet_id);
    }
}

void Cluster::account(const Packet& packet, Fate fate)
{
    digest += packet_hash(packet, fate, now);
    if (!measuring()) return;
    switch (fate) {
        case Fate::delivered:
            ++statistics.packets_delivered;
            break;
        case Fate::queue:
            ++statistics.dropped_queue;
            break;
        case Fate::ttl:
            ++statistics.dropped_ttl;
            break;
        case Fate::mtu:
            ++statistics.dropped_mtu;
            break;
        case Fate::no_route:
            ++statistics.dropped_no_route;
            break;
        case Fate::malformed:
            ++statistics.dropped_malformed;
            break;
    }
}

}  // namespace anml::rt
