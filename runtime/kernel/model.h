// The model at run time: the image with its tunables bound. Read-only once made.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/image.h"
#include "base/time.h"
#include "kernel/packet.h"

namespace anml::rt {

class Model {
  public:
    // `tunables` in ParameterRow::tunable order, canonical units. Requirements are not checked here.
    Model(const abi::Image& image, std::span<const double> tunables);

    const abi::Image& image() const { return *image_; }
    std::string_view text(abi::StringRef ref) const { return image_->strings + ref; }
    double value(abi::ValueId id) const { return values_[id]; }
    Time time(abi::ValueId id) const;                // rounded to the nearest ns
    std::uint64_t integer(abi::ValueId id) const;    // rounded

    std::uint32_t row_of(NodeId node) const;   // index into image().node_rows
    const abi::NodeRow& node_row(NodeId node) const { return image_->node_rows[row_of(node)]; }
    std::uint32_t address(NodeId node) const;  // 0: none
    std::optional<NodeId> node_with(std::uint32_t address) const;
    std::string node_name(NodeId node) const;  // "net[3].client[17]"

    std::uint32_t link_row_of(LinkId link) const;
    std::string link_name(LinkId link) const;  // "net[3].edge[17]" with ">" appended for direction 0, "<" for 1
    // Directed links that "net[3].edge", "net[3].edge[17]", optionally with ">" or "<", names; empty: no such link.
    std::vector<LinkId> links_named(std::string_view name) const;

    // The directed link on which `node` sends to `destination`, kNone: unreachable.
    LinkId route(NodeId node, std::uint32_t destination) const;

  private:
    const abi::Image* image_;
    std::vector<double> values_;
    std::vector<std::uint32_t> row_of_node_;      // first_node of each row, sorted
    std::vector<std::uint32_t> rows_by_address_;  // rows with an address, sorted by address
};

}  // namespace anml::rt
