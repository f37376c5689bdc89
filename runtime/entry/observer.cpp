#include "entry/observer.h"

#include <poll.h>

#include "commandline/streams.h"
#include "entry/metrics.h"

namespace anml::rt::entry {

namespace {
constexpr int kInterval = 100;  // ms
}

Observer::Observer(const Model& model, const LiveViews& views, bool terminal, Time total, io::Descriptor metrics)
    : model_(model), views_(views), metrics_(std::move(metrics)), bar_(terminal, total), draws_(terminal)
{
}

void Observer::start()
{
    if (!draws_ && !metrics_.valid()) return;
    thread_.start([this](const std::stop_token& stop) { show(stop); });
}

Observer::~Observer() { thread_.stop(); }

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
