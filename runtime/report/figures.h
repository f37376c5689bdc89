// The figures of a run: what results.json and the terminal summary both show, computed once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/image.h"
#include "app/figure_kind.h"
#include "base/machine.h"
#include "base/time.h"
#include "profile/profile.h"
#include "report/effects.h"
#include "report/live/replay_report.h"
#include "report/response_times.h"
#include "simulator/statistics.h"

namespace anml::rt {

class Model;
struct LiveReport;

// What whoever runs the model has changed, in the words of `emu ctl`.
struct WordedChange {
    Time time;         // since the workloads' start
    std::string what;  // "link core rate=5 Mbps"
};

// What the statistics don't know about a run.
struct RankFigures {           // of a process of several
    double start_seconds = 0;  // until its part of the model was set up
    double cpu_seconds = 0;
    double waited_seconds = 0;  // for other ranks, with nothing else to do
    std::uint64_t memory = 0;   // bytes, the most that it had
    std::uint64_t events = 0;
};

struct RunInfo {
    struct Parameter {
        std::string name;
        std::string text;  // with its unit: "4 ms"
        double value = 0;  // canonical unit; not a number where it is none
        bool tunable = false;
    };
    bool live = false;
    bool workload = true;  // false: no workload was to be started
    Time epoch = 0;        // of the wall clock at simulated time 0, in a live run: ns since 1970
    std::uint64_t seed = 1;
    unsigned threads = 0;  // of a parallel run; 0: sequential
    unsigned tasks = 1;
    std::vector<RankFigures> ranks;  // by number, where there are several processes; threads are those of each
    std::vector<Parameter> parameters;
    std::vector<std::string> command;  // the command line
    std::string started;               // UTC, ISO 8601
    Machine machine;
    Time warmup = 0;                      // that was excluded; 0 where the whole run counts
    bool whole_run = false;               // the warm-up was not excluded, because the run is not longer than it
    Time ended = 0;                       // simulated time at which the run stood still
    std::vector<std::uint32_t> attached;  // rows of endpoints that real hosts replaced
    double wall_seconds = 0;
    double cpu_seconds = 0;      // of all threads and processes
    struct Shared {              // what it had in common with other runs, which was done once
        Time until = 0;          // simulated
        std::uint64_t runs = 0;  // that were the same up to then
        double cpu_seconds = 0;  // of those above
        double part = 0;         // of these: shared out among the runs that had them in common
    };
    std::optional<Shared> shared;
    std::uint64_t digest = 0;
    bool interrupted = false;
    std::string error;                      // why the run failed; "": it did not
    const LiveReport* real_time = nullptr;  // live runs only
    std::optional<ReplayReport> replay;     // where capture files took the places of hosts
    struct Connections {
        std::string file;
        std::uint64_t written = 0, dropped = 0;  // records
    };
    std::optional<Connections> connections;  // where they were asked for
    std::optional<Profile> profile;          // where it was asked for
    std::vector<WordedChange> changes;       // by time; those after the end did not happen
};

// How long those have been open that are at the end: seconds.
struct OpenFigures {
    std::optional<double> median, oldest;  // absent where none is
};

// Those that failed of one cause, and after how long: seconds, absent where none did.
struct FailureFigures {
    std::uint64_t count = 0;
    std::optional<double> least, mean, most;
};

// A response that others are like.
struct ResponseExample {
    std::string path;
    std::uint64_t what = 0;      // its HTTP status, 0: no HTTP; or the bytes of its body
    std::uint64_t expected = 0;  // bytes of the body in the model
};

// A body that is another than its list says: both SHA-256 in hexadecimal digits.
struct ContentExample {
    std::string path, found, expected;
};

// A check of a response that failed.
struct CheckExample {
    std::string request, check, body;  // how that began
    std::uint32_t status = 0;
};

struct TransactionFigures {
    std::uint64_t completed = 0;
    std::array<FailureFigures, kFailureCauses> failures;  // by cause
    std::uint64_t in_progress = 0;
    OpenFigures open;
    std::vector<std::pair<std::uint16_t, std::uint64_t>> statuses;  // HTTP status and number of whole responses
    std::optional<ResponseExample> first_bad_status;
    std::optional<CheckExample> first_failed_check;
    ANML_SHOWN(ANML_WEB_FIGURES)
    std::optional<ResponseExample> first_unexpected_status;
    std::optional<ResponseExample> first_unexpected_size;
    std::optional<std::uint64_t> checked_content;  // bodies that were compared with hashes; absent: none is to be
    std::uint64_t unexpected_content = 0;
    std::optional<ContentExample> first_unexpected_content;
    std::uint64_t request_bytes = 0, response_bytes = 0;
    std::uint64_t handshakes = 0, resumed = 0;  // of TLS: full ones, and with a session from before
    std::string_view first_broken;              // why TLS has failed; "": it has not
    std::string_view first_wrong;               // what a WebSocket or a stream has failed by; "": nothing
    std::vector<std::pair<std::uint16_t, std::uint64_t>> close_codes;  // of WebSockets that servers closed
    std::optional<double> per_second;           // absent where nothing was measured
    std::optional<double> throughput_bps;       // requests and responses with their headers, without TCP and IP
    ResponseTimes response;

    const FailureFigures& failed(FailureCause cause) const { return failures[static_cast<std::size_t>(cause)]; }
    std::uint64_t failed() const;
};

// Of sessions.
struct PageFigures {
    ANML_SHOWN(ANML_PAGE_FIGURES)
    ResponseTimes time;
};

struct DatagramFigures {
    ANML_SHOWN(ANML_DATAGRAM_FIGURES)
    std::optional<double> throughput_bps;  // IP bytes received
    std::optional<double> least_delay;     // seconds
    ResponseTimes delay;                   // one way
};

// Flows that send no packets.
struct FluidFigures {
    ANML_SHOWN(ANML_FLUID_FIGURES)
};

// Pings.
struct EchoFigures {
    ANML_SHOWN(ANML_ECHO_FIGURES)
    std::optional<double> least, deviation;  // of round trips: seconds
    ResponseTimes round_trip;
};

// What the hosts of a bulk workload have delivered.
struct FlowFigures {
    ANML_SHOWN(ANML_FLOW_FIGURES)
    std::uint64_t bytes = 0;
    std::optional<double> goodput_bps;  // of all
};

// Of completed transactions: connecting and TLS of those that did it.
struct PhaseFigures {
    ResponseTimes connect, tls, first_byte, transfer;
};

// The first failure of several.
struct FailureExample {
    std::string cause;
    std::uint32_t status = 0;  // of the whole response; 0: there was none
    std::string body;          // how it began; "": nobody looked at it
    std::string origin{};      // "": the workload has one server
};

// A check of a request's responses, and what is taken of them, as its file has it.
struct CheckFigures {
    std::string check;
    std::uint64_t passed = 0, failed = 0;
};

// Transactions of the web that have something in common.
struct GroupFigures {
    std::string name;                   // "subnet[3]", "4 KB to 16 KB", "200", "login", "north, fibre"
    std::string label{};                // of a subnetwork: the name that the model gives all its hosts; "": none
    std::vector<std::string> labels{};  // of a `report by`: one for each key; none: all further ones
    std::string workload{};             // whose requests these are alone: "shop", "shop[*]"; "": of all
    std::optional<FailureExample> first_failure{};  // of requests
    std::vector<CheckFigures> checks{};             // the same
    std::uint64_t completed = 0, failed = 0;
    std::array<std::uint64_t, kFailureCauses> failed_by_cause{};
    std::uint64_t request_bytes = 0, response_bytes = 0;
    std::optional<double> per_second, throughput_bps;
    ResponseTimes response;
};
// By labels, as `report by` asks for.
struct ReportFigures {
    std::vector<std::string> keys;
    std::vector<GroupFigures> groups;
};
// Those that nothing came of are left out, but for subnetworks and what the model asks for.
struct Groupings {
    std::vector<GroupFigures> subnets, sizes, statuses;
    // By name, of all workloads and of each; further ones are in "others", the last.
    static constexpr std::size_t kMostRequests = 100;
    static constexpr std::size_t kMostChecks = 50;  // of a request; further ones are together, as "others"
    std::vector<GroupFigures> requests, of_workloads;
    std::vector<GroupFigures> request_groups;  // of those that have one (`# @group`)
    struct Series {
        std::string name;
        std::vector<RequestSecond> seconds;
    };
    static constexpr std::size_t kMostSeries = 20;  // as above
    std::vector<Series> series;
    std::vector<ReportFigures> reports;
};

// How an open loop kept to its times.
struct OfferedFigures {
    ANML_SHOWN(ANML_OFFERED_FIGURES)
    ResponseTimes from_due;
};

// Flows of sizes from `from` up to below `below`, 0: any.
struct FlowSizeFigures {
    std::uint64_t from = 0, below = 0;  // bytes
    std::uint64_t completed = 0, bytes = 0;
    ResponseTimes time, slowdown;  // slowdown: plain numbers
};
// How flows kept to their times, and how long they took by size; those that came to a virtual host.
struct FlowTimeFigures {
    ANML_SHOWN(ANML_ARRIVAL_FIGURES)
    ResponseTimes waited;                // of those that began later
    ResponseTimes slowdown;              // plain numbers
    std::vector<FlowSizeFigures> sizes;  // those that there were
};

// What servers ask of each other, by what came of it in the end.
struct CallFigures {
    ANML_SHOWN(ANML_CALL_FIGURES)
    ResponseTimes time;  // of completed ones
};

// A simulated web server.
struct ServerFigures {
    std::string name;     // of the endpoint
    std::string label{};  // the name that the model gives it; "": none
    std::uint32_t port = 0;
    ANML_SHOWN(ANML_SERVER_FIGURES)
    std::uint64_t handshakes = 0, resumed = 0;  // of TLS
};

// What a workload of its kind has; the rest is empty.
struct WorkloadFigures {
    std::string name;
    std::string_view schema;  // "web.ClosedLoop"
    app::FigureKind kind{};
    TransactionFigures transactions;  // or transfers
    DatagramFigures datagrams;
    FlowFigures flows;
    EchoFigures echoes;
    FluidFigures fluid;
    PhaseFigures phases;
    std::optional<OfferedFigures> offered;      // of open loops of the web
    std::optional<PageFigures> pages;           // of sessions
    std::optional<CallFigures> calls;           // of servers
    std::optional<FlowTimeFigures> flow_times;  // of `traffic.Flows`
    std::optional<bool> ipv6;                   // its packets are, or of IPv4; nothing of workloads of which some are
    std::vector<std::pair<std::string, std::string>> labels{};  // by key

    std::string_view label() const;  // the name that the model gives it; "": none
};

// What the elements of an array of workloads come to together: merged of what they counted, as if they were one.
struct SumFigures {
    WorkloadFigures all;                 // "surf[*]", "house[*].surf"
    std::vector<std::uint32_t> members;  // rows of workloads, which have the same schema
};

struct LinkFigures {
    std::string name, label;  // label: the name that the model gives it; "": none
    double utilisation = 0;   // transmission time over measured time
    std::uint64_t packets = 0, bytes = 0, dropped = 0, marked = 0;
    // Seconds that those of `packets` waited in the queue; absent where there were none.
    std::optional<double> mean_queue_delay, longest_queue_delay;
};

// A directed link that has fluid.
struct FluidLinkFigures {
    std::string name, label;  // as LinkFigures
    double offered_bps = 0, carried_bps = 0;
    std::optional<double> lost_share;                // of the fluid; absent where none came
    double utilisation = 0, packet_utilisation = 0;  // of the link by the fluid, and by packets
};

// A directed link that did something to packets on their way.
struct ImpairedLinkFigures {
    std::string name, label;  // as LinkFigures
    std::uint64_t packets = 0;
    ANML_SHOWN(ANML_IMPAIRMENT_FIGURES)
    std::uint64_t links = 1;  // of an array: all of it, those too that did nothing
};

// What a `require` asks of a workload or a link.
struct MeasureFigure {
    std::string name;             // "p99(browse)"
    std::string shown;            // "612 ms"
    std::optional<double> value;  // seconds, bit/s, or plain; absent where too little was measured
    abi::Unit unit{};
    std::optional<double> at_least{};  // where it is absent because it is censored
    // What a threshold asks of it, "less than 240 ms"; of that what its text doesn't say as a number. "": nothing.
    std::string asked{}, unsaid{};
};

// A `require` on measures. Not met where one of them is absent.
struct ThresholdFigures {
    std::string text;     // "p99(browse) < 500 ms"
    std::string message;  // where it is not met
    std::string where;    // "file:line:column"
    bool met = false;
    bool judged = true;  // false: not met, but it might be if one that is absent were measured
    std::vector<MeasureFigure> measures;
};

// The measures of parts of the measured window, equally long, those that are over.
struct BatchFigures {
    double seconds = 0;  // of each
    std::vector<std::vector<MeasureFigure>> measures;
};

enum class Verdict { simulated, kept_up, degraded, not_valid, nothing_to_judge, failed };

struct Figures {
    double measured_seconds = 0;
    double window_begin = 0, window_end = 0;  // seconds after the workloads' start
    TransactionFigures total;                 // of all web workloads
    std::optional<double> throughput_bps;     // of all workloads, each as it counts
    std::vector<WorkloadFigures> workloads;
    std::vector<SumFigures> sums;  // in the order of their first members
    Groupings groups;
    std::vector<ServerFigures> servers;  // those that no real host replaced
    std::uint64_t packets_lost = 0;
    std::optional<double> packet_loss;                 // lost over sent; absent where nothing was sent
    std::vector<LinkFigures> busiest;                  // at most kBusiest, most utilised first
    std::vector<FluidLinkFigures> fluid_links;         // at most kBusiest, those with most fluid first
    std::vector<ImpairedLinkFigures> impaired;         // at most kImpaired, the most affected first
    std::vector<ImpairedLinkFigures> impaired_arrays;  // "radio[*]<", and links that stand alone
    Verdict verdict = Verdict::simulated;
    std::vector<std::string> verdict_reasons;
    // Spans of seconds since the workloads' start, each from its beginning to its end, that are not as the rest: a mean
    // may be touched in them, or something was lost.
    std::vector<std::pair<std::size_t, std::size_t>> degraded;
    Effects effects;                           // of lateness, in a live run
    std::vector<MeasureFigure> measures;       // that the model asks for; none where no workload was to be started
    std::vector<ThresholdFigures> thresholds;  // the same
    std::optional<BatchFigures> batches;       // where they were asked for

    static constexpr std::size_t kBusiest = 1000;
    static constexpr std::size_t kImpaired = 1000;
};

Figures compute_figures(const Model& model, const RunInfo& run, const Statistics& statistics);

// report/flow_times.cpp
std::optional<FlowTimeFigures> flow_time_figures(const Model& model, std::uint32_t row,
                                                 const WorkloadStatistics& counted);

// Lines of the summary.
std::vector<std::string> describe_flow_times(const FlowTimeFigures& figures);

std::string show_body(std::span<const char> begins);  // up to a zero; what cannot be shown is a dot

Groupings group_figures(const Model& model, const TransactionGroups& counted, double seconds);  // report/groups.cpp

// Of one, or of several together, whose schema is that of `row`.
WorkloadFigures figures_of_workload(const Model& model, std::uint32_t row, const WorkloadStatistics& counted,
                                    double seconds);
// report/sums.cpp
std::vector<SumFigures> sum_arrays(const Model& model, const std::vector<WorkloadStatistics>& counted, double seconds);

// report/measured.cpp: what is asked of a workload's figures. Nothing where its kind has none, or where nothing ended.
const ResponseTimes* times_of(const WorkloadFigures& workload);  // that its hosts wait for
std::uint64_t completed(const WorkloadFigures& workload);        // transactions, replies, datagrams received ...
std::optional<double> failed_share(const WorkloadFigures& workload);
std::optional<double> throughput(const WorkloadFigures& workload);

// What was counted at some times of the run; `begin` and `end`: of what is measured, ns of the run.
struct Snapshots {
    const std::vector<Snapshot>& at;
    Time begin, end;
};
// report/thresholds.cpp
// Of parts of the run nothing is measured without `snapshots`.
std::vector<MeasureFigure> take_measures(const Model& model, const std::vector<WorkloadStatistics>& counted,
                                         const std::vector<LinkCounters>& links, double measured_seconds,
                                         const Snapshots* snapshots = nullptr);
std::vector<ThresholdFigures> judge_thresholds(const Model& model, const Figures& figures);  // behind its measures
// "p99(browse) is 612 ms, p99(buy) is 2 s or more (asked: at most 1.5 s)": what is asked where the condition doesn't
// say it as a number, or `always`.
std::string describe_measures(const ThresholdFigures& threshold, bool always = false);

// docs/results.md documents every key; docs/results.schema.json is their schema.
std::string results_json(const Model& model, const RunInfo& run, const Statistics& statistics, const Figures& figures);

// A screenful for people. `colour`: with terminal escapes.
std::string results_summary(const Model& model, const RunInfo& run, const Statistics& statistics,
                            const Figures& figures, bool colour);

// "D = 4 ms, Q = 64 KB": all tunables among `parameters`.
std::string describe_tunables(std::span<const RunInfo::Parameter> parameters);

// Where hosts had no local port left for some: how many, and why; "": all had.
std::string describe_port_shortage(const Figures& figures);

// "139 truncated after 81 ms", each cause; there are some.
std::string describe_failures(const TransactionFigures& figures);

std::string_view verdict_name(Verdict verdict);  // "kept up"

// report/verdict.cpp: judges whether a live run's figures hold. `workload`: one was to be started.
Verdict judge(const RunInfo& run, const Effects& effects, bool workload, std::vector<std::string>& reasons);
std::vector<std::pair<std::size_t, std::size_t>> degraded_spans(const RunInfo& run, const Effects& effects);

}  // namespace anml::rt
