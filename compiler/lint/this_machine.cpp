// A loop like the kernel's, timed. The shortest of several rounds, since other programs only ever make one longer.
#include "lint/this_machine.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace anml {

namespace {

// examples/paper-wan with 64 clients each, simulated on one thread of the reference machine (2.6 GHz EPYC).
constexpr double kReferenceHops = 10.4e6;
constexpr double kReferenceStep = 18;  // ns: what time_of_step is on that machine

// ns per step, of a heap of pending events and a table of records.
double time_of_step()
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

}  // namespace

double packet_hops_per_second() { return kReferenceHops * kReferenceStep / time_of_step(); }

}  // namespace anml
