// Beside the neighbours, in the widest angle that is free there; what has none that is placed stands in a row below.
#include "graph/layout/place_rest.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace anml {

void place_rest(const Adjacency& graph, std::vector<char>& placed, PictureLayout& layout)
{
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (!placed[i]) continue;
        left = std::min(left, layout.at[i].x);
        right = std::max(right, layout.at[i].x);
        top = std::min(top, layout.at[i].y);
        bottom = std::max(bottom, layout.at[i].y);
    }
    // Round by round, next to what has a place already: in the widest free angle around the neighbour.
    const double beside = std::max(0.025 * std::max(right - left, bottom - top), 0.02);
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<std::uint32_t> now;
        for (std::uint32_t i = 0; i < layout.at.size(); ++i) {
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
    double x = left;
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (placed[i]) bottom = std::max(bottom, layout.at[i].y);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        if (placed[i]) continue;
        layout.at[i] = {x, bottom + 2 * beside};
        x += beside;
    }
}

}  // namespace anml
