#include "net/queue/htb/htb.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "base/numbered_heap.h"
#include "net/packet/flow.h"

namespace anml::rt {

namespace htb {

namespace {

struct Class {
    std::uint64_t name;
    WaitingList list{};
    Time at = 0;                 // of the last packet
    double missing = 0;          // tokens, in bytes, that the bucket then lacked to be full
    double missing_of_ceil = 0;  // the same of the other one
    std::int64_t had = 0;        // bytes by its own rate, and what others had before it came
    std::int64_t borrowed = 0;   // the same of what it borrowed
    std::uint64_t joined = 0;    // the how many-th that began to wait
    bool listed = false;         // it waits, or did when the last packet had been taken
};

// Those that may send by one of two rights. Whoever had least is next, the first one that began to wait of several; who
// had none for a while had as much as the one that was last served.
class Turns {
  public:
    bool empty() const { return level_.empty() && ahead_.empty(); }
    std::uint32_t front() const { return (level_.empty() ? ahead_ : level_).front().number; }
    void push(std::uint32_t id, std::int64_t had, std::uint64_t joined)
    {
        if (had <= clock_)
            level_.push({0, joined, id});
        else
            ahead_.push({had, joined, id});
    }
    // The first one is served. What it had before.
    std::int64_t serve()
    {
        if (!level_.empty()) {
            level_.pop();
            return clock_;
        }
        clock_ = ahead_.pop().key;
        while (!ahead_.empty() && ahead_.front().key <= clock_) {
            const NumberedHeap::Entry other = ahead_.pop();
            level_.push({0, other.tie, other.number});
        }
        return clock_;
    }
    void erase(std::uint32_t id)
    {
        level_.erase(id);
        ahead_.erase(id);
    }
    void clear()
    {
        level_.clear();
        ahead_.clear();
    }

  private:
    std::int64_t clock_ = 0;      // what the last one that was served had had
    NumberedHeap level_, ahead_;  // of it: had no more than that, and more
};

constexpr std::uint32_t kFewPlaces = 64;

}  // namespace

}  // namespace htb

struct HtbClasses {
    std::vector<htb::Class> classes;
    std::vector<std::uint32_t> free;   // of these
    std::vector<std::uint32_t> table;  // 1 + the class whose name belongs there
    std::uint32_t named = 0;           // how many have one
    std::uint64_t joins = 0;
    std::uint32_t served = kNone;  // last
    double rate = 0, ceil = 0, burst = 0;
    htb::Turns own, borrowed;
    // When something changes by time alone: one owes its ceiling no more, or its rate, and need not borrow. The tie is
    // the time at which it is certain, the key no later than the first time at which it may be.
    NumberedHeap due;

    // What the buckets lack now. They are left as they were, so that it makes no difference who looks at them when.
    double missing(const htb::Class& one, Time now) const { return left(one.missing, rate, now - one.at); }
    double missing_of_ceil(const htb::Class& one, Time now) const
    {
        return left(one.missing_of_ceil, ceil, now - one.at);
    }
    static double left(double missing, double speed, Time passed)
    {
        return std::max(0.0, missing - static_cast<double>(passed) / 8e9 * speed);
    }
    void refill(htb::Class& one, Time now) const
    {
        one.missing = missing(one, now);
        one.missing_of_ceil = missing_of_ceil(one, now);
        one.at = now;
    }
    // Whether nothing need be known of a class: its buckets are full, and nobody waits.
    bool idle(const htb::Class& one, Time now) const
    {
        return !one.listed && missing(one, now) == 0 && missing_of_ceil(one, now) == 0;
    }

    // Where the class of that name is, or may be made: the first free place behind its own.
    std::uint32_t find(std::uint64_t name) const
    {
        const auto places = static_cast<std::uint32_t>(table.size());
        std::uint32_t place = place_of(name, places);
        while (table[place] != 0 && classes[table[place] - 1].name != name) place = (place + 1) % places;
        return place;
    }
    // Another table, with room for three times as many classes as are left without those that are idle.
    void sift(Time now)
    {
        named = 0;
        for (std::uint32_t& word : table) {
            if (word == 0) continue;
            if (!idle(classes[word - 1], now)) {
                ++named;
                continue;
            }
            free.push_back(word - 1);
            word = 0;
        }
        std::vector<std::uint32_t> before(std::max(htb::kFewPlaces, std::bit_ceil(4 * named)));
        before.swap(table);
        for (const std::uint32_t word : before)
            if (word != 0) table[find(classes[word - 1].name)] = word;
    }
    std::uint32_t class_of(std::uint64_t name, Time now)
    {
        if (2 * named >= table.size()) sift(now);
        std::uint32_t& word = table[find(name)];
        if (word != 0) return word - 1;
        if (free.empty()) {
            free.push_back(static_cast<std::uint32_t>(classes.size()));
            classes.emplace_back();
        }
        word = 1 + free.back();
        free.pop_back();
        ++named;
        classes[word - 1] = {.name = name, .at = now};
        return word - 1;
    }

    // One that has a packet, and is in no order.
    void place(std::uint32_t id, Time now)
    {
        const htb::Class& one = classes[id];
        if (missing_of_ceil(one, now) > burst) return wait(id, one.missing_of_ceil, ceil, now);
        if (missing(one, now) <= burst) return own.push(id, one.had, one.joined);
        borrowed.push(id, one.borrowed, one.joined);
        wait(id, one.missing, rate, now);
    }
    void wait(std::uint32_t id, double lacked, double speed, Time now)
    {
        constexpr double kCenturies = static_cast<double>(kNever / 4);
        const Time owes = std::llround(std::min(kCenturies, (lacked - burst) * 8e9 / speed));
        const Time certain = std::max(now, classes[id].at + owes) + 1;
        due.push({std::max(now + 1, certain - 1), static_cast<std::uint64_t>(certain), id});
    }
    void look_again(Time now)
    {
        while (!due.empty() && due.front().key <= now) {
            const std::uint32_t id = due.pop().number;
            borrowed.erase(id);
            place(id, now);
        }
    }
    // The parameters are others: buckets were filled as they were before until now.
    void change(const htb::Parameters& parameters, Time now)
    {
        const auto size = static_cast<double>(parameters.burst);
        if (rate == parameters.rate && ceil == parameters.ceil && burst == size) return;
        for (htb::Class& one : classes) refill(one, now);
        rate = parameters.rate;
        ceil = parameters.ceil;
        burst = size;
        own.clear();
        borrowed.clear();
        due.clear();
        for (std::uint32_t id = 0; id < classes.size(); ++id)
            if (!classes[id].list.empty()) place(id, now);
    }
};

namespace htb {

namespace {

std::uint64_t name_of(const Parameters& parameters, const Packet& packet)
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

HtbClasses& classes_of(State& state, const Parameters& parameters, LinkQueue& link)
{
    FlowTables& tables = link.flows();
    if (state.classes == 0) state.classes = tables.htb_classes.keep(std::make_shared<HtbClasses>());
    HtbClasses& all = *tables.htb_classes[state.classes];
    all.change(parameters, link.now());
    return all;
}

}  // namespace

bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet)
{
    HtbClasses& all = classes_of(state, parameters, link);
    const std::uint32_t id = all.class_of(name_of(parameters, link.packet(packet)), link.now());
    Class& mine = all.classes[id];
    const bool first = mine.list.empty(), alone = link.idle() && first;
    if (!alone && !link.within(mine.list.packets() + 1, mine.list.bytes() + packet.bytes)) return false;
    link.push(mine.list, packet);
    if (!mine.listed) mine.joined = ++all.joins;
    mine.listed = true;
    if (first) all.place(id, link.now());
    return true;
}

Waiting next(State& state, const Parameters& parameters, LinkQueue& link)
{
    HtbClasses& all = classes_of(state, parameters, link);
    // Whose packets are at an end keeps its place among the others until the next one is taken.
    if (all.served != kNone) all.classes[all.served].listed = !all.classes[all.served].list.empty();
    all.served = kNone;
    all.look_again(link.now());
    const bool borrows = all.own.empty();
    Turns& turns = borrows ? all.borrowed : all.own;
    if (turns.empty()) {
        if (!all.due.empty()) link.ask_again(static_cast<Time>(all.due.front().tie));
        return {};
    }
    const std::uint32_t id = all.served = turns.front();
    const std::int64_t had = turns.serve();
    all.due.erase(id);
    Class& one = all.classes[id];
    all.refill(one, link.now());
    const Waiting packet = link.pop(one.list);
    one.missing_of_ceil += packet.bytes;
    if (borrows) {
        one.borrowed = had + packet.bytes;
    } else {
        one.missing += packet.bytes;
        one.had = had + packet.bytes;
    }
    if (!one.list.empty()) all.place(id, link.now());
    return packet;
}

void changed(State& state, const Parameters& parameters, LinkQueue& link)
{
    if (state.classes != 0) classes_of(state, parameters, link);
}

std::vector<Waiting> take_all(State& state, LinkQueue& link)
{
    std::vector<Waiting> packets;
    if (state.classes == 0) return packets;
    HtbClasses& all = *link.flows().htb_classes[state.classes];
    std::vector<Class*> waiting;
    for (Class& one : all.classes)
        if (!one.list.empty()) waiting.push_back(&one);
    std::sort(waiting.begin(), waiting.end(), [](const Class* a, const Class* b) { return a->joined < b->joined; });
    for (Class* one : waiting)
        while (!one->list.empty()) packets.push_back(link.pop(one->list));
    link.flows().htb_classes.forget(state.classes);
    return packets;
}

}  // namespace htb

}  // namespace anml::rt
