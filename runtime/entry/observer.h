// Shows a live run while it goes on, from a thread of its own, which the run's loop does not wait for: the progress
// bar, and the page of --metrics.
#pragma once

#include <mutex>
#include <stop_token>
#include <string>

#include "entry/beside_loop.h"
#include "io/descriptor.h"
#include "net/model.h"
#include "report/live_view.h"
#include "report/progress.h"

namespace anml::rt::entry {

class Observer {
  public:
    // `metrics`: a listener, or invalid: there is no page.
    Observer(const Model& model, const LiveViews& views, bool terminal, Time total, io::Descriptor metrics);
    ~Observer();

    void start();
    // A line beside the bar.
    void say(const std::string& line);

  private:
    void show(const std::stop_token& stop);

    const Model& model_;
    const LiveViews& views_;
    const io::Descriptor metrics_;
    std::mutex terminal_;  // for `bar_`
    ProgressBar bar_;
    const bool draws_;
    BesideLoop thread_;
};

}  // namespace anml::rt::entry
