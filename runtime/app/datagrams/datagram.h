// Datagrams that hosts send to a peer, whatever decides when (cbr.h, on_off.h), and counting them.
//
// Each carries its workload (its content) and when it was sent. A datagram counts where and when it happens: sent,
// received, or dropped on the way. A real host behind the peer that is handed a datagram has received it, unless it
// answers that nobody listens.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct AppStatistics;
struct Cluster;
struct Net;

namespace app {

struct DatagramSender {
    std::uint64_t sent = 0;
    NodeId node = 0;
    LinkId link = 0;  // towards the peer; kNone: there is no way
    Address source = Address::none, destination = Address::none;
    std::uint32_t workload = 0;  // row
    std::uint32_t members = 1;   // that each is for: of a group
    std::uint16_t payload = 0;   // bytes of each
    bool dormant = false;        // its next one waits until the workload is switched on
    bool fragments = false;      // routers may cut them
};

namespace datagram {

// Of a group where the workload sends to one. Without a `payload`, kNone, it sends on what has come.
DatagramSender sender(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, abi::ValueId payload,
                      abi::ValueId fragments);
// Chooses its link again: the routes have changed.
void choose_link(Cluster& k, DatagramSender& sender);
void send(Cluster& k, DatagramSender& sender);
// One that has come goes on to another node: its payload, its number, and when its first sender sent it.
void send_on(Cluster& k, const DatagramSender& sender, const Packet& came);
// From one to the next at so many bits per second of IP packets, in ns; infinity at none.
double interval_at(double rate, const DatagramSender& sender);

// Whether the packet is a datagram of a workload.
bool is_datagram(const Packet& packet);
// It has reached its peer, or the real host behind it.
void received(Cluster& k, const Packet& datagram);
void dropped(Cluster& k, const Packet& datagram);
void refused(Cluster& k, std::uint32_t workload);
// Those of which fragments are lost that are still waited for.
void collect(const Cluster& k, AppStatistics& all);
// The port from which a workload's hosts send.
std::uint16_t source_port(std::uint32_t workload);
// The workload (row) that a datagram from one port to another is of, by its hosts' port and their peers'; kNone: none.
std::uint32_t workload_between(const Net& k, std::uint16_t host_port, std::uint16_t peer_port);

}  // namespace datagram
}  // namespace app
}  // namespace anml::rt
