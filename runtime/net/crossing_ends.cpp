#include "net/crossing_ends.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace anml::rt {

static_assert(std::is_trivially_copyable_v<Crossing>);
static_assert(sizeof(Crossing) + 0xffff < cct::Departure::kLongest);  // a packet is at most so long

CrossingDeparture::Taken CrossingDeparture::take(std::vector<std::uint8_t>& bytes, std::uint64_t most, std::size_t full)
{
    const auto drained = outbox_.drain_while([&](const Crossing& crossing, std::span<const std::uint8_t> content) {
        if (most == 0 || bytes.size() >= full) return false;
        --most;
        const auto* from = reinterpret_cast<const std::uint8_t*>(&crossing);
        bytes.insert(bytes.end(), from, from + sizeof crossing);
        bytes.insert(bytes.end(), content.begin(), content.end());
        return true;
    });
    return {drained.taken, drained.all, drained.starved};
}

void CrossingArrival::expect(LinkId first, std::uint32_t count)
{
    links_.insert(std::ranges::upper_bound(links_, first, {}, &Links::first), {first, count});
}

bool CrossingArrival::expects(LinkId link) const
{
    const auto behind = std::ranges::upper_bound(links_, link, {}, &Links::first);
    if (behind == links_.begin()) return false;
    const LinkId within = link - std::prev(behind)->first;
    return within % 2 == 0 && within / 2 < std::prev(behind)->count;
}

std::optional<std::span<const std::uint8_t>> CrossingArrival::put(std::span<const std::uint8_t> bytes,
                                                                  std::uint32_t messages)
{
    for (; messages != 0; --messages) {
        Crossing crossing;
        if (bytes.size() < sizeof crossing) return std::nullopt;
        std::memcpy(&crossing, bytes.data(), sizeof crossing);
        if (bytes.size() - sizeof crossing < crossing.bytes) return std::nullopt;
        if (!expects(crossing.stream) || crossing.time < state.clock() || !may_arrive_(crossing))
            return std::nullopt;
        outbox_.put(crossing, bytes.subspan(sizeof crossing, crossing.bytes));
        bytes = bytes.subspan(sizeof crossing + crossing.bytes);
    }
    return bytes;
}

}  // namespace anml::rt
