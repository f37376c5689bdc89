// Buffers that the links out of a router or switch share, by dynamic thresholds (Choudhury and Hahne, IEEE/ACM
// Transactions on Networking 6(2), 1998): a port takes a packet while what its own queue has in the buffer is less than
// alpha times what is free of it, and the packet has room there. That is asked first; the bounds and the discipline of
// the link's own queue come behind.
//
// A packet takes its bytes, overhead included, from its admission to the end of its transmission, one that finds its
// link idle too: nodes store and forward. When it leaves is known when it begins, so that nothing has to happen then:
// the buffer keeps the ends of transmissions that have begun, or that are known, and looks at them when the next packet
// comes. All of a node's links belong to its task.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/time.h"
#include "base/zero_pages.h"
#include "net/counters.h"
#include "net/model.h"

namespace anml::rt {

class SharedBuffers {
  public:
    explicit SharedBuffers(const Model& model);

    // A link is filled in. Whether the node that it leaves has such a buffer.
    bool begin(LinkId link);
    bool shared(LinkId link) const { return ports_[link].buffer != nullptr; }

    // For links that share one. A packet of so many bytes comes: false, it finds no room. Else it has it until it is
    // given back, or has left at the time that is told.
    bool take(LinkId link, std::uint32_t bytes, Time now, const NetCounters& window);
    // The queue has it: what is in the buffer now counts for the most that was.
    void keep(LinkId link, Time now, const NetCounters& window);
    void give_back(LinkId link, std::uint32_t bytes)
    {
        Port& port = ports_[link];
        port.bytes -= bytes;
        port.buffer->bytes -= bytes;
    }
    void leave(LinkId link, std::uint32_t bytes, Time at);

    // The rate of a link has changed: what was to leave after `now` leaves at f(time).
    template <class Move>
    void move(LinkId link, Time now, Move&& f)
    {
        if (!shared(link)) return;
        std::vector<Leaving>& leaving = ports_[link].buffer->leaving;
        for (Leaving& packet : leaving)
            if (packet.port == link && packet.at > now) packet.at = f(packet.at);
        std::make_heap(leaving.begin(), leaving.end(), later);
    }
    // The link has failed, and with it everything that it had in the buffer.
    void clear(LinkId link);

    // Of those that have seen a packet, by node.
    std::vector<BufferCounters> counters(const NetCounters& window) const;

  private:
    struct Leaving {
        Time at;
        LinkId port;
        std::uint32_t bytes;
    };
    struct Buffer {
        std::uint64_t capacity;
        double alpha;
        std::uint64_t bytes = 0;                 // of all ports; some may have left by now
        std::uint64_t highest = 0, dropped = 0;  // in the measured window
        bool watched = false;                    // it has begun
        std::vector<Leaving> leaving;            // a heap, the earliest first
    };
    struct Port {
        Buffer* buffer;       // null: the node has none
        std::uint64_t bytes;  // of this link
    };

    static bool later(const Leaving& a, const Leaving& b) { return a.at > b.at; }
    void forget(Buffer& buffer, Time now);

    const Model& model_;
    ZeroPages<Port> ports_;                                      // by directed link
    std::vector<std::vector<std::unique_ptr<Buffer>>> buffers_;  // by row and element, once a link was filled in
};

}  // namespace anml::rt
