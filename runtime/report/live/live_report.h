// What a real-time run (io/live.h) found out beside the model's own figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "report/live/device_report.h"
#include "report/live/live_counters.h"
#include "report/live/replay_report.h"

namespace anml::rt {

// How a live run waits for what comes next, which decides how late it notices.
enum class Pace : std::uint8_t {
    spin,    // looks at clock and devices all the time
    hybrid,  // sleeps while nothing is due soon, and looks the rest of the time
    sleep,   // always sleeps until something is due or comes
};
std::string_view pace_name(Pace pace);

// What a live run was expected to ask of this machine, before it began.
struct Forecast {
    double packets = 0;    // per second, to and from real hosts
    double hops = 0;       // packet-hops per second
    double processor = 0;  // the share of one that this takes
};

// One process of several.
struct LiveProcess {
    std::string_view address;  // as process 0 sees it
    std::uint32_t nodes = 0;
    bool counted = true;            // false: it had gone before it said what it had counted, and nothing else is known
    Time clock_error = 0;           // by which its clock may have been off that of process 0 since the start, at most
    std::uint32_t clock_steps = 0;  // times that the two clocks contradicted all that was known of them
    Time shortest_delay = kNever;   // of links that are simulated across the network, to other processes
    Time round_trip = 0;            // of the network, to the one that is farthest
    Time lagged = 0, longest_lag = 0;  // how long it waited for others to go on, and how far behind that put it
    double busy = 0;
    Time slip_p99 = 0;
};

struct LiveReport {
    std::optional<Forecast> forecast;  // where the model says what to expect
    Pace pace = Pace::hybrid;
    Time arrival_error = 0;  // by how much a time of arrival may be too late, but for steps of the system's clock
    LiveCounters counters;
    struct Endpoint {
        std::uint32_t row;
        EndpointCounters counters;
        DeviceReport device;
    };
    std::vector<Endpoint> endpoints;  // those that are attached
    std::vector<ReplayReport::Endpoint> replays;
    std::uint64_t malformed = 0;        // frames that did not parse
    Time workloads_started = 0;         // simulated time; kNever: they never did
    Time ended = 0;                     // simulated time
    double cpu_emulator = 0;            // share of one processor spent by this process, spinning included
    double busy = 0;                    // share of wall time spent on packets and events, idle spinning excluded
    std::optional<double> cpu_server;   // share of one processor spent by the sandbox's processes
    std::optional<int> command_status;  // exit status of a sandbox's command that failed, or was interrupted
    std::uint32_t command_endpoint = 0;  // the sandbox's
    std::string broken;                 // why the run could not go on; "": it could
    bool interrupted = false;
    std::uint64_t foreign = 0;  // packets ignored because of their source: neither the endpoint's address nor behind it
    std::uint64_t ipv6 = 0;     // frames ignored that are not of a subnet of IPv6 behind the endpoint
    std::uint64_t tagged = 0;   // frames ignored because they belong to a VLAN
    std::uint64_t groups = 0;   // frames of IPv4 to all hosts or to a group, which stay on their segment
    std::uint64_t moved = 0;    // times that a host of a bridged subnet went from one endpoint to another
    // Packets that could not leave because the link was down, or because no host behind it answered ARP.
    std::uint64_t unreachable = 0;
    using Process = LiveProcess;
    std::vector<Process> processes;        // of a run on several, by rank; empty: it is alone
    std::optional<double> processor_wait;  // seconds ready to run while other processes had the processor
    std::uint32_t processors = 1;          // of the machine
    bool relayed = false;                  // processes hand connections on (io/sandbox/relay.h), which nobody judges
    bool server_seen = false;              // whether it is known what the servers had of them: they are in sandboxes
};

}  // namespace anml::rt
