#include "net/node/icmp_limits.h"

#include <algorithm>
#include <iterator>

#include "abi/records.h"

namespace anml::rt {

IcmpLimits::IcmpLimits(const Model& model)
{
    const abi::Image& image = model.image();
    nodes_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].icmp_limits != kNone) nodes_[row].resize(image.node_rows[row].count);
}

IcmpLimits::Bucket& IcmpLimits::bucket_for(Node& node, Address address, const Bucket& full)
{
    const auto known = node.by_address.find(address);
    if (known != node.by_address.end()) {
        node.used.splice(node.used.end(), node.used, known->second);
        return known->second->bucket;
    }
    if (node.used.size() >= kMostAddresses) {
        node.by_address.erase(node.used.front().address);
        node.used.pop_front();
    }
    node.used.push_back({address, full});
    node.by_address[address] = std::prev(node.used.end());
    return node.used.back().bucket;
}

bool IcmpLimits::allow(Net& k, const node::Self& self, Address to)
{
    const auto& record = abi::row_of<abi::record::icmp_limits>(k.image, self.row.icmp_limits);
    const Time interval = k.model.time(record.interval);
    const double burst = k.model.value(record.burst), all_burst = k.model.value(record.all_burst);
    const double rate = k.model.value(record.rate) / static_cast<double>(kSecond);
    std::unique_ptr<Node>& place = nodes_[static_cast<std::size_t>(&self.row - k.image.node_rows)][self.element()];
    if (!place) {
        place = std::make_unique<Node>();
        place->all = {all_burst, k.now};
    }
    Node& node = *place;
    if (rate > 0 && node.all.fill(all_burst, rate, k.now) < 1 - kRounding) return false;
    if (interval > 0) {
        const double gain = 1 / static_cast<double>(interval);
        Bucket& bucket = bucket_for(node, to, {burst, k.now});
        if (bucket.fill(burst, gain, k.now) < 1 - kRounding) return false;
        bucket.errors -= 1;
    }
    if (rate > 0) node.all.errors -= 1;
    return true;
}

}  // namespace anml::rt
