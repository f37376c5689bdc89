#include "app/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace anml::rt {

void EchoStatistics::receive(Time round_trip_time)
{
    ++received;
    round_trip.record(round_trip_time);
    squares += static_cast<unsigned __int128>(round_trip_time) * static_cast<unsigned __int128>(round_trip_time);
}

std::string_view failure_name(FailureCause cause)
{
    constexpr std::string_view kNames[kFailureCauses] = {"connect", "reset",    "timeout", "truncated",
                                                         "status",  "redirect", "tls",     "no_port",  "check",
                                                         "protocol", "frame",   "masked",  "server_closed",
                                                         "grpc_status", "no_trailers", "compressed"};
    return kNames[static_cast<std::size_t>(cause)];
}

void Durations::record(Time duration)
{
    ++count;
    sum += static_cast<unsigned __int128>(duration);
    least.add({duration});
    most.add({duration});
}

std::uint64_t WorkloadStatistics::failed() const
{
    std::uint64_t sum = 0;
    for (const Durations& cause : failures) sum += cause.count;
    return sum;
}

void Trend::record(Time began_at, Time time)
{
    using Sum = unsigned __int128;
    const auto x = static_cast<Sum>(began_at / kMicrosecond), y = static_cast<Sum>(time / kMicrosecond);
    ++count;
    began += x;
    began_squared += x * x;
    took += y;
    took_squared += y * y;
    both += x * y;
}

double Trend::correlation() const
{
    const auto number = [](unsigned __int128 sum) {
        return sum >> 127 ? -static_cast<double>(-sum) : static_cast<double>(sum);
    };
    const auto n = static_cast<double>(count);
    const double x = number(began), y = number(took);
    const double variances = (n * number(began_squared) - x * x) * (n * number(took_squared) - y * y);
    return variances > 0 ? (n * number(both) - x * y) / std::sqrt(variances) : 0;
}

bool EndedTimes::growing() const
{
    constexpr double kExplains = 0.1, kDeviations = 3;
    const double found = trend.correlation();
    return found > 0 &&
           found * found >= std::max(kExplains, kDeviations * kDeviations / static_cast<double>(trend.count));
}

void WorkloadStatistics::count_status(std::uint16_t status)
{
    if (status >= statuses.size()) statuses.resize(status + 1u);
    ++statuses[status];
}

void WorkloadStatistics::count_close(std::uint16_t code)
{
    if (code >= close_codes.size()) close_codes.resize(code + 1u);
    ++close_codes[code];
}

TransactionStatistics& WorkloadStatistics::of_request(std::size_t measured)
{
    if (measured >= by_request.size()) by_request.resize(measured + 1);
    return by_request[measured];
}

void TransactionStatistics::count(Time took, Time measured, std::optional<FailureCause> failure)
{
    if (failure) {
        failures[static_cast<std::size_t>(*failure)].record(took);
    } else {
        ++completed;
        response_time.record(took, measured);
    }
}

void WorkloadStatistics::remove(const WorkloadStatistics& earlier)
{
    // Who of the senders it was does not matter: their order may be another one. Less than before where a connection
    // broke: nobody knows then what had arrived of it.
    const auto sum = [](const std::vector<Delivered>& senders) {
        return std::accumulate(senders.begin(), senders.end(), std::uint64_t{0},
                               [](std::uint64_t bytes, const Delivered& sender) { return bytes + sender.bytes; });
    };
    const std::uint64_t all = sum(delivered);
    const bool sends = !delivered.empty();
    each_field(*this, earlier, take_off);
    if (sends) delivered = {{0, all - std::min(all, sum(earlier.delivered))}};
    in_progress = offered.waiting = pages.in_progress = calls.in_progress = 0;
}

void AppStatistics::complete_flows()
{
    for (WorkloadStatistics& workload : workloads) {
        workload.in_progress -= workload.flows.match_arrivals();
        for (const FlowEnds& flow : workload.flows.open) workload.open_ages.push_back(flow.age);
        workload.flows.open.clear();
    }
    complete_streams();
}

void AppStatistics::complete_streams()
{
    std::map<std::pair<std::uint32_t, NodeId>, std::int64_t> unknown;
    const auto count = [&](Streams& at, std::int64_t sign) {
        const std::vector<std::uint64_t> bytes = at.unknown();
        for (std::size_t i = 0; i < bytes.size(); ++i)
            unknown[{at.sent[i].workload, at.sent[i].key.from}] += sign * static_cast<std::int64_t>(bytes[i]);
    };
    count(streams, 1);
    count(streams_before, -1);
    streams = streams_before = {};
    for (std::uint32_t i = 0; i < workloads.size(); ++i)
        for (Delivered& sender : workloads[i].delivered)
            if (const auto at = unknown.find({i, sender.from}); at != unknown.end())
                sender.bytes = static_cast<std::uint64_t>(
                    std::max<std::int64_t>(0, static_cast<std::int64_t>(sender.bytes) + at->second));
}

void AppStatistics::add(const AppStatistics& other)
{
    add_up(workloads, other.workloads);
    add_up(servers, other.servers);
    add_up(series, other.series);
    second_times.add(other.second_times);
    groups.add(other.groups);
    streams.add(other.streams);
    streams_before.add(other.streams_before);
}

void AppStatistics::join(const AppStatistics& other)
{
    add(other);
    for (std::size_t i = 0; i < other.workloads.size(); ++i) take_off(workloads[i].fluid, other.workloads[i].fluid);
}

}  // namespace anml::rt
