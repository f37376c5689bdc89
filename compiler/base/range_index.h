// Which of many ranges of elements of rows hold one. Each range is kept in the aligned blocks of powers of two that it
// consists of, two of each size at most, so that neither many ranges nor long ones make the search slow.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace anml {

template <class Value>
class RangeIndex {
  public:
    void add(std::uint32_t row, std::uint32_t first, std::uint32_t count, const Value& value)
    {
        for (std::uint64_t at = first, end = std::uint64_t{first} + count; at < end;) {
            const int aligned = at == 0 ? 32 : std::countr_zero(at), fitting = std::bit_width(end - at) - 1;
            const int level = std::min(aligned, fitting);
            sizes_ |= std::uint64_t{1} << level;
            blocks_[{row, static_cast<std::uint32_t>(level), static_cast<std::uint32_t>(at >> level)}].push_back(value);
            at += std::uint64_t{1} << level;
        }
    }

    // The values of the ranges that hold the element, in no order.
    template <class Each>
    void find(std::uint32_t row, std::uint32_t element, const Each& each) const
    {
        each_block(row, element, [&](const std::vector<Value>& block) {
            for (const Value& value : block) each(value);
        });
    }
    std::size_t count(std::uint32_t row, std::uint32_t element) const
    {
        std::size_t sum = 0;
        each_block(row, element, [&](const std::vector<Value>& block) { sum += block.size(); });
        return sum;
    }

  private:
    struct Block {
        std::uint32_t row, level, number;
        friend bool operator==(const Block&, const Block&) = default;
    };
    struct Hash {
        std::size_t operator()(const Block& b) const
        {
            std::uint64_t h = (std::uint64_t{b.row} << 32 | b.number) * 0x9e3779b97f4a7c15u;
            h = (h ^ h >> 29 ^ b.level) * 0xbf58476d1ce4e5b9u;
            return static_cast<std::size_t>(h ^ h >> 32);
        }
    };
    template <class Each>
    void each_block(std::uint32_t row, std::uint32_t element, const Each& each) const
    {
        for (std::uint64_t left = sizes_; left != 0; left &= left - 1) {
            const int level = std::countr_zero(left);
            const auto block = blocks_.find(
                {row, static_cast<std::uint32_t>(level), static_cast<std::uint32_t>(std::uint64_t{element} >> level)});
            if (block != blocks_.end()) each(block->second);
        }
    }

    std::unordered_map<Block, std::vector<Value>, Hash> blocks_;
    std::uint64_t sizes_ = 0;  // bit n: some block has 2^n elements
};

}  // namespace anml
