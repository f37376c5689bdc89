#include "route/core/core_tables.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <ranges>

#include "route/tables/range_builder.h"

namespace anml {
namespace {

class CoreTable {
  public:
    CoreTable(const RowGraph& graph, const Destinations& destinations, std::uint32_t vertex,
              std::span<const PendantRoutes::Below> below, std::span<const abi::NextHop> hops,
              std::span<const std::uint32_t> codes)
        : destinations_(destinations), below_(below), hops_(hops), codes_(codes)
    {
        const std::uint32_t own = destinations.number[vertex];
        if (graph.vertices()[vertex].count == 1) own_ = own;
    }

    TableDraft make() const
    {
        std::vector<std::uint32_t> dense;
        TableDraft table = by_columns(dense);
        const std::size_t size = table.codes.size() + table.hops.size() * sizeof(abi::NextHop) +
                                 table.ranges.size() * sizeof(abi::RouteRange);
        TableDraft ranges;
        if (by_ranges(std::max(kFewRanges, size / sizeof(abi::RouteRange)), ranges)) return ranges;
        return table;
    }

    // What hangs on the vertex.
    std::vector<abi::RouteRange> ranges_below() const
    {
        RangeBuilder builder(destinations_, own_);
        for (const PendantRoutes::Below& below : below_) builder.add(below.first, below.last, below.hop);
        return builder.ranges();
    }

    // What hangs on the vertex as ranges, the rest by columns. `later`: codes that columns come to have besides.
    TableDraft by_columns(std::vector<std::uint32_t>& dense, std::span<const std::uint32_t> later = {}) const
    {
        TableDraft table;
        table.ranges = ranges_below();
        dense.assign(hops_.size() + 1, 0);
        for (const std::span<const std::uint32_t> codes : {codes_, later}) {
            for (const std::uint32_t code : codes) {
                if (code == 0 || dense[code] != 0) continue;
                table.hops.push_back(hops_[code - 1]);
                dense[code] = static_cast<std::uint32_t>(table.hops.size());
            }
        }
        if (table.hops.empty()) return table;
        table.bits = static_cast<std::uint32_t>(std::bit_width(table.hops.size()));
        table.codes.resize((codes_.size() * table.bits + 7) / 8);
        std::size_t at = 0;  // bit
        for (const std::uint32_t code : codes_) {
            for (std::uint64_t left = std::uint64_t{dense[code]} << at % 8, byte = at / 8; left != 0;
                 left >>= 8, ++byte)
                table.codes[byte] |= static_cast<std::uint8_t>(left);
            at += table.bits;
        }
        return table;
    }

  private:
    // Everything as ranges; false if there are more than `most`.
    bool by_ranges(std::size_t most, TableDraft& table) const
    {
        RangeBuilder builder(destinations_, own_);
        std::size_t next = 0;  // of below_
        for (std::uint32_t i = 0; i < destinations_.list.size(); ++i) {
            if (next < below_.size() && below_[next].first == i) {
                builder.add(i, below_[next].last, below_[next].hop);
                i = below_[next++].last;
            } else if (const std::uint32_t code = codes_[destinations_.list[i].column]; code != 0 && i != own_) {
                builder.add(i, i, hops_[code - 1]);
            }
            if (builder.ranges().size() > most) return false;
        }
        table.ranges = builder.ranges();
        return true;
    }

    const Destinations& destinations_;
    std::uint32_t own_ = Destinations::kNone;  // the vertex itself, unless it is a run
    std::span<const PendantRoutes::Below> below_;
    std::span<const abi::NextHop> hops_;
    std::span<const std::uint32_t> codes_;  // by column
};

}  // namespace

TableDraft make_core_table(const CoreVertex& core, const CoreRoutes& routes, std::span<const std::uint32_t> codes)
{
    return CoreTable(core.graph, core.destinations, core.vertex, core.below, routes.hops(core.index), codes).make();
}

TableDraft make_changing_table(const CoreVertex& core, const CoreRoutes& routes, std::span<const std::uint32_t> codes,
                               std::span<const std::uint32_t> later, std::vector<std::uint32_t>& dense)
{
    return CoreTable(core.graph, core.destinations, core.vertex, core.below, routes.hops(core.index), codes)
        .by_columns(dense, later);
}

std::vector<abi::RouteRange> core_ranges(const CoreVertex& core)
{
    return CoreTable(core.graph, core.destinations, core.vertex, core.below, {}, {}).ranges_below();
}

void make_core_tables(const RowGraph& graph, const PathGraph& core, const Destinations& destinations,
                      const CoreRoutes& routes, const PendantRoutes& pendant, const std::vector<char>& left_out,
                      std::vector<TableDraft>& tables)
{
    constexpr std::uint32_t kTogether = 32;  // vertices whose codes share cache lines
    const tbb::blocked_range<std::uint32_t> all(0, (core.size() + kTogether - 1) / kTogether);
    tbb::parallel_for(all, [&](const tbb::blocked_range<std::uint32_t>& range) {
        std::vector<std::uint32_t> codes;
        for (std::uint32_t first = range.begin() * kTogether; first < range.end() * kTogether; first += kTogether) {
            const std::uint32_t end = std::min(first + kTogether, core.size());
            const auto leads_nowhere = [&](std::uint32_t index) {
                return routes.hops(index).empty() && pendant.below(core.vertex(index)).empty();
            };
            if (std::ranges::all_of(std::views::iota(first, end), leads_nowhere)) continue;
            routes.codes(first, end - first, codes);
            for (std::uint32_t index = first; index < end; ++index) {
                const std::uint32_t v = core.vertex(index);
                if (!left_out.empty() && left_out[v]) continue;
                const std::span<const std::uint32_t> own(codes.data() + std::size_t{index - first} * routes.columns(),
                                                         routes.columns());
                tables[v] = CoreTable(graph, destinations, v, pendant.below(v), routes.hops(index), own).make();
            }
        }
    });
}

}  // namespace anml
