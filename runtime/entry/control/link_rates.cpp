#include "entry/control/link_rates.h"

#include <algorithm>

namespace anml::rt::entry {

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
            const double bytes = static_cast<double>(view.bytes - last.bytes);
            const double framing = static_cast<double>(view.packets - last.packets) * model_.value(row.overhead);
            rate.bits_per_second = 8 * bytes / seconds;
            rate.lost_per_second = static_cast<double>(view.lost - last.lost) / seconds;
            rate.dropped_per_second = static_cast<double>(view.dropped - last.dropped) / seconds;
            if (view.rate > 0) rate.utilisation = std::min(8 * (bytes + framing) / seconds / view.rate, 1.0);
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
