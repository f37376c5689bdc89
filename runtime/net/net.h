// The part of a cluster that is the network: the state of a sequential simulator over all nodes, and the few operations
// that everything else is made of: transmit a packet on a link, end a packet, schedule a timer. The
// behaviours of nodes are in net/node/. What lies above is reached by net/upcalls.h: transport/transport.h, then
// app/cluster.h, each of which is this with more behind it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/pool.h"
#include "kernel/event_queue.h"
#include "net/counters.h"
#include "net/crossing.h"
#include "net/digest.h"
#include "net/link/arrival_order.h"
#include "net/link/buffers.h"
#include "net/link/droptail.h"
#include "net/link/waiting.h"
#include "net/model.h"
#include "net/network_state.h"
#include "net/node/multicast_trees.h"
#include "net/node/reassembly.h"
#include "net/packet/packet.h"
#include "net/path_mtus.h"
#include "net/queue/flow_tables.h"
#include "net/samples.h"
#include "net/timeline/changes.h"

namespace anml::rt {

namespace fluid {
struct FluidLink;
}

// Event::kind of a timer, which says what its payload is. Each layer has a range of its own.
namespace timer_kind {
inline constexpr std::uint32_t injected = 0;     // PacketId: enters the network at this node
inline constexpr std::uint32_t departure = 1;    // directed link: the next packet that stays in its transmitter departs
inline constexpr std::uint32_t transmitted = 2;  // directed link: a transmission ends for which packets wait
inline constexpr std::uint32_t reassembly = 3;   // the time of some of a node's fragments is up
inline constexpr std::uint32_t processed = 4;    // PacketId: a node has worked on it, and handles it
inline constexpr std::uint32_t air = 5;          // the access point's node: somebody may transmit
inline constexpr std::uint32_t kTransport = 6, kApplications = 11;
}  // namespace timer_kind

class LinkQueue;

struct Net {
    Net(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network);

    const Model& model;
#ifdef ANML_SPECIALISED  // the image of the very model: what it says is constant
    static constexpr const abi::Image& image = anml_image;
    const abi::Image& the_same;
#else
    const abi::Image& image;
#endif
    std::uint64_t seed;
    Time epoch;  // of the wall clock at time 0, where real hosts take part; else 0
    Time now = 0;

    EventQueue queue;
    Pool<Packet> packets;
    BufferPool buffers;
    NetworkState& network;
    LinkState* const links;  // of the network: filled in once `link` was asked for them
    FarEnd* const far_ends;
    NodeState* const nodes;
    std::vector<Edge*>& edges;
    std::vector<std::pair<LinkId, LinkTap*>>& taps;

    StartTimes starts;              // of packets that wait for the cluster's links
    WaitingPool waiting;            // of those that wait for links that are served at the dequeue
    FlowTables flows;               // of links whose disciplines tell flows apart
    std::vector<ArrivalOrder> arrival_orders;  // of impaired links
    std::vector<Outbox*> outboxes;  // to other clusters, by LinkState::outbox - 1
    std::vector<std::uint16_t>
        outbox_to;           // by task of the partition: 1 + index of the outbox to it, 0: no link leads there
    bool held_back = false;  // one of them waits for room: no further event until it has it
    bool hooked = false;     // there are taps, or changing links: transmit has more to do

    std::unique_ptr<Changes> changes;  // null: the model has no timeline
    Time next_change = kNever;         // of these
    Time next_instant = kNever;        // of the timeline
    Time next_epoch = kNever;          // of the fluid
    std::vector<LinkId> fluid_links;   // that leave nodes of the cluster
    std::uint64_t fluid_epochs = 0;    // that it has applied
    // Where routes change: those of the present epoch. Without codes none of theirs ever change.
    std::vector<abi::RouteTable> own_tables;
    std::vector<std::uint8_t> own_codes;

    Reassembly reassembly;
    PathMtus path_mtus;
    MulticastTrees trees;
    NetCounters counters;
    std::uint64_t digest = 0;

    bool measuring() const { return counters.in_window(now); }

    // The directed link on which element `element` of a row sends a packet, or a flow's; kNone: unreachable.
    LinkId route(const abi::NodeRow& row, std::uint32_t element, const Packet& packet) const
    {
        return model.route(tables(), codes(), row, element, packet.destination, seed,
                           [of = &packet] { return flow_of(*of); });
    }
    // The same of a packet that came over a link with that end, which keeps it.
    LinkId route(const abi::NodeRow& row, std::uint32_t element, const Packet& packet, FarEnd& from) const
    {
        if (!facts.one_epoch && image.epoch_count != 0) return route(row, element, packet);
        bool by_flow = false;
        const LinkId link = model.route(tables(), codes(), row, element, packet.destination, seed, [&] {
            by_flow = true;
            return flow_of(packet);
        });
        if (!by_flow && link != kNone) {
            from.destination = packet.destination;
            from.next = link;
        }
        return link;
    }
    LinkId route(const abi::NodeRow& row, std::uint32_t element, const Flow& flow) const
    {
        const LinkId link =
            model.route(tables(), codes(), row, element, flow.destination, seed, [of = &flow] { return *of; });
        return link == kNone && is_ipv6_of_node(flow.destination) ? route_otherwise(row, element, flow) : link;
    }
    // Where the tables have none: towards the node that has the flow's destination beside an address of IPv4, or the
    // endpoint behind which it is.
    LinkId route_otherwise(const abi::NodeRow& row, std::uint32_t element, const Flow& flow) const;
    const abi::RouteTable* tables() const { return facts.one_epoch ? image.tables : tables_; }
    const std::uint8_t* codes() const { return facts.one_epoch ? image.codes : codes_; }
    // Whether a workload is on: some of its hosts, or that one.
    bool active(std::uint32_t workload) const { return !facts.timeline || !changes || changes->active(workload); }
    bool active(std::uint32_t workload, NodeId host) const
    {
        return !facts.timeline || !changes || changes->active(model, workload, host);
    }

    // A link that leaves one of the cluster's nodes.
    LinkState& link(LinkId id)
    {
        LinkState& state = links[id];
        if (state.mtu == 0) [[unlikely]] {
            network.set_up(id, outbox_to);
            if (facts.timeline && changes) changes->fill_in(id, network);
        }
        return state;
    }

    // Puts packet `id` on a link, or drops it there. Its length is at most the link's MTU. The caller has both at hand.
    [[gnu::always_inline]] void transmit(LinkState& link, LinkId link_id, Packet& packet, PacketId id);

    // The packet came to the link at `came`, and its transmission begins at `start`, which need not be now:
    // captures, impairments and the timeline see it, and its arrival at the far end is known. Whatever decided that,
    // this follows.
    [[gnu::always_inline]] void begin_transmission(LinkState& link, LinkId link_id, Packet& packet, PacketId id,
                                                   Time start, Time departure, Time came);
    // The queue of the link drops it.
    void refuse(LinkId link, PacketId id);
    // The buffers of which the link shares one; null: it shares none.
    SharedBuffers* shared(LinkId link) const;
    // The cells of which the link is in one; null: it is in none.
    Airs* on_air(LinkId link) const;
    // The next of those that wait in a queue that decides at the dequeue.
    Waiting take_next(LinkId link, LinkQueue& queue);
    // A link's queue that decides at the dequeue (service.cpp): one of its transmissions has ended; it ends at
    // another time than it did; the link has failed, and loses what waits.
    void transmission_ended(LinkId link);
    void expect_end(LinkId link);
    // The discipline's parameters are others from now on: what it has counted by the former ones is brought up to now.
    void discipline_changed(LinkId link);
    void expect(LinkId link, DisciplinedLink& own, Time at);
    void lose_waiting(LinkId link);

    // The link on which the packet is, or that it was to take, is down.
    void lose(LinkId link, PacketId id);

    // The packet was delivered or dropped now; its record stays.
    void account(const Packet& packet, DropReason reason);
    void release(const Packet& packet, PacketId id)
    {
        buffers.release(packet.buffer);
        packets.release(id);
    }
    void drop(const Packet& packet, PacketId id, DropReason reason)
    {
        account(packet, reason);
        release(packet, id);
    }

    void schedule(NodeId node, Time at, std::uint32_t kind, std::uint32_t payload)
    {
        queue.push({at, image.directed_links + node, nodes[node].timer_sequence++, payload, kind});
    }

    // A real host is behind the endpoint.
    bool attached(NodeId node) const
    {
        const abi::NodeRow& row = model.node_row(node);
        return row.endpoint != kNone && edges[row.endpoint + (node - row.first_node)] != nullptr;
    }

    // For a packet that the node makes and that may be cut into fragments (RFC 6864).
    // Each node begins elsewhere, as Linux's hosts do, since behind a NAT several share an address: neighbours by the
    // golden ratio far from each other.
    std::uint16_t next_identification(NodeId node)
    {
        return static_cast<std::uint16_t>(++nodes[node].identification + 40503u * node);
    }

    // Time of the earliest event or change.
    Time next_time() const { return std::min(queue.next_time(), next_change); }

  private:
    [[gnu::noinline]] droptail::Admission follow_trace(LinkState& link, LinkId id, std::uint32_t length);
    [[gnu::noinline]] droptail::Admission share_with_fluid(fluid::FluidLink& link, LinkId id, std::uint32_t length);
    // A packet for a link whose queue has a discipline (net/link/service.cpp).
    [[gnu::noinline]] void offer(LinkState& link, LinkId link_id, Packet& packet, PacketId id);
    [[gnu::noinline]] void begin_hooked(LinkState& link, LinkId link_id, PacketId id, Time start, Time departure,
                                        Time came);
    std::uint32_t run_hooks(LinkId link, const Packet& packet, Time start, Time departure, Time came);
    // What the drop-tail queue that most links have does not take; what does not arrive in this task, or is impaired.
    [[gnu::noinline]] void transmit_otherwise(LinkState& link, LinkId link_id, Packet& packet, PacketId id);
    [[gnu::noinline]] void arrive_otherwise(LinkState& link, Time at, LinkId link_id, std::uint32_t sequence,
                                            PacketId id, std::uint32_t version);
    const abi::RouteTable* tables_;
    const std::uint8_t* codes_;
};

// Makes the changes of the timeline that are due next.
void make_changes(Net& k);

}  // namespace anml::rt
