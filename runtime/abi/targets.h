// The nodes that a workload's hosts and peers are.
#pragma once

#include <cstdint>

#include "abi/image.h"

namespace anml::abi {

// Calls visit(node) for each, in their order.
template <class Visit>
void each_node(const Image& image, Slice targets, Visit&& visit)
{
    for (std::uint32_t i = 0; i < targets.count; ++i) {
        const TargetRow& range = image.targets[targets.first + i];
        for (std::uint32_t element = 0; element < range.count; ++element) visit(range.first_node + element);
    }
}

}  // namespace anml::abi
