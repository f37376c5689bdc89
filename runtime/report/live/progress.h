// The progress bar: one line on standard error, redrawn in place, gone at the end. Silent where that is not a terminal.
// Where commands write to the same terminal it has the last line for itself, and theirs scroll above it (DECSTBM), as
// apt does it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"
#include "simulator/statistics.h"

namespace anml::rt {

class ProgressBar {
  public:
    using Clock = std::chrono::steady_clock;

    // `terminal`: whether to draw at all. `total`: simulated time of the whole run. `shared`: with commands.
    ProgressBar(bool terminal, Time total, bool shared = false);
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // Redraws at most ten times a second, and not while the terminal takes nothing (Ctrl-S). `elapsed`: simulated time
    // since the workloads' start, negative before it; `second`: what was counted in its second of that number, asked
    // only for a redraw.
    void update(Time elapsed, const std::function<Second(std::size_t)>& second);
    void clear();

  private:
    void erase();

    bool terminal_, shared_;
    bool drawn_ = false;
    std::size_t row_ = 0;  // of the terminal, that nothing else has; 0: there is none
    bool transacts_ = false;  // some transaction has ended
    Time total_;
    Clock::time_point started_ = Clock::now();
    Clock::time_point last_{};
};

// The text of the bar, `width` columns wide at most. `last`: the second before; in the first one, what there is of it;
// nothing: this is no run of transactions, as far as is known.
std::string progress_line(Time elapsed, Time total, const std::optional<Second>& last, double wall_seconds,
                          std::size_t width);

}  // namespace anml::rt
