// What nodes do with packets. One behaviour per file; a switch over the node's kind calls it.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "net/net.h"
#include "net/packet/packet.h"

namespace anml::rt::node {

// One node, as behaviours see it.
struct Self {
    const abi::NodeRow& row;
    NodeId id;

    std::uint32_t element() const { return id - row.first_node; }
    // Of IPv6 where it has no other; then that of IPv4 where it has both.
    Address address() const { return row.address == 0 ? Address::none : Address{row.address + element()}; }
    bool has(Address which) const { return which == address() || which == ipv6_of(id) || shares(which); }
    // An anycast address.
    bool shares(Address which) const { return row.anycast != 0 && which == Address{row.anycast}; }
    // By which it talks to that one.
    Address toward(Address other) const { return is_ipv6(other) && row.ipv6[0] != 0 ? ipv6_of(id) : address(); }
    // By which it answers what came to it.
    Address answering(const Packet& packet) const
    {
        return shares(packet.destination) ? packet.destination : toward(packet.source);
    }
};

inline Self self(Net& k, NodeId node) { return {k.model.node_row(node), node}; }
inline Self self(Net& k, const FarEnd& end) { return {k.image.node_rows[end.row], end.node}; }

// A packet arrives over `link`.
[[gnu::always_inline]] void receive(Net& k, LinkId link, PacketId id);

// The behaviours: host.cpp, router.cpp, switch.cpp, endpoint.cpp.
[[gnu::always_inline]] void host(Net& k, const Self& self, Packet& packet, PacketId id);
[[gnu::always_inline]] void router(Net& k, Packet& packet, PacketId id, FarEnd& end);
[[gnu::always_inline]] void bridge(Net& k, Packet& packet, PacketId id, FarEnd& end);
void endpoint(Net& k, const Self& self, Packet& packet, PacketId id);

// processing.cpp: what a router or a switch does first that needs time for it, and what it does then.
void process(Net& k, const Self& self, Packet& packet, PacketId id);
void processed(Net& k, const Self& self, PacketId id);

// middlebox.cpp: what a router does that is one.
void through_middlebox(Net& k, const Self& self, Packet& packet, PacketId id);

// A packet from the real host behind an attached endpoint enters (endpoint.cpp).
void inject(Net& k, const Self& self, PacketId id);

// local.cpp: a packet addressed to this node is delivered: answered, or handed to TCP. `hand_up` is behind that: what
// the protocol does with a whole and sound one.
void deliver(Net& k, const Self& self, Packet& packet, PacketId id);
void hand_up(Net& k, const Self& self, Packet& packet, PacketId id);

// reassemble.cpp: a fragment addressed to this node; some that are not complete are too old.
void deliver_fragment(Net& k, const Self& self, Packet& packet, PacketId id);
void reassembly_timer(Net& k, const Self& self);

// originate.cpp: a packet that this node made sets out; TTL and addresses are filled in. `send_on` knows the link,
// `pass_on` sends what others made.
void originate(Net& k, const Self& self, Packet& packet, PacketId id);
[[gnu::always_inline]] void send_on(Net& k, LinkId link, Packet& packet, PacketId id);
[[gnu::always_inline]] void pass_on(Net& k, LinkId link, Packet& packet, PacketId id);
// router.cpp: on a link that is known.
[[gnu::always_inline]] void forward(Net& k, NodeId node, LinkState& link, LinkId link_id, Packet& packet, PacketId id);

// segments.cpp: the same where some routers give packets segments, and where a switch sends one that has some. `plain`
// is the packet without their labels.
void router_with_segments(Net& k, const Self& self, Packet& packet, PacketId id);
void originate_with_segments(Net& k, const Self& self, Packet& packet, PacketId id);
void bridge_to_segment(Net& k, const Self& self, Packet& packet, PacketId id);
Packet plain(const Net& k, const Packet& packet);

// without_route.cpp: the same where the tables have no link, and whether an address is behind this endpoint.
void forward_without_route(Net& k, const Self& self, Packet& packet, PacketId id);
void originate_without_route(Net& k, const Self& self, Packet& packet, PacketId id);
bool behind(const Net& k, const Self& self, Address address);

// icmp.cpp: tells the offender's source, from this node's address. The offender stays as it is. Errors are
// limited in rate where the node says so (net/node/icmp_limits.h).
void send_icmp_error(Net& k, const Self& self, const Packet& offender, std::uint8_t type, std::uint8_t code,
                     std::uint32_t rest = 0);

// fragment.cpp: a packet above the MTU of the link: it goes there in fragments, or not at all. A switch drops it, a
// host loses its own if they must not be cut, a router tells the source.
void send_in_fragments(Net& k, LinkId link, Packet& packet, PacketId id);
void drop_too_long(Net& k, LinkId link, Packet& packet, PacketId id);
void originate_too_long(Net& k, LinkId link, Packet& packet, PacketId id);
void forward_too_long(Net& k, const Self& self, LinkId link, Packet& packet, PacketId id);

namespace icmp {
inline constexpr std::uint8_t echo_reply = 0, unreachable = 3, echo_request = 8, time_exceeded = 11;
inline constexpr std::uint8_t network = 0, host = 1, protocol = 2, port = 3,
                              fragmentation_needed = 4;        // codes of unreachable
inline constexpr std::uint8_t in_transit = 0, reassembly = 1;  // of time_exceeded
}  // namespace icmp

}  // namespace anml::rt::node
