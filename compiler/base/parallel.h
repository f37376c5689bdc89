// Loops whose iterations are shared out among all processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <system_error>
#include <thread>
#include <vector>

namespace anml {

// How many threads parallel_for takes at most, this one among them.
inline unsigned parallel_workers() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls body(i, worker) once for each i < count, in no order and several at a time; worker < parallel_workers() says
// which thread calls it, so that each can have things of its own. `grain` iterations are worth a thread: where there
// are no more, or no threads are to be had, this one does them all. What a body throws ends its thread's part and is
// thrown here, when all threads have ended.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body)
{
    std::atomic<std::size_t> next = 0;
    const auto work = [&](unsigned worker) {
        for (std::size_t begin; (begin = next.fetch_add(grain)) < count;)
            for (std::size_t i = begin; i < std::min(begin + grain, count); ++i) body(i, worker);
    };
    const std::size_t parts = count / grain + (count % grain != 0);
    const auto workers = static_cast<unsigned>(std::min<std::size_t>(parts, parallel_workers()));
    std::vector<std::future<void>> others;
    try {
        for (unsigned worker = 1; worker < workers; ++worker)
            others.push_back(std::async(std::launch::async, work, worker));
    } catch (const std::system_error&) {  // no more threads: those that there are do it
    }
    work(0);
    for (std::future<void>& other : others) other.get();
}

}  // namespace anml
