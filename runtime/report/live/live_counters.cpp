#include "report/live/live_counters.h"

#include <algorithm>
#include <utility>

namespace anml::rt {

void LiveSecond::add(const LiveSecond& other)
{
    released += other.released;
    received += other.received;
    late += other.late;
    slip_sum += other.slip_sum;
    entry_sum += other.entry_sum;
    slip_max = std::max(slip_max, other.slip_max);
    stall_sum += other.stall_sum;
    kernel_drops += other.kernel_drops;
    send_failures += other.send_failures;
    transits += other.transits;
    transit_sum += other.transit_sum;
    host_retransmissions += other.host_retransmissions;
    server_ran += other.server_ran;
    server_waited += other.server_waited;
    server_lost += other.server_lost;
    server_busiest += other.server_busiest;
}

void LiveCounters::end_stall()
{
    if (longest_ == 0) return;
    second_stalls_.record(longest_);
    second_.stall_sum += longest_;
    longest_ = 0;
}

void LiveCounters::end_second(bool listed, bool measured)
{
    end_stall();
    second_.slip_p99 = second_slip_.percentile(99);
    second_.slip_max = second_slip_.maximum();
    if (listed) seconds_.push_back(second_);
    all_.add(second_);
    slip_.add(second_slip_);
    if (measured) {
        measured_.add(second_);
        measured_slip_.add(second_slip_);
        measured_entry_.add(second_entry_);
        measured_stalls_.add(second_stalls_);
    }
    second_ = {};
    second_slip_.clear();
    second_entry_.clear();
    second_stalls_.clear();
}

void LiveCounters::served(std::optional<std::size_t> listed, bool measured, Time ran, Time waited, Time lost,
                          Time busiest)
{
    LiveSecond server;
    server.server_ran = ran;
    server.server_waited = waited;
    server.server_lost = lost;
    server.server_busiest = busiest;
    if (listed) seconds_[*listed].add(server);
    if (measured) measured_.add(server);
    all_.add(server);
}

// Both have ended their last second.
void LiveCounters::join(const LiveCounters& other)
{
    seconds_.resize(std::max(seconds_.size(), other.seconds_.size()));
    for (std::size_t i = 0; i < other.seconds_.size(); ++i) {
        seconds_[i].slip_p99 = std::max(seconds_[i].slip_p99, other.seconds_[i].slip_p99);
        seconds_[i].add(other.seconds_[i]);
    }
    all_.add(other.all_);
    measured_.add(other.measured_);
    slip_.add(other.slip_);
    measured_slip_.add(other.measured_slip_);
    measured_entry_.add(other.measured_entry_);
    measured_stalls_.add(other.measured_stalls_);
}

void EndpointSecond::add(const EndpointSecond& other)
{
    released += other.released;
    received += other.received;
    late += other.late;
    kernel_drops += other.kernel_drops;
    send_failures += other.send_failures;
    slip_max = std::max(slip_max, other.slip_max);
}

void EndpointCounters::end_second(bool listed)
{
    if (listed) seconds_.push_back(second_);
    all_.add(std::exchange(second_, {}));
}

EndpointSecond EndpointCounters::all() const
{
    EndpointSecond sum = all_;
    sum.add(second_);
    return sum;
}

LiveSecond LiveCounters::all() const
{
    LiveSecond sum = all_;
    sum.add(second_);
    return sum;
}

}  // namespace anml::rt
