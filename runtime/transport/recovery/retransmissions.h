// What a sender has sent again and does not know to have arrived: when, so that it finds out if that is lost, too
// (RACK, RFC 8985, which keeps such a time of every segment; here only what was sent again has one). A segment that was
// sent once needs none: where it lies in the stream tells what was sent before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"
#include "transport/recovery/range_set.h"

namespace anml::rt::tcp {

class Retransmissions {
  public:
    // [begin, end) is sent again, where everything before `max` has been sent at least once.
    void sent(std::uint32_t begin, std::uint32_t end, std::uint32_t max, Time now);
    // All before `una`, or all of [begin, end), has arrived. What comes sooner than `least` behind its second sending
    // may be the first.
    void acknowledged(std::uint32_t una, Time now, Time least);
    void arrived(std::uint32_t begin, std::uint32_t end, Time now, Time least);

    // By which what was sent again is told to be lost.
    struct Evidence {
        std::uint32_t latest;  // of what was sent once, all up to here was sent so long before what has arrived
        Time sent;             // so was all that was sent before this
        Time old;              // what was sent later than this cannot be known of yet
    };
    void judge(const Evidence& evidence);
    // The one that is known to be lost, and not sent once more, that was sent longest ago; each is told of once.
    std::optional<Range> next_lost();
    // Bytes that are known to be lost, and not sent once more.
    std::uint32_t lost() const { return lost_; }
    // When the segment was sent that was sent last of those that have arrived; and what was sent once before it.
    Time newest() const { return newest_; }
    std::uint32_t sent_before() const { return sent_before_; }
    bool empty() const { return first_ == all_.size(); }
    void clear(std::uint32_t una);

  private:
    struct Segment {
        std::uint32_t begin, end, max;
        bool arrived, lost;
        Time at;
    };
    struct Sent {
        std::uint32_t begin;
        Time at;
    };
    std::size_t find(std::uint32_t sequence) const;  // the first that ends behind it
    Segment* current(const Sent& sent);              // none: it has arrived, or was sent once more
    void deliver(Segment& segment, Time now, Time least);
    void forget();  // those that have arrived, which are all
    void set_sent(Segment& segment, std::uint32_t max, Time now);

    std::vector<Segment> all_;           // by sequence number
    std::size_t first_ = 0;              // those before it are acknowledged
    std::vector<Sent> order_;            // by time
    std::size_t told_ = 0, judged_ = 0;  // those before them were told of, or judged
    std::uint32_t lost_ = 0, sent_before_ = 0;
    Time newest_ = 0;
};

}  // namespace anml::rt::tcp
