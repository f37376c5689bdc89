// What the edge to real hosts counts, second by second: packets that crossed it and how late they were, and what was
// lost there outside of the model.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/histogram.h"
#include "base/time.h"

namespace anml::rt {

struct LiveSecond {
    std::uint64_t released = 0, received = 0;  // packets handed to a device, read from one
    std::uint64_t late = 0;                    // released with a slip above LiveCounters::kLate
    Time slip_sum = 0;                         // of released packets: wall minus simulated time; negative counts as 0
    Time entry_sum = 0;                        // of received ones: how long after their arrival the model took them up
    Time slip_p99 = 0, slip_max = 0;
    Time stall_sum = 0;               // of the stalls that ended
    std::uint64_t kernel_drops = 0;   // packets the kernel dropped before we read them
    std::uint64_t send_failures = 0;  // packets the kernel did not take
    std::uint64_t transits = 0;       // packets of real hosts that the model handed to one, replies to pings included
    Time transit_sum = 0;             // what the model took for them
    std::uint64_t host_retransmissions = 0;  // TCP segments that real hosts sent again
    // Of the processors, by processes of sandboxes: used, waited for, and lost to others; used and waited for by their
    // busiest thread (io/processor_watch.h).
    Time server_ran = 0, server_waited = 0, server_lost = 0, server_busiest = 0;

    void add(const LiveSecond& other);  // all but the percentile
};

class LiveCounters {
  public:
    static constexpr Time kLate = kMillisecond;
    static constexpr Time kStall = 100 * kMicrosecond;

    // At `at`, so much later than it was due. What leaves later than kStall belongs to a stall, together with what was
    // due before that had left: the emulator was behind for as long as the latest of them is late.
    void left(Time slip, Time at)
    {
        if (slip >= kStall) stalled(slip, at);
        second_slip_.record(slip);
        second_.slip_sum += slip;
        ++second_.released;
        if (slip > kLate) ++second_.late;
    }
    void entered(Time late)
    {
        second_entry_.record(late);
        second_.entry_sum += late;
        ++second_.received;
    }
    void crossed(Time took)
    {
        ++second_.transits;
        second_.transit_sum += took;
    }
    void sent_again() { ++second_.host_retransmissions; }
    void dropped(std::uint64_t packets) { second_.kernel_drops += packets; }
    void not_taken(std::uint64_t packets) { second_.send_failures += packets; }

    // Room for so many seconds, so that the run need not make it.
    void reserve(std::size_t seconds) { seconds_.reserve(seconds); }
    // `listed`: it was a second since the workloads' start (or a part of one, at the end), and not the time before;
    // `measured`: the figures cover some of it.
    void end_second(bool listed, bool measured);
    // What servers had of the processors in a second that has ended, the `listed`th of those, or none of them.
    void served(std::optional<std::size_t> listed, bool measured, Time ran, Time waited, Time lost, Time busiest);

    // Adds what another process counted. Seconds are those of the run; of their percentiles the greatest stays.
    void join(const LiveCounters& other);
    template <class Archive>
    void exchange(Archive& archive)
    {
        archive(second_slip_, second_entry_, second_stalls_, slip_, measured_slip_, measured_entry_, measured_stalls_,
                longest_, stall_end_, second_, all_, measured_, seconds_);
    }

    const std::vector<LiveSecond>& seconds() const { return seconds_; }
    LiveSecond all() const;  // so far, the present second included
    const LiveSecond& measured() const { return measured_; }
    const Histogram& slip() const { return slip_; }  // ns, whole run
    const Histogram& measured_slip() const { return measured_slip_; }
    const Histogram& measured_entry() const { return measured_entry_; }
    const Histogram& measured_stalls() const { return measured_stalls_; }  // ns, each stall's greatest slip

  private:
    void stalled(Time slip, Time at)
    {
        if (at - slip > stall_end_) end_stall();
        longest_ = std::max(longest_, slip);
        stall_end_ = at;
    }
    void end_stall();

    Histogram second_slip_, second_entry_, second_stalls_, slip_, measured_slip_, measured_entry_, measured_stalls_;
    Time longest_ = 0, stall_end_ = -1;  // of the present stall
    LiveSecond second_, all_, measured_;
    std::vector<LiveSecond> seconds_;
};

// The same of one endpoint alone.
struct EndpointSecond {
    std::uint64_t released = 0, received = 0, late = 0, kernel_drops = 0, send_failures = 0;
    Time slip_max = 0;

    void add(const EndpointSecond& other);
};

class EndpointCounters {
  public:
    void left(Time slip)
    {
        slip_.record(slip);
        ++second_.released;
        second_.late += slip > LiveCounters::kLate;
        second_.slip_max = std::max(second_.slip_max, slip);
    }
    void entered() { ++second_.received; }
    void dropped(std::uint64_t packets) { second_.kernel_drops += packets; }
    void not_taken(std::uint64_t packets) { second_.send_failures += packets; }

    void reserve(std::size_t seconds) { seconds_.reserve(seconds); }
    void end_second(bool listed);
    template <class Archive>
    void exchange(Archive& archive)
    {
        archive(slip_, second_, all_, seconds_);
    }

    const std::vector<EndpointSecond>& seconds() const { return seconds_; }
    EndpointSecond all() const;
    const Histogram& slip() const { return slip_; }  // ns, whole run

  private:
    Histogram slip_;
    EndpointSecond second_, all_;
    std::vector<EndpointSecond> seconds_;
};

}  // namespace anml::rt
