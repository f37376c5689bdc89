// Threads beside the loop of a live run: they take no signals, which end the loop's sleep, and whatever priority and
// processors the run was given, they have none of them.
#pragma once

#include <sched.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <thread>

namespace anml::rt::io {

class BackgroundThread {
  public:
    BackgroundThread();  // before the run pins itself
    ~BackgroundThread() { stop(); }

    void start(std::function<void(const std::stop_token&)> work);
    void stop();

  private:
    std::optional<cpu_set_t> processors_;
    std::jthread thread_;
};

}  // namespace anml::rt::io
