#include "transport/ports/open_ports.h"

#include <algorithm>
#include <tuple>

#include "net/middlebox/back_ends.h"
#include "net/model.h"

namespace anml::rt {

namespace {
std::uint32_t service_key(std::uint8_t protocol, std::uint32_t port) { return std::uint32_t{protocol} << 16 | port; }
}  // namespace

OpenPorts::OpenPorts(const Model& model)
{
    const abi::Image& image = model.image();
    std::vector<Range> all;
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& row = image.workloads[w];
        if (row.receives == 0) continue;
        const auto transport = static_cast<std::uint8_t>(row.transport);
        for (std::uint32_t i = 0; i < row.peers.count; ++i) {
            const abi::TargetRow& peers = image.targets[row.peers.first + i];
            if (peers.count == 0) continue;
            all.push_back({service_key(transport, row.port), peers.first_node, peers.first_node + peers.count - 1});
            // What a load balancer gets its back ends receive.
            const std::uint32_t record = model.node_row(peers.first_node).middlebox;
            using Balancer = abi::record::load_balancer;
            if (record == kNone || abi::schema_of(image, record) != Balancer::kSchema) continue;
            const auto& balancer = abi::row_of<Balancer>(image, record);
            const auto port = static_cast<std::uint32_t>(model.integer(balancer.to_port));
            for (const BackEndNodes& nodes : back_ends_of(model, balancer))
                all.push_back({service_key(transport, port), nodes.first_node, nodes.first_node + nodes.count - 1});
        }
    }
    std::sort(all.begin(), all.end(), [](const Range& a, const Range& b) {
        return std::tie(a.service, a.first, a.last) < std::tie(b.service, b.first, b.last);
    });
    for (const Range& range : all) {
        if (!ranges_.empty() && ranges_.back().service == range.service && range.first <= ranges_.back().last)
            ranges_.back().last = std::max(ranges_.back().last, range.last);
        else
            ranges_.push_back(range);
    }
}

bool OpenPorts::open(std::uint8_t protocol, NodeId node, std::uint16_t port) const
{
    const std::uint32_t service = service_key(protocol, port);
    const auto after = std::upper_bound(
        ranges_.begin(), ranges_.end(), Range{service, node, node},
        [](const Range& a, const Range& b) { return std::tie(a.service, a.first) < std::tie(b.service, b.first); });
    return after != ranges_.begin() && (after - 1)->service == service && node <= (after - 1)->last;
}

}  // namespace anml::rt
