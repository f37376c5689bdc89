// How long a flow takes that is alone on an empty path.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct Cluster;

namespace app {

struct LoneFlow {
    NodeId from = 0, to = 0;
    std::uint16_t port = 0, peer_port = 0;  // TCP's, of `from` and `to`
    std::uint64_t bytes = 0;                // at least 1
    std::uint32_t segment = 0;              // bytes of payload of a full one
    std::uint32_t syn = 0, header = 0;      // bytes of IP packets: with SYN, and besides the payload
    bool ipv6 = false;
};

// From the SYN to the last byte at the receiver, ns, on the ways that routes give now, with the rates and delays that
// the model declares and nothing in the queues: the SYN goes there and its answer comes back; then an acknowledgment
// leaves, and the segments behind it one after the other, without waiting for anything. 0: there is no way.
double alone(const Cluster& k, const LoneFlow& flow);

}  // namespace app
}  // namespace anml::rt
