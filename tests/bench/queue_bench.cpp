// The event queue by itself, beside a heap: the hold model (pop the earliest, push it back later) on four kinds of
// gaps.
//   queue_bench [repetitions] [largest number of events]
// Prints the medians in nanoseconds for a pop and a push; both must give the same order.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "kernel/event_queue.h"

namespace {

using namespace anml::rt;

struct Heap : EventHeap {
    bool pop(Time limit, Event& event)
    {
        const Event* first = front();
        if (first == nullptr || first->time > limit) return false;
        event = *first;
        EventHeap::pop();
        return true;
    }
};

struct Random {
    std::uint64_t state = 12345;
    std::uint64_t next() { return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33; }
    double uniform() { return static_cast<double>(next() + 1) / 2147483649.0; }
};

using Gaps = std::vector<Time>;

Gaps make_gaps(std::string_view kind)
{
    Gaps gaps(65536);
    Random random;
    auto below = [&](std::uint64_t n) { return static_cast<Time>(random.next() % n); };
    for (Time& gap : gaps) {
        double u = random.uniform();
        if (kind == "exponential")
            gap = 1 + static_cast<Time>(-1e6 * std::log(u));
        else if (kind == "constant")
            gap = kMillisecond;
        else if (kind == "bimodal")  // serialisation and propagation
            gap = u < 0.5 ? 12 * kMicrosecond : 2 * kMillisecond;
        else  // packets among timers
            gap = u < 0.02  ? 5 * kSecond
                  : u < 0.5 ? 12 * kMicrosecond + below(3000)
                  : u < 0.8 ? 120 * kMicrosecond + below(1000)
                            : 2 * kMillisecond;
    }
    return gaps;
}

// Nanoseconds for a pop and a push; `order` becomes a hash of the events in their order.
template <class Queue>
double hold(const Gaps& gaps, std::uint32_t events, std::uint64_t& order)
{
    Queue queue;
    Random random;
    auto gap = [&] { return gaps[random.next() % gaps.size()]; };
    for (std::uint32_t i = 0; i < events; ++i)
        queue.push({static_cast<Time>(static_cast<double>(gap()) * random.uniform()), i, 0, i, 0});
    order = 0;
    auto turn = [&](std::uint32_t count) {
        for (Event event; count-- > 0 && queue.pop(kNever, event);) {
            order = order * 31 + static_cast<std::uint64_t>(event.time) + event.stream;
            event.time += gap();
            ++event.sequence;
            queue.push(event);
        }
    };
    turn(std::max(2 * events, 200'000u));
    constexpr std::uint32_t kTurns = 2'000'000;
    auto begin = std::chrono::steady_clock::now();
    turn(kTurns);
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / kTurns;
}

double median(std::vector<double>& values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv)
{
    const int repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 5;
    const int largest = argc > 2 ? std::atoi(argv[2]) : 1'000'000;
    bool same = true;
    for (const char* kind : {"exponential", "bimodal", "constant", "timers"}) {
        const Gaps gaps = make_gaps(kind);
        for (int events : {2, 30, 100, 1000, 10'000, 100'000, 1'000'000}) {
            if (events > largest) break;
            std::vector<double> heap, queue;
            for (int i = 0; i < repetitions; ++i) {
                std::uint64_t expected = 0, order = 0;
                heap.push_back(hold<Heap>(gaps, static_cast<std::uint32_t>(events), expected));
                queue.push_back(hold<EventQueue>(gaps, static_cast<std::uint32_t>(events), order));
                same &= order == expected;
            }
            const double a = median(heap), b = median(queue);
            fmt::print("{:<12}{:>8} events: heap {:6.1f} ns, queue {:6.1f} ns, {:.2f} times as fast\n", kind, events, a,
                       b, a / b);
        }
    }
    if (!same) fmt::print("The orders differ.\n");
    return same ? 0 : 1;
}
