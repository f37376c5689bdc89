// How far two timelines of one image are the same.
#include <algorithm>

#include "net/timeline/timeline.h"

namespace anml::rt {

namespace {

template <class Array>
bool same(const Array& one, const Array& other)
{
    return std::equal(std::begin(one), std::end(one), std::begin(other), std::end(other));
}

bool same_versions(const LinkVersion& a, const LinkVersion& b)
{
    return a.time == b.time && a.up == b.up && same(a.delay, b.delay) && same(a.rate, b.rate) &&
           same(a.capacity, b.capacity) && same(a.packet_limit, b.packet_limit) && same(a.law, b.law) &&
           same(a.discipline, b.discipline);
}

// Those before the time.
template <class Row>
std::span<const Row> before(Time time, const std::vector<Row>& rows)
{
    const auto end =
        std::lower_bound(rows.begin(), rows.end(), time, [](const Row& row, Time t) { return row.time < t; });
    return {rows.data(), static_cast<std::size_t>(end - rows.begin())};
}

// Of a slice that is the same in both.
template <class Row, class Same>
bool same_rows(const abi::Slice& one, const abi::Slice& other, const std::vector<Row>& rows,
               const std::vector<Row>& others, Same&& is_same)
{
    if (one.first != other.first || one.count != other.count) return false;
    return std::equal(rows.begin() + one.first, rows.begin() + one.first + one.count, others.begin() + one.first,
                      is_same);
}

}  // namespace

bool Timeline::is_same_before(Time time, const Timeline& other) const
{
    std::uint32_t last_law = 0;
    const auto same_links = [&](const ChangingLink& a, const ChangingLink& b) {
        if (a.link != b.link || !same(a.traced, b.traced) || !same(a.held, b.held)) return false;
        const auto own = before(time, a.versions);
        for (const LinkVersion& version : own)
            for (const std::uint32_t law : version.law)
                if (law != abi::kNone) last_law = std::max(last_law, law);
        const auto theirs = before(time, b.versions);
        return std::equal(own.begin(), own.end(), theirs.begin(), theirs.end(), same_versions);
    };
    if (!std::equal(links.begin(), links.end(), other.links.begin(), other.links.end(), same_links)) return false;
    // Those that count up to then, behind the image's own.
    const std::uint32_t records = model_.image().record_count;
    const std::size_t used = last_law < records ? 0 : last_law - records + 1;
    for (std::size_t i = 0; i < used; ++i)
        if (i >= laws.size() || i >= other.laws.size() || laws[i].parts != other.laws[i].parts) return false;
    const auto same_instants = [&](const Instant& a, const Instant& b) {
        return a.time == b.time && a.epoch == b.epoch &&
               same_rows(a.changes, b.changes, changes, other.changes,
                         [](const Change& x, const Change& y) { return x.link == y.link && x.version == y.version; }) &&
               same_rows(a.switches, b.switches, switches, other.switches,
                         [](const Switch& x, const Switch& y) {
                             return x.workload == y.workload && x.hosts == y.hosts && x.behind == y.behind &&
                                    x.active == y.active;
                         }) &&
               same_rows(a.paces, b.paces, paces, other.paces,
                         [](const Pace& x, const Pace& y) { return x.workload == y.workload && x.value == y.value; });
    };
    const auto own = before(time, instants), theirs = before(time, other.instants);
    return std::equal(own.begin(), own.end(), theirs.begin(), theirs.end(), same_instants);
}

}  // namespace anml::rt
