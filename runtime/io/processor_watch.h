// Whether the processes of sandboxes had the processors that they wanted (proc(5)): how long their threads were ready
// to run and waited (schedstat), and how long processes ran that are neither theirs nor this one, nor the kernel's, or
// the hypervisor had the processors (steal). A busy server's processes wait for each other, too: what others took from
// them is no more than either.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <semaphore>
#include <vector>

#include "base/time.h"
#include "io/background_thread.h"

namespace anml::rt::io {

// Of all processors together, ns.
struct ProcessorUse {
    Time ran = 0, waited = 0;     // by processes of sandboxes
    Time busiest = 0;             // ran and waited: the thread of theirs that did most
    Time others = 0, stolen = 0;  // ran; had by the hypervisor
    Time own = 0;                 // ran: this process

    // What the sandboxes' processes lost to others, about.
    Time taken() const
    {
        const Time all = std::max<Time>(ran + others + own, 1);
        return std::min(waited, others) + static_cast<Time>(static_cast<double>(stolen) * static_cast<double>(ran) /
                                                            static_cast<double>(all));
    }
};

class ProcessorWatch {
  public:
    // Looks; its thread begins with the first look that it is told to take.
    explicit ProcessorWatch(std::vector<pid_t> sandboxes);  // their first processes
    ~ProcessorWatch() { stop(); }
    void look();
    std::vector<ProcessorUse> stop();  // between each two looks

  private:
    // All grow while a process lives, and one that has ended has given its time to its parent.
    struct Totals {
        Time ran = 0, others = 0, stolen = 0, own = 0;
    };
    Totals count();
    void watch();

    const std::vector<pid_t> sandboxes_;
    BackgroundThread thread_;
    std::counting_semaphore<> wanted_{0};
    std::size_t looks_ = 0;
    std::vector<ProcessorUse> uses_;
    Totals before_;
    struct Thread {
        Time ran, waited;
    };
    std::map<pid_t, Thread> threads_;            // of sandboxes
    Time waited_since_ = 0, busiest_since_ = 0;  // the last look
};

}  // namespace anml::rt::io
