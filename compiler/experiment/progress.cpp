#include "experiment/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "commandline/streams.h"

namespace anml {

std::string duration_text(double seconds)
{
    const auto whole = static_cast<long>(std::ceil(seconds));
    if (whole < 90) return fmt::format("{} s", whole);
    if (whole < 5400) return fmt::format("{} min", (whole + 30) / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

Progress::Progress(std::string name, unsigned beside, std::optional<double> usual, bool quiet)
    : name_(std::move(name)), beside_(beside), usual_(usual), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1)
{
}

void Progress::ended(const Settings& settings, std::optional<double> seconds)
{
    ++ended_;
    if (!seconds) return;
    for (Took* took : {&all_, &by_settings_[settings]}) took->seconds += *seconds, ++took->runs;
}

void Progress::set_under_way(std::vector<Under> running, std::vector<const Settings*> next)
{
    running_ = std::move(running);
    next_ = std::move(next);
}

// Those of the same levels tell it best: a run with more load takes longer.
std::optional<double> Progress::expected_of(const Settings& settings) const
{
    if (const auto own = by_settings_.find(settings); own != by_settings_.end() && own->second.runs > 0)
        return own->second.seconds / static_cast<double>(own->second.runs);
    if (all_.runs > 0) return all_.seconds / static_cast<double>(all_.runs);
    return usual_;
}

std::optional<double> Progress::seconds_left() const
{
    if (beside_ == 0) return std::nullopt;
    double work = 0, longest = 0;
    for (const Under& one : running_) {
        const auto expected = expected_of(*one.settings);
        if (!expected) return std::nullopt;
        const double rest = std::max(0.0, *expected - one.seconds);
        work += rest;
        longest = std::max(longest, rest);
    }
    for (const Settings* settings : next_) {
        const auto expected = expected_of(*settings);
        if (!expected) return std::nullopt;
        work += *expected;
    }
    const std::size_t known = ended_ + running_.size() + next_.size();
    if (expected_ > known) {
        const auto expected = expected_of({});
        if (!expected) return std::nullopt;
        work += *expected * static_cast<double>(expected_ - known);
    }
    return std::max(longest, work / beside_);
}

std::string Progress::line() const
{
    const std::size_t all = std::max(expected_, ended_ + running_.size() + next_.size());
    std::string text = expected_ == 0 ? fmt::format("{} run{}", ended_, ended_ == 1 ? "" : "s")
                                      : fmt::format("{} of {} runs", ended_, all);
    if (!running_.empty()) text += fmt::format(", {} in progress", running_.size());
    if (const auto left = seconds_left(); left && ended_ < all) text += fmt::format(", {} left", duration_text(*left));
    return text;
}

void Progress::show(const std::string& instead)
{
    if (terminal_ && !quiet_)
        commandline::say(fmt::format("\r\x1b[K{}: {}", name_, instead.empty() ? line() : instead));
}

void Progress::tell(const std::string& instead)
{
    if (!terminal_ && !quiet_) commandline::say(fmt::format("{}: {}\n", name_, instead.empty() ? line() : instead));
}

void Progress::clear() const
{
    if (terminal_ && !quiet_) commandline::say("\r\x1b[K");
}

}  // namespace anml
