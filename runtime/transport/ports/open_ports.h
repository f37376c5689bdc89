// The ports on which nodes receive what workloads send: nobody refuses there.
#pragma once

#include <cstdint>
#include <vector>

#include "net/packet/packet.h"

namespace anml::rt {

class Model;

class OpenPorts {
  public:
    explicit OpenPorts(const Model& model);

    bool open(std::uint8_t protocol, NodeId node, std::uint16_t port) const;

  private:
    struct Range {  // nodes [first, last]
        std::uint32_t service;
        NodeId first, last;
    };
    std::vector<Range> ranges_;  // sorted, those of one service disjoint
};

}  // namespace anml::rt
