// By how much lateness may have raised the figures of a live run.
//
// A packet that leaves late, or is taken up late, lengthens what waits for it. Of a response it can be one packet each
// way in each round trip, so with r round trips and a mean lateness of l per round trip a mean response is at most r l
// too long. How many round trips a response takes is what results say: the mean response over the mean connect time,
// and never more than packets were released for each. A quantile q is at most r times the lateness too long that the
// packets have at 1 - (1 - q) / 2r: by more than that, none of the 2r packets of so many responses is late.
// That holds where packets are late one by one. A stall makes many of them late, of which one may be what all others of
// its response wait for: a stall that is not small beside the mean response may lengthen each response that is under
// way by as much as it lasts. On average these are as many as Little's law says, at least one.
// Where a run has several processes, their clocks may be off each other's: a packet that crosses takes so much more in
// one direction, and so much less in the other.
// A packet that was lost outside of the model costs its connection a retransmission.
// What other processes had of a server's processors makes it slower. Where it has less than a tenth of them to spare,
// or its busiest thread less than a tenth of its time, all that it does takes so much longer; else a response waits on
// average for its part of what was lost, and longer by the queue of an M/G/1 server.
#pragma once

#include <string>
#include <vector>

namespace anml::rt {

class Model;
struct Figures;
struct RunInfo;

struct Effect {
    enum class On { mean, tail, extreme };  // mean and median; p95 and p99; maximum
    std::string workload;                   // "": what real hosts measure of each other and of virtual ones
    std::string figure;                     // its key: "response_time_seconds.mean"
    On on;
    double high;  // share of the figure, at most
};

struct Effects {
    std::vector<Effect> figures;
    // By which what takes one way between processes of the run may be off, either way, because their clocks are: share
    // of the shortest such way. There and back it cancels out.
    double one_way = 0;
    std::vector<double> seconds;  // by LiveCounters::seconds: share of the mean of the workload that suffers most
    // Of both what the servers had to wait for others' processes; 0: less than counts.
    double server = 0;
    std::vector<double> server_seconds;

    // An effect above this counts: such figures are touched.
    static constexpr double kLimit = 0.02;
    // What others take of a server's processors counts above these, in all and in a second: times of processes are
    // known to a hundredth of a second.
    static constexpr double kServerLimit = 0.04, kServerSecondLimit = 0.1;
};

// A run with RunInfo::real_time, its workloads' figures computed.
Effects effects_of_lateness(const Model& model, const RunInfo& run, const Figures& figures);

}  // namespace anml::rt
