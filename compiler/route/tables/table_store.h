// Gives tables their places in the image; equal ones share theirs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "route/tables/table_draft.h"

namespace anml {

class TableStore {
  public:
    explicit TableStore(RouteTables& routes) : routes_(routes) {}

    // The number of the table.
    std::uint32_t place(TableDraft&& draft);
    // Of one that shares its codes with none, since epochs change them.
    std::uint32_t place_alone(const TableDraft& draft);
    // Of one as `number` is, but for its ranges.
    std::uint32_t with_ranges(std::uint32_t number, const std::vector<abi::RouteRange>& ranges);

    const abi::RouteTable& table(std::uint32_t number) const { return tables_[number]; }
    // Whether an image has room for what was placed, which it finds by offsets of 32 bits.
    bool fits() const;

  private:
    std::uint32_t add(const TableDraft& draft);
    bool equal(const abi::RouteTable& table, const TableDraft& draft) const;

    RouteTables& routes_;
    std::vector<abi::RouteTable> tables_;                        // distinct
    std::unordered_multimap<std::size_t, std::uint32_t> known_;  // their numbers, by their hashes
};

}  // namespace anml
