// Relays over UDP: hosts that send a copy of each datagram that reaches them on a port to each subscriber, but to the
// one that it came from.
//
// A copy carries when the first sender sent the datagram, and its number. So delays are from there. What is sent and
// lost is counted from there, too: with each datagram of a first sender all copies are due that relays will make of it,
// and where one is lost, all that would have been made of it are (each_copy).
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "app/datagrams/datagram.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct RelayHost {
    std::uint32_t workload = 0;
    std::vector<DatagramSender> to;
};

namespace relay {

using namespace otherwise;
using Row = abi::record::relay;
struct State {
    std::unordered_map<std::uint64_t, std::vector<RelayHost>> hosts;  // of this cluster, by node and port
    // Of the whole model: workloads that relay there, by node and port; by workload whether some of its subscribers
    // relay what they get.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> places;
    std::unordered_map<std::uint32_t, bool> goes_on;
    bool known = false;  // both have been found

    bool maybe() const { return !known || !places.empty(); }  // the model has some, as far as that is known
};
inline constexpr FigureKind kFigureKind = FigureKind::datagrams;

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void routes_changed(Cluster& k);

// A datagram has reached its node: the relays there send it on.
void forward(Cluster& k, const node::Self& self, const Packet& datagram);
// The copies that relays make, in the end, of a datagram from `source` that reaches the node on that port.
void each_copy(Cluster& k, NodeId node, std::uint16_t port, NodeId source,
               const std::function<void(std::uint32_t workload, std::uint64_t copies)>& copies);
// A first sender's datagram leaves, or one is lost on its way: its copies are due, or lost.
void count_due(Cluster& k, const DatagramSender& sender);
void count_lost(Cluster& k, const Packet& datagram);

}  // namespace relay
}  // namespace app
}  // namespace anml::rt
