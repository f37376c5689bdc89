// Nodes where they are: on earth, in Mercator's projection, cut in the widest gap between longitudes. What has no
// position stands beside its neighbours that have one.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"
#include "graph/layout/place_rest.h"

namespace anml {

namespace {

double wrapped(double longitude) { return longitude - 360 * std::floor((longitude + 180) / 360); }

// Opposite the middle of the widest gap.
double middle_meridian(const Picture& picture)
{
    std::vector<double> longitudes;
    for (const PictureNode& node : picture.nodes)
        if (node.position && node.position->geographic) longitudes.push_back(wrapped(node.position->x));
    std::sort(longitudes.begin(), longitudes.end());
    double gap = longitudes.front() + 360 - longitudes.back();
    double middle = (longitudes.back() + longitudes.front()) / 2;
    for (std::size_t i = 1; i < longitudes.size(); ++i) {
        if (longitudes[i] - longitudes[i - 1] <= gap) continue;
        gap = longitudes[i] - longitudes[i - 1];
        middle = wrapped((longitudes[i] + longitudes[i - 1]) / 2 + 180);
    }
    return middle;
}

}  // namespace

Point project(GeoPosition position, double central_meridian)
{
    constexpr double kMostLatitude = 84, kRadian = std::numbers::pi / 180;
    const double latitude = std::clamp(position.latitude, -kMostLatitude, kMostLatitude) * kRadian;
    return {wrapped(position.longitude - central_meridian),
            -std::log(std::tan(std::numbers::pi / 4 + latitude / 2)) / kRadian};
}

std::optional<PictureLayout> lay_out_map(const Picture& picture)
{
    if (!picture.has_positions(true)) return std::nullopt;
    const Adjacency graph(picture);
    PictureLayout layout;
    layout.kind = LayoutKind::map;
    layout.central_meridian = middle_meridian(picture);
    layout.at.resize(picture.nodes.size());
    std::vector<char> placed(picture.nodes.size(), 0);
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        const auto& position = picture.nodes[i].position;
        if (!position || !position->geographic) continue;
        layout.at[i] = project({position->y, position->x}, layout.central_meridian);
        placed[i] = 1;
    }
    place_rest(graph, placed, layout);
    return layout;
}

// Nodes where the model says on a plane, whose unit only pictures know.
std::optional<PictureLayout> lay_out_plane(const Picture& picture)
{
    if (!picture.has_positions(false)) return std::nullopt;
    PictureLayout layout;
    layout.kind = LayoutKind::plane;
    layout.at.resize(picture.nodes.size());
    std::vector<char> placed(picture.nodes.size(), 0);
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        const auto& position = picture.nodes[i].position;
        if (!position || position->geographic) continue;
        layout.at[i] = {position->x, -position->y};
        placed[i] = 1;
    }
    place_rest(Adjacency(picture), placed, layout);
    return layout;
}

}  // namespace anml
