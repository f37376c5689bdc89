// Numbers with units as other tools' files write them: "10 MB/s", "81920 Kibit", "2,5 Gbit/s", "10 milliseconds",
// "250 usec", "5 percent".
//
// SI prefixes are powers of 1000, binary ones (Ki, Mi; IEC 80000-13) of 1024; a small b is a bit, a large B a byte.
// The language's own units mean what they mean there: 1 KB is 1024 bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/values/quantity.h"

namespace anml {

// The whole text as a canonical value (ns, B, bit/s, m, a ratio). Nothing: it is no number with a unit of that kind.
// A ratio may also be a plain number or a fraction, "1/1000". A rate may leave out "per second" behind bits.
std::optional<double> read_foreign(std::string_view text, Dimension dim);

// A unit alone: a value in it is `number * factor * 10^exponent`.
struct ForeignUnit {
    std::uint64_t factor = 1;
    int exponent = 0;
};
std::optional<ForeignUnit> foreign_unit(std::string_view name, Dimension dim);

// The number at `at`, which is moved behind it, as digits with a point; "": there is none. A comma before three digits
// groups, "1,000", unless what stands before it is none of a group, "0,125" and "1234,567"; any other is a decimal one.
std::string scan_foreign_number(std::string_view text, std::size_t& at);

}  // namespace anml
