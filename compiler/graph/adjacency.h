// A picture's graph for the layouts: every node's neighbours once each, in order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/picture.h"

namespace anml {

class Adjacency {
  public:
    explicit Adjacency(const Picture& picture);

    std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size() - 1); }
    std::span<const std::uint32_t> of(std::uint32_t node) const
    {
        return {neighbours_.data() + first_[node], neighbours_.data() + first_[node + 1]};
    }
    std::size_t degree(std::uint32_t node) const { return first_[node + 1] - first_[node]; }
    // Connected parts: by size, the largest first, of equals the one with the lowest node.
    std::vector<std::vector<std::uint32_t>> components() const;
    // Links to `from` by node; kFar: no way.
    void distances(std::span<const std::uint32_t> from, std::vector<std::uint32_t>& distance) const;
    std::size_t edges() const { return neighbours_.size() / 2; }

    static constexpr std::uint32_t kFar = 0xffffffffu;

  private:
    std::vector<std::uint32_t> first_, neighbours_;
};

}  // namespace anml
