#include "report/live/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/live/terminal.h"

namespace anml::rt {

namespace {

constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::size_t kFewestRows = 5;  // of a terminal that gives one away

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

ProgressBar::ProgressBar(bool terminal, Time total, bool shared) : terminal_(terminal), shared_(shared), total_(total)
{
}

void ProgressBar::update(Time elapsed, const std::function<Second(std::size_t)>& second)
{
    if (!terminal_) return;
    Clock::time_point now = Clock::now();
    if (drawn_ && now - last_ < kInterval) return;
    last_ = now;
    if (elapsed < 0) started_ = now;
    if (row_ != 0 && !in_foreground()) erase();  // a command has taken the terminal
    if (!takes_output()) return;
    double wall = std::chrono::duration<double>(now - started_).count();
    const auto before = static_cast<std::size_t>(std::max(elapsed / kSecond, Time{1}) - 1);
    const Second last = elapsed < 0 ? Second{} : second(before);
    transacts_ |= last.completed + last.failed > 0;
    const TerminalSize size = terminal_size();
    // One column stays free, so that no terminal wraps the line.
    const std::string line =
        progress_line(elapsed, total_, transacts_ ? std::optional(last) : std::nullopt, wall, size.columns - 1);
    std::string text;
    if (shared_ && size.rows >= kFewestRows && row_ != size.rows) {
        row_ = size.rows;
        // The cursor leaves the last line (IND), which the others then do not reach any more.
        text = fmt::format("\033D\0337\x1b[1;{}r\0338\x1b[1A", row_ - 1);
    }
    draw(text + (row_ != 0 ? fmt::format("\0337\x1b[{};1H{}\x1b[K\0338", row_, line) : "\r" + line + "\x1b[K"));
    drawn_ = true;
}

void ProgressBar::clear()
{
    if (drawn_ && takes_output()) erase();
}

void ProgressBar::erase()
{
    draw(row_ != 0 ? fmt::format("\0337\x1b[{};1H\x1b[K\x1b[r\0338", row_) : "\r\x1b[K");
    row_ = 0;
    drawn_ = false;
}

}  // namespace anml::rt
