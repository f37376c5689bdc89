#include "entry/observer.h"

#include <poll.h>
#include <pthread.h>
#include <sched.h>

#include <csignal>

#include "commandline/streams.h"
#include "entry/metrics.h"

namespace anml::rt::entry {

namespace {
constexpr int kInterval = 100;  // ms
}

Observer::Observer(const Model& model, const LiveViews& views, bool terminal, Time total, io::Descriptor metrics)
    : model_(model), views_(views), metrics_(std::move(metrics)), bar_(terminal, total), draws_(terminal)
{
    cpu_set_t now;  // before the run pins itself
    if (sched_getaffinity(0, sizeof now, &now) == 0) processors_ = now;
}

void Observer::start()
{
    if (!draws_ && !metrics_.valid()) return;
    // Signals are for the run's thread: they end its sleep.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    // Whatever priority and processors the run was given, this has none of them.
    if (processors_) pthread_setaffinity_np(thread_.native_handle(), sizeof *processors_, &*processors_);
    const sched_param ordinary{};
    pthread_setschedparam(thread_.native_handle(), SCHED_OTHER, &ordinary);
}

Observer::~Observer()
{
    if (thread_.joinable()) {
        thread_.request_stop();
        thread_.join();
    }
}

void Observer::say(const std::string& line)
{
    const std::lock_guard lock(terminal_);
    bar_.clear();
    commandline::say(line + "\n");
}

void Observer::show(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        pollfd waits{metrics_.get(), POLLIN, 0};  // below 0 it is ignored
        if (poll(&waits, 1, kInterval) > 0) {
            const auto page = [&] {
                std::vector<WorkloadView> workloads;
                for (const auto& workload : views_.workloads) workloads.push_back(workload.read());
                return metrics_text(model_, views_.run.read(), workloads);
            };
            if (!answer_metrics(metrics_, page)) poll(nullptr, 0, kInterval);
        }
        const LiveView view = views_.run.read();
        const std::lock_guard lock(terminal_);
        bar_.update(view.elapsed, [&](std::size_t) { return view.last; });
    }
}

}  // namespace anml::rt::entry
