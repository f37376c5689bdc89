#include "entry/tools/job_slots.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "entry/tools/interrupt.h"

namespace anml::rt::entry {

namespace {

// While a process waits, and not otherwise, the end of a child wakes it.
sigset_t waiting_mask()
{
    sigset_t mask;
    sigprocmask(SIG_BLOCK, nullptr, &mask);
    sigdelset(&mask, SIGCHLD);
    return mask;
}

}  // namespace

JobSlots::JobSlots(unsigned free)
{
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) {
        ends_[0] = ends_[1] = -1;
        return;
    }
    struct sigaction wake{};
    wake.sa_handler = [](int) {};
    sigaction(SIGCHLD, &wake, nullptr);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, nullptr);
    for (unsigned i = 0; i < free; ++i) release();
}

JobSlots::~JobSlots()
{
    for (const int end : ends_)
        if (end >= 0) close(end);
}

bool JobSlots::acquire()
{
    char slot;
    return read(ends_[0], &slot, 1) == 1;
}

void JobSlots::release()
{
    [[maybe_unused]] const ssize_t written = write(ends_[1], "", 1);  // no more than there were before: there is room
}

void Children::watch(int descriptor, std::function<void()> meanwhile)
{
    watched_ = descriptor;
    meanwhile_ = std::move(meanwhile);
}

pid_t Children::start()
{
    bool lent = false;
    while (true) {
        look();
        if (stop_.load()) return -1;
        if (std::exchange(own_, false)) {
            lent = true;
            break;
        }
        if (slots_.acquire()) break;
        pause(true);
    }
    std::fflush(nullptr);  // or it would be printed twice
    const pid_t parent = getpid(), process = fork();
    if (process == 0) {
        if (leads_) setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(1);
        children_.clear();
        watched_ = -1;
        ended_ = nullptr;
        leads_ = false;
        own_ = true;
        return 0;
    }
    if (process < 0) {
        if (lent)
            own_ = true;
        else
            slots_.release();
        return -1;
    }
    if (leads_) setpgid(process, process);  // whoever is first
    children_.push_back({process, lent});
    return process;
}

void Children::look()
{
    int status = 0;
    for (pid_t process; !children_.empty() && (process = waitpid(-1, &status, WNOHANG)) > 0;) {
        const auto child =
            std::find_if(children_.begin(), children_.end(), [&](const Child& c) { return c.process == process; });
        if (child == children_.end()) continue;
        const bool gave_back = WIFEXITED(status) && WEXITSTATUS(status) == kGaveBack;
        if (!gave_back && child->lent) own_ = true;
        if (!gave_back && !child->lent) slots_.release();
        children_.erase(child);
        if (ended_) ended_(process, status);
    }
    if (watched_ >= 0) meanwhile_();
}

void Children::pause(bool for_slot)
{
    pollfd descriptors[2];
    nfds_t count = 0;
    if (for_slot) descriptors[count++] = {slots_.descriptor(), POLLIN, 0};
    if (watched_ >= 0) descriptors[count++] = {watched_, POLLIN, 0};
    const sigset_t mask = waiting_mask();
    const timespec longest{1, 0};
    ppoll(descriptors, count, &longest, &mask);
}

bool Children::regain()
{
    while (!own_) {
        look();
        if (stop_.load()) return false;
        if (own_) break;
        if (slots_.acquire()) {
            own_ = true;
            // A child that has the slot of this process has one of the others' now.
            for (Child& child : children_) child.lent = false;
            break;
        }
        pause(true);
    }
    return true;
}

void Children::wait()
{
    if (std::exchange(own_, false)) slots_.release();
    for (Child& child : children_) child.lent = false;
    bool told = !leads_;  // who leads no groups has its children in its own, which hears what it hears
    while (look(), !children_.empty()) {
        if (stop_.load()) stopped();  // each of them has its own patience
        if (stop_.load() && !std::exchange(told, true)) signal(interrupted_by());
        pause(false);
    }
}

void Children::signal(int number)
{
    for (const Child& child : children_) kill(-child.process, number);
}

}  // namespace anml::rt::entry
