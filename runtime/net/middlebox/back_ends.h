// The nodes that a load balancer's record names.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "net/model.h"

namespace anml::rt {

struct BackEndNodes {
    NodeId first_node;
    std::uint32_t count;
    Address address;  // of the first; the others' follow
    std::uint64_t weight;
};

// In the order of the record's groups, and within one of the model's nodes.
inline std::vector<BackEndNodes> back_ends_of(const Model& model, const abi::record::load_balancer& balancer)
{
    const abi::Image& image = model.image();
    std::vector<BackEndNodes> all;
    for (const std::uint32_t record : abi::listed(image, balancer.back_ends)) {
        const auto& group = abi::row_of<abi::record::back_end>(image, record);
        for (std::uint32_t r = 0; r < image.node_row_count; ++r) {
            const abi::NodeRow& nodes = image.node_rows[r];
            if (nodes.address == 0 || nodes.address >= abi::kIpv6Handles) continue;
            for (const abi::AddressRange& range : abi::ranges_of(image, group.nodes)) {
                const std::uint32_t first = std::max(range.first, nodes.address);
                const std::uint32_t last = std::min(range.last, nodes.address + nodes.count - 1);
                if (first > last) continue;
                all.push_back({nodes.first_node + (first - nodes.address), last - first + 1, Address{first},
                               model.integer(group.weight)});
            }
        }
    }
    return all;
}

}  // namespace anml::rt
