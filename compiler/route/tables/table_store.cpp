#include "route/tables/table_store.h"

#include <string_view>
#include <type_traits>

namespace anml {
namespace {

template <class Row>
abi::Slice append(std::vector<Row>& to, const std::vector<Row>& rows)
{
    const abi::Slice slice{static_cast<std::uint32_t>(to.size()), static_cast<std::uint32_t>(rows.size())};
    to.insert(to.end(), rows.begin(), rows.end());
    return slice;
}

template <class Row>
std::string_view bytes(const Row* rows, std::size_t count)
{
    static_assert(std::has_unique_object_representations_v<Row>);
    return {reinterpret_cast<const char*>(rows), count * sizeof(Row)};
}

std::size_t hash_of(const TableDraft& draft)
{
    const std::hash<std::string_view> hash;
    std::size_t result = hash(bytes(draft.ranges.data(), draft.ranges.size()));
    result = result * 31 + hash(bytes(draft.hops.data(), draft.hops.size()));
    return result * 31 + hash(bytes(draft.codes.data(), draft.codes.size()));
}

}  // namespace

std::uint32_t TableStore::place(TableDraft&& draft)
{
    const std::size_t hash = hash_of(draft);
    const auto [begin, end] = known_.equal_range(hash);
    for (auto at = begin; at != end; ++at) {
        if (equal(tables_[at->second], draft)) return at->second;
    }
    const std::uint32_t number = add(draft);
    known_.emplace(hash, number);
    draft = {};
    return number;
}

std::uint32_t TableStore::place_alone(const TableDraft& draft) { return add(draft); }

std::uint32_t TableStore::with_ranges(std::uint32_t number, const std::vector<abi::RouteRange>& ranges)
{
    abi::RouteTable table = tables_[number];
    table.ranges = append(routes_.ranges, ranges);
    tables_.push_back(table);
    return static_cast<std::uint32_t>(tables_.size() - 1);
}

bool TableStore::fits() const
{
    constexpr std::size_t kMost = 0xffffffffu - abi::kCodePadding;
    return routes_.codes.size() <= kMost && routes_.ranges.size() <= kMost && routes_.hops.size() <= kMost;
}

std::uint32_t TableStore::add(const TableDraft& draft)
{
    abi::RouteTable table{};
    table.ranges = append(routes_.ranges, draft.ranges);
    table.hops = append(routes_.hops, draft.hops);
    table.first_code = append(routes_.codes, draft.codes).first;
    table.bits = draft.bits;
    tables_.push_back(table);
    return static_cast<std::uint32_t>(tables_.size() - 1);
}

bool TableStore::equal(const abi::RouteTable& table, const TableDraft& draft) const
{
    return table.bits == draft.bits && table.ranges.count == draft.ranges.size() &&
           table.hops.count == draft.hops.size() &&
           bytes(routes_.ranges.data() + table.ranges.first, table.ranges.count) ==
               bytes(draft.ranges.data(), draft.ranges.size()) &&
           bytes(routes_.hops.data() + table.hops.first, table.hops.count) ==
               bytes(draft.hops.data(), draft.hops.size()) &&
           // As many codes as columns, in any table with as many bits.
           bytes(routes_.codes.data() + table.first_code, draft.codes.size()) ==
               bytes(draft.codes.data(), draft.codes.size());
}

}  // namespace anml
