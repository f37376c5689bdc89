// POSIX processes: spawn, a pipe for what they say, and PATH.
#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <exception>

extern char** environ;

namespace anml {
namespace {

std::string read_all(int descriptor)
{
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t n = read(descriptor, buffer, sizeof buffer);
        if (n > 0) {
            text.append(buffer, static_cast<std::size_t>(n));
        } else if (n == 0 || errno != EINTR) {
            return text;
        }
    }
}

// Starts the program; 0, or errno.
int spawn(const std::vector<std::string>& command, const posix_spawn_file_actions_t& actions, pid_t& child)
{
    std::vector<char*> arguments;
    for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    return posix_spawn(&child, command[0].c_str(), &actions, nullptr, arguments.data(), environ);
}

// Reads what it says until it ends.
void wait_for(pid_t child, int pipe, ProcessResult& result)
{
    result.output = read_all(pipe);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) {
        result.exit_code = WEXITSTATUS(status);
    } else {
        const int signal = WTERMSIG(status);
        const bool asked = signal == SIGINT || signal == SIGTERM || signal == SIGHUP;
        result.problem = asked ? "was interrupted" : fmt::format("ended by signal {}", signal);
    }
}

// The new process of run_child.
[[noreturn]] void be_child(int pipe, const std::function<int()>& body)
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
    int status = 70;
    try {
        const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (nothing >= 0) dup2(nothing, STDIN_FILENO);
        if (dup2(pipe, STDOUT_FILENO) >= 0 && dup2(pipe, STDERR_FILENO) >= 0) status = body();
    } catch (const std::exception& error) {
        const std::string_view what = error.what();
        (void)!write(STDERR_FILENO, what.data(), what.size());
    }
    _exit(status);
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& command)
{
    ProcessResult result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        result.problem = std::strerror(errno);
        return result;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t pid = -1;
    const int error = spawn(command, actions, pid);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        result.problem = std::strerror(error);
        return result;
    }
    wait_for(pid, ends[0], result);
    close(ends[0]);
    return result;
}

ProcessResult run_child(const std::function<int()>& body)
{
    ProcessResult result;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        result.problem = std::strerror(errno);
        return result;
    }
    const pid_t pid = fork();
    if (pid == 0) be_child(ends[1], body);
    const int error = errno;
    close(ends[1]);
    if (pid < 0)
        result.problem = std::strerror(error);
    else
        wait_for(pid, ends[0], result);
    close(ends[0]);
    return result;
}

std::string find_program(std::string_view name)
{
    const char* path = std::getenv("PATH");
    std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string candidate =
            fmt::format("{}/{}", end == 0 ? std::string_view(".") : rest.substr(0, end), name);
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return "";
}

std::string executable_path()
{
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : "";
}

std::string executable_folder()
{
    const std::string whole = executable_path();
    return whole.substr(0, std::min(whole.rfind('/'), whole.size()));
}

unsigned processors()
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<unsigned>(CPU_COUNT(&set)) : 1;
}

}  // namespace anml
