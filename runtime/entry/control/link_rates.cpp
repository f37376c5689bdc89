#include "entry/control/link_rates.h"

#include <algorithm>

namespace anml::rt::entry {

namespace {

// Of the bytes on the link, as the latest packets have it; of none, of all.
double share_of_ip(const LinkView& view, const LinkView& last, double overhead)
{
    const bool any = view.packets > last.packets;
    const auto bytes = static_cast<double>(any ? view.bytes - last.bytes : view.bytes);
    const auto packets = static_cast<double>(any ? view.packets - last.packets : view.packets);
    return bytes > 0 ? bytes / (bytes + packets * overhead) : 1;
}

}  // namespace

void LinkRates::look()
{
    views_.ask();
    last_.resize(views_.size());
    rates_.resize(views_.size());
    for (LinkId link = 0; link < views_.size(); ++link) {
        const LinkView view = views_.read(link);
        LinkView& last = last_[link];
        if (view.at == last.at) continue;  // it had no turn
        LinkRate& rate = rates_[link];
        rate.link = link;
        rate.waiting = view.waiting;
        rate.down = view.down != 0;
        rate.utilisation.reset();
        const double seconds = static_cast<double>(view.at - last.at) / kSecond;
        if (last.at != 0) {
            const abi::LinkRow& row = model_.image().link_rows[model_.link_row_of(link)];
            // What the queue took, but for what has come to wait there.
            const double taken = static_cast<double>(view.bytes - last.bytes);
            const double framing = static_cast<double>(view.packets - last.packets) * model_.value(row.overhead);
            const double grown = static_cast<double>(view.waiting) - static_cast<double>(last.waiting);
            const double carried = std::max(taken + framing - grown, 0.0);
            rate.bits_per_second = 8 * carried * share_of_ip(view, last, model_.value(row.overhead)) / seconds;
            rate.lost_per_second = static_cast<double>(view.lost - last.lost) / seconds;
            rate.dropped_per_second = static_cast<double>(view.dropped - last.dropped) / seconds;
            if (view.rate > 0) rate.utilisation = std::min(8 * carried / seconds / view.rate, 1.0);
        }
        last = view;
    }
}

std::vector<LinkRate> LinkRates::busiest(std::size_t count) const
{
    std::vector<LinkRate> found;
    for (LinkId link = 0; link < last_.size(); ++link)
        if (last_[link].at != 0) found.push_back(rates_[link]);
    const auto busier = [](const LinkRate& a, const LinkRate& b) {
        const double of_a = a.utilisation.value_or(0), of_b = b.utilisation.value_or(0);
        if (of_a != of_b) return of_a > of_b;
        return a.bits_per_second != b.bits_per_second ? a.bits_per_second > b.bits_per_second : a.link < b.link;
    };
    count = std::min(count, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end(), busier);
    found.resize(count);
    return found;
}

}  // namespace anml::rt::entry
