// The middleboxes of a network, by router.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "net/counters.h"
#include "net/middlebox/middlebox.h"

namespace anml::rt {

class Middleboxes {
  public:
    explicit Middleboxes(const Model& model);

    // That of a router, which has one.
    Middlebox& of(const Net& k, const node::Self& self);
    // Of those that have seen a packet, by node.
    std::vector<MiddleboxCounters> counters(Time now) const;

  private:
    const Model& model_;
    std::vector<std::vector<std::unique_ptr<Middlebox>>> boxes_;  // by row and element, once a packet was there
};

}  // namespace anml::rt
