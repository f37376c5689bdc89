#include "app/statistics.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace anml::rt {

void DatagramStatistics::add(const DatagramStatistics& other)
{
    sent += other.sent;
    received += other.received;
    lost += other.lost;
    refused += other.refused;
    bytes += other.bytes;
    delay.add(other.delay);
}

void DatagramStatistics::remove(const DatagramStatistics& earlier)
{
    sent -= earlier.sent;
    received -= earlier.received;
    lost -= earlier.lost;
    refused -= earlier.refused;
    bytes -= earlier.bytes;
    delay.remove(earlier.delay);
}

void EchoStatistics::receive(Time round_trip_time)
{
    ++received;
    round_trip.record(round_trip_time);
    squares += static_cast<unsigned __int128>(round_trip_time) * static_cast<unsigned __int128>(round_trip_time);
}

void EchoStatistics::add(const EchoStatistics& other)
{
    sent += other.sent;
    received += other.received;
    lost += other.lost;
    unreachable += other.unreachable;
    time_exceeded += other.time_exceeded;
    late += other.late;
    duplicates += other.duplicates;
    round_trip.add(other.round_trip);
    squares += other.squares;
}

void EchoStatistics::remove(const EchoStatistics& earlier)
{
    sent -= earlier.sent;
    received -= earlier.received;
    lost -= earlier.lost;
    unreachable -= earlier.unreachable;
    time_exceeded -= earlier.time_exceeded;
    late -= earlier.late;
    duplicates -= earlier.duplicates;
    round_trip.remove(earlier.round_trip);
    squares -= earlier.squares;
}

void CallStatistics::add(const CallStatistics& other)
{
    completed += other.completed;
    failed += other.failed;
    hits += other.hits;
    retried += other.retried;
    over_budget += other.over_budget;
    refused += other.refused;
    opened += other.opened;
    in_progress += other.in_progress;
    time.add(other.time);
}

void CallStatistics::remove(const CallStatistics& earlier)
{
    completed -= earlier.completed;
    failed -= earlier.failed;
    hits -= earlier.hits;
    retried -= earlier.retried;
    over_budget -= earlier.over_budget;
    refused -= earlier.refused;
    opened -= earlier.opened;
    in_progress = 0;
    time.remove(earlier.time);
}

std::string_view failure_name(FailureCause cause)
{
    constexpr std::string_view kNames[kFailureCauses] = {"connect", "reset",    "timeout", "truncated",
                                                         "status",  "redirect", "tls",     "no_port",  "check"};
    return kNames[static_cast<std::size_t>(cause)];
}

void Durations::record(Time duration)
{
    ++count;
    sum += static_cast<unsigned __int128>(duration);
    least = std::min(least, duration);
    most = std::max(most, duration);
}

void Durations::add(const Durations& other)
{
    count += other.count;
    sum += other.sum;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
}

void Durations::remove(const Durations& earlier)
{
    count -= earlier.count;
    sum -= earlier.sum;
}

std::uint64_t WorkloadStatistics::failed() const
{
    std::uint64_t sum = 0;
    for (const Durations& cause : failures) sum += cause.count;
    return sum;
}

void WorkloadStatistics::count_status(std::uint16_t status)
{
    if (status >= statuses.size()) statuses.resize(status + 1u);
    ++statuses[status];
}

TransactionStatistics& WorkloadStatistics::of_request(std::size_t measured)
{
    if (measured >= by_request.size()) by_request.resize(measured + 1);
    return by_request[measured];
}

void TransactionStatistics::count(Time took, std::optional<FailureCause> failure)
{
    if (failure) {
        failures[static_cast<std::size_t>(*failure)].record(took);
    } else {
        ++completed;
        response_time.record(took);
    }
}

void TransactionStatistics::add(const TransactionStatistics& other)
{
    completed += other.completed;
    for (std::size_t i = 0; i < kFailureCauses; ++i) failures[i].add(other.failures[i]);
    request_bytes += other.request_bytes;
    response_bytes += other.response_bytes;
    response_time.add(other.response_time);
    connect.add(other.connect);
    tls.add(other.tls);
    first_byte.add(other.first_byte);
    transfer.add(other.transfer);
    open_ages.insert(open_ages.end(), other.open_ages.begin(), other.open_ages.end());
}

void TransactionStatistics::remove(const TransactionStatistics& earlier)
{
    completed -= earlier.completed;
    for (std::size_t i = 0; i < failures.size(); ++i) failures[i].remove(earlier.failures[i]);
    request_bytes -= earlier.request_bytes;
    response_bytes -= earlier.response_bytes;
    response_time.remove(earlier.response_time);
    connect.remove(earlier.connect);
    tls.remove(earlier.tls);
    first_byte.remove(earlier.first_byte);
    transfer.remove(earlier.transfer);
    open_ages.clear();
}

void WorkloadStatistics::add(const WorkloadStatistics& other)
{
    TransactionStatistics::add(other);
    for (std::size_t i = 0; i < other.by_request.size(); ++i) of_request(i).add(other.by_request[i]);
    handshakes += other.handshakes;
    resumed += other.resumed;
    first_broken.add(other.first_broken);
    due += other.due;
    late += other.late;
    from_due.add(other.from_due);
    waiting += other.waiting;
    due_ages.insert(due_ages.end(), other.due_ages.begin(), other.due_ages.end());
    pages_completed += other.pages_completed;
    pages_failed += other.pages_failed;
    sessions += other.sessions;
    pages_open += other.pages_open;
    page_time.add(other.page_time);
    page_ages.insert(page_ages.end(), other.page_ages.begin(), other.page_ages.end());
    connections += other.connections;
    requests += other.requests;
    retried += other.retried;
    redirected += other.redirected;
    not_modified += other.not_modified;
    in_progress += other.in_progress;
    datagrams.add(other.datagrams);
    fluid.add(other.fluid);
    echoes.add(other.echoes);
    calls.add(other.calls);
    flows.add(other.flows);
    if (statuses.size() < other.statuses.size()) statuses.resize(other.statuses.size());
    for (std::size_t i = 0; i < other.statuses.size(); ++i) statuses[i] += other.statuses[i];
    unexpected_size += other.unexpected_size;
    first_unexpected_size.add(other.first_unexpected_size);
    checks_content |= other.checks_content;
    checked_content += other.checked_content;
    unexpected_content += other.unexpected_content;
    first_unexpected_content.add(other.first_unexpected_content);
    unexpected_status += other.unexpected_status;
    first_unexpected_status.add(other.first_unexpected_status);
    first_bad_status.add(other.first_bad_status);
    first_failed_check.add(other.first_failed_check);
}

void WorkloadStatistics::remove(const WorkloadStatistics& earlier)
{
    TransactionStatistics::remove(earlier);
    for (std::size_t i = 0; i < by_request.size(); ++i)
        by_request[i].remove(i < earlier.by_request.size() ? earlier.by_request[i] : TransactionStatistics{});
    handshakes -= earlier.handshakes;
    resumed -= earlier.resumed;
    due -= earlier.due;
    late -= earlier.late;
    from_due.remove(earlier.from_due);
    pages_completed -= earlier.pages_completed;
    pages_failed -= earlier.pages_failed;
    sessions -= earlier.sessions;
    page_time.remove(earlier.page_time);
    connections -= earlier.connections;
    requests -= earlier.requests;
    retried -= earlier.retried;
    redirected -= earlier.redirected;
    not_modified -= earlier.not_modified;
    for (std::size_t i = 0; i < earlier.statuses.size(); ++i) statuses[i] -= earlier.statuses[i];
    unexpected_size -= earlier.unexpected_size;
    checked_content -= earlier.checked_content;
    unexpected_content -= earlier.unexpected_content;
    unexpected_status -= earlier.unexpected_status;
    datagrams.remove(earlier.datagrams);
    fluid.add(earlier.fluid, -1);
    echoes.remove(earlier.echoes);
    calls.remove(earlier.calls);
    flows.remove(earlier.flows);
    in_progress = waiting = pages_open = 0;
    due_ages.clear();
    page_ages.clear();
    // Who of the senders it was does not matter: their order may be another one.
    const auto sum = [](const std::vector<Delivered>& senders) {
        return std::accumulate(senders.begin(), senders.end(), std::uint64_t{0},
                               [](std::uint64_t bytes, const Delivered& sender) { return bytes + sender.bytes; });
    };
    // Less than before where a connection broke: nobody knows then what had arrived of it.
    if (!delivered.empty()) {
        const std::uint64_t all = sum(delivered);
        delivered = {{0, all - std::min(all, sum(earlier.delivered))}};
    }
}

void AppStatistics::settle_flows()
{
    for (WorkloadStatistics& workload : workloads) {
        workload.in_progress -= workload.flows.settle();
        for (const FlowEnds& flow : workload.flows.open) workload.open_ages.push_back(flow.age);
        workload.flows.open.clear();
    }
    settle_streams();
}

void AppStatistics::settle_streams()
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
    for (std::size_t i = 0; i < other.workloads.size(); ++i) workloads[i].add(other.workloads[i]);
    if (series.size() < other.series.size()) series.resize(other.series.size());
    for (std::size_t i = 0; i < other.series.size(); ++i) series[i].add(other.series[i]);
    second_times.add(other.second_times);
    groups.add(other.groups);
}

void AppStatistics::join(const AppStatistics& other)
{
    add(other);
    const auto append = [](auto& all, const auto& some) { all.insert(all.end(), some.begin(), some.end()); };
    for (std::size_t i = 0; i < other.workloads.size(); ++i) {
        const WorkloadStatistics& theirs = other.workloads[i];
        workloads[i].fluid.add(theirs.fluid, -1);
        append(workloads[i].delivered, theirs.delivered);
        append(workloads[i].flows.open, theirs.flows.open);
        append(workloads[i].flows.arrived, theirs.flows.arrived);
    }
    streams.add(other.streams);
    streams_before.add(other.streams_before);
    if (servers.size() < other.servers.size()) servers.resize(other.servers.size());
    for (std::size_t i = 0; i < other.servers.size(); ++i) servers[i].add(other.servers[i]);
}

}  // namespace anml::rt
