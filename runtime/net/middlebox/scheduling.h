// Which back end of a load balancer a new connection goes to.
//
// round_robin:        smooth weighted round robin, as of nginx: in any run of as many connections as the weights sum up
//                     to each back end has had its weight of them, and those of one are spread among the others'.
// least_connections:  the least (256 active + inactive) / weight, as IPVS's wlc; the first of several.
// source_hash:        weighted rendezvous hashing (Thaler, Ravishankar 1998) of the client's address: shares are as
//                     weights, and where a back end is left out its clients alone move.
// flow_hash:          the same of address, port and protocol.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "base/time.h"
#include "net/middlebox/mappings.h"

namespace anml::rt::load_balancer {

struct BackEnd {
    NodeId node = 0;
    Address address = Address::none;
    std::uint64_t weight = 1;
    Mappings mappings;                                    // the balancer's ports of the connections to it
    std::int64_t current = 0;                             // of round robin
    std::uint64_t active = 0, inactive = 0;               // connections that are open, and that are being closed
    std::uint64_t failed_in_a_row = 0;                    // attempts
    Time back = 0;                                        // until then it is left out
    std::uint64_t connections = 0, peak = 0, failed = 0;  // measured; the most that were active at a time
};

using Scheduling = abi::record::load_balancer::Scheduling;

// Null: all are left out, or have no weight or no port.
BackEnd* choose(std::vector<BackEnd>& back_ends, Scheduling scheduling, const End& client, Time now);

}  // namespace anml::rt::load_balancer
