#include "report/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/terminal.h"

namespace anml::rt {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);

}  // namespace

std::string progress_line(Time elapsed, Time total, const std::optional<Second>& last, double wall_seconds,
                          std::size_t width)
{
    if (elapsed < 0) return std::string("waiting for the server to accept").substr(0, width);
    double done = total > 0 ? std::clamp(static_cast<double>(elapsed) / static_cast<double>(total), 0.0, 1.0) : 1;
    double simulated = static_cast<double>(elapsed) / kSecond;
    const bool open = total <= 0;
    std::string figures = open ? fmt::format("{:.1f} s", simulated)
                               : fmt::format(" {:3.0f} %  {:.1f} of {:.1f} s", 100 * done, simulated,
                                             static_cast<double>(total) / kSecond);
    if (last) {
        const double covered = std::min(simulated, 1.0);
        figures += fmt::format("  {:.0f} tx/s", static_cast<double>(last->completed) / covered);
        if (last->failed > 0) figures += fmt::format(", {:.0f} failed/s", static_cast<double>(last->failed) / covered);
    }
    if (!open && done > 0.01) figures += fmt::format("  {:.0f} s left", wall_seconds * (1 - done) / done);
    constexpr std::size_t kLongest = 30, kShortest = 5;
    std::string bar;
    if (!open && width >= figures.size() + kShortest + 2) {
        std::size_t cells = std::min(kLongest, width - figures.size() - 2);
        auto full = static_cast<std::size_t>(done * static_cast<double>(cells));
        bar = "[" + std::string(full, '#') + std::string(cells - full, '.') + "]";
    }
    return (bar + figures).substr(0, width);
}

ProgressBar::ProgressBar(bool terminal, Time total) : terminal_(terminal), total_(total) {}

void ProgressBar::update(Time elapsed, const std::function<Second(std::size_t)>& second)
{
    if (!terminal_) return;
    Clock::time_point now = Clock::now();
    if (drawn_ && now - last_ < kInterval) return;
    last_ = now;
    if (elapsed < 0) started_ = now;
    if (!takes_output()) return;
    double wall = std::chrono::duration<double>(now - started_).count();
    const auto before = static_cast<std::size_t>(std::max(elapsed / kSecond, Time{1}) - 1);
    const Second last = elapsed < 0 ? Second{} : second(before);
    // One column stays free, so that no terminal wraps the line.
    transacts_ |= last.completed + last.failed > 0;
    std::string line = progress_line(elapsed, total_, transacts_ ? std::optional(last) : std::nullopt, wall,
                                     terminal_size().columns - 1);
    draw("\r" + line + "\x1b[K");
    drawn_ = true;
}

void ProgressBar::clear()
{
    if (!drawn_ || !takes_output()) return;
    draw("\r\x1b[K");
    drawn_ = false;
}

}  // namespace anml::rt
