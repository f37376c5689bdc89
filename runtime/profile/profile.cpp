#include "profile/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace anml::rt {

namespace {

void add(std::string& text, std::string_view subject, std::string_view line)
{
    text += fmt::format("  {:<14} {}\n", subject, line);
}

double per(std::uint64_t count, std::uint64_t of)
{
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
}

void add_tasks(std::string& text, const Profile& profile)
{
    for (std::size_t i = 0; i < profile.tasks.size(); ++i) {
        const Profile::Task& task = profile.tasks[i];
        add(text, fmt::format("task {}", i),
            fmt::format("{} events, {} rounds, {} wakes; busy {:.4g} s, ready {:.4g} s, blocked {:.4g} s", task.events,
                        task.rounds, task.wakes, task.busy, task.ready, task.blocked));
    }
}

void add_channels(std::string& text, const Profile& profile)
{
    constexpr std::size_t kShown = 10;
    std::vector<Profile::Channel> channels = profile.channels;
    const auto key = [](const Profile::Channel& c) { return std::tuple(c.messages + c.null_messages, c.to, c.from); };
    std::sort(channels.begin(), channels.end(),
              [&](const Profile::Channel& a, const Profile::Channel& b) { return key(a) > key(b); });
    for (std::size_t i = 0; i < std::min(channels.size(), kShown); ++i) {
        const Profile::Channel& channel = channels[i];
        add(text, fmt::format("channel {}>{}", channel.from, channel.to),
            fmt::format("{} messages, {} null messages", channel.messages, channel.null_messages));
    }
    if (channels.size() > kShown) add(text, "", fmt::format("and {} more channels", channels.size() - kShown));
}

}  // namespace

unsigned Profile::enough() const
{
    const double fastest = tasks.size() < 2 || critical_path <= 0 ? 1 : work / critical_path;
    if (fastest < 1.05) return 1;
    for (const SpeedUp& s : speed_ups)
        if (s.factor >= fastest / 1.05) return s.processors;
    return static_cast<unsigned>(tasks.size());
}

std::string describe_profile(const Profile& profile)
{
    std::string text;
    std::uint64_t events = 0, rounds = 0, wakes = 0, messages = 0, nulls = 0;
    for (const Profile::Task& task : profile.tasks) {
        events += task.events;
        rounds += task.rounds;
        wakes += task.wakes;
    }
    for (const Profile::Channel& channel : profile.channels) {
        messages += channel.messages;
        nulls += channel.null_messages;
    }
    const std::size_t tasks = profile.tasks.size();
    add(text, "profile",
        fmt::format("{} events of {:.3g} ns in {} task{}, {} thread{}", events, profile.event_seconds * 1e9, tasks,
                    tasks == 1 ? "" : "s", profile.threads, profile.threads == 1 ? "" : "s"));
    if (tasks < 2) {
        add(text, "speed-up", "none possible: the model is one task; anmlc --tasks N divides it");
        return text;
    }
    add(text, "rounds",
        fmt::format("{} of {:.4g} events and {:.3g} ns of their own, {} wakes", rounds, per(events, rounds),
                    profile.round_seconds * 1e9, wakes));
    add(text, "messages", fmt::format("{} between tasks, {} null messages", messages, nulls));
    add_tasks(text, profile);
    add_channels(text, profile);
    add(text, "critical path", fmt::format("{:.4g} s of {:.4g} s of work", profile.critical_path, profile.work));
    std::string factors;
    for (const Profile::SpeedUp& s : profile.speed_ups)
        factors += fmt::format("{}{:.2f} with {}", factors.empty() ? "" : ", ", s.factor, s.processors);
    add(text, "speed-up", fmt::format("{} processors (estimated)", factors));
    const unsigned enough = profile.enough();
    add(text, "",
        enough == 1 ? "more than one processor would not help"
                    : fmt::format("more than {} processors would hardly help", enough));
    return text;
}

}  // namespace anml::rt
