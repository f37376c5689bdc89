// What workloads and servers count, in the measured window where they say no more.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "app/failure_cause.h"
#include "app/flows/flow_statistics.h"
#include "app/flows/streams.h"
#include "app/groups.h"
#include "app/second_times.h"
#include "base/fields.h"
#include "base/histogram.h"
#include "base/time.h"
#include "common/result_figures.h"
#include "net/fluid/totals.h"

namespace anml::rt {

struct DatagramStatistics {  // measured; each event counts when it happens
    ANML_COUNTED(ANML_DATAGRAM_FIGURES)
    std::uint64_t bytes = 0;  // IP, received
    Histogram delay;          // ns, one way
};
ANML_FIELDS(DatagramStatistics, ANML_COUNTED_NAMES(ANML_DATAGRAM_FIGURES) bytes, delay)

struct EchoStatistics {  // measured; a request counts where it ends
    ANML_COUNTED(ANML_ECHO_FIGURES)
    Histogram round_trip;           // ns
    unsigned __int128 squares = 0;  // of the round trips, ns^2: their sum does not depend on the order

    void receive(Time round_trip_time);
};
ANML_FIELDS(EchoStatistics, ANML_COUNTED_NAMES(ANML_ECHO_FIGURES) round_trip, squares)

struct CallStatistics {  // of servers' calls, measured; a call counts where it ends, an open one at the end of the run
    ANML_COUNTED(ANML_CALL_FIGURES)
    Histogram time;  // ns, of completed ones: all tries and the waits between them
};
ANML_FIELDS(CallStatistics, ANML_COUNTED_NAMES(ANML_CALL_FIGURES) time)

// What tells whether things took longer the later they began: sums over all, of us and us^2, in two's complement.
struct Trend {
    std::uint64_t count = 0;
    unsigned __int128 began = 0, began_squared = 0, took = 0, took_squared = 0, both = 0;

    void record(Time began_at, Time time);
    double correlation() const;  // Pearson's, of when they began and how long they took
};
ANML_FIELDS(Trend, count, began, began_squared, took, took_squared, both)

struct EndedTimes {  // of what ended in the measured window
    Histogram took;     // ns
    Histogram entered;  // ns: of those that began before the window, their ages when it began
    Trend trend;

    void record(Time time, Time measured)
    {
        took.record(time);
        if (time > measured) entered.record(time - measured);
        trend.record(measured - time, time);
    }
    // They took the longer the later they began, as behind a queue that grows: a correlation beyond chance, that
    // explains a tenth of how they differ. (What is open at the end and independent of the others makes it negative.)
    bool growing() const;
};
ANML_FIELDS(EndedTimes, took, entered, trend)

struct PageStatistics {  // of browsers and sessions
    ANML_COUNTED(ANML_PAGE_FIGURES)
    EndedTimes time;
    std::vector<Time> ages;  // of pages that are open at the end, in no order; collected
};
ANML_FIELDS(PageStatistics, ANML_COUNTED_NAMES(ANML_PAGE_FIGURES) time, ages)

struct OfferedStatistics {  // of open loops: how they kept to their times
    ANML_COUNTED(ANML_OFFERED_FIGURES)
    EndedTimes from_due;     // of transactions from when they were due to their ends, as response_time
    std::vector<Time> ages;  // how long ago those were due that are open or wait, in no order; collected
};
ANML_FIELDS(OfferedStatistics, ANML_COUNTED_NAMES(ANML_OFFERED_FIGURES) from_due, ages)

struct ServerStatistics {  // of a simulated server, measured
    ANML_COUNTED(ANML_SERVER_FIGURES)
    std::uint64_t handshakes = 0, resumed = 0;  // of TLS, as a workload's
    // Workers and waiting requests or connections, times ns.
    unsigned __int128 busy = 0, waiting = 0;

    void count(std::uint64_t busy_now, std::uint64_t waiting_now, Time from, Time to)
    {
        if (to <= from) return;
        busy += static_cast<unsigned __int128>(busy_now) * static_cast<std::uint64_t>(to - from);
        waiting += static_cast<unsigned __int128>(waiting_now) * static_cast<std::uint64_t>(to - from);
    }
};
ANML_FIELDS(ServerStatistics, ANML_COUNTED_NAMES(ANML_SERVER_FIGURES) handshakes, resumed, busy, waiting)

// Durations of things that are few: their sum does not depend on the order.
struct Durations {
    std::uint64_t count = 0;
    unsigned __int128 sum = 0;  // ns
    Lowest<Time> least;
    Highest<Time> most;

    void record(Time duration);
};
ANML_FIELDS(Durations, count, sum, least, most)

// The first of several responses to be told about: what it answered to, by Model's number of the document, and how the
// path began where it was made for that request.
struct FirstResponse {
    static constexpr std::size_t kMostPath = 128;

    Time at = kNever;
    std::uint32_t document = 0;
    std::uint64_t what = 0;
    std::array<char, kMostPath> path{};

    auto operator<=>(const FirstResponse&) const = default;
    void add(const FirstResponse& other) { *this = std::min(*this, other); }
};
ANML_FIELDS(FirstResponse, at, document, what, path)

// The first body that is not the one that its list says: its hash.
struct FirstContent {
    Time at = kNever;
    std::uint32_t document = 0;
    std::array<std::uint8_t, 32> found{};

    auto operator<=>(const FirstContent&) const = default;
    void add(const FirstContent& other) { *this = std::min(*this, other); }
};
ANML_FIELDS(FirstContent, at, document, found)

// The first check of a response that failed: its number among the request's (request_script.h), the status, and how the
// body began.
struct FirstFailedCheck {
    Time at = kNever;
    std::uint32_t document = 0, check = 0, status = 0;
    std::array<char, FirstFailure::kMostSeen> body{};

    auto operator<=>(const FirstFailedCheck&) const = default;
    void add(const FirstFailedCheck& other) { *this = std::min(*this, other); }
};
ANML_FIELDS(FirstFailedCheck, at, document, check, status, body)

// The first failure of TLS, in the library's words.
struct FirstBroken {
    Time at = kNever;
    std::string_view why;

    auto operator<=>(const FirstBroken&) const = default;
    void add(const FirstBroken& other) { *this = std::min(*this, other); }
};
ANML_FIELDS(FirstBroken, at, why)

struct Delivered {  // of a sender
    NodeId from = 0;
    std::uint64_t bytes = 0;

    auto operator<=>(const Delivered&) const = default;
};
ANML_FIELDS(Delivered, from, bytes)
template <>
inline constexpr bool is_single<Delivered> = true;

struct TransactionStatistics {  // measured; a transaction counts where it ends
    std::uint64_t completed = 0;
    std::array<Durations, kFailureCauses> failures;  // by cause: how long until each failed
    std::uint64_t request_bytes = 0;                 // HTTP with headers, of completed transactions
    std::uint64_t response_bytes = 0;
    EndedTimes response_time;                        // from the SYN to the end of the transaction
    // ns, of completed transactions: from the SYN to its answer, of those that had to connect; from there until TLS has
    // shaken hands, of those that had to; from the request to the first byte of the response; from there to the end.
    Histogram connect, tls, first_byte, transfer;
    std::vector<Time> open_ages;  // of those that are open, in no order; collected

    // `measured`: for how long.
    void count(Time took, Time measured, std::optional<FailureCause> failure);
};
ANML_FIELDS(TransactionStatistics, completed, failures, request_bytes, response_bytes, response_time, connect, tls,
            first_byte, transfer, open_ages)

struct OtherStatistics {  // of a workload
    ANML_COUNTED(ANML_WEB_FIGURES)
    // Of requests that something is measured of: by Model::measured_request; grows to the largest seen.
    std::vector<TransactionStatistics> by_request;
    std::uint64_t handshakes = 0, resumed = 0;  // of TLS that were done: full ones, and those with a session from before
    FirstBroken first_broken;
    std::uint64_t in_progress = 0;        // open when the run ended; transfers that are not to end have no age
    std::vector<std::uint64_t> statuses;  // whole responses, by status (common/grpc_status.h); grows to the largest
    FirstResponse first_unexpected_size;   // what: bytes of the body
    bool checks_content = false;           // it compares bodies with hashes
    std::uint64_t checked_content = 0;     // bodies that were
    std::uint64_t unexpected_content = 0;  // of them those that are others
    FirstContent first_unexpected_content;
    FirstResponse first_unexpected_status;  // what: the status
    FirstResponse first_bad_status;         // that failed with one, of gRPC too; what: 0 where it was no HTTP
    FirstFailedCheck first_failed_check;
    FirstBroken first_wrong;                 // that failed by `protocol`, `frame` or `masked`
    std::vector<std::uint64_t> close_codes;  // of WebSockets that servers closed; grows to the largest seen

    OfferedStatistics offered;
    PageStatistics pages;
    DatagramStatistics datagrams;
    EchoStatistics echoes;
    CallStatistics calls;
    FlowStatistics flows;
    fluid::Totals fluid;               // collected
    std::vector<Delivered> delivered;  // bulk and flows: by sender, in no order; collected
};
ANML_FIELDS(OtherStatistics, ANML_COUNTED_NAMES(ANML_WEB_FIGURES) by_request, handshakes, resumed, first_broken,
            in_progress, statuses, first_unexpected_size, checks_content, checked_content, unexpected_content,
            first_unexpected_content, first_unexpected_status, first_bad_status, first_failed_check, first_wrong,
            close_codes, offered, pages, datagrams, echoes, calls, flows, fluid, delivered)

struct WorkloadStatistics : TransactionStatistics, OtherStatistics {
    std::uint64_t failed(FailureCause cause) const { return failures[static_cast<std::size_t>(cause)].count; }
    std::uint64_t failed() const;
    void count_status(std::uint16_t status);
    void count_close(std::uint16_t code);
    TransactionStatistics& of_request(std::size_t measured);
    void remove(const WorkloadStatistics& earlier);  // nothing is open in it
};
inline auto fields(WorkloadStatistics& w)
{
    return std::tie(static_cast<TransactionStatistics&>(w), static_cast<OtherStatistics&>(w));
}
inline auto fields(const WorkloadStatistics& w)
{
    return std::tie(static_cast<const TransactionStatistics&>(w), static_cast<const OtherStatistics&>(w));
}

struct Second {  // one simulated second of the whole run, warm-up included
    std::uint32_t completed = 0;
    std::uint32_t failed = 0;
    std::uint64_t bytes = 0;  // request and response of completed transactions; IP bytes of datagrams; bulk data
    Time took = 0;            // the completed ones, together
    Highest<Time> longest;    // of those
    // The same of those of open loops, from when they were due.
    std::uint32_t were_due = 0;
    Time took_from_due = 0;
    Highest<Time> longest_from_due;
};
ANML_FIELDS(Second, completed, failed, bytes, took, longest, were_due, took_from_due, longest_from_due)

struct AppStatistics {
    std::vector<WorkloadStatistics> workloads;  // by workload row
    std::vector<ServerStatistics> servers;      // by server row; collected
    Time origin = 0;                            // the workloads' start
    std::vector<Second> series;                 // since then, each of `interval` seconds
    std::size_t interval = 1;
    SecondTimes second_times;                   // of completed transactions and transfers
    TransactionGroups groups;                   // of the web, of all workloads
    Streams streams, streams_before;            // collected, and those when the measured window began

    // Its place in the series.
    std::size_t second_of(Time t) const
    {
        const auto second = static_cast<std::size_t>((t - origin) / kSecond);
        return interval == 1 ? second : second / interval;
    }
    Second& second(Time t)
    {
        const std::size_t index = second_of(t);
        if (index >= series.size()) series.resize(index + 1);
        return series[index];
    }
    void add(const AppStatistics& other);
    // Of other clusters, which were collected too; of the fluid everybody has all.
    void join(const AppStatistics& other);
    // All have been collected: flows that arrived without their senders knowing are complete, and bytes are delivered.
    void complete_flows();
    void complete_streams();
};
ANML_FIELDS(AppStatistics, workloads, servers, origin, series, interval, second_times, groups, streams, streams_before)

}  // namespace anml::rt
