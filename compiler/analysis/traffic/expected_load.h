// How much each link is expected to carry, at a time of the timeline: what the workloads that are switched on then send,
// as `expected_traffic.h` estimates it, on every link of hosts that are alike.
#pragma once

#include <unordered_map>
#include <vector>

#include "analysis/traffic/expected_traffic.h"
#include "analysis/traffic/flows.h"
#include "analysis/timeline/network_moment.h"

namespace anml {

// Of the workloads that are on at that time (ns), tunables at their defaults.
std::vector<Flow> flows_at(const Network& network, const RouteTables& routes, const std::vector<double>& tunables,
                           double time);

class ExpectedLoads {
  public:
    // `routes`: those of the moment, which is kept; nullptr: of the beginning.
    ExpectedLoads(const Network& network, const RouteTables& routes, NetworkMoment* moment);

    double bits(std::uint32_t link) const;  // bit/s on a directed link
    // The most on one of the directed links first, first + 2, ...
    double most_bits(std::uint32_t first, std::uint32_t count) const;
    double of(std::uint32_t link);          // their share of its rate, 0 .. 1
    double total() const { return total_; }  // bit/s that all send together, and are answered
    struct Greatest {
        std::uint32_t link = 0;  // directed; of several the first
        double load = 0;
    };
    Greatest greatest();

  private:
    struct Run {  // directed links first, first + 2, ..., that each carry so many bit/s
        std::uint32_t first = 0, count = 1;
        double rate = 0;
    };
    struct Row {  // of links
        std::vector<Run> runs;  // ascending
        std::uint32_t widest = 1;
    };
    void add(const Flow& flow, const ExpectedTraffic::Alone& alone, double share, Crossings& crossings);
    double rate_of(std::size_t row, std::uint32_t link);

    const Network& network_;
    std::vector<double> tunables_;
    NetworkMoment* moment_;
    std::unordered_map<std::size_t, Row> rows_;
    double total_ = 0;
};

}  // namespace anml
