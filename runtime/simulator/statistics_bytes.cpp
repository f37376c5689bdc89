#include "simulator/statistics_bytes.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/archive.h"

namespace anml::rt {

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

std::optional<Statistics> read_statistics(std::span<const std::uint8_t> bytes, std::uint64_t& digest)
{
    Statistics statistics;
    ByteReader reader(bytes);
    exchange_all(reader, statistics, digest);
    if (!reader.whole()) return std::nullopt;
    return statistics;
}

bool may_join(const Statistics& all, const Statistics& other, const abi::Image& image)
{
    const auto are_of = [](const auto& counters, auto member, std::uint32_t count) {
        return std::ranges::all_of(counters, [&](std::uint32_t id) { return id < count; }, member);
    };
    return other.workloads.size() == all.workloads.size() && other.servers.size() <= image.server_count &&
           other.changing_links.size() <= all.changing_links.size() &&
           other.groups.requests.size() <= std::uint64_t{image.request_count} * image.workload_count &&
           other.groups.seconds.size() <= image.request_count &&
           std::ranges::all_of(other.workloads,
                               [&](const auto& w) { return w.by_request.size() <= image.measure_count; }) &&
           are_of(other.links, &LinkCounters::link, image.directed_links) &&
           are_of(other.middleboxes, &MiddleboxCounters::node, image.nodes) &&
           are_of(other.buffers, &BufferCounters::node, image.nodes) &&
           are_of(other.airs, &AirCounters::node, image.nodes) &&
           are_of(other.streams.sent, &SentStream::workload, image.workload_count) &&
           are_of(other.streams_before.sent, &SentStream::workload, image.workload_count);
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
