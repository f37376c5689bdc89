#include "report/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "commandline/streams.h"

namespace anml::rt {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

std::size_t terminal_width()
{
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 80;
}

}  // namespace

std::string progress_line(Time elapsed, Time total, std::uint64_t completed, double wall_seconds, std::size_t width)
{
    if (elapsed < 0) return std::string("waiting for the server to accept").substr(0, width);
    double done = total > 0 ? std::clamp(static_cast<double>(elapsed) / static_cast<double>(total), 0.0, 1.0) : 1;
    double simulated = static_cast<double>(elapsed) / kSecond;
    std::string figures =
        fmt::format(" {:3.0f} %  {:.1f} of {:.1f} s", 100 * done, simulated, static_cast<double>(total) / kSecond);
    if (simulated > 0 && completed > 0)
        figures += fmt::format("  {:.0f} tx/s", static_cast<double>(completed) / simulated);
    if (done > 0.01) figures += fmt::format("  {:.0f} s left", wall_seconds * (1 - done) / done);
    constexpr std::size_t kLongest = 30, kShortest = 5;
    std::string bar;
    if (width >= figures.size() + kShortest + 2) {
        std::size_t cells = std::min(kLongest, width - figures.size() - 2);
        auto full = static_cast<std::size_t>(done * static_cast<double>(cells));
        bar = "[" + std::string(full, '#') + std::string(cells - full, '.') + "]";
    }
    return (bar + figures).substr(0, width);
}

ProgressBar::ProgressBar(bool terminal, Time total) : terminal_(terminal), total_(total) {}

void ProgressBar::update(Time elapsed, const std::function<std::uint64_t()>& completed)
{
    if (!terminal_) return;
    Clock::time_point now = Clock::now();
    if (drawn_ && now - last_ < kInterval) return;
    last_ = now;
    if (elapsed < 0) started_ = now;
    double wall = std::chrono::duration<double>(now - started_).count();
    // One column stays free, so that no terminal wraps the line.
    std::string line = progress_line(elapsed, total_, completed(), wall, terminal_width() - 1);
    commandline::say(fmt::format("\r{}\x1b[K", line));
    std::fflush(stderr);
    drawn_ = true;
}

void ProgressBar::clear()
{
    if (!drawn_) return;
    commandline::say("\r\x1b[K");
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace anml::rt
