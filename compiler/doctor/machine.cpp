// What decides whether live runs keep up: timers, processors, memory.
#include <fmt/format.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <fstream>

#include "doctor/checks.h"

namespace anml {

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

std::vector<MachineCheck> check_machine() { return {timers(), processors(), memory()}; }

}  // namespace anml
