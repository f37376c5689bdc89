// What a run has counted, of all clusters and processes.
#include <algorithm>
#include <set>
#include <utility>

#include "app/cluster.h"
#include "base/archive.h"
#include "net/fluid/fluid.h"
#include "net/link/shared_buffers.h"
#include "net/middlebox/middleboxes.h"
#include "net/radio/air.h"
#include "net/timeline/changes.h"
#include "simulator/state.h"
#include "simulator/statistics_bytes.h"

namespace anml::rt {

namespace {

// Both by link. One that has taken nothing in the window may transmit all the same.
void add_carried(std::vector<LinkCounters>& links, const NetworkState::BusyLinks& busy, int sign)
{
    const std::size_t counted = links.size();
    std::size_t at = 0;
    for (const auto& [id, time] : busy) {
        while (at < counted && links[at].link < id) ++at;
        const bool found = at < counted && links[at].link == id;
        LinkCounters& link = found ? links[at] : links.emplace_back();
        link.link = id;
        link.carried += sign * time;
    }
    std::ranges::inplace_merge(links, links.begin() + static_cast<std::ptrdiff_t>(counted), {}, &LinkCounters::link);
}

// Of the two directions of a changing link, as one cluster saw it. What follows a trace transmits at no rate.
void add_transmitters(std::vector<LinkCounters>& links, const ChangingLink& link,
                      const std::array<Transmitter, 2>& directions)
{
    for (LinkId direction = 0; direction < 2; ++direction) {
        const LinkId id = link.link + direction;
        const Transmitter& transmitter = directions[direction];
        auto at = std::ranges::lower_bound(links, id, {}, &LinkCounters::link);
        if (at == links.end() || at->link != id) {  // it may have lost in the window what it took before
            if (link.traced[direction] || transmitter.transmitting == 0) continue;
            at = links.emplace(at);
            at->link = id;
        }
        const QueueDelay delay = transmitter.queue_delay();
        at->queue_delay += delay.sum;
        at->longest_queue_delay.add({delay.longest});
        if (link.traced[direction]) continue;
        std::optional<Time>& transmitting = at->rare.make().transmitting;
        transmitting = transmitting.value_or(0) + transmitter.transmitting;
    }
}

bool measures_links(const abi::Image& image)
{
    return std::any_of(image.measures, image.measures + image.measure_count,
                       [](const abi::MeasureRow& row) { return abi::is_of_link(row.kind); });
}

}  // namespace

// Where batches end, and parts of the run that are measured begin and end, but for those that begin with measuring.
void Simulator::State::make_cuts()
{
    const NetCounters& window = tasks[0]->cluster.counters;
    const Time origin = timeline_origin;
    const auto length = static_cast<unsigned __int128>(window.end - window.begin);
    for (std::uint32_t i = 1; i <= batch_count && window.begin < window.end; ++i)
        cuts.push_back({window.begin + static_cast<Time>(length * i / batch_count), true});
    std::set<Time> ends;
    for (std::uint32_t i = 0; i < model.image().measure_count; ++i)
        for (const abi::ValueId end : {model.image().measures[i].from, model.image().measures[i].until})
            if (end != kNone) ends.insert(origin + model.time(end));
    for (const Time end : ends)
        if (end > window.begin) cuts.push_back({end, false});
    std::stable_sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.at < b.at; });
}

// What it allocates is little, and so often as there are cuts.
void Simulator::State::take_cut()
{
    Statistics all;
    all.workloads.resize(tasks[0]->cluster.statistics.workloads.size());
    all.servers.resize(tasks[0]->cluster.statistics.servers.size());
    for (auto& task : tasks) {
        const Cluster& k = task->cluster;
        for (std::size_t i = 0; i < all.workloads.size(); ++i) add_up(all.workloads[i], k.statistics.workloads[i]);
        app::collect(k, all, now);
    }
    count_streams(all);
    if (cuts[cuts_over].batch && measures_links(model.image())) {
        all.links = count_links();
        forget_longest_delays(all.links);
    }
    ++cuts_over;
    if (!post) return file_cut(std::move(all));
    if (!scheduler) return cut_parts.push_back(write_statistics(all, 0));  // real time waits for nobody
    join_cut(post->gather(write_statistics(all, 0)));
}

// So that the next batch has its own; those of the whole run go on.
void Simulator::State::forget_longest_delays(const std::vector<LinkCounters>& links)
{
    for (const LinkCounters& link : links) {
        Time& longest = longest_delays[link.link];
        longest = std::max<Time>(longest, link.longest_queue_delay);
        network.queue_delay[link.link].longest = 0;
    }
    for (const auto& task : tasks)
        if (task->cluster.changes) task->cluster.changes->forget_longest_delays();
}

// Of all processes; rank 0 has them.
void Simulator::State::join_cut(const std::vector<std::vector<std::uint8_t>>& parts)
{
    Statistics all;
    for (const auto& part : parts) {
        std::uint64_t digest = 0;
        std::optional<Statistics> read = read_statistics(part, digest);
        if (&part == &parts.front())
            all = std::move(*read);  // its own
        else if (read && may_join(all, *read, model.image()))
            join(all, *read);
        else
            damaged = true;
    }
    if (!parts.empty()) file_cut(std::move(all));
}

void Simulator::State::file_cut(Statistics all)
{
    const Cut& cut = cuts[cuts_filed++];
    all.complete_flows();
    if (cut.batch) return file_batch(std::move(all));
    snapshots.push_back({cut.at - timeline_origin, std::move(all.workloads)});
}

// What was counted up to the end of a batch, without what was up to its beginning.
void Simulator::State::file_batch(Statistics all)
{
    counted.resize(all.workloads.size());  // the first batch has all that was counted
    batches.push_back(all.workloads);
    for (std::size_t i = 0; i < counted.size(); ++i) batches.back()[i].remove(counted[i]);
    counted = std::move(all.workloads);
    std::vector<LinkCounters> now_counted = all.links;
    for (LinkCounters& link : all.links) {
        const auto before =
            std::lower_bound(counted_links.begin(), counted_links.end(), link.link,
                             [](const LinkCounters& counters, LinkId id) { return counters.link < id; });
        if (before == counted_links.end() || before->link != link.link) continue;
        link.remove(*before);
    }
    counted_links = std::move(now_counted);
    batch_links.push_back(std::move(all.links));
}

// With what changing links have kept, but for fluid and for what is transmitted over the ends of the window.
std::vector<LinkCounters> Simulator::State::count_links() const
{
    std::vector<LinkCounters> links = network.counters();
    for (std::size_t i = 0; i < timeline->links.size(); ++i)
        for (const auto& task : tasks)
            add_transmitters(links, timeline->links[i], task->cluster.changes->transmitters()[i]);
    return links;
}

Streams Simulator::State::streams() const
{
    Streams all;
    for (const auto& task : tasks) app::collect_streams(task->cluster, all);
    return all;
}

// Behind the measured window those at its end.
void Simulator::State::count_streams(Statistics& all) const
{
    all.streams = streams_at_end ? *streams_at_end : streams();
    if (streams_at_begin) all.streams_before = *streams_at_begin;
}

// Of this process: what the clusters have, and collect.
void Simulator::State::count(Statistics& all) const
{
    // The first one's are assigned, so that what was asked before stays where it is.
    const Cluster& first = tasks[0]->cluster;
    static_cast<NetCounters&>(all) = first.counters;
    static_cast<AppStatistics&>(all) = first.statistics;
    all.retransmissions = 0;
    for (auto& task : tasks) {
        const Cluster& k = task->cluster;
        if (&k != &first) {
            all.NetCounters::add(k.counters);
            all.AppStatistics::add(k.statistics);
        }
        app::collect(k, all, now);
        all.retransmissions += k.retransmissions;
    }
    count_streams(all);
    all.timeline_origin = timeline_origin;
    count_network(all);
}

const Statistics& Simulator::statistics() const
{
    Statistics& all = state_->statistics;
    state_->count(all);
    for (const Statistics& part : state_->others) join(all, part);
    all.complete_flows();
    all.batches = state_->batches;
    all.batch_links = state_->batch_links;
    all.batch_count = state_->batch_count;
    all.snapshots = state_->snapshots;
    return all;
}

// What lies in the network, of the nodes and links of this process.
void Simulator::State::count_network(Statistics& all) const
{
    all.links = count_links();
    if (!longest_delays.empty())
        for (LinkCounters& link : all.links)
            if (const auto before = longest_delays.find(link.link); before != longest_delays.end())
                link.longest_queue_delay.add({before->second});
    if (network.middleboxes) all.middleboxes = network.middleboxes->counters(now);
    if (network.shared_buffers) all.buffers = network.shared_buffers->counters(all);
    if (network.airs) all.airs = network.airs->counters();
    all.changing_links.clear();
    for (std::size_t i = 0; i < timeline->links.size(); ++i) {
        ChangingLinkCounters& link = all.changing_links.emplace_back();
        link.link = timeline->links[i].link;
        for (auto& task : tasks) {
            const auto& lost = task->cluster.changes->lost_packets()[i];
            link.lost += lost[0] + lost[1];
        }
        link.down = Timeline::downtime(timeline->links[i], now - all.timeline_origin);
    }
    if (network.fluid) {
        network.fluid->count(all.links, now);
        if (post) std::erase_if(all.links, [&](const LinkCounters& link) { return !owner(model.near_end(link.link)); });
    }
    add_carried(all.links, busy_at_begin, 1);
    add_carried(all.links, now < all.end ? network.busy_beyond(now) : busy_at_end, -1);
}

// In real time: those that all have come to.
void Simulator::State::gather_cuts()
{
    ByteWriter writer;
    writer(cut_parts);
    std::vector<std::vector<std::vector<std::uint8_t>>> cuts(cut_parts.size());
    for (const auto& process : post->gather(writer.take())) {
        if (process.empty()) continue;  // it has gone
        std::vector<std::vector<std::uint8_t>> parts;
        ByteReader reader(process);
        reader(parts);
        damaged |= !reader.whole();
        cuts.resize(std::min(parts.size(), cuts.size()));
        for (std::size_t i = 0; i < cuts.size(); ++i) cuts[i].push_back(std::move(parts[i]));
    }
    for (const auto& parts : cuts) join_cut(parts);
}

bool Simulator::gather()
{
    if (!state_->post) return true;
    if (!state_->scheduler && !state_->cuts.empty()) state_->gather_cuts();
    Statistics own;
    state_->count(own);
    const auto parts = state_->post->gather(write_statistics(own, digest()));
    for (std::size_t rank = 1; rank < parts.size(); ++rank) {
        if (parts[rank].empty()) continue;
        std::uint64_t digest = 0;
        std::optional<Statistics> read = read_statistics(parts[rank], digest);
        if (read && may_join(own, *read, state_->model.image())) {
            state_->others.push_back(std::move(*read));
            state_->other_digests += digest;
        } else {
            state_->damaged = true;
        }
    }
    return !state_->damaged;
}

}  // namespace anml::rt
