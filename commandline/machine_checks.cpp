// What decides whether live runs keep up: timers, stalls, processors, memory; and what the checks found, shown.
#include "commandline/machine_checks.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace anml::commandline {

namespace {

constexpr long kSleep = 100'000;  // ns, about the gap between packets of a busy link
constexpr double kLateEnough =
    200e3;  // ns, above which a live run's packets are late by more than a fifth of a millisecond
constexpr double kLeastMemory = 1e9;  // bytes: anmlc for 10 000 routers

double now()
{
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

MachineCheck timers()
{
    timespec resolution{};
    clock_getres(CLOCK_MONOTONIC, &resolution);
    std::vector<double> late;
    for (int i = 0; i < 50; ++i) {
        const timespec pause{0, kSleep};
        const double before = now();
        clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
        late.push_back(now() - before - kSleep);
    }
    std::sort(late.begin(), late.end());
    const double median = late[late.size() / 2];
    MachineCheck finding{
        "timers", Health::good,
        fmt::format("resolution {} ns; a sleep of 100 us ends {:.0f} us late (median), {:.0f} us at worst",
                    resolution.tv_nsec, median / 1e3, late.back() / 1e3),
        ""};
    if (resolution.tv_nsec > 1000 || resolution.tv_sec > 0 || median > kLateEnough) {
        finding.health = Health::advice;
        finding.mend =
            "end other programs; in a virtual machine choose the host's clock: "
            "cat /sys/devices/system/clocksource/clocksource0/available_clocksource";
    }
    return finding;
}

// Gaps in what a loop sees of the clock: others had the processor, or the host of this virtual machine.
MachineCheck stalls()
{
    constexpr double kWatched = 300e6, kGap = 100e3;  // ns
    const double begin = now();
    double longest = 0, sum = 0;
    int count = 0;
    for (double last = begin, at = begin; at - begin < kWatched; last = at) {
        at = now();
        if (at - last < kGap) continue;
        ++count;
        sum += at - last;
        longest = std::max(longest, at - last);
    }
    if (count == 0) return {"stalls", Health::good, "none in 0.3 s", ""};
    return {"stalls", Health::advice,
            fmt::format("in 0.3 s the processor was away {} time{}, for {:.1f} ms at the longest and {:.1f} ms in all",
                        count, count == 1 ? "" : "s", longest / 1e6, sum / 1e6),
            "live packets that are due meanwhile leave late, and the verdict says so: end other programs; on a shared "
            "virtual machine repeat the run, or take another"};
}

MachineCheck priority()
{
    rlimit limit{};
    getrlimit(RLIMIT_RTPRIO, &limit);
    const bool may = geteuid() == 0 || limit.rlim_cur > 0;
    return {"priority", Health::good,
            may ? "real-time priority may be asked for (chrt -f 50 ./emu live --cpu 1 ...)"
                : "normal; real-time priority takes root, and few runs want it",
            ""};
}

MachineCheck processors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    const std::string governor = read_setting("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    MachineCheck finding{
        "processors", Health::good,
        fmt::format("{}{}", count, governor.empty() ? ", no frequency scaling to be seen" : ", governor " + governor),
        ""};
    if (!governor.empty() && governor != "performance") {
        finding.health = Health::advice;
        finding.mend = "for live runs: sudo cpupower frequency-set -g performance";
    }
    if (count < 2) {
        finding.health = Health::advice;
        finding.mend = "a live run wants a processor for the emulator and one for the server";
    }
    return finding;
}

MachineCheck memory()
{
    std::ifstream in("/proc/meminfo");
    std::string word, rest;
    double available = 0;
    while (in >> word) {
        if (word == "MemAvailable:") {
            in >> available;
            available *= 1024;
        }
        std::getline(in, rest);
    }
    MachineCheck finding{"memory", Health::good, fmt::format("{:.1f} GB available", available / 1e9), ""};
    if (available < kLeastMemory) {
        finding.health = Health::advice;
        finding.mend = "networks of 10 000 routers want 1 GB: end other programs";
    }
    return finding;
}

}  // namespace

std::string read_setting(const std::string& path)
{
    std::ifstream in(path);
    std::string text;
    std::getline(in, text);
    return text;
}

std::vector<MachineCheck> check_machine() { return {timers(), stalls(), priority(), processors(), memory()}; }

namespace {

std::string_view health_name(Health health)
{
    return health == Health::good ? "ok" : health == Health::advice ? "note" : "missing";
}

}  // namespace

std::string show_checks(const std::vector<MachineCheck>& checks, bool json)
{
    if (json) {
        nlohmann::json list = nlohmann::json::array();
        for (const MachineCheck& c : checks)
            list.push_back({{"name", c.name}, {"health", health_name(c.health)}, {"text", c.text}, {"mend", c.mend}});
        return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    }
    std::string out;
    for (const MachineCheck& c : checks) {
        out += fmt::format("{:<8} {:<13} {}\n", health_name(c.health), c.name, c.text);
        if (!c.mend.empty()) out += fmt::format("{:<22} -> {}\n", "", c.mend);
    }
    return out;
}

bool is_missing(const std::vector<MachineCheck>& checks)
{
    return std::any_of(checks.begin(), checks.end(), [](const MachineCheck& c) { return c.health == Health::missing; });
}

}  // namespace anml::commandline
