// The processors that this process may use, and threads that keep to one of them.
#pragma once

#include <sched.h>

#include <vector>

namespace anml::rt {

class Processors {
  public:
    // Those that the calling thread may use: the one that it is on first, then in the order of their numbers.
    Processors();

    unsigned count() const { return static_cast<unsigned>(order_.size()); }
    // Keeps the calling thread to the i-th, i < count(); lets it run on any of them again.
    void keep_to(unsigned i) const;
    void release() const { sched_setaffinity(0, sizeof all_, &all_); }

  private:
    cpu_set_t all_;
    std::vector<int> order_;
};

}  // namespace anml::rt
