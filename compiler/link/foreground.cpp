// Waits with all ending signals held, and hands on those that did not reach the child by themselves.
#include "link/foreground.h"

#include <signal.h>
#include <sys/wait.h>

#include <cstring>

#include "link/process.h"

namespace anml {

int run_foreground(const std::string& path, const std::vector<std::string>& command, std::string& problem)
{
    sigset_t watched, before;
    sigemptyset(&watched);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&watched, signal);
    pthread_sigmask(SIG_BLOCK, &watched, &before);

    pid_t child = -1;
    const int error = spawn_process(path, command, nullptr, child);

    int status = 0;
    while (error == 0 && waitpid(child, &status, WNOHANG) == 0) {
        siginfo_t info{};
        int signal = sigwaitinfo(&watched, &info);
        // A terminal interrupts the whole group of processes: the child has got that one.
        bool reached = info.si_code == SI_KERNEL;
        if (signal > 0 && signal != SIGCHLD && !reached) kill(child, signal);
    }
    timespec now{};
    while (sigtimedwait(&watched, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (error != 0) return problem = std::strerror(error), -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace anml
