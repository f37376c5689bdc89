// Processes that simulate beside each other, each with children of its own, and no more at a time than there are slots.
// Whoever starts a child and waits lends it its own slot, so that nobody waits for one that its parent keeps.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <vector>

namespace anml::rt::entry {

// Free ones, in a pipe that all processes have. From now on SIGCHLD is blocked but where Children wait.
class JobSlots {
  public:
    explicit JobSlots(unsigned free);
    ~JobSlots();
    JobSlots(const JobSlots&) = delete;
    JobSlots& operator=(const JobSlots&) = delete;

    bool good() const { return ends_[0] >= 0; }
    bool acquire();
    void release();
    int descriptor() const { return ends_[0]; }  // which can be read from when one is free

  private:
    int ends_[2] = {-1, -1};
};

class Children {
  public:
    // Of a process without a slot of its own, each of whose children leads a group of processes. `stop`: nothing is
    // begun any more.
    Children(JobSlots& slots, const std::atomic<bool>& stop) : slots_(slots), stop_(stop) {}

    // What is to be done where something can be read while it waits.
    void watch(int descriptor, std::function<void()> meanwhile);
    void on_end(std::function<void(pid_t, int status)> ended) { ended_ = std::move(ended); }

    // fork(), once there is a slot for the child, which has none of the children here. -1: there is no memory for it,
    // or it shall stop.
    pid_t start();
    void look();    // whether some have ended
    bool regain();  // waits for a slot of its own; false: it shall stop
    // Waits for all of them, without a slot. An interrupt reaches the groups that they lead.
    void wait();

    // How a child ends that has given its slot back, as wait() does.
    static constexpr int kGaveBack = 64;

  private:
    struct Child {
        pid_t process;
        bool lent;  // the slot of this process
    };
    void pause(bool for_slot);
    void signal(int number);

    JobSlots& slots_;
    const std::atomic<bool>& stop_;
    bool own_ = false, leads_ = true;  // it has a slot; its children lead groups
    std::vector<Child> children_;
    int watched_ = -1;
    std::function<void()> meanwhile_;
    std::function<void(pid_t, int)> ended_;
};

}  // namespace anml::rt::entry
