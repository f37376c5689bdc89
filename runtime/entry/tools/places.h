// Processes that simulate beside each other, each with children of its own, and not more at a time than there are
// places. Whoever starts a child and waits lends it its own place, so that nobody waits for one that its parent keeps.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <vector>

namespace anml::rt::entry {

// Free ones, in a pipe that all processes have. From now on SIGCHLD is blocked but where Children wait.
class Places {
  public:
    explicit Places(unsigned free);
    ~Places();
    Places(const Places&) = delete;
    Places& operator=(const Places&) = delete;

    bool good() const { return ends_[0] >= 0; }
    bool take();
    void give();
    int descriptor() const { return ends_[0]; }  // which can be read from when one is free

  private:
    int ends_[2] = {-1, -1};
};

class Children {
  public:
    // Of a process without a place of its own, each of whose children leads a group of processes. `stop`: nothing is
    // begun any more.
    Children(Places& places, const std::atomic<bool>& stop) : places_(places), stop_(stop) {}

    // What is to be done where something can be read while it waits.
    void watch(int descriptor, std::function<void()> meanwhile);
    void on_end(std::function<void(pid_t, int status)> ended) { ended_ = std::move(ended); }

    // fork(), once there is a place for the child, which has none of the children here. -1: there is no memory for it,
    // or it shall stop.
    pid_t start();
    void look();    // whether some have ended
    bool regain();  // waits for a place of its own; false: it shall stop
    // Waits for all of them, without a place. An interrupt reaches the groups that they lead.
    void wait();

    // How a child ends that has given its place back, as wait() does.
    static constexpr int kGaveBack = 64;

  private:
    struct Child {
        pid_t process;
        bool lent;  // the place of this process
    };
    void pause(bool for_place);
    void signal(int number);

    Places& places_;
    const std::atomic<bool>& stop_;
    bool own_ = false, leads_ = true;  // it has a place; its children lead groups
    std::vector<Child> children_;
    int watched_ = -1;
    std::function<void()> meanwhile_;
    std::function<void(pid_t, int)> ended_;
};

}  // namespace anml::rt::entry
