// How many ICMP errors nodes may send, by token buckets: of each node one for each address that it sends to, and one
// for all (RFC 1812, 4.3.2.8). As Linux has it: a bucket for an address holds `burst` errors and gains one in an
// interval; "fragmentation needed" is never withheld, since paths' MTUs are found by it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
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

    // What a node remembers at most, about as many as Linux (inet_peer): for another one that goes which was not used
    // for the longest time.
    static constexpr std::size_t kMostAddresses = 65536;

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
    struct OfAddress {
        Address address;
        Bucket bucket;
    };
    struct Node {
        Bucket all;
        std::list<OfAddress> used;  // longest ago first
        std::unordered_map<Address, std::list<OfAddress>::iterator> by_address;
    };
    // That of an address, which is used now; a full one where none is known.
    static Bucket& bucket_for(Node& node, Address address, const Bucket& full);

    static constexpr double kRounding = 1e-9;  // of an error: exactly an interval later there is another one
    std::vector<std::vector<std::unique_ptr<Node>>> nodes_;  // by row and element, once one was asked for
};

}  // namespace anml::rt
