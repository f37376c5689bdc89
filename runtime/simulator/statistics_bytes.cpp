#include "simulator/statistics_bytes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/archive.h"

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
ANML_EXCHANGE(FlowBin, completed, bytes, time, slowdown)
ANML_EXCHANGE(FlowEnds, from, to, port, age)
ANML_EXCHANGE(FlowStatistics, most, bytes, waited, slowdown, bins, open, arrived)
ANML_EXCHANGE(WorkloadStatistics, completed, failures, request_bytes, response_bytes, response_time, connect, tls,
              first_byte, transfer, handshakes, resumed, first_broken, due, late, from_due, waiting, due_ages,
              pages_completed, pages_failed, sessions, pages_open, page_time, page_ages, connections, requests, retried,
              redirected, not_modified, in_progress, open_ages, statuses, unexpected_size, first_unexpected_size,
              checks_content, checked_content, unexpected_content, first_unexpected_content, unexpected_status,
              first_unexpected_status, first_bad_status, datagrams, echoes, calls, flows, fluid, delivered)
ANML_EXCHANGE(Second, completed, failed, bytes, took, longest, were_due, took_from_due, longest_from_due)
ANML_EXCHANGE(SecondTimes::Counted, second, count, bucket)
ANML_EXCHANGE(GroupStatistics, completed, failed, request_bytes, response_bytes, response_time)
ANML_EXCHANGE(StatusGroup, status, counted)
ANML_EXCHANGE(TransactionGroups, subnets, sizes, statuses, reports)
ANML_EXCHANGE(AppStatistics, workloads, servers, origin, series, second_times, groups)

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

namespace {

template <class Archive>
void exchange_all(Archive& archive, Statistics& all, std::uint64_t& digest)
{
    archive(digest, static_cast<NetCounters&>(all), static_cast<AppStatistics&>(all), all.retransmissions, all.links,
            all.changing_links, all.middleboxes, all.buffers, all.airs);
}

// A link leaves a node of one process, which has counted it.
void join_links(std::vector<LinkCounters>& all, const std::vector<LinkCounters>& others)
{
    std::vector<LinkCounters> both;
    both.reserve(all.size() + others.size());
    std::ranges::merge(all, others, std::back_inserter(both), {}, &LinkCounters::link, &LinkCounters::link);
    all = std::move(both);
}

template <class T>
void join_nodes(std::vector<T>& all, const std::vector<T>& others)
{
    all.insert(all.end(), others.begin(), others.end());
    std::ranges::sort(all, {}, &T::node);  // each is of one process
}

}  // namespace

std::vector<std::uint8_t> write_statistics(Statistics& statistics, std::uint64_t digest)
{
    ByteWriter writer;
    exchange_all(writer, statistics, digest);
    return writer.take();
}

Statistics read_statistics(std::span<const std::uint8_t> bytes, std::uint64_t& digest)
{
    Statistics statistics;
    ByteReader reader(bytes);
    exchange_all(reader, statistics, digest);
    return statistics;
}

void join(Statistics& all, const Statistics& other)
{
    all.NetCounters::add(other);
    all.AppStatistics::join(other);
    all.retransmissions += other.retransmissions;
    join_links(all.links, other.links);
    for (std::size_t i = 0; i < other.changing_links.size(); ++i)
        all.changing_links[i].lost += other.changing_links[i].lost;
    join_nodes(all.middleboxes, other.middleboxes);
    join_nodes(all.buffers, other.buffers);
    join_nodes(all.airs, other.airs);
}

}  // namespace anml::rt
