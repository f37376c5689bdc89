// How long a cache line takes from one processor to another: what bounds the small models on two threads (threads.py).
// Virtual machines are moved between processors that share a cache and ones that don't, so that it is part of every
// measurement. With `mpi`, started by mpirun as two processes: how long a short message takes from one rank to the
// other.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/processors.h"
#include "entry/run/mpi.h"
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

// The same of a message of eight bytes, between two ranks.
double latency(anml::rt::entry::Mpi& mpi)
{
    const std::uint8_t message[8] = {};
    const unsigned other = 1 - mpi.rank();
    const auto send = [&] {
        while (!mpi.send(other, message)) continue;
    };
    const auto receive = [&] {
        for (std::uint32_t times = 0; !mpi.receive(); ++times) mpi.rest(times, other);
    };
    std::vector<double> series;
    for (int s = 0; s < kSeries; ++s) {
        const auto began = std::chrono::steady_clock::now();
        for (int i = 0; i < kTurns; ++i) {
            if (mpi.rank() == 0) send();
            receive();
            if (mpi.rank() == 1) send();
        }
        series.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - began).count());
    }
    std::sort(series.begin(), series.end());
    return series[kSeries / 2] / kTurns / 2;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc > 1) {
        std::string error = argv[1] == std::string_view("mpi") ? "" : "usage: core_latency [mpi]";
        const auto mpi = error.empty() ? anml::rt::entry::Mpi::join(error) : nullptr;
        if (mpi && mpi->size() != 2) error = "for two ranks: mpirun -np 2 core_latency mpi";
        if (!error.empty()) {
            fmt::print(stderr, "core_latency: {}\n", error);
            return 1;
        }
        const double ns = latency(*mpi);
        if (mpi->rank() == 0) fmt::print("{:.0f} ns\n", ns);
        mpi->leave();
        return 0;
    }
    const anml::rt::Processors processors;
    if (processors.count() < 2) {
        fmt::print(stderr, "core_latency: there is one processor only\n");
        return 1;
    }
    fmt::print("{:.0f} ns\n", latency(processors));
}
