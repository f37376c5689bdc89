// Hierarchical token buckets of two levels, as Linux's sch_htb.c has them: the link, and below it a class for each
// host, flow or DSCP, of which each is sure of `rate`, and borrows what others leave up to `ceil`.
//
// A class has a bucket for each of the two. While that of `ceil` owes nothing it may send; those whose bucket of `rate`
// owes nothing either go first. Among these, and among those that borrow, whoever had least goes next (start-time fair
// queueing, Goyal, Vin and Cheng, SIGCOMM 1996; Linux has deficit round robin, with a coarser grain). What is sent is
// charged to both buckets, or to that of `ceil` alone if it was borrowed; a bucket may come to owe as much
// as a packet, so that rates are kept exactly. If no class may send the link is idle until the first one may.
//
// Classes are told apart by names of 64 bits, not by their places: two subscribers never share a bucket. Each has the
// bounds of the queue for itself, as Linux's leaves have.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "net/flow.h"
#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::htb {

struct State {
    static constexpr bool kHoldsBack = true;

    FlowTables::Table table = FlowTables::kNoTable;
    std::uint32_t places = 0;
    std::uint32_t classes = 0;
    FlowRound round;  // of those with packets
    // What the last one that was served had had: bytes by its own rate, and borrowed.
    std::int64_t own = 0, borrowed = 0;
};

inline constexpr std::uint32_t kFewPlaces = 64;

inline std::uint64_t name_of(const Parameters& parameters, const Packet& packet)
{
    Flow flow;
    switch (parameters.by) {
        case Parameters::ShapedBy::source:
            flow.source = packet.source;
            break;
        case Parameters::ShapedBy::destination:
            flow.destination = packet.destination;
            break;
        case Parameters::ShapedBy::hosts:
            flow.source = packet.source;
            flow.destination = packet.destination;
            break;
        case Parameters::ShapedBy::flow:
            flow = flow_of(packet);
            break;
        case Parameters::ShapedBy::dscp:
            flow.protocol = packet.traffic_class >> 2;
            break;
    }
    return flow_hash(flow, 0);
}

// Where the class of that name is, or may be made: the first free place behind its own.
inline std::uint32_t find(const State& state, FlowTables& tables, std::uint64_t name)
{
    std::uint32_t place = place_of(name, state.places);
    for (;; place = (place + 1) % state.places) {
        const std::uint32_t word = tables[state.table][place];
        if (word == 0 || tables.queues[word - 1].buckets.name == name) return place;
    }
}

inline void refill(FlowBuckets& buckets, const Parameters& parameters, Time now)
{
    const auto passed = static_cast<double>(now - buckets.at) / 8e9;
    buckets.missing = std::max(0.0, buckets.missing - passed * parameters.rate);
    buckets.missing_of_ceil = std::max(0.0, buckets.missing_of_ceil - passed * parameters.ceil);
    buckets.at = now;
}

// Whether nothing need be known of a class: its buckets are full, and nobody waits.
inline bool idle(FlowQueue& one, const Parameters& parameters, Time now)
{
    refill(one.buckets, parameters, now);
    return !one.listed && one.buckets.missing == 0 && one.buckets.missing_of_ceil == 0;
}

// Another table, with room for three times as many classes as are left without those that are idle.
inline void sift(State& state, const Parameters& parameters, FlowTables& tables, Time now)
{
    State fresh;
    for (std::uint32_t place = 0; place < state.places; ++place) {
        std::uint32_t& word = tables[state.table][place];
        if (word == 0) continue;
        if (!idle(tables.queues[word - 1], parameters, now)) {
            ++fresh.classes;
            continue;
        }
        tables.queues.release(word - 1);
        word = 0;
    }
    fresh.places = std::max(kFewPlaces, std::bit_ceil(4 * fresh.classes));
    fresh.table = tables.make(fresh.places);
    fresh.round = state.round;
    fresh.own = state.own;
    fresh.borrowed = state.borrowed;
    for (std::uint32_t place = 0; place < state.places; ++place)
        if (const std::uint32_t word = tables[state.table][place]; word != 0)
            tables[fresh.table][find(fresh, tables, tables.queues[word - 1].buckets.name)] = word;
    if (state.table != FlowTables::kNoTable) tables.release(state.table);
    state = fresh;
}

inline std::uint32_t class_of(State& state, const Parameters& parameters, LinkQueue& link, const Packet& packet)
{
    FlowTables& tables = link.flows();
    if (2 * state.classes >= state.places) sift(state, parameters, tables, link.now());
    const std::uint64_t name = name_of(parameters, packet);
    std::uint32_t& word = tables[state.table][find(state, tables, name)];
    if (word == 0) {
        word = 1 + tables.queues.allocate();
        ++state.classes;
        tables.queues[word - 1] = {};
        tables.queues[word - 1].buckets = {link.now(), 0, 0, name, 0};
    }
    return word - 1;
}

inline bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet)
{
    FlowTables& tables = link.flows();
    const std::uint32_t id = class_of(state, parameters, link, link.packet(packet));
    FlowQueue& mine = tables.queues[id];
    const bool alone = link.idle() && mine.list.empty();
    if (!alone && !link.within(mine.list.packets() + 1, mine.list.bytes() + packet.bytes)) return false;
    link.push(mine.list, packet);
    if (!mine.listed) state.round.push(tables.queues, id);
    mine.listed = true;
    return true;
}

// Who is to go next among those that go by their own rate, or among those that borrow: whoever had least, the first one
// that came of several. Whoever had none for a while had as much as the one that was last served.
struct Choice {
    std::uint32_t id = kNone;
    std::int64_t had = 0;

    void offer(std::uint32_t other, std::int64_t others)
    {
        if (id == kNone || others < had) *this = {other, others};
    }
};

inline Waiting next(State& state, const Parameters& parameters, LinkQueue& link)
{
    FlowTables& tables = link.flows();
    const auto burst = static_cast<double>(parameters.burst);
    Choice own, borrowed;
    Time earliest = kNever;
    for (std::uint32_t left = state.round.size(); left != 0; --left) {
        const std::uint32_t id = state.round.front();
        FlowQueue& one = tables.queues[id];
        state.round.pop(tables.queues);
        one.listed = !one.list.empty();
        if (!one.listed) continue;
        state.round.push(tables.queues, id);
        refill(one.buckets, parameters, link.now());
        const double owes = one.buckets.missing_of_ceil - burst;
        if (owes > 0)
            earliest = std::min<Time>(earliest, link.now() + 1 + std::llround(owes * 8e9 / parameters.ceil));
        else if (one.buckets.missing <= burst)
            own.offer(id, std::max(one.deficit, state.own));
        else
            borrowed.offer(id, std::max(one.buckets.borrowed, state.borrowed));
    }
    if (own.id == kNone && borrowed.id == kNone) {
        link.ask_again(earliest);
        return {};
    }
    FlowQueue& one = tables.queues[own.id != kNone ? own.id : borrowed.id];
    const Waiting packet = link.pop(one.list);
    one.buckets.missing_of_ceil += packet.bytes;
    if (own.id != kNone) {
        one.buckets.missing += packet.bytes;
        state.own = own.had;
        one.deficit = own.had + packet.bytes;
    } else {
        state.borrowed = borrowed.had;
        one.buckets.borrowed = borrowed.had + packet.bytes;
    }
    return packet;
}

template <class Lose>
void abandon(State& state, LinkQueue& link, Lose&& lose)
{
    if (state.table == FlowTables::kNoTable) return;
    FlowTables& tables = link.flows();
    for (; !state.round.empty(); state.round.pop(tables.queues))
        for (WaitingList& list = tables.queues[state.round.front()].list; !list.empty();) lose(link.pop(list));
    for (std::uint32_t place = 0; place < state.places; ++place)
        if (const std::uint32_t word = tables[state.table][place]; word != 0) tables.queues.release(word - 1);
    tables.release(state.table);
}

}  // namespace anml::rt::htb
