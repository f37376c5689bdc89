#include "app/flows/lone_flow.h"

#include <algorithm>
#include <array>
#include <span>

#include "app/cluster.h"
#include "net/model.h"

namespace anml::rt::app {

namespace {

constexpr std::size_t kMostHops = 256;

struct LoneHop {
    double byte_time = 0;  // ns
    double delay = 0;      // ns
    double overhead = 0;   // bytes
    double time(double packet) const { return (packet + overhead) * byte_time; }
};
using LoneHops = std::array<LoneHop, kMostHops>;

// The number of links on the way; 0: there is none.
std::size_t walk(const Cluster& k, const Flow& flow, NodeId from, NodeId to, LoneHops& hops)
{
    constexpr double kByteNanoseconds = 8e9;
    std::size_t count = 0;
    for (NodeId at = from; at != to;) {
        const abi::NodeRow& row = k.model.node_row(at);
        const LinkId link = k.route(row, at - row.first_node, flow);
        if (link == kNone || count == kMostHops) return 0;
        const abi::LinkRow& declared = k.image.link_rows[k.model.link_row_of(link)];
        const std::uint32_t direction = (link - declared.first_link) & 1;
        hops[count++] = {kByteNanoseconds / k.model.value(declared.rate[direction]),
                         k.model.value(declared.delay[direction]), k.model.value(declared.overhead)};
        at = k.model.far_end(link);
    }
    return count;
}

double one_packet(std::span<const LoneHop> hops, double length)
{
    double sum = 0;
    for (const LoneHop& hop : hops) sum += hop.time(length) + hop.delay;
    return sum;
}

// `first`, then `count` packets of `full` and one of `last`, as fast as the links transmit. Of packets of one length
// the n-th leaves link j behind the links i to j, for the i that makes it latest: what came before kept the first of
// them until then, and the slowest of these links has to transmit the others.
double packets(std::span<const LoneHop> hops, double first, double full, double count, double last)
{
    std::array<double, kMostHops> before;  // when link i has transmitted the first packet, but for the delays
    double sum = 0, delays = 0, end = 0;
    for (std::size_t j = 0; j < hops.size(); ++j) {
        sum += hops[j].time(first);
        before[j] = sum;
        delays += hops[j].delay;
        double latest = sum, way = 0, slowest = 0;
        if (count > 0) {
            for (std::size_t i = j + 1; i-- > 0;) {
                way += hops[i].time(full);
                slowest = std::max(slowest, hops[i].time(full));
                latest = std::max(latest, before[i] + way + (count - 1) * slowest);
            }
        }
        end = std::max(end, latest) + hops[j].time(last);
    }
    return end + delays;
}

}  // namespace

double alone(const Cluster& k, const LoneFlow& flow)
{
    const Address from = k.model.address(flow.from, flow.ipv6), to = k.model.address(flow.to, flow.ipv6);
    LoneHops hops;
    const std::size_t back = walk(k, {to, from, protocol::tcp, flow.peer_port, flow.port}, flow.to, flow.from, hops);
    const double answer = one_packet({hops.data(), back}, flow.syn);
    const std::size_t there = walk(k, {from, to, protocol::tcp, flow.port, flow.peer_port}, flow.from, flow.to, hops);
    if (back == 0 || there == 0) return 0;
    const std::span<const LoneHop> way{hops.data(), there};
    const std::uint64_t segments = (flow.bytes - 1) / flow.segment;  // full ones, before the last
    const std::uint64_t rest = flow.bytes - segments * flow.segment;
    return one_packet(way, flow.syn) + answer +
           packets(way, flow.header, flow.header + flow.segment, static_cast<double>(segments),
                   static_cast<double>(flow.header + rest));
}

}  // namespace anml::rt::app
