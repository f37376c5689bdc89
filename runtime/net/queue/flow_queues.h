// Queues by flow, for disciplines that serve them in turn (fq_codel.h, drr.h, sfq.h): which queue a packet belongs to,
// what each may send in a round, whose packets go where there is no more room.
//
// A flow's place is a hash over what tells flows apart, modulo their number: two may share a place, and then a queue,
// as in McKenney's "Stochastic fairness queueing" (INFOCOM 1990). The hash is the link's own, by the run's seed.
//
// Fairness between hosts is CAKE's (Høiland-Jørgensen, Täht, Morton: "Piece of CAKE", LANMAN 2018, section 3.2): either
// hosts take the flows' place, or each flow has a queue, and its quantum is divided by the number of heavy flows of
// its host: with FQ-CoDel those that have sent more than a quantum since they came, else all that wait. Of CAKE it is
// that alone: places are taken by hash, without its eight ways of avoiding collisions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/mix.h"
#include "net/packet/flow.h"
#include "net/queue/discipline.h"

namespace anml::rt::flow_queues {

// The values of `fairness`, in the order of the library's.
enum class Fairness : std::uint32_t {
    flow,
    source,
    destination,
    hosts,
    flow_by_source,
    flow_by_destination,
    flow_by_both
};

// How packets are sorted; what waits is sorted anew where it changes.
struct Order {
    std::uint32_t places = 0;
    Fairness fairness = Fairness::flow;
    std::uint64_t salt = 0;  // of the hash
    bool operator==(const Order&) const = default;
};
template <class Parameters>
Order order_of(const Parameters& parameters, std::uint64_t salt = 0)
{
    return {static_cast<std::uint32_t>(std::clamp<std::uint64_t>(parameters.flows, 1, 65536)),
            static_cast<Fairness>(static_cast<std::uint32_t>(parameters.fairness)), salt};
}

// What a link has of it. All zero: nothing yet.
struct Flows {
    FlowTables::Table table = FlowTables::kNoTable;
    Order order;
    std::uint32_t turns = 0;    // how many were given
    std::uint32_t lengths = 0;  // of the queues, among what the cluster keeps; 0: not yet
};

inline bool counts_sources(Fairness f) { return f == Fairness::flow_by_source || f == Fairness::flow_by_both; }
inline bool counts_destinations(Fairness f)
{
    return f == Fairness::flow_by_destination || f == Fairness::flow_by_both;
}

// A place of the table has 1 + the number of its queue; behind these are the heavy flows of hosts, by source, then by
// destination.
inline std::uint32_t words_of(const Order& order)
{
    return order.places * (counts_sources(order.fairness) || counts_destinations(order.fairness) ? 3 : 1);
}

inline Flow told_apart(const Packet& packet, Fairness fairness)
{
    Flow flow;
    switch (fairness) {
        case Fairness::source:
            flow.source = packet.source;
            return flow;
        case Fairness::destination:
            flow.destination = packet.destination;
            return flow;
        case Fairness::hosts:
            flow.source = packet.source;
            flow.destination = packet.destination;
            return flow;
        default:
            return flow_of(packet);
    }
}

// The queue of a packet.
inline std::uint32_t queue_of(Flows& flows, LinkQueue& link, const Waiting& waiting)
{
    const Packet& packet = link.packet(waiting);
    const Order& order = flows.order;
    const std::uint64_t key = mix(link.key() + order.salt * kFlowStep);
    const auto place = [&](const Flow& flow) { return place_of(flow_hash(flow, key), order.places); };
    FlowTables& tables = link.flows();
    const std::uint32_t own = place(told_apart(packet, order.fairness));
    std::uint32_t& word = tables[flows.table][own];
    if (word == 0) {
        word = 1 + tables.queues.allocate();
        tables.queues[word - 1] = {};
        tables.queues[word - 1].place = own;
    }
    FlowQueue& queue = tables.queues[word - 1];
    if (!queue.listed) {  // whoever shares it goes by the hosts of the first one
        if (counts_sources(order.fairness)) queue.source = order.places + place(told_apart(packet, Fairness::source));
        if (counts_destinations(order.fairness))
            queue.destination = 2 * order.places + place(told_apart(packet, Fairness::destination));
    }
    return word - 1;
}

// Whether it counts among the heavy flows of its hosts.
inline void set_heavy(Flows& flows, FlowTables& tables, FlowQueue& queue, bool heavy)
{
    if (queue.heavy == heavy) return;
    queue.heavy = heavy;
    const std::uint32_t step = heavy ? 1u : ~0u;
    if (counts_sources(flows.order.fairness)) tables[flows.table][queue.source] += step;
    if (counts_destinations(flows.order.fairness)) tables[flows.table][queue.destination] += step;
}

// A queue whose turns are over.
inline void leave(Flows& flows, FlowTables& tables, FlowQueue& queue)
{
    set_heavy(flows, tables, queue, false);
    queue.listed = false;
}

// What a queue may send in a round, of `quantum` bytes for a host or flow.
inline std::int64_t share(Flows& flows, FlowTables& tables, const FlowQueue& queue, std::uint64_t quantum)
{
    std::uint64_t sharing = 1;
    const std::uint32_t* words = tables[flows.table];
    if (counts_sources(flows.order.fairness)) sharing = std::max<std::uint64_t>(sharing, words[queue.source]);
    if (counts_destinations(flows.order.fairness)) sharing = std::max<std::uint64_t>(sharing, words[queue.destination]);
    return static_cast<std::int64_t>(std::max<std::uint64_t>(1, quantum / sharing));
}

// Calls each(queue) for those of all rounds, in turn.
template <class Each>
void each_in_turn(FlowTables& tables, std::span<const FlowRound> rounds, Each&& each)
{
    for (const FlowRound& round : rounds) {
        std::uint32_t queue = round.front();
        for (std::uint32_t left = round.size(); left != 0; --left, queue = tables.queues[queue].behind) each(queue);
    }
}

inline void forget_lengths(Flows& flows, FlowTables& tables)
{
    if (flows.lengths != 0) tables.lengths.forget(flows.lengths);
    flows.lengths = 0;
}

inline constexpr std::uint32_t kTurns = std::uint32_t{1} << 31;  // of each round; those of the second one are behind

// The number of the next turn.
inline std::uint32_t take_turn(Flows& flows, FlowTables& tables, std::span<const FlowRound> rounds)
{
    if (flows.turns == kTurns) [[unlikely]] {
        flows.turns = 0;
        std::vector<std::uint32_t> listed;
        each_in_turn(tables, rounds, [&](std::uint32_t queue) { listed.push_back(queue); });
        const auto turn = [&](std::uint32_t queue) -> std::uint32_t& { return tables.queues[queue].turn; };
        std::sort(listed.begin(), listed.end(), [&](std::uint32_t a, std::uint32_t b) { return turn(a) < turn(b); });
        for (const std::uint32_t queue : listed) turn(queue) = turn(queue) / kTurns * kTurns + flows.turns++;
        forget_lengths(flows, tables);
    }
    return flows.turns++;
}

// A queue goes to the end of a round.
inline void line_up(Flows& flows, FlowTables& tables, std::span<FlowRound> rounds, std::size_t round,
                    std::uint32_t queue)
{
    const std::uint32_t turn = take_turn(flows, tables, rounds);
    tables.queues[queue].turn = static_cast<std::uint32_t>(round) * kTurns + turn;
    rounds[round].push(tables.queues, queue);
}

// The longest first, in bytes; of several the one whose turn is next. It loses what is first.
struct ByBytes {
    static constexpr bool kByChange = false;
    static NumberedHeap::Entry length_of(const FlowQueue& queue)
    {
        return {-static_cast<std::int64_t>(queue.list.bytes()), queue.turn, queue.place};
    }
    static Waiting take(LinkQueue& link, WaitingList& list) { return link.pop(list); }
};

// In packets; of several the one that has changed last, which `turn` tells, but whose turn is next where nobody has two.
// It loses what is last.
struct ByPackets {
    static constexpr bool kByChange = true;
    static NumberedHeap::Entry length_of(const FlowQueue& queue)
    {
        return {-static_cast<std::int64_t>(queue.list.packets()), ~std::uint64_t{queue.turn}, queue.place};
    }
    static Waiting take(LinkQueue& link, WaitingList& list) { return link.pop_last(list); }
};

// A queue has got or lost a packet.
template <class Measure>
void changed(Flows& flows, FlowTables& tables, std::span<const FlowRound> rounds, FlowQueue& queue)
{
    if constexpr (Measure::kByChange) queue.turn = take_turn(flows, tables, rounds);
}

// A queue has grown.
template <class Measure>
void longer(Flows& flows, FlowTables& tables, const FlowQueue& queue)
{
    if (flows.lengths == 0) return;
    NumberedHeap& lengths = *tables.lengths[flows.lengths];
    lengths.erase(queue.place);
    lengths.push(Measure::length_of(queue));
}

// The longest queue. Few are looked at one after the other. Of more there is a heap, from the first time on that it is
// asked for: what queues lose and turns that pass are seen in it when they come to its top, since either moves a queue
// back only.
template <class Measure>
std::uint32_t longest_of(Flows& flows, FlowTables& tables, std::span<const FlowRound> rounds)
{
    constexpr std::uint32_t kFew = 64;
    std::uint32_t listed = 0;
    for (const FlowRound& round : rounds) listed += round.size();
    if (flows.lengths == 0 && listed <= kFew) {
        std::uint32_t longest = 0;
        NumberedHeap::Entry most{0, 0, 0};
        each_in_turn(tables, rounds, [&](std::uint32_t queue) {
            const NumberedHeap::Entry length = Measure::length_of(tables.queues[queue]);
            if (!length.before(most)) return;
            most = length;
            longest = queue;
        });
        return longest;
    }
    if (flows.lengths == 0) {
        flows.lengths = tables.lengths.keep(std::make_shared<NumberedHeap>());
        each_in_turn(tables, rounds,
                     [&](std::uint32_t queue) { longer<Measure>(flows, tables, tables.queues[queue]); });
    }
    NumberedHeap& lengths = *tables.lengths[flows.lengths];
    for (;;) {
        const NumberedHeap::Entry known = lengths.front();
        const std::uint32_t id = tables[flows.table][known.number] - 1;
        const FlowQueue& queue = tables.queues[id];
        const NumberedHeap::Entry now = Measure::length_of(queue);
        if (now.key == known.key && now.tie == known.tie) return id;
        lengths.pop();
        if (!queue.list.empty()) lengths.push(now);
    }
}

// Drops packets of the longest queue: half of it, and no more than `batch`. Its number.
template <class Measure>
std::uint32_t drop_longest(Flows& flows, LinkQueue& link, std::span<const FlowRound> rounds, std::uint64_t batch,
                           std::uint32_t& dropped)
{
    FlowTables& tables = link.flows();
    std::uint32_t longest = longest_of<Measure>(flows, tables, rounds);
    if (Measure::kByChange && tables.queues[longest].list.packets() == 1) longest = rounds.front().front();
    WaitingList& list = tables.queues[longest].list;
    const std::uint64_t most = list.bytes();
    std::uint64_t bytes = 0;
    dropped = 0;
    do {
        const Waiting packet = Measure::take(link, list);
        bytes += packet.bytes;
        link.drop(packet);
    } while (++dropped < batch && bytes < most / 2);
    changed<Measure>(flows, tables, rounds, tables.queues[longest]);
    return longest;
}

// Gives back the table and the queues, which are empty.
inline void release(Flows& flows, FlowTables& tables)
{
    if (flows.table == FlowTables::kNoTable) return;
    for (std::uint32_t place = 0; place < flows.order.places; ++place)
        if (const std::uint32_t word = tables[flows.table][place]; word != 0) tables.queues.release(word - 1);
    tables.release(flows.table);
    forget_lengths(flows, tables);
    flows = {};
}

// Takes everything that waits out of the queues, calling each(packet) in the order in which they came, and forgets the
// queues.
template <class Each>
void take_all(Flows& flows, LinkQueue& link, std::span<FlowRound> rounds, Each&& each)
{
    FlowTables& tables = link.flows();
    // By the packet that came first, of several by whose turn is next.
    struct Head {
        Time since;
        std::size_t turn;
        WaitingList* list;
        bool operator<(const Head& other) const
        {
            return since != other.since ? since > other.since : turn > other.turn;
        }
    };
    std::vector<Head> heads;
    each_in_turn(tables, rounds, [&](std::uint32_t queue) {
        WaitingList& list = tables.queues[queue].list;
        if (!list.empty()) heads.push_back({link.front(list).since, heads.size(), &list});
    });
    std::make_heap(heads.begin(), heads.end());
    while (!heads.empty()) {
        std::pop_heap(heads.begin(), heads.end());
        Head& first = heads.back();
        each(link.pop(*first.list));
        if (first.list->empty()) {
            heads.pop_back();
        } else {
            first.since = link.front(*first.list).since;
            std::push_heap(heads.begin(), heads.end());
        }
    }
    std::fill(rounds.begin(), rounds.end(), FlowRound());
    release(flows, tables);
}

// Sees that there is a table in that order. What waits in another one is sorted anew, so that no flow overtakes itself;
// join(queue) puts a queue that has got a packet into a round.
template <class Measure, class Join>
void sort(Flows& flows, const Order& order, LinkQueue& link, std::span<FlowRound> rounds, Join&& join)
{
    if (flows.table != FlowTables::kNoTable && flows.order == order) [[likely]]
        return;
    WaitingList all;
    take_all(flows, link, rounds, [&](const Waiting& packet) { link.push(all, packet); });
    flows = {link.flows().make(words_of(order)), order};
    while (!all.empty()) {
        const Waiting packet = link.pop(all);
        const std::uint32_t queue = queue_of(flows, link, packet);
        link.push(link.flows().queues[queue].list, packet);
        if (!link.flows().queues[queue].listed) join(queue);
        changed<Measure>(flows, link.flows(), rounds, link.flows().queues[queue]);
    }
}

// A packet comes, and goes to the queue of its flow. Where there is no more room the longest queue loses packets, no
// more than `batch` at a time: lost(queue, their number).
template <class Measure = ByBytes, class Join, class Lost>
void take_in(Flows& flows, const Order& order, LinkQueue& link, std::span<FlowRound> rounds, const Waiting& packet,
             std::uint64_t batch, Join&& join, Lost&& lost)
{
    FlowTables& tables = link.flows();
    sort<Measure>(flows, order, link, rounds, join);
    const bool fits = link.has_room(packet.bytes);
    const std::uint32_t queue = queue_of(flows, link, packet);
    link.push(tables.queues[queue].list, packet);
    if (!tables.queues[queue].listed) join(queue);
    changed<Measure>(flows, tables, rounds, tables.queues[queue]);
    longer<Measure>(flows, tables, tables.queues[queue]);
    while (!fits && !link.within(link.packets(), link.bytes())) {
        std::uint32_t dropped = 0;
        const std::uint32_t longest = drop_longest<Measure>(flows, link, rounds, batch, dropped);
        lost(tables.queues[longest], dropped);
    }
}

}  // namespace anml::rt::flow_queues
