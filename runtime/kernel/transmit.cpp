// What every hop of every packet goes through: a link takes it, or its way ends.
#include "kernel/cluster.h"
#include "kernel/facts.h"
#include "kernel/impair.h"
#include "queue/droptail.h"

namespace anml::rt {

void Cluster::transmit(LinkState& link, LinkId link_id, Packet& packet, PacketId id)
{
    droptail::Admission admission = droptail::admit(link, starts, packet.length, now);
    if (!admission.accepted) {
        link.dropped += measuring();
        drop(packet, id, Fate::queue);
        return;
    }
    ++statistics.total_packet_hops;
    if (measuring()) {
        ++link.packets;
        link.bytes += packet.length;
    }
    if (!taps.empty()) [[unlikely]]
        for (auto [tapped, tap] : taps)
            if (tapped == link_id) tap->packet(link_id, packet, admission.start);
    const Event arrival{admission.departure + link.delay, link_id, link.sequence++, id, 0};
    if ((facts.one_task && !facts.impaired) || link.outbox == 0) {
        queue.push(arrival);
    } else if (facts.impaired && (link.outbox & LinkState::kImpaired)) {
        impair(*this, link, arrival, packet);
    } else {
        outboxes[link.outbox - 1]->send(arrival, packet, buffers);
        release(packet, id);
    }
}

void Cluster::account(const Packet& packet, Fate fate)
{
    digest += packet_hash(packet, fate, now);
    if (!measuring()) return;
    if (fate != Fate::delivered && app::cbr::is_datagram(packet)) app::cbr::dropped(*this, packet);
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
        case Fate::lost:
            ++statistics.dropped_lost;
            break;
        case Fate::corrupted:
            ++statistics.dropped_corrupted;
            break;
    }
}

}  // namespace anml::rt
