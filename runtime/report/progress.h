// The progress bar: one line on standard error, redrawn in place, gone at the end. Silent where that is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace anml::rt {

class ProgressBar {
  public:
    using Clock = std::chrono::steady_clock;

    // `terminal`: whether to draw at all. `total`: simulated time of the whole run.
    ProgressBar(bool terminal, Time total);
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // Redraws at most ten times a second. `elapsed`: simulated time since the workloads' start, negative before it;
    // `completed`: transactions so far, asked only for a redraw.
    void update(Time elapsed, const std::function<std::uint64_t()>& completed);
    void clear();

  private:
    bool terminal_;
    bool drawn_ = false;
    Time total_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_{};
};

// The text of the bar, `width` columns wide at most.
std::string progress_line(Time elapsed, Time total, std::uint64_t completed, double wall_seconds, std::size_t width);

}  // namespace anml::rt
