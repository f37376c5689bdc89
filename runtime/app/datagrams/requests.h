// Requests over UDP: hosts that ask one thing after the other, and peers that answer at once.
//
// A request ends once: with its response, with an ICMP error about it, or unanswered after `timeout`, which is lost; it
// counts when it ends. The first response to one that was lost is late, others are duplicates. Then comes the think
// time. Request and response carry the same number; what a real host answers is taken for the response to the last
// request.
#pragma once

#include <bitset>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct Requester {
    DatagramSender to;
    Time asked = 0;           // when the last request was sent
    Time due = kNever;        // the next one, while that is waited for
    std::uint32_t state = 0;  // of its think times: the first word in Cluster::sampler_states
    bool waiting = false;     // for the response to it
    static constexpr std::uint64_t kRemembered = 256;
    std::bitset<kRemembered> lost{};  // by the number of the request: it was, and no response has come since
};

namespace requests {

using namespace otherwise;
using Row = abi::record::requests;
struct State {
    std::vector<Requester> list;
    std::unordered_map<std::uint64_t, std::uint32_t> indices;  // by node and workload
};
inline constexpr FigureKind kFigureKind = FigureKind::echoes;
inline Rhythm rhythm(const Row& row) { return {&row.think}; }

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
// 0: the next request is due; 1: one's time is up.
void timer(Cluster& k, std::uint32_t which, std::uint32_t requester, Time at);
void resume(Cluster& k, const Hosts& hosts);
void routes_changed(Cluster& k);

// A request has reached a virtual peer, or a response the host that asked.
void received(Cluster& k, const node::Self& self, const Packet& packet);
inline void handed_over(Cluster&, const Packet&) {}  // what the real host makes of it will be seen
bool answered(Cluster& k, const node::Self& self, const Packet& packet);
void refused(Cluster& k, std::uint32_t workload, const Packet& offender);

}  // namespace requests
}  // namespace app
}  // namespace anml::rt
