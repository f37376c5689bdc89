#include "transport/law/delivery.h"

#include <algorithm>

namespace anml::rt::tcp::law {

void Delivery::clear()
{
    all_.clear();
    first_ = 0;
    newest_ = least_rtt_ = 0;
    delivered_ = lost_ = limited_until_ = 0;
    delivered_at_ = first_sent_ = 0;
    sample_ = {};
}

void Delivery::sent(std::uint32_t begin, std::uint32_t end, std::uint32_t flight, bool idle, Time now)
{
    if (first_ > 64 && first_ > all_.size() / 2) {
        all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    if (idle) first_sent_ = delivered_at_ = now;
    all_.push_back({begin, end, now, now, first_sent_, delivered_at_, delivered_, lost_, flight + (end - begin), false,
                    limited_until_ != 0, false});
}

std::size_t Delivery::find(std::uint32_t sequence) const
{
    const auto from = std::partition_point(all_.begin() + static_cast<std::ptrdiff_t>(first_), all_.end(),
                                           [&](const Record& record) { return !after(record.end, sequence); });
    return static_cast<std::size_t>(from - all_.begin());
}

void Delivery::sent_again(std::uint32_t begin, std::uint32_t end, std::uint32_t flight, Time now)
{
    for (std::size_t i = find(begin); i < all_.size() && before(all_[i].begin, end); ++i) {
        Record& record = all_[i];
        record.at = now;
        record.first_sent = first_sent_;
        record.delivered_at = delivered_at_;
        record.delivered = delivered_;
        record.lost = lost_;
        record.flight = flight + (record.end - record.begin);
        record.limited = limited_until_ != 0;
        record.again = true;
    }
}

std::uint32_t Delivery::lost_before(Time window, std::uint32_t una) const
{
    const auto from = all_.begin() + static_cast<std::ptrdiff_t>(first_);
    const auto later =
        std::partition_point(from, all_.end(), [&](const Record& r) { return r.first_at + window < newest_; });
    return later == from ? una : std::prev(later)->end;
}

bool Delivery::last_sent(const Record& record) const
{
    if (!sample_.told) return true;
    return record.at != sample_at_ ? record.at > sample_at_ : after(record.end, sample_end_);
}

// Of those that one acknowledgment tells of, that counts which was sent last.
void Delivery::deliver(Record& record, Time now)
{
    if (record.arrived) return;
    record.arrived = true;
    delivered_ += record.end - record.begin;
    sample_.arrived += record.end - record.begin;
    delivered_at_ = now;
    // Of one that was sent again that came so soon the first one has arrived.
    if (!record.again || now - record.at >= least_rtt_) newest_ = std::max(newest_, record.at);
    if (!last_sent(record)) return;
    sample_at_ = record.at;
    sample_end_ = record.end;
    sample_.told = true;
    sample_.prior_delivered = record.delivered;
    sample_.prior_at = record.delivered_at;
    sample_.limited = record.limited;
    sample_.flight_then = record.flight;
    sample_lost_ = record.lost;
    sample_.sent_in = record.at - record.first_sent;
    sample_.rtt = record.again ? RateSample::kNone : now - record.at;
    first_sent_ = record.at;
}

void Delivery::acknowledged(std::uint32_t una, Time now)
{
    for (; first_ < all_.size() && !after(all_[first_].end, una); ++first_) deliver(all_[first_], now);
}

// From the end, where what is new mostly lies.
void Delivery::arrived(std::uint32_t begin, std::uint32_t end, std::uint32_t bytes, Time now)
{
    for (std::size_t i = find(end); bytes > 0 && i-- > first_ && !before(all_[i].begin, begin);) {
        if (all_[i].arrived) continue;
        bytes -= std::min(bytes, all_[i].end - all_[i].begin);
        deliver(all_[i], now);
    }
}

RateSample Delivery::finish(Time least_rtt, Time now)
{
    least_rtt_ = least_rtt == kNever ? 0 : least_rtt;
    RateSample done = sample_;
    sample_ = {};
    if (limited_until_ != 0 && delivered_ > limited_until_) limited_until_ = 0;
    if (!done.told) return done;
    done.lost_since = lost_ - sample_lost_;
    done.interval = std::max(done.sent_in, now - done.prior_at);
    if (done.interval < least_rtt_ || done.interval == 0)
        done.interval = RateSample::kNone;
    else
        done.delivered = delivered_ - done.prior_delivered;
    return done;
}

}  // namespace anml::rt::tcp::law
