// Links that the rounds of a loop make, `link hop[i]: r[i] -- r[i + 1]`: those that are alike and follow each other
// from 0 on are one row, as if a wildcard had made them.
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// How the ends go on from link to link, if the next one is `next`: 0 or 1; nothing: not evenly.
std::optional<std::uint32_t> stride_to(const LinkEnd& end, std::uint32_t count, const LinkEnd& next)
{
    if (end.row != next.row) return std::nullopt;
    const std::uint32_t step = next.first - end.first;  // modulo 2^32
    if (count > 1) return step == end.stride * count ? std::optional(end.stride) : std::nullopt;
    return step <= 1 ? std::optional(step) : std::nullopt;
}

}  // namespace

// The last row, of one link with this index. True: it is part of the row before it.
bool joins_links(Elaboration& in, const LinkStatement& s, const Frame& frame, std::int64_t index, Span span)
{
    const LinkRowId last{in.network.links.size() - 1};
    if (in.running.statement != &s || in.running.frame != &frame || in.running.row.value + 1 != last.value ||
        in.running.next != index || in.known_links > in.running.row.value)
    {
        in.running = index == 0 ? RunningLinks{&s, &frame, last, 1} : RunningLinks{};
        return false;
    }
    LinkArray& array = in.network.links[in.running.row.value];
    const LinkArray& link = in.network.links.back();
    const auto a = stride_to(array.end[0], array.count, link.end[0]),
               b = stride_to(array.end[1], array.count, link.end[1]);
    bool same = a && b && static_cast<const LinkValues&>(array) == static_cast<const LinkValues&>(link);
    for (std::uint32_t d = 0; d < 2 && same; ++d) {
        const auto of_array = in.resting.find({in.running.row.value, d}), of_link = in.resting.find({last.value, d});
        same = in.held_back.contains({in.running.row.value, d}) == in.held_back.contains({last.value, d}) &&
               (of_array == in.resting.end()) == (of_link == in.resting.end()) &&
               (of_array == in.resting.end() || of_array->second == of_link->second);
    }
    // The array has the name without an index, unless that is a node's.
    if (same && !array.is_array) same = in.names.try_emplace(in.report.path_of(s.name), span).second;
    if (!same) {
        in.running = {};
        return false;
    }
    for (std::uint32_t d = 0; d < 2; ++d) {
        in.resting.erase({last.value, d});
        in.held_back.erase({last.value, d});
    }
    if (!array.is_array) {
        array.name = in.report.path_of(s.name);
        array.is_array = true;
        array.end[0].stride = *a;
        array.end[1].stride = *b;
    }
    ++array.count;
    ++in.running.next;
    in.network.links.pop_back();
    return true;
}

}  // namespace anml
