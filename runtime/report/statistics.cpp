#include "report/statistics.h"

namespace anml::rt {

void Statistics::add(const Statistics& other)
{
    for (std::size_t i = 0; i < workloads.size(); ++i) {
        WorkloadStatistics& into = workloads[i];
        const WorkloadStatistics& from = other.workloads[i];
        into.completed += from.completed;
        into.failed_connect += from.failed_connect;
        into.failed_reset += from.failed_reset;
        into.failed_timeout += from.failed_timeout;
        into.failed_status += from.failed_status;
        into.request_bytes += from.request_bytes;
        into.response_bytes += from.response_bytes;
        into.response_time.add(from.response_time);
        into.response_time_sum += from.response_time_sum;
        into.in_progress += from.in_progress;
    }
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
    dropped_malformed += other.dropped_malformed;
    retransmissions += other.retransmissions;
    total_packet_hops += other.total_packet_hops;
    total_events += other.total_events;
}

}  // namespace anml::rt
