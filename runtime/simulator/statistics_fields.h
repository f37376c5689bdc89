// Which fields all that is counted consists of: for its bytes, and for tests of what is done to each field.
#pragma once

#include "base/archive.h"
#include "simulator/statistics.h"

namespace anml::rt {

namespace fluid {
ANML_EXCHANGE(Totals, offered, carried, flows)
}  // namespace fluid

ANML_EXCHANGE(DatagramStatistics, sent, received, lost, refused, bytes, delay)
ANML_EXCHANGE(EchoStatistics, sent, received, lost, unreachable, time_exceeded, late, duplicates, round_trip, squares)
ANML_EXCHANGE(CallStatistics, completed, failed, hits, retried, over_budget, refused, opened, in_progress, time)
ANML_EXCHANGE(ServerStatistics, requests, dropped, failed, handshakes, resumed, busy, waiting)
ANML_EXCHANGE(Durations, count, sum, least, most)
ANML_EXCHANGE(FirstResponse, at, document, what)
ANML_EXCHANGE(FirstContent, at, document, found)
ANML_EXCHANGE(FirstBroken, at, why)
ANML_EXCHANGE(FirstFailedCheck, at, document, check, status, body)
ANML_EXCHANGE(FlowBin, completed, bytes, time, slowdown)
ANML_EXCHANGE(FlowEnds, from, to, port, age)
ANML_EXCHANGE(FlowStatistics, most, bytes, waited, slowdown, bins, open, arrived)
ANML_EXCHANGE(Delivered, from, bytes)
ANML_EXCHANGE(StreamKey, from, to, from_port, to_port)
ANML_EXCHANGE(SentStream, key, workload, acknowledged, selectively)
ANML_EXCHANGE(ArrivedStream, key, bytes)
ANML_EXCHANGE(Streams, sent, arrived)
ANML_EXCHANGE(TransactionStatistics, completed, failures, request_bytes, response_bytes, response_time, connect, tls,
              first_byte, transfer, open_ages)
ANML_EXCHANGE(OtherStatistics, by_request, handshakes, resumed, first_broken, due, late, from_due, waiting, due_ages,
              pages_completed, pages_failed, sessions, pages_open, page_time, page_ages, connections, requests, retried,
              redirected, not_modified, in_progress, statuses, unexpected_size, first_unexpected_size,
              checks_content, checked_content, unexpected_content, first_unexpected_content, unexpected_status,
              first_unexpected_status, first_bad_status, first_failed_check, datagrams, echoes, calls, flows, fluid,
              delivered)
template <class Archive>
void exchange(Archive& archive, WorkloadStatistics& value)
{
    archive(static_cast<TransactionStatistics&>(value), static_cast<OtherStatistics&>(value));
}
ANML_EXCHANGE(Second, completed, failed, bytes, took, longest, were_due, took_from_due, longest_from_due)
ANML_EXCHANGE(SecondTimes::Counted, second, count, bucket)
ANML_EXCHANGE(GroupStatistics, completed, failed, request_bytes, response_bytes, response_time)
ANML_EXCHANGE(StatusGroup, status, counted)
ANML_EXCHANGE(TransactionGroups, subnets, sizes, statuses, requests, reports)
ANML_EXCHANGE(AppStatistics, workloads, servers, origin, series, second_times, groups, streams,
              streams_before)

ANML_EXCHANGE(FluidCounters, offered, lost, carried, time)
ANML_EXCHANGE(LinkCounters, link, packets, bytes, dropped, marked, queue_delay, longest_queue_delay, transmitting,
              carried, lost, corrupted, duplicated, reordered, fluid)
ANML_EXCHANGE(ChangingLinkCounters, link, lost, down)
ANML_EXCHANGE(BackEndCounters, node, figures)
ANML_EXCHANGE(MiddleboxCounters, node, schema, figures, back_ends)
ANML_EXCHANGE(BufferCounters, node, capacity, highest, dropped)
ANML_EXCHANGE(AirCounters, node, scheduled, transmissions, failed, lost, collisions, taken, collided, taken_down,
              taken_up)
ANML_EXCHANGE(NetCounters, begin, end, packets_sent, packets_delivered, dropped_queue, dropped_ttl, dropped_mtu,
              dropped_unfragmented, dropped_no_route, dropped_link, dropped_malformed, dropped_lost, dropped_corrupted,
              dropped_processing, dropped_middlebox, icmp_withheld, fragmented, fragments, reassembled,
              reassembly_timed_out, reassembly_no_room, reassembly_discarded, total_packet_hops, total_events)

}  // namespace anml::rt
