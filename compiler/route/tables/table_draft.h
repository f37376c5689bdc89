// A vertex's forwarding table before it has its place in the image; see abi::RouteTable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/abi/image.h"

namespace anml {

struct TableDraft {
    std::vector<abi::RouteRange> ranges;
    std::vector<abi::NextHop> hops;
    std::vector<std::uint8_t> codes;  // without padding
    std::uint32_t bits = 0;
};

// Up to so many ranges a table has no codes: a search in them is as fast as one in the columns.
inline constexpr std::size_t kFewRanges = 64;

}  // namespace anml
