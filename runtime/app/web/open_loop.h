// Open-loop web clients: transactions begin at times that are drawn, however long those before them take.
//
// A source is a host; each of its transactions has a client record of its own (closed_loop.h) while it lasts, and none
// of them waits for another. With several requests per connection it takes the connection that rests since the shortest
// time, and opens one where none does. Where a host may have so many connections only, what is due while all are taken
// waits in line, and begins late: by then its response time from when it was due is longer than from when it began.
// Past the server's capacity the load goes on growing, as of real users who do not
// know of each other (Banga and Druschel, USENIX USITS 1997).
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/ids.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct OpenSource {
    NodeId node = 0;
    std::uint32_t workload = 0;      // row
    Time next = kNever;              // one is due then, while that is waited for
    Time work = 0;                   // of the load, until its next one is due (schedule.h)
    std::uint32_t arrivals = 0;      // transactions that were due
    std::uint32_t transactions = 0;  // begun
    std::uint32_t under_way = 0;
    std::uint32_t first_due = kNone, last_due = kNone;  // those that wait, by OpenLoops::due
    std::uint32_t state = 0;                            // of its intervals: the first word in Cluster::sampler_states
    std::uint32_t memory = kNone;                       // of its clients (web_exchange.h)
    std::uint32_t choices = 0;                          // the same of the documents that it draws
    std::uint32_t home = kNone;                         // of its connections, of HTTP/2 (http2_client.h)
    std::uint32_t resting = kNone;  // clients that rest on a connection, the last one first, by Client::next
    bool dormant = false;           // its next one waits until the workload is switched on
};

struct DueTransaction {
    Time at = 0;
    std::uint32_t document = kNone;  // asked for; kNone: one is chosen
    std::uint32_t next = kNone;      // behind it in its source's line; of one that is free, any other
};

// A load that the timeline changes: since then work passes so many times as fast as under the schedule.
struct OpenPace {
    Time since = 0;  // from the workloads' start
    double factor = 1;
    double work = 0;       // by then
    bool changed = false;  // its sources count work
};

struct OpenLoops {
    std::vector<OpenSource> sources;  // by workload, then by target
    std::vector<std::uint32_t> idle;  // clients without a connection
    std::vector<DueTransaction> due;  // grows to the most that ever wait
    std::uint32_t free_due = kNone;
    std::vector<OpenPace> paces;  // by workload; empty: the timeline has changed no load
};

namespace open_loop {

using namespace otherwise;
using Row = abi::record::open_loop;
using State = OpenLoops;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;
inline constexpr RecordSet kActsFor = bit_of(abi::RecordSchema::replay);
inline Rhythm rhythm(const Row& row) { return {&row.interval, abi::kNone, false}; }

bool is_open_loop(const Cluster& k, std::uint32_t workload);  // or a replay, whose times a file says (replay.h)
std::uint32_t add_source(Cluster& k, NodeId node, std::uint32_t workload);
// A transaction of the source is due now.
void arrive(Cluster& k, std::uint32_t source, std::uint32_t document);
void go_on(Cluster& k, std::uint32_t source);  // those that wait begin
void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
// Its next transaction is due, or one that waits begins.
void timer(Cluster& k, std::uint32_t which, std::uint32_t source, Time at);
void finished(Cluster& k, std::uint32_t client, bool complete);  // its transaction has ended
void resume(Cluster& k, const Hosts& hosts);                     // it is switched on: those that wait begin
void change_pace(Cluster& k, std::uint32_t workload, double load);
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace open_loop
}  // namespace app
}  // namespace anml::rt
