#include "entry/points/sharing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "entry/options/value_uses.h"
#include "net/model.h"

namespace anml::rt::entry {

namespace {

bool alike(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// By bits, so that what is not a number has its place, too.
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

}  // namespace

Sharing::Sharing(const abi::Image& image, std::span<const Point> points)
    : points_(points.size()), start_(points.size()), everything_(points.size())
{
    std::iota(everything_.begin(), everything_.end(), 0u);
    if (points.empty()) return;
    const std::vector<double> first = bind_values(image, points.front().tunables);
    std::vector<bool> varies(image.value_count);
    for (const Point& point : points) {
        const std::vector<double> values = bind_values(image, point.tunables);
        for (std::size_t id = 0; id < values.size(); ++id)
            if (!alike(values[id], first[id])) varies[id] = true;
    }
    const ValueUses uses(image);
    // Those that count: the ones that vary, and the times of what they are used for.
    std::map<abi::ValueId, std::size_t> index;
    const auto index_of = [&](abi::ValueId id) { return index.try_emplace(id, index.size()).first->second; };
    for (const TimelineUse& use : uses.timeline) {
        Use kept;
        for (const abi::ValueId id : use.values)
            if (id != abi::kNone && varies[id]) kept.values.push_back(index_of(id));
        if (kept.values.empty()) continue;
        kept.time = index_of(use.time);
        uses_.push_back(std::move(kept));
    }
    std::map<std::pair<std::string, std::vector<std::uint64_t>>, std::uint32_t> starts;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const std::vector<double> values = bind_values(image, points[p].tunables);
        points_[p].resize(index.size());
        for (const auto& [id, at] : index) points_[p][at] = values[id];
        std::vector<std::uint64_t> own;
        for (std::size_t id = 0; id < values.size(); ++id)
            if (varies[id] && uses.from_start[id]) own.push_back(bits(values[id]));
        start_[p] = starts.try_emplace({points[p].otherwise, std::move(own)}, starts.size()).first->second;
    }
}

Time Sharing::time_of(const Use& use, const Values& values) { return std::llround(values[use.time]); }

Time Sharing::until(const Group& group) const
{
    Time earliest = kNever;
    const Values& first = points_[group.front()];
    for (const std::uint32_t point : group) {
        const Values& other = points_[point];
        for (const Use& use : uses_) {
            const Time time = std::min(time_of(use, first), time_of(use, other));
            if (time >= earliest) continue;
            const auto same = [&](std::size_t value) { return alike(first[value], other[value]); };
            if (!std::all_of(use.values.begin(), use.values.end(), same)) earliest = time;
        }
    }
    return earliest;
}

std::vector<Sharing::Group> Sharing::split(const Group& group, Time time) const
{
    std::map<std::vector<std::uint64_t>, std::size_t> known;
    std::vector<Group> groups;
    for (const std::uint32_t point : group) {
        std::vector<std::uint64_t> what{start_[point]};
        for (const Use& use : uses_) {
            const bool begun = time_of(use, points_[point]) <= time;
            what.push_back(begun);
            for (const std::size_t value : use.values) what.push_back(begun ? bits(points_[point][value]) : 0);
        }
        const auto [at, fresh] = known.try_emplace(std::move(what), groups.size());
        if (fresh) groups.emplace_back();
        groups[at->second].push_back(point);
    }
    return groups;
}

}  // namespace anml::rt::entry
