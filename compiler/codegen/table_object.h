// Large tables as an object file of their own, written directly: LLVM would take several times as long for each byte.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>

namespace anml {

inline constexpr std::size_t kTableAlignment = 64;
inline constexpr std::size_t kLargeTable = 1 << 20;  // bytes; from there on a table goes apart

// A table that the generated object refers to, by a hidden symbol, and does not hold. The bytes are the plan's.
struct LargeTable {
    std::string symbol;
    std::string_view bytes;
};

// Writes an ELF64 relocatable that defines the tables, for the machine of the object `like`. False: see errno.
bool write_table_object(std::FILE* file, std::string_view like, std::span<const LargeTable> tables);

}  // namespace anml
