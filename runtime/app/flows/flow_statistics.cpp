#include "app/flows/flow_statistics.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace anml::rt {

namespace {

constexpr std::uint64_t kFirstBin = 1000;  // bytes, below which a flow is in the first

auto ends_of(const FlowEnds& flow) { return std::tuple(flow.from, flow.to, flow.port); }
bool ends_before(const FlowEnds& a, const FlowEnds& b) { return ends_of(a) < ends_of(b); }

}  // namespace

std::size_t flow_bin(std::uint64_t bytes)
{
    std::size_t bin = 0;
    for (std::uint64_t end = kFirstBin; bytes >= end && bin + 1 < kFlowBins; end *= 10) ++bin;
    return bin;
}

std::uint64_t least_of_flow_bin(std::size_t bin)
{
    std::uint64_t least = bin == 0 ? 0 : kFirstBin;
    for (; bin > 1; --bin) least *= 10;
    return least;
}

void FlowStatistics::count(Time took, std::uint64_t size, double slow)
{
    bytes += size;
    const std::size_t at = flow_bin(size);
    if (at >= bins.size()) bins.resize(at + 1);
    FlowBin& bin = bins[at];
    ++bin.completed;
    bin.bytes += size;
    bin.time.record(took);
    if (slow <= 0) return;
    constexpr double kMost = 9e9;  // of which the billionths are no more than an integer has
    const std::int64_t billionths = std::llround(std::min(slow, kMost) * kSlowdown);
    slowdown.record(billionths);
    bin.slowdown.record(billionths);
}

std::uint64_t FlowStatistics::match_arrivals()
{
    std::sort(arrived.begin(), arrived.end(), ends_before);
    const std::size_t before = open.size();
    std::erase_if(open, [&](const FlowEnds& flow) {
        return std::binary_search(arrived.begin(), arrived.end(), flow, ends_before);
    });
    arrived.clear();
    return before - open.size();
}

}  // namespace anml::rt
