// Packets of the links of a capture, from when they are taken until their transmission begins: so that a file has them
// in that order, and none that a failure of its link took from the queue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt::io {

class TransmissionOrder {
  public:
    void take(LinkId link, Time start, std::span<const std::uint8_t> bytes)
    {
        waiting_.push_back({start, order_++, link, {bytes.begin(), bytes.end()}});
        std::push_heap(waiting_.begin(), waiting_.end(), later);
    }

    // Calls write(start, bytes) for those that begin before `end`.
    template <class Write>
    void begun_before(Time end, Write&& write)
    {
        while (!waiting_.empty() && waiting_.front().start < end) {
            write(waiting_.front().start, std::span<const std::uint8_t>(waiting_.front().bytes));
            std::pop_heap(waiting_.begin(), waiting_.end(), later);
            waiting_.pop_back();
        }
    }

    // Those of the link begin at f(start).
    template <class Move>
    void move(LinkId link, Move&& f)
    {
        for (Waiting& packet : waiting_)
            if (packet.link == link) packet.start = f(packet.start);
        std::make_heap(waiting_.begin(), waiting_.end(), later);
    }

    // Those of the link never begin.
    void forget(LinkId link)
    {
        std::erase_if(waiting_, [&](const Waiting& packet) { return packet.link == link; });
        std::make_heap(waiting_.begin(), waiting_.end(), later);
    }

  private:
    struct Waiting {
        Time start;
        std::uint64_t order;  // in which they were taken
        LinkId link;
        std::vector<std::uint8_t> bytes;
    };
    static bool later(const Waiting& a, const Waiting& b)
    {
        return a.start != b.start ? a.start > b.start : a.order > b.order;
    }

    std::vector<Waiting> waiting_;  // a heap
    std::uint64_t order_ = 0;
};

}  // namespace anml::rt::io
