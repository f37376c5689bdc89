// On which links the datagrams of a group leave each node.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace anml::rt {

struct MulticastBranch {
    LinkId link;
    std::uint32_t members;  // behind it
};

struct MulticastTrees {
    using Tree = std::unordered_map<NodeId, std::vector<MulticastBranch>>;  // by the node that forwards
    std::unordered_map<std::uint64_t, Tree> by_source;  // and workload; made when a datagram asks for it
};

}  // namespace anml::rt
