// Constant bit rate over UDP: hosts that send datagrams at equal intervals, and those who receive and count them.
//
// Datagram n of a host leaves at its first one's time plus n intervals, rounded to ns each, so that no error adds up.
// A host has one pending event. Each datagram carries its workload (its content) and when it was sent. A datagram
// counts where and when it happens: sent, received, or dropped on the way. A real host behind the peer that is handed
// a datagram has received it, unless it answers that nobody listens.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "kernel/packet.h"

namespace anml::rt {

struct Cluster;

namespace app {

struct CbrSender {
    Time first = 0;  // when datagram 0 is sent
    std::uint64_t sent = 0;
    NodeId node = 0;
    LinkId link = 0;  // towards the peer; kNone: there is no way
    std::uint32_t source = 0, destination = 0;
    std::uint32_t workload = 0;  // row
    bool dormant = false;        // its next one waits until the workload is switched on
};

namespace cbr {

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t sender);  // its next datagram is due
// The workload is switched on: those that wait send one, and those after it at its intervals.
void resume(Cluster& k, std::uint32_t workload);
void routes_changed(Cluster& k);

// Whether the packet is a datagram of a workload.
bool is_datagram(const Packet& packet);
// It has reached its peer, or the real host behind it.
void received(Cluster& k, const Packet& datagram);
void dropped(Cluster& k, const Packet& datagram);
// A real host's ICMP says that nobody listens; `offender` is what it quotes.
void refused(Cluster& k, const Packet& offender);

}  // namespace cbr
}  // namespace app
}  // namespace anml::rt
