#include "transport/recovery/retransmissions.h"

#include <algorithm>

#include "transport/sequence.h"

namespace anml::rt::tcp {

void Retransmissions::forget()
{
    all_.clear();
    order_.clear();
    first_ = told_ = judged_ = 0;
    lost_ = 0;
}

void Retransmissions::clear(std::uint32_t una)
{
    forget();
    sent_before_ = una;
    newest_ = 0;
}

std::size_t Retransmissions::find(std::uint32_t sequence) const
{
    const auto from = std::partition_point(all_.begin() + static_cast<std::ptrdiff_t>(first_), all_.end(),
                                           [&](const Segment& segment) { return !after(segment.end, sequence); });
    return static_cast<std::size_t>(from - all_.begin());
}

Retransmissions::Segment* Retransmissions::current(const Sent& sent)
{
    const std::size_t i = find(sent.begin);
    if (i == all_.size()) return nullptr;
    Segment& segment = all_[i];
    return segment.begin == sent.begin && segment.at == sent.at && !segment.arrived ? &segment : nullptr;
}

void Retransmissions::set_sent(Segment& segment, std::uint32_t max, Time now)
{
    if (segment.lost) lost_ -= segment.end - segment.begin;
    segment.lost = false;
    segment.max = max;
    segment.at = now;
    order_.push_back({segment.begin, now});
}

void Retransmissions::sent(std::uint32_t begin, std::uint32_t end, std::uint32_t max, Time now)
{
    if (empty()) {
        forget();
    } else if (first_ > 64 && first_ > all_.size() / 2) {
        all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }
    if (told_ > 64 && told_ > order_.size() / 2) {
        order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(told_));
        judged_ -= told_;
        told_ = 0;
    }
    while (before(begin, end)) {
        const std::size_t i = find(begin);
        if (i == all_.size() || before(begin, all_[i].begin)) {  // a new one, up to the next
            const std::uint32_t limit = i < all_.size() && before(all_[i].begin, end) ? all_[i].begin : end;
            all_.insert(all_.begin() + static_cast<std::ptrdiff_t>(i), {begin, limit, max, false, false, now});
        }
        if (!all_[i].arrived) set_sent(all_[i], max, now);
        begin = all_[i].end;
    }
}

void Retransmissions::deliver(Segment& segment, Time now, Time least)
{
    if (segment.arrived) return;
    segment.arrived = true;
    if (segment.lost) lost_ -= segment.end - segment.begin;
    if (now - segment.at < least) return;
    newest_ = std::max(newest_, segment.at);
    sent_before_ = later(sent_before_, segment.max);
}

void Retransmissions::acknowledged(std::uint32_t una, Time now, Time least)
{
    for (; first_ < all_.size() && !after(all_[first_].end, una); ++first_) deliver(all_[first_], now, least);
    sent_before_ = later(sent_before_, una);
}

void Retransmissions::arrived(std::uint32_t begin, std::uint32_t end, Time now, Time least)
{
    for (std::size_t i = find(begin); i < all_.size() && !after(all_[i].end, end); ++i)
        if (!before(all_[i].begin, begin)) deliver(all_[i], now, least);
}

void Retransmissions::judge(const Evidence& evidence)
{
    for (; judged_ < order_.size(); ++judged_) {
        Segment* const segment = current(order_[judged_]);
        if (segment == nullptr || segment->lost) continue;
        if (segment->at > evidence.old) return;
        if (!after(evidence.latest, segment->max) && segment->at >= evidence.sent) return;
        segment->lost = true;
        lost_ += segment->end - segment->begin;
    }
}

std::optional<Range> Retransmissions::next_lost()
{
    for (; told_ < judged_;) {
        const Segment* const segment = current(order_[told_++]);
        if (segment != nullptr && segment->lost) return Range{segment->begin, segment->end};
    }
    return std::nullopt;
}

}  // namespace anml::rt::tcp
