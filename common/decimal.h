// Decimal numbers as the double nearest to them (IEEE 754-2019, 5.12.2), the same on every processor.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace anml {

// digits * factor * 10^exponent, rounded once, ties to even. `digits`: "12", "1.5", "2e-3", without a sign; nothing:
// it is no number. What is too large is infinite. factor < 2^60.
std::optional<double> read_decimal(std::string_view digits, std::uint64_t factor = 1, int exponent = 0);

// The number of zeros of a power of ten.
constexpr int zeros(std::uint64_t power)
{
    int count = 0;
    for (; power > 1; power /= 10) ++count;
    return count;
}

}  // namespace anml
