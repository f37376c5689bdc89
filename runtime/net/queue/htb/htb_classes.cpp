#include "net/queue/htb/htb_classes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/records.h"
#include "net/middlebox/address_set.h"
#include "net/model.h"

namespace anml::rt::htb_classes {

namespace {

using Row = abi::record::htb_class;

constexpr std::uint32_t kDeepest = 8;     // classes from a leaf to the link, as Linux's TC_HTB_MAXDEPTH
constexpr std::uint32_t kPriorities = 8;  // Linux's TC_HTB_NUMPRIO
constexpr double kLongestDebt = 60;       // seconds of its rate, as in Linux

// Of those who share something that is lent: what each had, and what whoever was last served had, bytes by their rates.
// By priority.
using Tags = std::array<double, kPriorities>;

struct Class {
    std::string_view name;
    std::uint32_t parent = kNone;  // place in the list; kNone: the link
    std::uint32_t depth = 1;       // below the link
    bool leaf = true;
    double rate, ceil, burst;
    std::uint32_t priority;
    AddressSet source, destination;
    Row::Protocol protocol;
    std::uint32_t first_port, last_port, first_dscp, last_dscp;

    WaitingList list{};
    Time at = 0;  // the buckets lack so many bytes to be full, as of then
    double missing = 0, missing_of_ceil = 0;
    // Where somebody of its own or of those below it borrows from `distance` levels above, itself: 0.
    std::array<Tags, kDeepest + 1> had{}, clock{};
    Tags lent{};  // as one of several who have something to lend

    bool has_ports(const Packet& packet) const
    {
        if (first_port == 0 && last_port == 65535) return true;
        if (packet.flags & packet_flag::fragment) return false;
        const auto within = [&](std::uint32_t port) { return first_port <= port && port <= last_port; };
        return within(packet.source_port) || within(packet.destination_port);
    }
    bool applies(const Packet& packet) const
    {
        const std::uint32_t dscp = packet.traffic_class >> 2;
        if (dscp < first_dscp || dscp > last_dscp) return false;
        if (!source.has(packet.source) || !destination.has(packet.destination)) return false;
        switch (protocol) {
            case Row::Protocol::any:
                return true;
            case Row::Protocol::icmp:
                return packet.protocol == rt::protocol::icmp;
            case Row::Protocol::tcp:
                return packet.protocol == rt::protocol::tcp && has_ports(packet);
            case Row::Protocol::udp:
                return packet.protocol == rt::protocol::udp && has_ports(packet);
        }
        return false;
    }
    void refill(Time now)
    {
        const auto passed = static_cast<double>(now - at) / 8e9;
        missing = std::max(0.0, missing - passed * rate);
        missing_of_ceil = std::max(0.0, missing_of_ceil - passed * ceil);
        at = now;
    }
    bool within_rate() const { return missing <= burst; }
    bool within_ceil() const { return missing_of_ceil <= burst; }
    // When it is, where it is not.
    Time within_rate_at() const { return at + 1 + std::llround((missing - burst) * 8e9 / rate); }
    Time within_ceil_at() const { return at + 1 + std::llround((missing_of_ceil - burst) * 8e9 / ceil); }
    void charge(std::uint32_t bytes, bool lends)
    {
        const auto add = [&](double& owed, double speed) {
            owed = std::min(owed + bytes, std::max(owed, burst + kLongestDebt * speed / 8));
        };
        add(missing_of_ceil, ceil);
        if (lends) add(missing, rate);
    }
};

}  // namespace

}  // namespace anml::rt::htb_classes

namespace anml::rt {

struct Shaper {
    std::uint32_t list = 0;  // that it was made of
    std::vector<htb_classes::Class> classes;
    std::uint32_t otherwise = 0;      // the last leaf
    htb_classes::Tags own{}, link{};  // clocks of those who send by themselves, and of the link
    std::array<htb_classes::Tags, htb_classes::kDeepest + 2> lenders{};  // clocks, by rank
};

}  // namespace anml::rt

namespace anml::rt::htb_classes {

namespace {

std::shared_ptr<Shaper> make(const Parameters& parameters, const Model& model, Time now)
{
    const abi::Image& image = model.image();
    auto shaper = std::make_shared<Shaper>();
    shaper->list = parameters.classes.first;
    std::vector<std::string_view> parents;
    for (const std::uint32_t record : abi::listed(image, {parameters.classes.first, parameters.classes.count})) {
        const Row& row = abi::row_of<Row>(image, record);
        const auto whole = [&](abi::ValueId id) { return static_cast<std::uint32_t>(model.integer(id)); };
        shaper->classes.push_back({model.text(row.name), kNone, 1, true, model.value(row.rate), model.value(row.ceil),
                                   model.value(row.burst), std::min(whole(row.priority), kPriorities - 1),
                                   AddressSet(image, row.source), AddressSet(image, row.destination), row.protocol,
                                   whole(row.first_port), whole(row.last_port), whole(row.first_dscp),
                                   whole(row.last_dscp)});
        shaper->classes.back().at = now;
        parents.push_back(model.text(row.parent));
    }
    auto& classes = shaper->classes;
    for (std::uint32_t i = 0; i < classes.size(); ++i)
        for (std::uint32_t j = 0; j < classes.size() && !parents[i].empty(); ++j) {
            if (classes[j].name != parents[i]) continue;
            classes[i].parent = j;
            classes[j].leaf = false;
        }
    for (Class& one : classes)
        for (std::uint32_t above = one.parent; above != kNone; above = classes[above].parent) ++one.depth;
    for (std::uint32_t i = 0; i < classes.size(); ++i)
        if (classes[i].leaf) shaper->otherwise = i;
    return shaper;
}

// That of the link. Where the timeline has changed the list, what waits and is owed stays with those classes that are
// still there.
Shaper& shaper_of(State& state, const Parameters& parameters, LinkQueue& link)
{
    FlowTables& tables = link.flows();
    if (state.shaper == 0) state.shaper = tables.shapers.keep(make(parameters, link.model(), link.now()));
    std::shared_ptr<Shaper>& shaper = tables.shapers[state.shaper];
    if (shaper->list == parameters.classes.first) return *shaper;
    const std::shared_ptr<Shaper> before = std::exchange(shaper, make(parameters, link.model(), link.now()));
    for (Class& old : before->classes) {
        const auto same = std::find_if(shaper->classes.begin(), shaper->classes.end(),
                                       [&](const Class& one) { return one.name == old.name; });
        if (same == shaper->classes.end() || same->leaf != old.leaf) {
            while (!old.list.empty()) link.drop(link.pop(old.list));
            continue;
        }
        old.refill(link.now());
        same->list = old.list;
        same->missing = old.missing;
        same->missing_of_ceil = old.missing_of_ceil;
    }
    return *shaper;
}

Class& class_of(Shaper& shaper, const Packet& packet)
{
    for (Class& one : shaper.classes)
        if (one.leaf && one.applies(packet)) return one;
    return shaper.classes[shaper.otherwise];
}

// A leaf that may send, and the way up to who lends it.
struct Choice {
    std::array<std::uint32_t, kDeepest + 1> way{};  // from the leaf, kNone: the link
    std::uint32_t distance = 0;                     // of the lender
    std::uint32_t rank = 0;                         // 0: it sends by itself; else the less the deeper the lender
    std::uint32_t priority = 0;

    std::uint32_t lender() const { return way[distance]; }
};

double& clock_of(Shaper& shaper, const Choice& choice, std::uint32_t distance)
{
    const std::uint32_t one = choice.way[choice.distance - distance];
    return (one == kNone ? shaper.link : shaper.classes[one].clock[distance])[choice.priority];
}

// What a class of the way, so many levels below the lender, has had; who comes back as much as who was last served.
double had(Shaper& shaper, const Choice& choice, std::uint32_t distance)
{
    const Class& one = shaper.classes[choice.way[choice.distance - distance]];
    return std::max(one.had[distance][choice.priority], clock_of(shaper, choice, distance - 1));
}

double had_by_itself(const Shaper& shaper, const Choice& choice)
{
    return std::max(shaper.classes[choice.way[0]].had[0][choice.priority], shaper.own[choice.priority]);
}

double lent(const Shaper& shaper, const Choice& choice)
{
    return std::max(shaper.classes[choice.lender()].lent[choice.priority],
                    shaper.lenders[choice.rank][choice.priority]);
}

bool goes_before(Shaper& shaper, const Choice& a, const Choice& b)
{
    if (a.rank != b.rank) return a.rank < b.rank;
    if (a.priority != b.priority) return a.priority < b.priority;
    if (a.rank == 0) return had_by_itself(shaper, a) < had_by_itself(shaper, b);
    if (a.lender() != b.lender()) return lent(shaper, a) < lent(shaper, b);
    std::uint32_t distance = 1;
    while (a.way[a.distance - distance] == b.way[b.distance - distance]) ++distance;
    return had(shaper, a, distance) < had(shaper, b, distance);
}

// None: it may not send before `earliest`, at which it is looked at again.
std::optional<Choice> choice_of(const Shaper& shaper, std::uint32_t leaf, Time& earliest)
{
    Choice choice;
    choice.way[0] = leaf;
    choice.priority = shaper.classes[leaf].priority;
    while (choice.lender() != kNone) {
        const Class& lender = shaper.classes[choice.lender()];
        if (!lender.within_ceil()) {
            earliest = std::min(earliest, lender.within_ceil_at());
            return std::nullopt;
        }
        if (lender.within_rate()) break;
        earliest = std::min(earliest, lender.within_rate_at());
        choice.way[++choice.distance] = lender.parent;
    }
    const std::uint32_t depth = choice.lender() == kNone ? 0 : shaper.classes[choice.lender()].depth;
    choice.rank = choice.distance == 0 ? 0 : 1 + kDeepest - depth;
    return choice;
}

// The leaf sends so many bytes.
void charge(Shaper& shaper, const Choice& choice, std::uint32_t bytes)
{
    const auto pass = [&](double& clock, double& own, double before, double rate) {
        clock = before;
        own = before + bytes / rate;
    };
    const std::uint32_t priority = choice.priority;
    if (choice.distance == 0) {
        Class& leaf = shaper.classes[choice.way[0]];
        pass(shaper.own[priority], leaf.had[0][priority], had_by_itself(shaper, choice), leaf.rate);
    } else if (choice.lender() != kNone) {
        Class& lender = shaper.classes[choice.lender()];
        pass(shaper.lenders[choice.rank][priority], lender.lent[priority], lent(shaper, choice), lender.rate);
    }
    for (std::uint32_t distance = choice.distance; distance > 0; --distance) {
        Class& one = shaper.classes[choice.way[choice.distance - distance]];
        pass(clock_of(shaper, choice, distance - 1), one.had[distance][priority], had(shaper, choice, distance),
             one.rate);
    }
    std::uint32_t level = 0;
    for (std::uint32_t i = choice.way[0]; i != kNone; i = shaper.classes[i].parent)
        shaper.classes[i].charge(bytes, level++ >= choice.distance);
}

}  // namespace

bool admit(State& state, const Parameters& parameters, LinkQueue& link, const Waiting& packet)
{
    WaitingList& list = class_of(shaper_of(state, parameters, link), link.packet(packet)).list;
    const bool alone = link.idle() && list.empty();
    if (!alone && !link.within(list.packets() + 1, list.bytes() + packet.bytes)) return false;
    link.push(list, packet);
    return true;
}

Waiting next(State& state, const Parameters& parameters, LinkQueue& link)
{
    Shaper& shaper = shaper_of(state, parameters, link);
    for (Class& one : shaper.classes) one.refill(link.now());
    std::optional<Choice> best;
    Time earliest = kNever;
    for (std::uint32_t i = 0; i < shaper.classes.size(); ++i) {
        if (shaper.classes[i].list.empty()) continue;
        const std::optional<Choice> choice = choice_of(shaper, i, earliest);
        if (choice && (!best || goes_before(shaper, *choice, *best))) best = choice;
    }
    if (!best) {
        link.ask_again(earliest);
        return {};
    }
    const Waiting packet = link.pop(shaper.classes[best->way[0]].list);
    charge(shaper, *best, packet.bytes);
    return packet;
}

void changed(State& state, const Parameters& parameters, LinkQueue& link)
{
    if (state.shaper != 0) shaper_of(state, parameters, link);
}

Waiting any(State& state, LinkQueue& link)
{
    if (state.shaper == 0) return {};
    for (Class& one : link.flows().shapers[state.shaper]->classes)
        if (!one.list.empty()) return link.pop(one.list);
    return {};
}

void forget(State& state, LinkQueue& link)
{
    if (state.shaper != 0) link.flows().shapers.forget(state.shaper);
}

}  // namespace anml::rt::htb_classes
