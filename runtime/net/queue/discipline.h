// Queue disciplines: who may wait for a link, and who goes next. A discipline is a namespace in a file of its own, with
//
//   Parameters      what the model says of it, made of queue/NAME.def (queue/parameters.h)
//   State           what it remembers of a link: trivially copyable, all zero at first and after a failure of the link
//
// and the functions of its service, of which there are two (disciplines.def says which one a discipline has).
//
// At admission the departure of a packet is known when it comes, and a hop costs one event:
//
//   droptail::Admission admit(State&, const Parameters&, Arrival&)
//       refuses the packet, or says when its transmission begins and ends. Packets leave in the order in which they
//       came: `line.busy_until` is the last one's end, and no transmission is shorter than at the line's rate.
//
// At the dequeue packets wait in lists, and whoever is to go next is asked when a transmission can begin. Each packet
// that has to wait costs the hop a second event:
//
//   bool admit(State&, const Parameters&, LinkQueue&, const Waiting&)
//       pushes the packet to one of its lists; false: refuses it.
//   Waiting next(State&, const Parameters&, LinkQueue&)
//       takes the next packet out of its lists, having dropped others if it wants to. A packet of kNone: it has dropped
//       all. A link is never idle while packets wait, and is asked only where some do: one that finds it idle is
//       admitted and asked for at once. A discipline that holds packets back says `static constexpr bool kHoldsBack`
//       in its State: when it takes none of those that wait it is asked again at the time that it tells ask_again().
//   std::span<WaitingList> lists(State&)
//       all of its lists: what waits there is lost if the link fails. Instead, where they are not in the state:
//   void abandon(State&, LinkQueue&, auto lose)
//       calls lose(packet) for whatever waits, and keeps nothing.
//
// Times and random draws come from what the functions are given, nothing else, so that a run is the same everywhere.
// Either way captures, impairments and the timeline see a packet when it is known when its transmission begins
// (Net::begin_transmission).
#pragma once

#include <cstdint>

#include "kernel/random.h"
#include "net/link/droptail.h"
#include "net/link/link_state.h"
#include "net/link/waiting.h"
#include "net/packet/ecn.h"
#include "net/queue/flow_tables.h"

namespace anml::rt {

struct Net;
class Model;

// Numbers of the directed link's own stream; `made` counts them.
class LinkDraws {
  public:
    LinkDraws(std::uint64_t seed, LinkId link, std::uint64_t& made) : seed_(seed), link_(link), made_(made) {}
    double unit() { return Draws(seed_, link_, Purpose::queue, 0, made_++).unit(); }  // [0, 1)

  private:
    std::uint64_t seed_;
    LinkId link_;
    std::uint64_t& made_;
};

// At admission: a packet that arrives now.
struct Arrival {
    LinkState& line;  // the link, as if it had no discipline
    StartTimes& starts;
    Packet& packet;
    Time now;
    LinkDraws draws;
    std::uint64_t& marked;

    bool idle() const { return line.busy_until <= now; }
    // Bytes admitted and not yet transmitted, as droptail.h counts them.
    std::uint64_t backlog() const { return idle() ? 0 : droptail::backlog(line.busy_until - now, line.rate); }
    // As far as the bounds that every queue has are concerned.
    droptail::Admission admit() { return droptail::admit(line, starts, packet.length, now); }
    // Says in the packet, which is admitted, that there is congestion. False: only a drop tells its sender.
    bool mark()
    {
        const bool marks = ecn::mark(packet);
        marked += marks;
        return marks;
    }
};

// At the dequeue: what waits for a link.
class LinkQueue {
  public:
    LinkQueue(Net& net, WaitingPool& pool, Time now, LinkId id, DisciplinedLink& link)
        : net_(net), pool_(pool), now_(now), id_(id), link_(link)
    {
    }

    Time now() const { return now_; }
    // In all lists; the packet in transmission waits no more.
    std::uint64_t bytes() const { return link_.bytes; }
    std::uint32_t packets() const { return link_.packets; }
    // Bytes that the longest packet takes.
    std::uint32_t longest() const { return link_.line.known_mtu() + link_.line.known_overhead(); }
    // Nobody waits, nor is anything in transmission.
    bool idle() const { return link_.packets == 0 && link_.line.busy_until <= now_; }
    // Whether one more packet may wait, by the bounds that every queue has. One that finds nothing to wait for may.
    bool has_room(std::uint32_t bytes) const { return idle() || within(link_.packets + 1, link_.bytes + bytes); }
    // Whether so much may wait.
    bool within(std::uint32_t packets, std::uint64_t bytes) const
    {
        const LinkState& line = link_.line;
        if (line.known_bounded() && bytes > line.capacity) return false;
        return line.known_packet_limit() == 0 || packets <= line.known_packet_limit();
    }

    void push(WaitingList& list, const Waiting& packet)
    {
        list.push(pool_, packet);
        ++link_.packets;
        link_.bytes += packet.bytes;
    }
    // The first of the list, which is not empty.
    Waiting pop(WaitingList& list) { return gone(list.pop(pool_)); }
    // The last one.
    Waiting pop_last(WaitingList& list) { return gone(list.pop_last(pool_)); }
    // The same, and leaves it there.
    const Waiting& front(const WaitingList& list) const { return list.front(pool_); }
    // Drops what was popped.
    void drop(const Waiting& packet);
    // Says in it that there is congestion. False: only a drop tells its sender.
    bool mark(const Waiting& packet);
    // The packet itself, which disciplines tell apart by their headers.
    const Packet& packet(const Waiting& packet) const;
    // When next() is to be called again, if nobody comes before; later than now.
    void ask_again(Time at) { ask_again_ = at; }
    Time asked_again() const { return ask_again_; }
    // Numbers of the link's own stream.
    LinkDraws draws();
    // Queues by flow, and the number with which the link hashes (net/packet/flow.h).
    FlowTables& flows();
    // What the link's records refer to.
    const Model& model() const;
    std::uint64_t key() const;

  private:
    Waiting gone(const Waiting& packet)
    {
        --link_.packets;
        link_.bytes -= packet.bytes;
        return packet;
    }

    Net& net_;
    WaitingPool& pool_;
    const Time now_;
    const LinkId id_;
    DisciplinedLink& link_;
    Time ask_again_ = kNever;
};

// Of a discipline's State: the link may be idle while packets wait.
template <class State>
concept HoldsBack = requires { requires State::kHoldsBack; };

}  // namespace anml::rt
