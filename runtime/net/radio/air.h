// Access points whose links to hosts, the stations, share the air. Each has a cell, which says who may send when:
// net/radio/wifi.h, where they contend, net/radio/cellular.h, where a scheduler tells them.
//
// Packets wait in the links' own queues; what a cell took from there stays with its port until it was received, in
// order, or was repeated too often. All links of a cell belong to one task, whichever way they lead: the partition sees
// to it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.h"
#include "base/zero_pages.h"
#include "net/counters.h"
#include "net/link/waiting.h"
#include "net/model.h"

namespace anml::rt {

struct Net;
class AirCell;

// A directed link on the air.
struct AirPort {
    AirPort(AirCell& in, LinkId id) : cell(in), link(id) {}
    AirCell& cell;
    const LinkId link;
    WaitingList queue;  // where it has no discipline
};

// Of one access point. Its ports are its own, of a type that it knows.
class AirCell {
  public:
    explicit AirCell(NodeId access_point) { counters.node = access_point; }
    virtual ~AirCell() = default;
    AirCell(const AirCell&) = delete;
    AirCell& operator=(const AirCell&) = delete;

    // A link to (`down`) or from a station is filled in, for the first time or anew.
    virtual AirPort& begin(LinkId link, bool down) = 0;
    // A packet waits in the link's queue.
    virtual void offered(Net& k, AirPort& port) = 0;
    // The time has come for which the cell asked (timer_kind::air).
    virtual void act(Net& k) = 0;
    // The link has failed: what its queue and its port have is lost.
    virtual void clear(Net& k, AirPort& port) = 0;

    AirCounters counters;

  protected:
    NodeId node() const { return counters.node; }
    // Whether packets wait in the port's queue.
    static bool waiting(Net& k, const AirPort& port);
    // The next of them; its `packet` is kNone where there is none: disciplines may drop all.
    static Waiting take(Net& k, AirPort& port);
    // What waits in a drop-tail queue is lost.
    static void lose_queue(Net& k, AirPort& port);
    // The packet was received: it is in transmission until `end`, and from `start` on.
    static void deliver(Net& k, const AirPort& port, const Waiting& packet, Time start, Time end);
    // It was not, and will not be.
    void give_up(Net& k, const AirPort& port, const Waiting& packet);
};

class Airs {
  public:
    explicit Airs(const Model& model);
    ~Airs();

    // A link is filled in. Whether it is on the air.
    bool begin(LinkId link);
    bool shared(LinkId link) const { return ports_[link] != nullptr; }

    // For links on the air. A packet comes to a drop-tail queue: false, it has no room.
    bool admit(Net& k, LinkId link, const Waiting& packet);
    // See AirCell.
    void offered(Net& k, LinkId link);
    void act(Net& k, NodeId access_point);
    void clear(Net& k, LinkId link);

    // Of those that have sent something, by node.
    std::vector<AirCounters> counters() const;

  private:
    const Model& model_;
    ZeroPages<AirPort*> ports_;                                 // by directed link
    std::vector<std::vector<std::unique_ptr<AirCell>>> cells_;  // by row and element, once a link was filled in
};

// Whether the directed link shares the air of an access point, and which end is that: 0 the near one, 1 the far one.
// -1: neither, it is a wire.
int access_point_side(const Model& model, LinkId link);

}  // namespace anml::rt
