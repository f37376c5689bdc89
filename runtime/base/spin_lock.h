// A lock that is held for a few instructions and seldom wanted by two.
#pragma once

#include <atomic>

#include "base/pause.h"

namespace anml::rt {

class SpinLock {
  public:
    void lock()
    {
        while (flag_.test_and_set(std::memory_order_acquire))
            while (flag_.test(std::memory_order_relaxed)) pause_briefly();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace anml::rt
