// Who is told how a parallel run goes. A run without one reads no clock for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/time.h"

namespace anml::rt::cct {

std::int64_t wall_clock();  // ns since some moment

// What concerns a task is told by the one thread that has it then: nothing of it is shared. Tasks are numbered as the
// scheduler was given them.
class RoundObserver {
  public:
    virtual ~RoundObserver() = default;

    virtual void begin_step() = 0;
    virtual void end_step(Time begin) = 0;  // the simulated time at which it began
    // The task waits for a thread; it has got one.
    virtual void ready(std::uint32_t task) = 0;
    virtual void taken(std::uint32_t task) = 0;
    // The round at hand published this clock of out-channel `index`, after so many messages in all.
    virtual void published(std::uint32_t task, std::size_t index, std::uint64_t messages, Time clock) = 0;
    // The round is over: of what was left it executed the events before `until`, in `executing` of `busy` ns.
    virtual void round(std::uint32_t task, Time until, std::uint64_t events, std::int64_t executing,
                       std::int64_t busy) = 0;
};

}  // namespace anml::rt::cct
