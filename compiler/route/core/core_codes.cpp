#include "route/core/core_codes.h"

namespace anml {

CoreCodes::CoreCodes(std::vector<std::uint8_t> bits, std::uint32_t columns)
    : bits_(std::move(bits)), first_{0}, blocks_((columns + kBlock - 1) / kBlock)
{
    for (const std::uint8_t b : bits_) first_.push_back(first_.back() + b);  // bytes for eight codes of b bits
}

void CoreCodes::set(std::uint32_t column, std::uint32_t vertex, std::uint32_t code)
{
    const std::uint32_t bit = column % kBlock * bits_[vertex];
    std::uint8_t* byte = codes_.data() + at(column, vertex) + bit / 8;
    for (std::uint64_t left = std::uint64_t{code} << bit % 8; left != 0; left >>= 8)
        *byte++ |= static_cast<std::uint8_t>(left);
}

}  // namespace anml
