// A number for each vertex of the core and each column, in as many bits as the vertex's largest one has. With tens of
// thousands of both that is what computing routes takes the most memory for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/abi/forwarding.h"

namespace anml {

class CoreCodes {
  public:
    // Columns stand together in blocks, in which each vertex begins at a byte: those who set codes in different blocks
    // don't meet.
    static constexpr std::uint32_t kBlock = 8;

    CoreCodes(std::vector<std::uint8_t> bits, std::uint32_t columns);

    // What all of them take.
    std::uint64_t bytes() const { return std::uint64_t{blocks_} * first_.back() + abi::kCodePadding; }
    void allocate() { codes_.resize(bytes()); }

    // Once at most; 0 where it isn't.
    void set(std::uint32_t column, std::uint32_t vertex, std::uint32_t code);
    std::uint32_t get(std::uint32_t column, std::uint32_t vertex) const
    {
        return abi::code_at(codes_.data() + at(column, vertex), column % kBlock, bits_[vertex]);
    }

  private:
    std::uint64_t at(std::uint32_t column, std::uint32_t vertex) const
    {
        return column / kBlock * first_.back() + first_[vertex];
    }

    std::vector<std::uint8_t> bits_;    // by vertex
    std::vector<std::uint64_t> first_;  // byte in a block by vertex; at last the length of a block
    std::uint32_t blocks_;
    std::vector<std::uint8_t> codes_;
};

}  // namespace anml
