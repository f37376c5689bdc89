// Nodes where they are on earth, in Mercator's projection, cut in the widest gap between longitudes. What has no
// position stands beside its neighbours that have one.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "graph/adjacency.h"
#include "graph/layout.h"

namespace anml {

namespace {

double wrapped(double longitude) { return longitude - 360 * std::floor((longitude + 180) / 360); }

// Opposite the middle of the widest gap.
double middle_meridian(const Picture& picture)
{
    std::vector<double> longitudes;
    for (const PictureNode& node : picture.nodes)
        if (node.position) longitudes.push_back(wrapped(node.position->longitude));
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

std::optional<Layout> lay_out_map(const Picture& picture)
{
    if (!picture.has_positions()) return std::nullopt;
    const Adjacency graph(picture);
    Layout layout;
    layout.kind = LayoutKind::map;
    layout.central_meridian = middle_meridian(picture);
    layout.at.resize(picture.nodes.size());
    std::vector<char> placed(picture.nodes.size(), 0);
    double left = 1e9, right = -1e9;
    for (std::size_t i = 0; i < picture.nodes.size(); ++i) {
        if (!picture.nodes[i].position) continue;
        layout.at[i] = project(*picture.nodes[i].position, layout.central_meridian);
        placed[i] = 1;
        left = std::min(left, layout.at[i].x);
        right = std::max(right, layout.at[i].x);
    }
    // Round by round, next to what has a place already: in the widest free angle around the neighbour.
    const double beside = std::max(0.025 * (right - left), 0.02);
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<std::uint32_t> now;
        for (std::uint32_t i = 0; i < picture.nodes.size(); ++i) {
            if (placed[i]) continue;
            Point sum;
            double known = 0;
            std::uint32_t anchor = 0;
            for (const std::uint32_t to : graph.of(i)) {
                if (!placed[to]) continue;
                sum = sum + layout.at[to];
                ++known;
                anchor = to;
            }
            if (known == 0) continue;
            if (known > 1) {
                layout.at[i] = 1 / known * sum;
            } else {
                std::vector<double> angles;
                for (const std::uint32_t to : graph.of(anchor)) {
                    if (!placed[to] && std::find(now.begin(), now.end(), to) == now.end()) continue;
                    const Point p = layout.at[to] - layout.at[anchor];
                    angles.push_back(std::atan2(p.y, p.x));
                }
                std::sort(angles.begin(), angles.end());
                double angle = 0.6, gap = 0;
                for (std::size_t a = 0; a < angles.size(); ++a) {
                    const double next = a + 1 < angles.size() ? angles[a + 1] : angles[0] + 2 * std::numbers::pi;
                    if (next - angles[a] <= gap + 1e-9) continue;
                    gap = next - angles[a];
                    angle = angles[a] + gap / 2;
                }
                layout.at[i] = layout.at[anchor] + Point{beside * std::cos(angle), beside * std::sin(angle)};
            }
            now.push_back(i);
        }
        for (const std::uint32_t i : now) placed[i] = 1;
        changed = !now.empty();
    }
    // What hangs on nothing that is on the map stands in a row below it.
    double bottom = -1e9, x = left;
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (placed[i]) bottom = std::max(bottom, layout.at[i].y);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (placed[i]) continue;
        layout.at[i] = {x, bottom + 2 * beside};
        x += beside;
    }
    return layout;
}

}  // namespace anml
