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
#include "app/flow_statistics.h"
#include "app/groups.h"
#include "app/second_times.h"
#include "app/streams.h"
#include "base/histogram.h"
#include "base/time.h"
#include "net/fluid/totals.h"

namespace anml::rt {

struct DatagramStatistics {  // measured; each event counts when it happens
    std::uint64_t sent = 0;
    std::uint64_t received = 0;  // by a virtual host, or handed to a real one
    std::uint64_t lost = 0;      // dropped on the way
    std::uint64_t refused = 0;   // a real host said that nobody listens
    std::uint64_t bytes = 0;     // IP, received
    Histogram delay;             // ns, one way

    void add(const DatagramStatistics& other);
    void remove(const DatagramStatistics& earlier);
};

struct EchoStatistics {  // measured; a request counts where it ends
    std::uint64_t sent = 0;
    std::uint64_t received = 0;       // replies in time
    std::uint64_t lost = 0;           // unanswered
    std::uint64_t unreachable = 0;    // ICMP destination unreachable came back, or there was no way
    std::uint64_t time_exceeded = 0;  // ICMP time exceeded came back
    std::uint64_t late = 0;           // replies to lost ones
    std::uint64_t duplicates = 0;     // replies to those that had ended
    Histogram round_trip;             // ns
    unsigned __int128 squares = 0;    // of the round trips, ns^2: their sum does not depend on the order

    void receive(Time round_trip_time);
    void add(const EchoStatistics& other);
    void remove(const EchoStatistics& earlier);
};

struct CallStatistics {  // of servers' calls, measured; a call counts where it ends
    std::uint64_t completed = 0, failed = 0;
    std::uint64_t hits = 0;         // that a cache answered, besides
    std::uint64_t retried = 0;      // tries, besides the first ones
    std::uint64_t over_budget = 0;  // that the budget did not let be tried again
    std::uint64_t refused = 0;      // calls or retries: too few circuits were closed
    std::uint64_t opened = 0;       // circuits
    std::uint64_t in_progress = 0;  // when the run ended; collected
    Histogram time;                 // ns, of completed ones: all tries and the waits between them

    void add(const CallStatistics& other);
    void remove(const CallStatistics& earlier);
};

struct ServerStatistics {                       // of a simulated server, measured
    std::uint64_t requests = 0;                 // whose service began
    std::uint64_t dropped = 0;                  // SYNs, the backlog was full
    std::uint64_t failed = 0;                   // requests that were answered by 502, 503 or 504, because a call failed
    std::uint64_t handshakes = 0, resumed = 0;  // of TLS, as a workload's
    // Workers and waiting requests or connections, times ns.
    unsigned __int128 busy = 0, waiting = 0;

    void add(const ServerStatistics& other)
    {
        requests += other.requests;
        dropped += other.dropped;
        failed += other.failed;
        handshakes += other.handshakes;
        resumed += other.resumed;
        busy += other.busy;
        waiting += other.waiting;
    }
    void count(std::uint64_t busy_now, std::uint64_t waiting_now, Time from, Time to)
    {
        if (to <= from) return;
        busy += static_cast<unsigned __int128>(busy_now) * static_cast<std::uint64_t>(to - from);
        waiting += static_cast<unsigned __int128>(waiting_now) * static_cast<std::uint64_t>(to - from);
    }
};

// Durations of things that are few: their sum does not depend on the order.
struct Durations {
    std::uint64_t count = 0;
    unsigned __int128 sum = 0;  // ns
    Time least = kNever, most = 0;

    void record(Time duration);
    void add(const Durations& other);
    void remove(const Durations& earlier);  // the least and the most stay
};

// The first of several responses to be told about: what it answered to, by Model's number of the document.
struct FirstResponse {
    Time at = kNever;
    std::uint32_t document = 0;
    std::uint64_t what = 0;

    auto operator<=>(const FirstResponse&) const = default;
    void add(const FirstResponse& other) { *this = std::min(*this, other); }
};

// The first body that is not the one that its list says: its hash.
struct FirstContent {
    Time at = kNever;
    std::uint32_t document = 0;
    std::array<std::uint8_t, 32> found{};

    auto operator<=>(const FirstContent&) const = default;
    void add(const FirstContent& other) { *this = std::min(*this, other); }
};

// The first check of a response that failed: its number among the request's (request_script.h), the status, and how the
// body began.
struct FirstFailedCheck {
    static constexpr std::size_t kMostSeen = 64;

    Time at = kNever;
    std::uint32_t document = 0, check = 0, status = 0;
    std::array<char, kMostSeen> body{};

    auto operator<=>(const FirstFailedCheck&) const = default;
    void add(const FirstFailedCheck& other) { *this = std::min(*this, other); }
};

// The first failure of TLS, in the library's words.
struct FirstBroken {
    Time at = kNever;
    std::string_view why;

    auto operator<=>(const FirstBroken&) const = default;
    void add(const FirstBroken& other) { *this = std::min(*this, other); }
};

struct Delivered {  // of a sender
    NodeId from = 0;
    std::uint64_t bytes = 0;

    auto operator<=>(const Delivered&) const = default;
};

struct TransactionStatistics {  // measured; a transaction counts where it ends
    std::uint64_t completed = 0;
    std::array<Durations, kFailureCauses> failures;  // by cause: how long until each failed
    std::uint64_t request_bytes = 0;                 // HTTP with headers, of completed transactions
    std::uint64_t response_bytes = 0;
    Histogram response_time;  // ns: from the SYN to the end of the transaction
    // ns, of completed transactions: from the SYN to its answer, of those that had to connect; from there until TLS has
    // shaken hands, of those that had to; from the request to the first byte of the response; from there to the end.
    Histogram connect, tls, first_byte, transfer;
    std::vector<Time> open_ages;  // of those that are open, in no order; collected

    void count(Time took, std::optional<FailureCause> failure);
    void add(const TransactionStatistics& other);
    void remove(const TransactionStatistics& earlier);
};

struct OtherStatistics {  // of a workload
    // Of requests that something is measured of: by Model::measured_request; grows to the largest seen.
    std::vector<TransactionStatistics> by_request;
    std::uint64_t handshakes = 0,
                  resumed = 0;  // of TLS that were done: full ones, and those with a session from before
    FirstBroken first_broken;
    // Of open loops: transactions that were due, those of them that began later, and from then to their ends, as
    // response_time.
    std::uint64_t due = 0, late = 0;
    Histogram from_due;
    std::uint64_t waiting = 0;   // had not begun when the run ended; collected
    std::vector<Time> due_ages;  // how long ago those were due that are open or wait, in no order; collected
    // Pages, and sessions that have ended; pages that are open, how old those are at the end, in no order, collected.
    std::uint64_t pages_completed = 0, pages_failed = 0, sessions = 0, pages_open = 0;
    Histogram page_time;  // ns
    std::vector<Time> page_ages;
    std::uint64_t connections = 0;         // established
    std::uint64_t requests = 0;            // sent on them
    std::uint64_t retried = 0;             // to be sent again, because their connection ended
    std::uint64_t redirected = 0;          // responses that sent their client on
    std::uint64_t not_modified = 0;        // of documents that their client has: 304
    std::uint64_t in_progress = 0;         // open when the run ended; transfers that are not to end have no age
    std::vector<std::uint64_t> statuses;   // whole responses by their HTTP status; grows to the largest seen
    std::uint64_t unexpected_size = 0;     // completed with 2xx, and a body that is not as long as the model's
    FirstResponse first_unexpected_size;   // what: bytes of the body
    bool checks_content = false;           // it compares bodies with hashes
    std::uint64_t checked_content = 0;     // bodies that were
    std::uint64_t unexpected_content = 0;  // of them those that are others
    FirstContent first_unexpected_content;
    std::uint64_t unexpected_status = 0;    // of a log's requests, answered with another status than the log has
    FirstResponse first_unexpected_status;  // what: the status
    FirstResponse first_bad_status;         // of those that failed with a status; what: 0 where it was no HTTP
    FirstFailedCheck first_failed_check;

    DatagramStatistics datagrams;
    EchoStatistics echoes;
    CallStatistics calls;
    FlowStatistics flows;
    fluid::Totals fluid;               // collected
    std::vector<Delivered> delivered;  // bulk and flows: by sender, in no order; collected
};

struct WorkloadStatistics : TransactionStatistics, OtherStatistics {
    std::uint64_t failed(FailureCause cause) const { return failures[static_cast<std::size_t>(cause)].count; }
    std::uint64_t failed() const;
    void count_status(std::uint16_t status);
    TransactionStatistics& of_request(std::size_t measured);
    void add(const WorkloadStatistics& other);
    // What was counted since it was like that; nothing is open in it. Of what came first, the least and the most there
    // is no difference: they stay.
    void remove(const WorkloadStatistics& earlier);
};

struct Second {  // one simulated second of the whole run, warm-up included
    std::uint32_t completed = 0;
    std::uint32_t failed = 0;
    std::uint64_t bytes = 0;     // request and response of completed transactions; IP bytes of datagrams; bulk data
    Time took = 0, longest = 0;  // of the completed ones, together and the longest
    // The same of those of open loops, from when they were due.
    std::uint32_t were_due = 0;
    Time took_from_due = 0, longest_from_due = 0;

    void add(const Second& other)
    {
        completed += other.completed;
        failed += other.failed;
        bytes += other.bytes;
        took += other.took;
        longest = std::max(longest, other.longest);
        were_due += other.were_due;
        took_from_due += other.took_from_due;
        longest_from_due = std::max(longest_from_due, other.longest_from_due);
    }
};

struct AppStatistics {
    std::vector<WorkloadStatistics> workloads;  // by workload row
    std::vector<ServerStatistics> servers;      // by server row; collected
    Time origin = 0;                            // the workloads' start
    std::vector<Second> series;                 // since then
    SecondTimes second_times;                   // of completed transactions and transfers
    TransactionGroups groups;                   // of the web, of all workloads
    Streams streams, streams_before;            // collected, and those when the measured window began

    std::size_t second_of(Time t) const { return static_cast<std::size_t>((t - origin) / kSecond); }
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
    void settle_flows();
    void settle_streams();
};

}  // namespace anml::rt
