// Which vertices can send to each other at all: those in or beside one connected part of the routers and switches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/routes/row_graph.h"

namespace anml {

class TransitComponents {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    // `weights` by edge; those that are kDown join nothing.
    TransitComponents(const RowGraph& graph, std::span<const std::int64_t> weights);

    std::uint32_t count() const { return count_; }
    std::uint32_t of(std::uint32_t vertex) const { return component_[vertex]; }  // kNone: it passes nothing on
    // Whether packets from the component's routers reach `vertex`.
    bool reaches(std::uint32_t component, std::uint32_t vertex) const;

  private:
    const RowGraph& graph_;
    std::span<const std::int64_t> weights_;
    std::vector<std::uint32_t> component_;
    std::uint32_t count_ = 0;
};

}  // namespace anml
