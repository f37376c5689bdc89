// How fast this machine is, against the one that the emulator was measured on (2.6 GHz EPYC, virtual).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace anml::this_machine {

// The shortest of several rounds of a loop like the kernel's, since other programs only ever make one longer:
// ns per step, of a heap of pending events and a table of records.
inline double time_of_step()
{
    struct Record {
        std::uint64_t words[8];
    };
    constexpr std::size_t kRecords = 16384, kPending = 1024, kSteps = 20000;
    std::vector<Record> records(kRecords);
    std::vector<std::uint64_t> heap;
    std::uint64_t random = 1;
    auto next = [&] { return random = random * 6364136223846793005u + 1442695040888963407u; };
    for (std::size_t i = 0; i < kPending; ++i) heap.push_back(next() >> 20);
    std::make_heap(heap.begin(), heap.end(), std::greater<>());
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 6; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < kSteps; ++i) {
            std::pop_heap(heap.begin(), heap.end(), std::greater<>());
            Record& record = records[(heap.back() ^ next() >> 33) % kRecords];
            for (std::uint64_t& word : record.words) word += heap.back();
            heap.back() += next() >> 40;
            std::push_heap(heap.begin(), heap.end(), std::greater<>());
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count() / kSteps);
    }
    return best;
}

struct Speed {
    double packet_hops;     // per second that one processor simulates, in a model that fits its caches
    double device_packets;  // per second, to and from real hosts, that one processor moves through packet rings
};

// Estimated within some milliseconds: what was measured on the reference machine, scaled by how long a small loop with
// the kernel's mixture of work (a heap, records of 64 bytes at random places) takes here.
inline Speed measure()
{
    constexpr double kStep = 18;              // ns: what time_of_step is on that machine
    constexpr double kHops = 10.4e6;          // examples/paper-wan with 64 clients each, on one thread of it
    constexpr double kDevicePackets = 250e3;  // live
    const double faster = kStep / time_of_step();
    return {kHops * faster, kDevicePackets * faster};
}

// Of one processor, above which a live run falls behind: packets come in bursts.
inline constexpr double kMostLoad = 0.7;

}  // namespace anml::this_machine
