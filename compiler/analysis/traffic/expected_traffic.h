// How many packets a model is expected to move per simulated second, at the tunables' defaults: an estimate without
// queueing, slow start and losses.
//
// Which load a workload is, and of what size, say its traits. A client of a closed loop completes a transaction each
// (interval + service time + two round trips + what is sent at the path's bottleneck): connect and request; TLS and
// the wait for a server that closes when all is acknowledged are one more each. It takes 8 packets and two for each
// segment; over UDP it is one round trip and two packets. What is beyond its receiver's buffer comes as fast as that
// reads (`read_rate`). A greedy load fills its path's bottleneck, or what its receiver reads; one of transfers with a
// size is a closed loop of them. An open one comes at its rate. None of them can exceed what the
// links on its path and the server's workers let through.
#pragma once

#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/timeline/network_moment.h"
#include "analysis/traffic/flows.h"

namespace anml {

constexpr double datagram_headers(bool ipv6) { return ipv6 ? 48 : 28; }  // bytes, IP and UDP

struct ExpectedTraffic {
    double hops = 0;         // packets that finish a link, per second
    std::vector<double> at;  // of each endpoint, packets to and from it, per second
    // Of each flow, bit/s that one of its hosts would send and get, were it alone; and the share of them that is on.
    // Connections that one opens per second, as it is slowed by all others.
    struct Alone {
        double there = 0, back = 0, hosts = 1;
        double connections = 0;
        double left = 1;  // the share of `there` and `back` that all others leave it
        double packets[2] = {};  // per second, there and back
        // bit/s there (0) or back (1) on a link that adds so many bytes to each packet.
        double bits(int way, double overhead) const { return (way == 0 ? there : back) + 8 * overhead * packets[way]; }
    };
    std::vector<Alone> alone;
    double at_endpoints() const { return std::accumulate(at.begin(), at.end(), 0.0); }
    // bit/s by directed link; of hosts that are alike, on the links of the one that stands for them.
    std::unordered_map<std::uint32_t, double> rates;
};

// `moment`: with what links have then; nullptr: as they are declared. `time`: with as many hosts and as high a load of
// each workload as the timeline says for then; without it for when that is most (timed_load.h).
ExpectedTraffic expect_rates(const Network& network, const std::vector<Flow>& flows,
                             const std::vector<double>& tunables, NetworkMoment* moment = nullptr,
                             std::optional<double> time = std::nullopt);

// The largest transfer of a flow over TCP; window 0: it has none.
struct Transfer {
    double bytes = 0, window = 0;  // window: what the receiver announces at most
    bool upwards = false;          // from client to server
    double buffer = 0;             // of the receiver
    bool unscaled_sender = false;  // only its lack of window scaling keeps the window below the buffer
    double read_rate = 0;          // bit/s that the receiver's application reads; 0: all at once
};
Transfer largest_transfer(const Network& network, const Flow& flow, const std::vector<double>& tunables);

}  // namespace anml
