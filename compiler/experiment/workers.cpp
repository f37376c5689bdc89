#include "experiment/workers.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace anml {

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// In the new process. What is killed with its parent leaves no run behind that writes where another one does already.
[[noreturn]] void begin(const std::vector<char*>& words, int output, const std::string& folder, pid_t parent, int said)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (getppid() == parent && (folder.empty() || chdir(folder.c_str()) == 0) && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
        execvp(words[0], words.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(said, &error, sizeof error);
    _exit(127);
}

}  // namespace

Workers::~Workers()
{
    for (const Running& one : running_) kill(one.process, SIGTERM);
    for (const Running& one : running_) waitpid(one.process, nullptr, 0);
}

std::string Workers::start(std::size_t id, const std::vector<std::string>& command, const std::string& log,
                           const std::string& folder)
{
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    int said[2];  // errno, where it does not begin
    if (output < 0 || pipe2(said, O_CLOEXEC) != 0) {
        const int error = errno;
        if (output >= 0) close(output);
        return std::strerror(error);
    }
    const pid_t parent = getpid(), process = fork();
    if (process == 0) begin(words, output, folder, parent, said[1]);
    int error = process < 0 ? errno : 0;
    close(output);
    close(said[1]);
    if (process > 0 && read(said[0], &error, sizeof error) == sizeof error) waitpid(process, nullptr, 0);
    close(said[0]);
    if (error != 0) return std::strerror(error);
    running_.push_back({process, id, now()});
    return "";
}

void Workers::signal(std::size_t id, int number)
{
    for (const Running& one : running_)
        if (one.id == id) kill(one.process, number);
}

std::vector<std::pair<std::size_t, double>> Workers::under_way() const
{
    std::vector<std::pair<std::size_t, double>> result;
    for (const Running& one : running_) result.emplace_back(one.id, now() - one.begun);
    return result;
}

std::optional<Workers::Ended> Workers::wait(int milliseconds)
{
    constexpr int kStep = 10;  // ms
    for (int waited = 0;; waited += kStep) {
        for (std::size_t i = 0; i < running_.size(); ++i) {
            int status = 0;
            if (waitpid(running_[i].process, &status, WNOHANG) <= 0) continue;
            const Running one = running_[i];
            running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            return Ended{one.id, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), now() - one.begun};
        }
        if (running_.empty() || waited >= milliseconds) return std::nullopt;
        poll(nullptr, 0, kStep);
    }
}

}  // namespace anml
