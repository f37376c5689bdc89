#include "net/processing.h"

#include <algorithm>

#include "abi/records.h"
#include "net/network_state.h"
#include "net/samples.h"

namespace anml::rt {

Processing::Processing(const Model& model)
{
    const abi::Image& image = model.image();
    nodes_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].processing != kNone) nodes_[row].resize(image.node_rows[row].count);
}

Time Processing::take(Net& k, const node::Self& self)
{
    const auto& record = abi::row_of<abi::record::processing>(k.image, self.row.processing);
    std::unique_ptr<Node>& place = nodes_[static_cast<std::size_t>(&self.row - k.image.node_rows)][self.element()];
    if (!place) {
        place = std::make_unique<Node>();
        place->service_state.resize(state_words(record.service));
        place->delay_state.resize(state_words(record.delay));
    }
    Node& node = *place;
    const auto draw = [&](const abi::Distribution& distribution, Purpose purpose, std::vector<double>& state) {
        return draw_time(k.model, distribution, k.seed, self.id, purpose, 0, node.taken, state.data());
    };
    while (!node.waiting.empty() && node.waiting.front() <= k.now) node.waiting.pop_front();
    if (node.free > k.now) {
        if (node.waiting.size() >= k.model.integer(record.packets)) return kNever;
        node.waiting.push_back(node.free);
    }
    node.free = std::max(node.free, k.now) + draw(record.service, Purpose::processing, node.service_state);
    node.last = std::max(node.last, node.free + draw(record.delay, Purpose::computing, node.delay_state));
    ++node.taken;
    return node.last;
}

}  // namespace anml::rt
