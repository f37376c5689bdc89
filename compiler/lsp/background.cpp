#include "lsp/background.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

namespace anml::lsp {

namespace {

// Of this process, in bytes; 0: it is not known.
std::size_t address_space()
{
    unsigned long pages = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "re")) {
        if (std::fscanf(file, "%lu", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

bool write_all(int to, const std::string& text)
{
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t written = ::write(to, text.data() + at, text.size() - at);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += static_cast<std::size_t>(written);
    }
    return true;
}

[[noreturn]] void run(const std::function<std::string()>& work, int result, const WorkLimits& limits)
{
#ifndef __SANITIZE_ADDRESS__  // whose shadow takes terabytes
    if (const std::size_t now = address_space(); now != 0) {
        const rlimit most{now + limits.memory, now + limits.memory};
        ::setrlimit(RLIMIT_AS, &most);
    }
#endif
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, 0), ::dup2(nowhere, 1);  // the client's: nothing of them is ours
    bool good = false;
    try {
        // A byte before says that it is whole: a text may be empty.
        good = write_all(result, "=" + work());
    } catch (...) {
    }
    ::_exit(good ? 0 : 1);
}

}  // namespace

void Background::stop_all()
{
    for (Task& task : tasks_) kill_task(task);
    tasks_.clear();
}

void Background::kill_task(Task& task)
{
    ::kill(task.process, SIGKILL);
    ::close(task.result);
    while (::waitpid(task.process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Background::Number Background::start(const std::function<std::string()>& work,
                                     std::function<void(std::optional<std::string>)> done, WorkLimits limits)
{
    Task task;
    task.number = ++last_;
    task.done = std::move(done);
    task.end = std::chrono::steady_clock::now() + limits.time;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return task.done(std::nullopt), task.number;
    task.process = ::fork();
    if (task.process == 0) {
        ::close(ends[0]);
        run(work, ends[1], limits);
    }
    ::close(ends[1]);
    if (task.process < 0) {
        ::close(ends[0]);
        task.done(std::nullopt);
        return task.number;
    }
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    task.result = ends[0];
    tasks_.push_back(std::move(task));
    return last_;
}

void Background::stop(Number number)
{
    for (auto task = tasks_.begin(); task != tasks_.end(); ++task) {
        if (task->number != number) continue;
        kill_task(*task);
        tasks_.erase(task);
        return;
    }
}

std::vector<int> Background::descriptors() const
{
    std::vector<int> all;
    for (const Task& task : tasks_) all.push_back(task.result);
    return all;
}

void Background::attend()
{
    const auto now = std::chrono::steady_clock::now();
    for (auto task = tasks_.begin(); task != tasks_.end();) {
        bool ended = now > task->end;
        const bool late = ended;
        char block[1 << 16];
        while (!ended) {
            const ssize_t got = ::read(task->result, block, sizeof block);
            if (got > 0) {
                task->text.append(block, static_cast<std::size_t>(got));
                continue;
            }
            if (got < 0 && errno == EINTR) continue;
            if (got < 0 && errno == EAGAIN) break;
            ended = true;
        }
        if (!ended) {
            ++task;
            continue;
        }
        if (late) ::kill(task->process, SIGKILL);
        ::close(task->result);
        int status = 0;
        while (::waitpid(task->process, &status, 0) < 0 && errno == EINTR) {
        }
        Task over = std::move(*task);
        task = tasks_.erase(task);
        const bool good = !late && WIFEXITED(status) && WEXITSTATUS(status) == 0 && over.text.starts_with('=');
        over.done(good ? std::optional(over.text.substr(1)) : std::nullopt);
        // `done` may have started others.
    }
}

}  // namespace anml::lsp
