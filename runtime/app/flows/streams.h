// What receivers have of the streams of bulk data and flows that their senders do not know of yet: bytes that lie
// behind a gap, or whose acknowledgment is under way. Goodput is what arrives, as iperf3's receiver counts it, so in
// the measured window and in each batch it is what is acknowledged, and what lies so at the end, without what lay so
// at the beginning. Both ends of a connection are known by their nodes and ports; of one with a real host, or behind
// a NAT, it is what selective acknowledgments say (RFC 2018).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/fields.h"
#include "base/ids.h"

namespace anml::rt {

struct Cluster;

struct StreamKey {
    NodeId from = 0, to = 0;
    std::uint16_t from_port = 0, to_port = 0;

    auto operator<=>(const StreamKey&) const = default;
};
ANML_FIELDS(StreamKey, from, to, from_port, to_port)

struct SentStream {
    StreamKey key;
    std::uint32_t workload = 0;      // row
    std::uint64_t acknowledged = 0;  // bytes
    std::uint64_t selectively = 0;   // beyond those
};
ANML_FIELDS(SentStream, key, workload, acknowledged, selectively)

struct ArrivedStream {
    StreamKey key;
    std::uint64_t bytes = 0;  // in order or not, each once
};
ANML_FIELDS(ArrivedStream, key, bytes)

struct Streams {  // that are open, at one time
    std::vector<SentStream> sent;
    std::vector<ArrivedStream> arrived;

    void add(const Streams& other);
    // Bytes of each of `sent`, in its order, that have arrived and are not acknowledged.
    std::vector<std::uint64_t> unknown();
};
ANML_FIELDS(Streams, sent, arrived)

namespace app {

void collect_streams(const Cluster& k, Streams& all);

}  // namespace app
}  // namespace anml::rt
