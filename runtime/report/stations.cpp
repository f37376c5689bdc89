#include "report/stations.h"

#include <algorithm>

#include "net/model.h"
#include "net/radio/air.h"

namespace anml::rt {

Stations stations_of(const Model& model)
{
    const abi::Image& image = model.image();
    Stations stations;
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        for (std::uint32_t e = 0; row.radio != abi::kNone && e < row.count; ++e) stations[row.first_node + e];
    }
    if (stations.empty()) return stations;
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        for (std::uint32_t e = 0; e < row.count; ++e) {
            const LinkId link = row.first_link + 2 * e;
            const int side = access_point_side(model, link);
            if (side < 0) break;  // all links of a row join the same rows of nodes
            const NodeId ends[] = {model.near_end(link), model.far_end(link)};
            stations[ends[side]].push_back(ends[1 - side]);
        }
    }
    for (auto& [node, hosts] : stations) {
        std::sort(hosts.begin(), hosts.end());
        hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    }
    return stations;
}

}  // namespace anml::rt
