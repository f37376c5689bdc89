#include "entry/live/observer.h"

#include <fmt/format.h>
#include <poll.h>

#include "commandline/streams.h"
#include "report/live/terminal.h"

namespace anml::rt::entry {

namespace {
constexpr int kInterval = 100;  // ms
}

Observer::Observer(const Model& model, const LiveViews& views, bool terminal, bool shared, Time total,
                   io::Descriptor metrics, OtlpExporter otlp, LinkViews* watched)
    : model_(model),
      views_(views),
      page_(std::move(metrics)),
      otlp_(std::move(otlp)),
      bar_(terminal && !watched, total, shared),
      terminal_there_(terminal)
{
    if (watched) watch_.emplace(model, *watched, total, shows_unicode());
}

void Observer::start()
{
    if (!terminal_there_ && !watch_ && !page_.valid() && !otlp_.is_open()) return;
    thread_.start([this](const std::stop_token& stop) { show(stop); });
}

Observer::~Observer()
{
    thread_.stop();
    if (otlp_.is_open()) push();  // the last figures
    clear();
}

void Observer::say(const std::string& line)
{
    const std::lock_guard lock(terminal_);
    clear();
    commandline::say(line + "\n");
}

void Observer::show(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        pollfd waits{page_.get(), POLLIN, 0};  // below 0 it is ignored
        if (poll(&waits, 1, kInterval) > 0) {
            const auto page = [&] { return openmetrics_text(metrics()); };
            if (!answer_metrics(page_, page)) poll(nullptr, 0, kInterval);
        }
        if (otlp_.due()) push();
        const LiveView view = views_.run.read();
        const std::lock_guard lock(terminal_);
        bar_.update(view.elapsed, [&](std::size_t) { return view.last; });
        if (watch_) watch();
    }
}

// Says when the collector begins to refuse, and not each time.
void Observer::push()
{
    const std::string wrong = otlp_.push(metrics());
    if (wrong != refused_ && !wrong.empty())
        say(fmt::format("warning: {} has not taken the figures: {}", otlp_.name(), wrong));
    refused_ = wrong;
}

std::vector<WorkloadView> Observer::workloads() const
{
    std::vector<WorkloadView> all;
    for (const auto& workload : views_.workloads) all.push_back(workload.read());
    return all;
}

void Observer::watch()
{
    const auto now = std::chrono::steady_clock::now();
    if (now < next_look_) return;
    const bool first = next_look_ == std::chrono::steady_clock::time_point{};
    next_look_ = now + std::chrono::seconds(1);
    watch_->look(views_.run.read(), workloads());
    if (first) return;  // there is nothing before it to compare with
    if (terminal_there_)
        draw_watch();
    else
        commandline::say(watch_->line() + "\n");
}

// Over what was drawn before. One column and one line stay free, so that the terminal neither wraps nor scrolls.
void Observer::draw_watch()
{
    if (!takes_output()) return;
    const TerminalSize size = terminal_size();
    std::string text = drawn_ != 0 ? fmt::format("\x1b[{}A", drawn_) : "";
    const std::vector<std::string> lines = watch_->lines(size.columns - 1, size.rows - 1);
    for (const std::string& line : lines) text += "\r" + line + "\x1b[K\n";
    text += "\x1b[J";
    drawn_ = lines.size();
    draw(text);
}

void Observer::clear()
{
    bar_.clear();
    if (drawn_ == 0 || !takes_output()) return;
    draw(fmt::format("\x1b[{}A\r\x1b[J", drawn_));
    drawn_ = 0;
}

}  // namespace anml::rt::entry
