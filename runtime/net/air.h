// Access points whose links to hosts share the air: cells of IEEE 802.11 with its distributed coordination function
// (802.11-2020, 10.3 and 10.22.2; Bianchi, IEEE Journal on Selected Areas in Communications 18(3), 2000).
//
// Who has packets waits until the air has been idle for a space of `sifs` and `aifsn` slots, and then for as many slots
// more as its backoff says, which only counts down while the air is idle. Who begins alone is received, unless `error`
// says otherwise, and answered; who begins in the same slot as somebody else is not, and draws from twice as many
// slots. A transmission has as many of the port's packets as the aggregate's bounds allow. Behind it the air is taken
// for the answer in any case, which after a collision is the time that others wait (EIFS).
//
// A contender is a station, or the access point with all of its ports, which it serves in turn. Packets wait in the
// links' own queues; what was taken from there for a transmission stays with its port until it was received, in order,
// or was repeated too often. All links of a cell belong to one task, whichever way they lead: the partition sees to it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "base/time.h"
#include "base/zero_pages.h"
#include "net/counters.h"
#include "net/model.h"
#include "net/queue/waiting.h"

namespace anml::rt {

struct Net;

class Airs {
  public:
    explicit Airs(const Model& model);
    ~Airs();

    // A link is filled in. Whether it is on the air.
    bool begin(LinkId link);
    bool shared(LinkId link) const { return ports_[link] != nullptr; }

    // For links on the air. A packet comes to a drop-tail queue: false, it has no room.
    bool admit(Net& k, LinkId link, const Waiting& packet);
    // A packet waits in the link's queue.
    void offered(Net& k, LinkId link);
    // At an access point somebody begins to transmit, if it is still to be now.
    void transmit(Net& k, NodeId access_point);

    // The link has failed: what its queue and its port have is lost.
    void clear(Net& k, LinkId link);

    // Of those that have sent something, by node.
    std::vector<AirCounters> counters() const;

  private:
    struct Cell;
    struct Contender;
    struct Port;
    struct Sent {  // in a transmission
        std::uint32_t frames = 0;
        Time duration = 0;
    };

    Port& port(LinkId link) const { return *ports_[link]; }
    Time start_of(const Cell& cell, const Contender& contender) const;
    void contend(Net& k, Cell& cell, Contender& contender);
    void expect(Net& k, Cell& cell);
    void draw_backoff(const Net& k, Contender& contender) const;
    Port* choose(Net& k, Contender& contender);
    bool fetch(Net& k, Port& port);
    bool has_any(Net& k, const Port& port) const;
    Sent gather(Net& k, const Cell& cell, Port& port);
    bool receive(Net& k, Cell& cell, Port& port, const Sent& sent, bool alone);
    void settle(Net& k, Cell& cell, Port& port);

    const Model& model_;
    ZeroPages<Port*> ports_;                                 // by directed link
    std::vector<std::vector<std::unique_ptr<Cell>>> cells_;  // by row and element, once a link was filled in
};

}  // namespace anml::rt
