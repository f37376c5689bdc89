// Reads third_party/world-atlas/land-110m.json: TopoJSON, arcs that are stored once as quantised differences.
#include "graph/layout/land.h"

#include <nlohmann/json.hpp>

#include "graph/writers/embedded_files.h"

namespace anml {

std::vector<std::vector<GeoPosition>> land_rings()
{
    const auto data = nlohmann::json::parse(embedded_file("land.json"));
    const double scale_x = data["transform"]["scale"][0], scale_y = data["transform"]["scale"][1];
    const double move_x = data["transform"]["translate"][0], move_y = data["transform"]["translate"][1];
    std::vector<std::vector<GeoPosition>> arcs, rings;
    for (const auto& arc : data["arcs"]) {
        double x = 0, y = 0;
        std::vector<GeoPosition>& points = arcs.emplace_back();
        for (const auto& step : arc) {
            x += step[0].get<double>();
            y += step[1].get<double>();
            points.push_back({y * scale_y + move_y, x * scale_x + move_x});
        }
    }
    const auto add_ring = [&](const nlohmann::json& indices) {
        std::vector<GeoPosition>& ring = rings.emplace_back();
        for (const auto& entry : indices) {
            const int index = entry;
            const auto& arc = arcs[static_cast<std::size_t>(index < 0 ? ~index : index)];
            if (index < 0)
                ring.insert(ring.end(), arc.rbegin(), arc.rend());
            else
                ring.insert(ring.end(), arc.begin(), arc.end());
        }
    };
    for (const auto& shape : data["objects"]["land"]["geometries"]) {
        const bool several = shape["type"] == "MultiPolygon";
        for (const auto& polygon : shape["arcs"]) {
            if (!several) {
                add_ring(polygon);
                continue;
            }
            for (const auto& ring : polygon) add_ring(ring);
        }
    }
    return rings;
}

}  // namespace anml
