// Merging: equal links over adjacent addresses, or links that rise with the destination.
#include "route/range_builder.h"

namespace anml {

void RangeBuilder::add(abi::RouteRange range)
{
    if (range.first == range.last) range.by_destination = 0;
    if (!ranges_.empty() && ranges_.back().by_element == range.by_element) {
        abi::RouteRange& last = ranges_.back();
        const bool adjacent = last.last + 1 == range.first;
        const bool around_own = own_ != 0 && last.last + 1 == own_ && own_ + 1 == range.first;
        const auto constant = [](const abi::RouteRange& r) { return r.by_destination == 0; };
        const auto rising = [](const abi::RouteRange& r) { return r.by_destination == 2 || r.first == r.last; };
        if ((adjacent || around_own) && constant(last) && constant(range) && last.link == range.link) {
            last.last = range.last;
            return;
        }
        if (adjacent && rising(last) && rising(range) && range.link == last.link + 2 * (range.first - last.first)) {
            last.last = range.last;
            last.by_destination = 2;
            return;
        }
    }
    ranges_.push_back(range);
}

void RangeBuilder::add_own(std::uint32_t address) { own_ = address; }

}  // namespace anml
