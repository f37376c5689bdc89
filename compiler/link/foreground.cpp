// Waits with all ending signals held, and hands on those that did not reach the child by themselves.
#include "link/foreground.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace anml {

int run_foreground(const std::vector<std::string>& command, std::string& problem)
{
    sigset_t watched, before;
    sigemptyset(&watched);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&watched, signal);
    pthread_sigmask(SIG_BLOCK, &watched, &before);

    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    pid_t child = -1;
    int error = posix_spawn(&child, command[0].c_str(), nullptr, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);

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
