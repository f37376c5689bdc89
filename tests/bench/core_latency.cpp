// How long a cache line takes from one processor to another: what bounds the small models on two threads (threads.py).
// Virtual machines are moved between processors that share a cache and ones that don't, so that it is part of every
// measurement.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "base/processors.h"
#include "kernel/channel.h"

namespace {

struct alignas(anml::rt::kCacheLine) Line {
    std::atomic<int> turn{0};
};

constexpr int kTurns = 10'000, kSeries = 9;

// Median over the series, ns, one way.
double latency(const anml::rt::Processors& processors)
{
    Line there, back;
    std::thread other([&] {
        processors.keep_to(1);
        for (int turn = 1; turn <= kTurns * kSeries; ++turn) {
            while (there.turn.load(std::memory_order_acquire) != turn) continue;
            back.turn.store(turn, std::memory_order_release);
        }
    });
    processors.keep_to(0);
    std::vector<double> series;
    for (int turn = 1; turn <= kTurns * kSeries;) {
        const auto began = std::chrono::steady_clock::now();
        for (int i = 0; i < kTurns; ++i, ++turn) {
            there.turn.store(turn, std::memory_order_release);
            while (back.turn.load(std::memory_order_acquire) != turn) continue;
        }
        series.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count());
    }
    other.join();
    std::sort(series.begin(), series.end());
    return series[kSeries / 2] / kTurns / 2;
}

}  // namespace

int main()
{
    const anml::rt::Processors processors;
    if (processors.count() < 2) {
        fmt::print(stderr, "core_latency: there is one processor only\n");
        return 1;
    }
    fmt::print("{:.0f} ns\n", latency(processors));
}
