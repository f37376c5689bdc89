// What every hop of every packet goes through: a link takes it, or its way ends.
#include "net/facts.h"
#include "net/link/droptail.h"
#include "net/link/impair.h"
#include "net/link/opportunities.h"
#include "net/link/shared_buffers.h"
#include "net/net.h"
#include "net/upcalls.h"

namespace anml::rt {

// Rare ways are functions of their own and get values: nothing of what all packets go through is in memory for them.
void Net::transmit(LinkState& link, LinkId link_id, Packet& packet, PacketId id)
{
    const droptail::Admission admission = droptail::admit(link, starts, packet.length, now);
    if (admission.accepted)
        begin_transmission(link, link_id, packet, id, admission.start, admission.departure, now);
    else
        transmit_otherwise(link, link_id, packet, id);
}

void Net::transmit_otherwise(LinkState& link, LinkId link_id, Packet& packet, PacketId id)
{
    droptail::Admission admission{};
    if (facts.timeline && changes && changes->down(link_id)) return lose(link_id, id);
    if (link.decided_elsewhere()) {
        if (network.disciplines.of(link_id)) return offer(link, link_id, packet, id);
        if (fluid::FluidLink* const shared = network.fluid_of(link_id))
            admission = share_with_fluid(*shared, link_id, packet.length);
        else if (facts.traced)
            admission = follow_trace(link, link_id, packet.length);
    }
    if (!admission.accepted) return refuse(link_id, id);
    begin_transmission(link, link_id, packet, id, admission.start, admission.departure, now);
}

void Net::refuse(LinkId link, PacketId id)
{
    network.dropped[link] += measuring();
    drop(packets[id], id, DropReason::queue);
}

void Net::begin_transmission(LinkState& link, LinkId link_id, Packet& packet, PacketId id, Time start, Time departure,
                             Time came)
{
    ++counters.total_packet_hops;
    if (measuring()) {
        ++link.packets;
        link.bytes += packet.length;
        if (start != came && !hooked) network.queue_delay[link_id].add(start - came);
    }
    if (hooked) [[unlikely]]
        return begin_hooked(link, link_id, id, start, departure, came);
    const Time arrival = departure + link.delay;
    const std::uint32_t sequence = link.sequence++;
    if ((facts.one_task && !present(abi::RecordSchema::impairment)) || link.outbox == 0)
        queue.push({arrival, link_id, sequence, id, 0});
    else
        arrive_otherwise(link, arrival, link_id, sequence, id, 0);
}

void Net::begin_hooked(LinkState& link, LinkId link_id, PacketId id, Time start, Time departure, Time came)
{
    const std::uint32_t version = run_hooks(link_id, packets[id], start, departure, came);
    const Event arrival{departure + link.delay, link_id, link.sequence++, id, version};
    if (link.outbox == 0)
        queue.push(arrival);
    else
        arrive_otherwise(link, arrival.time, link_id, arrival.sequence, id, version);
}

void Net::arrive_otherwise(LinkState& link, Time at, LinkId link_id, std::uint32_t sequence, PacketId id,
                           std::uint32_t version)
{
    const Event arrival{at, link_id, sequence, id, version};
    Packet& packet = packets[id];
    if (present(abi::RecordSchema::impairment) && (link.outbox & LinkState::kImpaired)) {
        impair(*this, link, arrival, packet);
    } else {
        outboxes[link.outbox - 1]->send(arrival, packet, buffers);
        release(packet, id);
    }
}

droptail::Admission Net::follow_trace(LinkState& link, LinkId id, std::uint32_t length)
{
    TracedLink& traced = network.traced[id];
    const abi::Slice times = image.traces[traced.trace].opportunities;
    const opportunities::Trace trace{image.opportunities + times.first, times.count};
    const std::uint32_t bytes = length + link.known_overhead();
    SharedBuffers* const room = shared(id);
    if (room && !room->take(id, bytes, now, counters)) return {false, 0, 0};
    const droptail::Admission admission = opportunities::admit(traced, trace, link, starts, bytes, now);
    if (!room) return admission;
    if (admission.accepted) {
        room->keep(id, now, counters);
        room->leave(id, bytes, admission.departure);
    } else {
        room->give_back(id, bytes);
    }
    return admission;
}

// What few models ask for: taps see the packet, and on a link that changes it gets the link's version.
std::uint32_t Net::run_hooks(LinkId link, const Packet& packet, Time start, Time departure, Time came)
{
    for (auto [tapped, tap] : taps)
        if (tapped == link)
            tap->packet(link, facts.segments && packet.segment != 0 ? node::plain(*this, packet) : packet, now, start);
    if (facts.timeline && changes && changes->known(link)) {
        if (links[link].outbox == 0) changes->note_arrival(link, departure + links[link].delay, now);
        return changes->take(link, packet.length, start, departure, came, now, measuring());
    }
    if (measuring() && start != came) network.queue_delay[link].add(start - came);
    return 0;
}

// Of a packet with a buffer. With real hosts a digest says nothing: their bytes need not be read for it.
[[gnu::noinline]] static std::uint64_t hash_of_buffer(const Net& k, const Packet& packet)
{
    return k.epoch == 0 ? bytes_hash(k.buffers.bytes(packet.buffer)) : 0;
}

[[gnu::noinline]] static void count_drop(Net& k, const Packet& packet, DropReason reason)
{
    if (packet.protocol == protocol::udp) upcalls::dropped(k, packet);
    NetCounters& counters = k.counters;
    switch (reason) {
        case DropReason::none:
            break;
#define ANML_COUNT_DROP(key, ...)   \
    case DropReason::key:           \
        ++counters.dropped.key;     \
        break;
            ANML_DROP_FIGURES(ANML_COUNT_DROP, ANML_NOTHING, ANML_NOTHING)
#undef ANML_COUNT_DROP
    }
}

void Net::account(const Packet& packet, DropReason reason)
{
    digest += packet_hash(packet, packet.buffer == kNone ? 0 : hash_of_buffer(*this, packet), reason, now);
    if (!measuring()) return;
    if (reason != DropReason::none) [[unlikely]]
        return count_drop(*this, packet, reason);
    ++counters.packets_delivered;
}

}  // namespace anml::rt
