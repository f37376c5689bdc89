// How many ICMP errors nodes may send, by token buckets: of each node one for each address that it sends to, and one
// for all (RFC 1812, 4.3.2.8). As Linux has it: a bucket for an address holds `burst` errors and gains one in an
// interval; "fragmentation needed" is never withheld, since paths' MTUs are found by it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/time.h"
#include "net/node/node.h"

namespace anml::rt {

class IcmpLimits {
  public:
    explicit IcmpLimits(const Model& model);

    // Whether the node, which has a record for it, may send an error to the address now. It has done so then.
    bool allow(Net& k, const node::Self& self, Address to);

  private:
    // What it holds at `at`, in parts of an error.
    struct Bucket {
        double errors = 0;
        Time at = 0;
        double fill(double most, double rate, Time now)
        {
            errors = std::min(most, errors + rate * static_cast<double>(now - at));
            at = now;
            return errors;
        }
    };
    struct Node {
        Bucket all;
        std::unordered_map<Address, Bucket> by_address;
    };
    static constexpr double kRounding = 1e-9;             // of an error: exactly an interval later there is another one
    static constexpr std::size_t kMostAddresses = 65536;  // remembered of a node: buckets that are full again go first
    std::vector<std::vector<std::unique_ptr<Node>>> nodes_;  // by row and element, once one was asked for
};

}  // namespace anml::rt
