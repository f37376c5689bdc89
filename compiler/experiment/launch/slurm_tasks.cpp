#include "experiment/launch/slurm_tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <vector>

namespace anml {

namespace {

std::vector<std::string_view> split(std::string_view text, char at, std::size_t most = std::string_view::npos)
{
    std::vector<std::string_view> parts;
    while (parts.size() + 1 < most) {
        const auto end = text.find(at);
        if (end == std::string_view::npos) break;
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    parts.push_back(text);
    return parts;
}

// The digits at its beginning, which go; 0: there are none.
std::size_t number(std::string_view& text)
{
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

// Of "3-9:2": first, last and step. A first of 0: none.
std::array<std::size_t, 3> range(std::string_view text)
{
    const std::size_t first = number(text);
    std::size_t last = first, step = 1;
    if (text.starts_with('-')) text.remove_prefix(1), last = number(text);
    if (text.starts_with(':')) text.remove_prefix(1), step = std::max<std::size_t>(1, number(text));
    return {first, last, step};
}

}  // namespace

bool SlurmTask::has_ended() const
{
    constexpr std::string_view kEnds[] = {"BOOT_FAIL",     "CANCELLED", "COMPLETED",     "DEADLINE",  "FAILED",
                                          "LAUNCH_FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "TIMEOUT"};
    return std::find(std::begin(kEnds), std::end(kEnds), state) != std::end(kEnds);
}

std::string SlurmTask::text() const
{
    // Of what was cancelled it is why it had not begun.
    return reason.empty() || reason == "None" || state == "CANCELLED" ? state : fmt::format("{}: {}", state, reason);
}

SlurmTasks slurm_tasks(std::string_view said, const std::string& script, std::size_t count)
{
    SlurmTasks tasks;
    const SlurmTask* rest = nullptr;
    SlurmTask whole;
    for (const std::string_view line : split(said, '\n')) {
        const auto words = split(line, '|', 4);
        if (words.size() < 4) continue;
        if (words[3] != script) continue;
        const SlurmTask task{std::string(words[1]), std::string(words[2])};
        const auto from = words[0].find('_');
        if (from == std::string_view::npos) {  // what has not begun of an array, as one job that has ended
            whole = task;
            rest = &whole;
            continue;
        }
        std::string_view which = words[0].substr(from + 1);
        if (!which.starts_with('[')) {
            if (const std::size_t index = number(which); index > 0 && index <= count) tasks[index] = task;
            continue;
        }
        const bool complete = which.ends_with(']');
        which.remove_prefix(1);
        which = which.substr(0, which.find_first_of("%]"));
        auto ranges = split(which, ',');
        if (!complete && which.find('%') == std::string_view::npos) ranges.pop_back();  // it was cut there
        std::size_t behind = 1;
        for (const std::string_view one : ranges) {
            const auto [first, last, step] = range(one);
            for (std::size_t index = first; index > 0 && index <= std::min(last, count); index += step)
                tasks.try_emplace(index, task), behind = index + 1;
        }
        for (; !complete && behind <= count; ++behind) tasks.try_emplace(behind, task);
    }
    for (std::size_t index = 1; rest && index <= count; ++index) tasks.try_emplace(index, *rest);
    return tasks;
}

SlurmTasks slurm_tasks_after(const SlurmTasks& before, SlurmTasks now)
{
    const bool known = !now.empty();
    for (const auto& [index, task] : before) {
        if (known && task.state == "PENDING") now.try_emplace(index, SlurmTask{"CANCELLED", ""});
        if (!task.has_ended()) continue;
        const auto [place, absent] = now.try_emplace(index, task);
        if (!absent && place->second.state == "CANCELLED") place->second = task;
    }
    return now;
}

bool may_go_on(const SlurmTask* task, double still, double unheard, const SlurmPatience& patience)
{
    if (unheard > 0) return unheard <= patience.controller || still <= patience.task;
    if (!task || task->has_ended()) return false;
    return !task->runs() || still <= patience.task;
}

}  // namespace anml
