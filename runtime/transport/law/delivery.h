// How fast what is sent arrives: a sample with each acknowledgment (draft-cheng-iccrg-delivery-rate-estimation-02, and
// Linux's tcp_rate.c). Of each segment that is under way is kept when it was sent, and how much had arrived then; what
// arrives between that and its own arrival, by the longer of the times in which it was sent and acknowledged, is the
// rate. Only connections whose window law asks for it keep such records (law.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "transport/sequence.h"

namespace anml::rt::tcp::law {

// Of one acknowledgment.
struct RateSample {
    static constexpr Time kNone = -1;

    bool told = false;                  // it acknowledged a segment, so that the next two hold
    std::uint64_t prior_delivered = 0;  // what had arrived, in bytes, as the last segment that arrived was sent
    bool limited = false;               // the application kept the sender back then
    Time sent_in = 0, prior_at = 0;     // in which time it was sent; and when what had arrived had
    std::uint64_t delivered = 0;        // bytes since then; 0: no rate could be told
    Time interval = kNone;
    Time rtt = kNone;                 // of a segment that was sent once
    std::uint32_t arrived = 0;        // bytes that this acknowledgment told of
    std::uint32_t lost = 0;           // bytes that it showed to be lost
    std::uint32_t flight_before = 0;  // bytes under way before it
    // Of the last segment that arrived: bytes under way as it was sent, with it, and how much was lost since.
    std::uint32_t flight_then = 0;
    std::uint64_t lost_since = 0;
};

// One that is found to be lost.
struct LostSegment {
    std::uint32_t size, flight;  // bytes under way as it was sent, with it
    std::uint64_t lost_since;    // bytes since then, with it
    bool limited;                // the application kept the sender back then
};

class Delivery {
  public:
    // New data up to `end` is sent, as `flight` bytes are under way. `idle`: nothing was.
    void sent(std::uint32_t begin, std::uint32_t end, std::uint32_t flight, bool idle, Time now);
    // [begin, end) is sent once more.
    void sent_again(std::uint32_t begin, std::uint32_t end, std::uint32_t flight, Time now);
    // All before `una` has arrived; or of what lies in [begin, end) so many bytes that had not before.
    void acknowledged(std::uint32_t una, Time now);
    void arrived(std::uint32_t begin, std::uint32_t end, std::uint32_t bytes, Time now);
    // What was sent for the first time more than `window` before something that has arrived ends here, or at `una`.
    std::uint32_t lost_before(Time window, std::uint32_t una) const;
    // When the segment was sent that was sent last of those that have arrived.
    Time newest() const { return newest_; }
    // The acknowledgment is understood. A shorter time than the least round trip tells no rate.
    RateSample finish(Time least_rtt, Time now);

    // All that the application had is sent, and `flight` bytes are under way: less than the window lets.
    void application_limits(std::uint32_t flight)
    {
        limited_until_ = delivered_ + flight > 0 ? delivered_ + flight : 1;
    }
    bool application_limited() const { return limited_until_ != 0; }
    std::uint64_t delivered() const { return delivered_; }
    Time delivered_at() const { return delivered_at_; }
    // What has not arrived of [begin, end) is lost: tell(LostSegment) of each segment.
    template <class Tell>
    void lost(std::uint32_t begin, std::uint32_t end, Tell tell)
    {
        for (std::size_t i = find(begin); i < all_.size() && before(all_[i].begin, end); ++i) {
            const Record& record = all_[i];
            if (record.arrived) continue;
            const std::uint32_t size = record.end - record.begin;
            sample_.lost += size;
            lost_ += size;
            tell(LostSegment{size, record.flight, lost_ - record.lost, record.limited});
        }
    }
    void note_flight(std::uint32_t bytes) { sample_.flight_before = bytes; }
    void clear();

  private:
    struct Record {
        std::uint32_t begin, end;
        Time at, first_at, first_sent, delivered_at;
        std::uint64_t delivered, lost;
        std::uint32_t flight;
        bool again, limited, arrived;
    };
    void deliver(Record& record, Time now);
    bool last_sent(const Record& record) const;      // of those that this acknowledgment tells of
    std::size_t find(std::uint32_t sequence) const;  // the first that ends behind it

    std::vector<Record> all_;  // by sequence number
    std::size_t first_ = 0;    // those before it are acknowledged
    std::uint64_t delivered_ = 0, lost_ = 0, limited_until_ = 0;
    std::uint64_t sample_lost_ = 0;  // what was lost before the segment of the sample was sent
    Time delivered_at_ = 0, first_sent_ = 0;
    Time least_rtt_ = 0;  // as it was told last
    Time newest_ = 0;
    Time sample_at_ = 0;  // when the segment of the sample was sent, and where it ends
    std::uint32_t sample_end_ = 0;
    RateSample sample_;
};

}  // namespace anml::rt::tcp::law
