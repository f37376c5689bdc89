#include "io/processor_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "io/device/clock.h"
#include "io/device/descriptor.h"

namespace anml::rt::io {

namespace {

std::string content(const std::string& path)
{
    char text[1024];
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    const ssize_t length = file.valid() ? read(file.get(), text, sizeof text) : -1;
    return std::string(text, static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
}

template <class Visit>
void each_number(const std::string& folder, Visit&& visit)
{
    const std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
    while (const dirent* entry = open ? readdir(open.get()) : nullptr)
        if (const int number = std::atoi(entry->d_name); number > 0) visit(number);
}

Time of_ticks(unsigned long long ticks)
{
    static const Time tick = kSecond / sysconf(_SC_CLK_TCK);
    return static_cast<Time>(ticks) * tick;
}

struct Process {
    pid_t number, parent;
    bool kernel;
    Time ran;  // with the children that it has waited for
};

bool read_process(pid_t number, Process& process)
{
    constexpr unsigned kKernelThread = 0x00200000;  // PF_KTHREAD
    const std::string text = content(fmt::format("/proc/{}/stat", number));
    const std::size_t name_end = text.rfind(')');
    int parent = 0;
    unsigned flags = 0;
    unsigned long long ran[4] = {};
    if (name_end == std::string::npos ||
        std::sscanf(text.c_str() + name_end + 1, " %*c %d %*d %*d %*d %*d %u %*u %*u %*u %*u %llu %llu %llu %llu",
                    &parent, &flags, &ran[0], &ran[1], &ran[2], &ran[3]) != 6)
        return false;
    process = {number, parent, (flags & kKernelThread) != 0, of_ticks(ran[0] + ran[1] + ran[2] + ran[3])};
    return true;
}

Time stolen()
{
    unsigned long long steal = 0;
    std::sscanf(content("/proc/stat").c_str(), "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &steal);
    return of_ticks(steal);
}

}  // namespace

ProcessorWatch::ProcessorWatch(std::vector<pid_t> sandboxes) : sandboxes_(std::move(sandboxes)) { before_ = count(); }

void ProcessorWatch::look()
{
    if (looks_++ == 0)
        thread_.start([this](const std::stop_token& stop) {
            const std::stop_callback wake(stop, [this] { wanted_.release(); });
            while (wanted_.acquire(), !stop.stop_requested()) watch();
        });
    wanted_.release();
}

std::vector<ProcessorUse> ProcessorWatch::stop()
{
    thread_.stop();
    while (uses_.size() < looks_) watch();
    return std::move(uses_);
}

void ProcessorWatch::watch()
{
    const Totals now = count();
    const auto since = [&](Time Totals::* total) { return std::max<Time>(now.*total - before_.*total, 0); };
    uses_.push_back({since(&Totals::ran), waited_since_, busiest_since_, since(&Totals::others), since(&Totals::stolen),
                     since(&Totals::own)});
    before_ = now;
}

ProcessorWatch::Totals ProcessorWatch::count()
{
    std::vector<Process> processes;
    each_number("/proc", [&](pid_t number) {
        if (Process process{}; read_process(number, process)) processes.push_back(process);
    });
    std::set<pid_t> ours(sandboxes_.begin(), sandboxes_.end());
    for (std::size_t known = 0; known != ours.size();) {
        known = ours.size();
        for (const Process& process : processes)
            if (ours.contains(process.parent)) ours.insert(process.number);
    }
    Totals totals{0, 0, stolen(), read_clock(CLOCK_PROCESS_CPUTIME_ID)};
    std::map<pid_t, Thread> threads;
    waited_since_ = busiest_since_ = 0;
    for (const Process& process : processes) {
        if (!ours.contains(process.number)) {
            if (!process.kernel && process.number != getpid()) totals.others += process.ran;
            continue;
        }
        totals.ran += process.ran;
        each_number(fmt::format("/proc/{}/task", process.number), [&](pid_t number) {
            long long ran = 0, waited = 0;
            const std::string text = content(fmt::format("/proc/{}/task/{}/schedstat", process.number, number));
            if (std::sscanf(text.c_str(), "%lld %lld", &ran, &waited) != 2) return;
            const auto known = threads_.find(number);
            const Thread before = known == threads_.end() ? Thread{} : known->second;
            waited_since_ += waited - before.waited;
            busiest_since_ = std::max<Time>(busiest_since_, ran - before.ran + waited - before.waited);
            threads[number] = {ran, waited};
        });
    }
    threads_ = std::move(threads);
    return totals;
}

}  // namespace anml::rt::io
