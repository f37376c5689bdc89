// Shows a live run while it goes on, from a thread of its own, which the run's loop does not wait for: the progress
// bar, or --watch in its place, the page of --metrics, and what --otlp pushes.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "entry/api/otlp.h"
#include "entry/live/watch_view.h"
#include "io/background_thread.h"
#include "io/device/descriptor.h"
#include "net/model.h"
#include "report/live/live_view.h"
#include "report/live/progress.h"

namespace anml::rt::entry {

class Observer {
  public:
    // `metrics`: a listener, or invalid: there is no page. `otlp`: open, or nothing is pushed. `watched`: --watch, with what links carry; null: the bar.
    // `shared`: commands write to the terminal, too.
    Observer(const Model& model, const LiveViews& views, bool terminal, bool shared, Time total, io::Descriptor metrics,
             OtlpExporter otlp, LinkViews* watched);
    ~Observer();

    void start();
    // A line beside the bar.
    void say(const std::string& line);

  private:
    std::vector<Metric> metrics() const { return metrics_of(model_, views_.run.read(), workloads(), views_.requests); }
    void push();
    void show(const std::stop_token& stop);
    std::vector<WorkloadView> workloads() const;
    void watch();
    void draw_watch();
    void clear();

    const Model& model_;
    const LiveViews& views_;
    const io::Descriptor page_;
    OtlpExporter otlp_;
    std::string refused_;  // why the collector did not take the last push
    std::mutex terminal_;  // for `bar_`
    ProgressBar bar_;
    const bool terminal_there_;
    std::optional<WatchView> watch_;
    std::chrono::steady_clock::time_point next_look_{};
    std::size_t drawn_ = 0;  // lines of `watch_`
    io::BackgroundThread thread_;
};

}  // namespace anml::rt::entry
