// Routers and switches that need time for each packet. A node has one processor, which serves packets in the order in
// which they come, and a delay behind it that doesn't depend on how many there are. Packets stay in order: one waits
// for those before it. Nothing leaves before it came, so that what the partition promises stays true.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/time.h"
#include "net/node/node.h"

namespace anml::rt {

class Processing {
  public:
    explicit Processing(const Model& model);

    // A packet has reached the node, which has a record for it. When the node handles it; kNever: too many wait.
    Time take(Net& k, const node::Self& self);

  private:
    struct Node {
        Time free = 0;             // when the processor has nothing left to do
        Time last = 0;             // when the last packet is handled
        std::uint64_t taken = 0;   // packets
        std::deque<Time> waiting;  // when the processor begins with those that wait, and with some that no longer do
        std::vector<double> service_state, delay_state;
    };
    std::vector<std::vector<std::unique_ptr<Node>>> nodes_;  // by row and element, once a packet was there
};

}  // namespace anml::rt
