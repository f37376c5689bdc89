// What an epoch of the timeline changes of forwarding tables.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/forwarding.h"
#include "abi/image.h"

namespace anml::rt {

// `tables` and `codes` are those of the epoch before; codes may be empty where none ever change.
inline void change_tables(const abi::Image& image, std::uint32_t epoch, std::vector<abi::RouteTable>& tables,
                          std::vector<std::uint8_t>& codes)
{
    const abi::Slice rows = image.epochs[epoch].changes;
    for (std::uint32_t i = 0; i < rows.count; ++i) {
        const abi::TableChange& change = image.table_changes[rows.first + i];
        tables[change.table] = change.content;
    }
    const abi::Slice columns = image.epochs[epoch].columns;
    for (std::uint32_t i = 0; i < columns.count; ++i) {
        const abi::ColumnChange& change = image.column_changes[columns.first + i];
        for (std::uint32_t j = 0; j < change.codes.count; ++j) {
            const abi::CodeChange& code = image.code_changes[change.codes.first + j];
            const abi::RouteTable& table = tables[code.table];
            abi::set_code(codes.data() + table.first_code, change.column, table.bits, code.code);
        }
    }
}

}  // namespace anml::rt
