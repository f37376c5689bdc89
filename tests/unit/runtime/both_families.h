// The model of a chain whose nodes have IPv6 besides: 2001:db8:: with their IPv4 address in it.
#pragma once

#include <vector>

#include "image_builder.h"

namespace anml::test {

class BothFamilies {
  public:
    explicit BothFamilies(const ChainModel& chain)
        : chain_(chain),
          rows_(chain.image().node_rows, chain.image().node_rows + chain.image().node_row_count),
          image_(chain.image())
    {
        for (abi::NodeRow& row : rows_) {
            row.ipv6[0] = 0x20010db8;
            row.ipv6[3] = row.address;
        }
        image_.node_rows = rows_.data();
    }
    BothFamilies(const BothFamilies&) = delete;
    BothFamilies& operator=(const BothFamilies&) = delete;
    rt::Model model() const { return rt::Model(image_, chain_.model().tunables()); }

  private:
    const ChainModel& chain_;
    std::vector<abi::NodeRow> rows_;
    abi::Image image_;
};

}  // namespace anml::test
