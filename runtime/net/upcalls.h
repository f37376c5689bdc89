// What the network calls above it. The layers that know the protocols and the workloads define these: the linker binds
// them, and none of them is asked of a packet on its way.
#pragma once

#include <cstdint>

#include "net/node/node.h"
#include "net/packet/packet.h"

namespace anml::rt::upcalls {

// For each protocol: a packet has reached the node that it is addressed to; an ICMP error of that type and code, with
// the MTU where it says one, has come back about a packet that the node sent: `offender` is what it quotes.
#define PROTOCOL(name)                                                                                              \
    void name##_input(Net& k, const node::Self& self, const Packet& packet);                                        \
    void name##_error(Net& k, const node::Self& self, const Packet& offender, std::uint8_t type, std::uint8_t code, \
                      std::uint32_t mtu);
#include "net/protocols.def"
#undef PROTOCOL

// A packet of UDP ends elsewhere than at the node that it is addressed to.
void dropped(Net& k, const Packet& packet);
// A packet is handed to the real host behind an endpoint.
void handed_over(Net& k, const Packet& packet);

// The timeline: a routing epoch begins; hosts of a workload are switched on, or off; its load or rate is another one
// (Timeline::Pace).
void routes_changed(Net& k);
void workload_begins(Net& k, const Hosts& hosts);
void workload_ends(Net& k, const Hosts& hosts);
void workload_paced(Net& k, std::uint32_t workload, double pace);

}  // namespace anml::rt::upcalls
