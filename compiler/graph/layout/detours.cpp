// Links that would run behind a node that they don't end at curve around it, where there is room.
#include <algorithm>
#include <cmath>

#include "graph/figure.h"

namespace anml {

namespace {

constexpr std::size_t kMostChecks = 3'000'000;  // of a link against a node
constexpr int kPoints = 24;                     // of a curve, that are looked at

Point on_curve(Point a, Point control, Point b, double t)
{
    return (1 - t) * (1 - t) * a + 2 * t * (1 - t) * control + t * t * b;
}

// How far the node's middle is from the segment.
double distance_from(Point node, Point a, Point b)
{
    const Point way = b - a, to = node - a;
    const double square = std::max(way.x * way.x + way.y * way.y, 1e-12);
    const double along = std::clamp((to.x * way.x + to.y * way.y) / square, 0.0, 1.0);
    const Point off = to - along * way;
    return std::sqrt(off.x * off.x + off.y * off.y);
}

}  // namespace

std::vector<Point> drawn_line(const std::vector<Point>& line)
{
    if (line.size() != 3) return line;
    constexpr int kPieces = 9;  // an odd number: the one in the middle is level with the ends
    std::vector<Point> points;
    for (int i = 0; i <= kPieces; ++i) points.push_back(on_curve(line[0], line[1], line[2], double(i) / kPieces));
    return points;
}

void bend_around_nodes(const Picture& picture, Figure& figure)
{
    constexpr std::size_t kCrowd = 300;  // of links, among which curves would only be more confusing
    if (figure.kind == LayoutKind::tree || (figure.kind == LayoutKind::layered && !picture.has_calls)) return;
    if (picture.edges.size() > kCrowd) return;
    if (picture.edges.size() * picture.nodes.size() > kMostChecks) return;
    const double room = 1.25 * figure.radius;
    const auto hides = [&](const PictureEdge& edge, Point from, Point to) {
        for (std::uint32_t i = 0; i < figure.at.size(); ++i) {
            if (i == edge.a || i == edge.b) continue;
            const double size = room * radius_of(figure, i) / figure.radius;
            if (distance_from(figure.at[i], from, to) < size) return true;
        }
        return false;
    };
    for (std::size_t e = 0; e < picture.edges.size(); ++e) {
        std::vector<Point>& line = figure.lines[e];
        const PictureEdge& edge = picture.edges[e];
        const Point a = line.front(), b = line.back();
        if (line.size() != 2 || edge.a == edge.b || !hides(edge, a, b)) continue;
        const double length = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
        if (length < 4 * figure.radius) continue;
        const Point across{-(b.y - a.y) / length, (b.x - a.x) / length};
        const auto clear = [&](Point control) {
            Point before = a;
            for (int i = 1; i <= kPoints; ++i) {
                const Point next = on_curve(a, control, b, double(i) / kPoints);
                if (hides(edge, before, next)) return false;
                before = next;
            }
            return true;
        };
        // The curve's middle is half as far off as the control point; the flattest one that is clear will do.
        for (double off = 3 * room; off < 0.8 * length; off += room) {
            const Point either[] = {0.5 * (a + b) + off * across, 0.5 * (a + b) - off * across};
            const auto found = std::find_if(std::begin(either), std::end(either), clear);
            if (found == std::end(either)) continue;
            line.insert(line.begin() + 1, *found);
            const Point middle = on_curve(a, *found, b, 0.5);
            figure.frame.add({middle.x, middle.y, middle.x, middle.y});
            break;
        }
    }
}

}  // namespace anml
