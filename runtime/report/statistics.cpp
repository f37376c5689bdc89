#include "report/statistics.h"

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

void WorkloadStatistics::add(const WorkloadStatistics& other)
{
    completed += other.completed;
    failed_connect += other.failed_connect;
    failed_reset += other.failed_reset;
    failed_timeout += other.failed_timeout;
    failed_status += other.failed_status;
    request_bytes += other.request_bytes;
    response_bytes += other.response_bytes;
    response_time.add(other.response_time);
    response_time_sum += other.response_time_sum;
    connect_sum += other.connect_sum;
    answer_sum += other.answer_sum;
    receive_sum += other.receive_sum;
    in_progress += other.in_progress;
    datagrams.add(other.datagrams);
    echoes.add(other.echoes);
    if (other.first_status_at < first_status_at) {
        first_status = other.first_status;
        first_status_document = other.first_status_document;
        first_status_at = other.first_status_at;
    }
}

void Statistics::add(const Statistics& other)
{
    for (std::size_t i = 0; i < workloads.size(); ++i) workloads[i].add(other.workloads[i]);
    if (series.size() < other.series.size()) series.resize(other.series.size());
    for (std::size_t i = 0; i < other.series.size(); ++i) {
        series[i].completed += other.series[i].completed;
        series[i].failed += other.series[i].failed;
        series[i].bytes += other.series[i].bytes;
    }
    packets_sent += other.packets_sent;
    packets_delivered += other.packets_delivered;
    dropped_queue += other.dropped_queue;
    dropped_ttl += other.dropped_ttl;
    dropped_mtu += other.dropped_mtu;
    dropped_no_route += other.dropped_no_route;
    dropped_link += other.dropped_link;
    dropped_malformed += other.dropped_malformed;
    dropped_lost += other.dropped_lost;
    dropped_corrupted += other.dropped_corrupted;
    retransmissions += other.retransmissions;
    total_packet_hops += other.total_packet_hops;
    total_events += other.total_events;
}

}  // namespace anml::rt
