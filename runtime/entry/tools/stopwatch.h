// What a run takes: wall time, and processor time of all its threads.
#pragma once

#include "base/time.h"
#include "io/device/clock.h"
#include "report/figures.h"

namespace anml::rt::entry {

class Stopwatch {
  public:
    void read_into(RunInfo& run) const
    {
        run.wall_seconds = static_cast<double>(io::read_clock(CLOCK_MONOTONIC) - wall_) / kSecond;
        run.cpu_seconds = static_cast<double>(io::read_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_) / kSecond;
    }

  private:
    Time wall_ = io::read_clock(CLOCK_MONOTONIC), cpu_ = io::read_clock(CLOCK_PROCESS_CPUTIME_ID);
};

}  // namespace anml::rt::entry
