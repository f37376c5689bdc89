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
    Time time(abi::ValueId id) const;              // rounded to the nearest ns
    std::uint64_t integer(abi::ValueId id) const;  // rounded

    std::uint32_t row_of(NodeId node) const;  // index into image().node_rows
    const abi::NodeRow& node_row(NodeId node) const { return image_->node_rows[row_of(node)]; }
    std::uint32_t address(NodeId node) const;  // 0: none
    std::optional<NodeId> node_with(std::uint32_t address) const;
    // The node that all clients of a web workload ask.
    NodeId server(const abi::WorkloadRow& workload) const { return image_->targets[workload.peers.first].first_node; }
    std::string node_name(NodeId node) const;  // "net[3].client[17]"

    const abi::TaskRow& task_of(NodeId node) const;  // the row of image().task_rows that holds the node

    std::uint32_t link_row_of(LinkId link) const;
    std::string link_name(LinkId link) const;  // "net[3].edge[17]" with ">" appended for direction 0, "<" for 1
    // Directed links that "net[3].edge", "net[3].edge[17]", optionally with ">" or "<", names; empty: no such link.
    std::vector<LinkId> links_named(std::string_view name) const;

    // The directed link on which `node` sends to `destination`, kNone: unreachable.
    LinkId route(NodeId node, std::uint32_t destination) const
    {
        const abi::NodeRow& row = node_row(node);
        return route(row, node - row.first_node, destination);
    }
    // The same for element `element` of a row, without looking the row up.
    LinkId route(const abi::NodeRow& row, std::uint32_t element, std::uint32_t destination) const
    {
        abi::Slice slice = image_->tables[row.table + element * row.table_stride];
        const abi::RouteRange* range = image_->ranges + slice.first;
        // The last range that begins at or before the destination.
        for (std::uint32_t left = slice.count; left > 1;) {
            std::uint32_t half = left / 2;
            if (range[half].first <= destination) range += half;
            left -= half;
        }
        if (slice.count == 0 || destination < range->first || destination > range->last) return kNone;
        return range->link + (destination - range->first) * range->by_destination + element * range->by_element;
    }

  private:
    const abi::Image* image_;
    std::vector<double> values_;
    std::vector<std::uint32_t> rows_by_node_;     // rows that are not empty, sorted by first_node
    std::vector<std::uint32_t> rows_by_address_;  // of those, the rows with an address, sorted by it
    std::vector<std::uint32_t> rows_by_link_;     // link rows that are not empty, sorted by first_link
};

}  // namespace anml::rt
