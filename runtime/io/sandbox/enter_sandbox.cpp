#include "io/sandbox/enter_sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include "io/device/descriptor.h"
#include "io/sandbox/sandbox_init.h"
#include "io/sandbox/terminal.h"

namespace anml::rt::io {

namespace {

bool same_namespace(const Descriptor& theirs, const char* own)
{
    struct stat a, b;
    return fstat(theirs.get(), &a) == 0 && stat(own, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

bool enter(pid_t first_process, std::string& error)
{
    const auto failed = [&](const char* what) {
        error = fmt::format("cannot enter the sandbox: {}: {}", what, std::strerror(errno));
        return false;
    };
    char folder[PATH_MAX];
    const bool known = getcwd(folder, sizeof folder) != nullptr;
    // All of them first: behind the mount namespace, /proc is another one. What is to be allowed, `user` allows.
    constexpr const char* kKinds[] = {"user", "pid", "net", "uts", "mnt"};
    std::vector<Descriptor> namespaces;
    for (const char* kind : kKinds) {
        namespaces.emplace_back(
            open(fmt::format("/proc/{}/ns/{}", first_process, kind).c_str(), O_RDONLY | O_CLOEXEC));
        if (!namespaces.back().valid()) return failed(kind);
    }
    for (std::size_t i = 0; i < namespaces.size(); ++i) {
        if (i == 0 && same_namespace(namespaces[0], "/proc/self/ns/user")) continue;  // of root
        if (setns(namespaces[i].get(), 0) != 0) return failed(kKinds[i]);
    }
    if ((!known || chdir(folder) != 0) && chdir("/") != 0) return failed("chdir");
    return true;
}

[[noreturn]] void become(const std::vector<std::string>& command, bool terminal, int result)
{
    if (terminal) {
        setpgid(0, 0);
        give_terminal(getpid());
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (const int ours : {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ, SIGTTOU}) signal(ours, SIG_DFL);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    const int reason = errno;
    _exit(write(result, &reason, sizeof reason) < 0 ? 126 : 127);
}

// As the command of a shell that has job control: Ctrl-Z stops this process too, and it goes on with it.
int await(pid_t child, bool terminal)
{
    for (;;) {
        int status = 0;
        const pid_t pid = waitpid(child, &status, terminal ? WUNTRACED : 0);
        if (pid < 0 && errno == EINTR) continue;
        if (pid < 0) return 1;
        if (WIFEXITED(status)) return WEXITSTATUS(status);
        if (WIFSIGNALED(status)) return 128 + WTERMSIG(status);
        give_terminal(getpgid(0));
        raise(SIGTSTP);
        give_terminal(child);
        kill(-child, SIGCONT);
    }
}

}  // namespace

std::optional<int> run_in_sandbox(pid_t first_process, const std::vector<std::string>& command, std::string& error)
{
    if (!enter(first_process, error)) return std::nullopt;
    int result[2];
    if (pipe2(result, O_CLOEXEC) != 0) {
        error = fmt::format("cannot make a pipe: {}", std::strerror(errno));
        return std::nullopt;
    }
    const bool terminal = has_terminal();
    TerminalLoan loan;
    for (const int number : {SIGINT, SIGQUIT}) signal(number, SIG_IGN);  // they are the command's
    const pid_t child = fork();
    if (child < 0) {
        error = fmt::format("cannot start a process in the sandbox: {}", std::strerror(errno));
        return std::nullopt;
    }
    if (child == 0) become(command, terminal, result[1]);
    close(result[1]);
    int reason = 0;
    ssize_t length;
    while ((length = read(result[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    close(result[0]);
    const int status = await(child, terminal);
    if (length <= 0) return status;
    error = why_not_started(command[0], reason);
    return not_started_status(command[0], reason);
}

}  // namespace anml::rt::io
