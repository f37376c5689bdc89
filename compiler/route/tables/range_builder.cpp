// Merging: equal next hops of addresses with nothing between that is no node's, or links that rise with the address. A
// range may run over nodes that nothing sends to.
#include "route/tables/range_builder.h"

#include <algorithm>

namespace anml {
namespace {

bool same(const abi::NextHop& a, const abi::NextHop& b)
{
    return a.link == b.link && a.paths == b.paths && a.by_destination == b.by_destination &&
           a.by_element == b.by_element;
}

// A single address may be seen as one of many to which links rise.
bool rises(const abi::RouteRange& r) { return r.hop.paths == 1 && (r.hop.by_destination == 2 || r.first == r.last); }
std::uint32_t rising_base(const abi::RouteRange& r)
{
    return r.hop.by_destination == 2 ? r.hop.link : r.hop.link - 2 * r.first;
}

}  // namespace

void RangeBuilder::add(std::uint32_t first, std::uint32_t last, abi::NextHop hop)
{
    for (std::uint32_t end; first <= last; first = end + 1) {
        end = std::min(last, destinations_.list[first].block_end);
        add_block(first, end, hop);
        if (end == last) return;
    }
}

void RangeBuilder::add_block(std::uint32_t first, std::uint32_t last, abi::NextHop hop)
{
    abi::RouteRange range{destinations_.list[first].first, destinations_.list[last].last, hop};
    const std::uint32_t previous = last_;
    last_ = last;
    if (!ranges_.empty() && destinations_.list[previous].block == destinations_.list[first].block &&
        (previous + 1 == first || (previous + 2 == first && previous + 1 == own_)))
    {
        abi::RouteRange& before = ranges_.back();
        if (same(before.hop, range.hop)) {
            before.last = range.last;
            return;
        }
        if (rises(before) && rises(range) && before.hop.by_element == range.hop.by_element &&
            rising_base(before) == rising_base(range))
        {
            before.hop.link = rising_base(before);
            before.hop.by_destination = 2;
            before.last = range.last;
            return;
        }
    }
    ranges_.push_back(range);
}

}  // namespace anml
