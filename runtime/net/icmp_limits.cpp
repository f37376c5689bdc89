#include "net/icmp_limits.h"

#include <algorithm>

#include "abi/records.h"

namespace anml::rt {

IcmpLimits::IcmpLimits(const Model& model)
{
    const abi::Image& image = model.image();
    nodes_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].icmp_limits != kNone) nodes_[row].resize(image.node_rows[row].count);
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
        if (node.by_address.size() >= kMostAddresses)
            for (auto at = node.by_address.begin(); at != node.by_address.end();)
                at = at->second.fill(burst, gain, k.now) >= burst ? node.by_address.erase(at) : std::next(at);
        Bucket& bucket = node.by_address.try_emplace(to, Bucket{burst, k.now}).first->second;
        if (bucket.fill(burst, gain, k.now) < 1 - kRounding) return false;
        bucket.errors -= 1;
    }
    if (rate > 0) node.all.errors -= 1;
    return true;
}

}  // namespace anml::rt
