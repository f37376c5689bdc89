// What is counted of flows (flows.h) besides what transfers have: where their receivers are, but for the waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fields.h"
#include "base/histogram.h"
#include "base/ids.h"
#include "base/time.h"

namespace anml::rt {

// By size: below 1000 B, then by powers of ten.
inline constexpr std::size_t kFlowBins = 10;
std::size_t flow_bin(std::uint64_t bytes);
std::uint64_t least_of_flow_bin(std::size_t bin);  // bytes

struct FlowBin {
    std::uint64_t completed = 0, bytes = 0;
    CoarseHistogram time;      // ns
    CoarseHistogram slowdown;  // billionths
};
ANML_FIELDS(FlowBin, completed, bytes, time, slowdown)

// A flow that is open at the end, or that has arrived without its sender knowing.
struct FlowEnds {
    NodeId from = 0, to = 0;
    std::uint16_t port = 0;  // of the sender
    Time age = 0;
};
ANML_FIELDS(FlowEnds, from, to, port, age)
template <>
inline constexpr bool is_single<FlowEnds> = true;

struct FlowStatistics {
    static constexpr double kSlowdown = 1e9;  // in histograms, which are of billionths

    Highest<std::uint64_t> most;          // under way at a host at a time
    std::uint64_t bytes = 0;              // of completed flows
    Histogram waited;                     // ns, of those that began late, until then
    Histogram slowdown;                   // billionths
    std::vector<FlowBin> bins;            // grows to the largest seen
    std::vector<FlowEnds> open, arrived;  // collected

    void count(Time took, std::uint64_t size, double slow);  // `slow` 0: not known
    // Leaves of `open` those that have not arrived, and says how many have.
    std::uint64_t match_arrivals();
};
ANML_FIELDS(FlowStatistics, most, bytes, waited, slowdown, bins, open, arrived)

}  // namespace anml::rt
