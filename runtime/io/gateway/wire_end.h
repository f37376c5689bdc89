// Where an endpoint is an end of a transparent link.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/image.h"
#include "base/ids.h"

namespace anml::rt::io {

struct WireEnd {
    LinkId out;    // directed, from here; kNone: the link goes the other way alone
    NodeId other;  // at its other end
};

// Nothing: the endpoint, a row of the image, has links of IP.
inline std::optional<WireEnd> wire_at(const abi::Image& image, std::uint32_t endpoint)
{
    const NodeId node = image.endpoints[endpoint].node;
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        if (row.transparent == 0) continue;
        for (std::uint32_t side = 0; side < 2; ++side) {
            const std::uint32_t element = node - row.node[side];
            if (node < row.node[side] || element >= (row.stride[side] ? row.count : 1)) continue;
            const LinkId out = row.first_link + 2 * element + side;
            return WireEnd{side == 1 && row.one_way ? kNone : out,
                           row.node[1 - side] + element * row.stride[1 - side]};
        }
    }
    return std::nullopt;
}

}  // namespace anml::rt::io
