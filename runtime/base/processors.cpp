#include "base/processors.h"

#include <algorithm>

namespace anml::rt {

Processors::Processors()
{
    CPU_ZERO(&all_);
    if (sched_getaffinity(0, sizeof all_, &all_) != 0) return;  // more processors than a cpu_set_t holds
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &all_)) order_.push_back(i);
    const auto here = std::find(order_.begin(), order_.end(), sched_getcpu());
    if (here != order_.end()) std::rotate(order_.begin(), here, here + 1);
}

void Processors::keep_to(unsigned i) const
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(order_[i], &one);
    sched_setaffinity(0, sizeof one, &one);
}

}  // namespace anml::rt
