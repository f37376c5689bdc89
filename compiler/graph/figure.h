// A picture on paper: where everything is, in pixels, before it is written as SVG.
#pragma once

#include <string>
#include <vector>

#include "graph/colouring.h"
#include "graph/layout/layout.h"
#include "graph/picture.h"

namespace anml {

struct Rect {
    double left = 0, top = 0, right = 0, bottom = 0;
    bool overlaps(const Rect& other) const
    {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
    bool holds(Point p) const { return p.x > left && p.x < right && p.y > top && p.y < bottom; }
    Rect grown(double by) const { return {left - by, top - by, right + by, bottom + by}; }
    void add(const Rect& other)
    {
        left = std::min(left, other.left);
        top = std::min(top, other.top);
        right = std::max(right, other.right);
        bottom = std::max(bottom, other.bottom);
    }
};

struct PlacedText {
    std::string text;
    Rect box;
};

struct GroupBox {
    std::uint32_t group;
    Rect rect;
};

struct Figure {
    LayoutKind kind{};
    std::vector<Point> at;                  // by node: its middle
    std::vector<std::vector<Point>> lines;  // by edge: from a to b, at least two points
    std::vector<char> torn;                 // by edge: leaves a map on one side, comes back on the other; four points
    std::vector<char> small;                // by node: a host beside its router on a map
    double radius = 0;                      // of a router's circle
    double font = 12;
    std::vector<GroupBox> boxes;  // outer ones first
    std::vector<PlacedText> labels;
    std::vector<PlacedText> captions;  // of rows whose nodes have no room for labels
    std::vector<PlacedText> edge_labels;
    std::vector<std::vector<Point>> land;  // of a map, clipped to `frame` when drawn
    Rect frame;                            // around nodes, boxes and labels
};

// The radius that a node is drawn with.
inline double radius_of(const Figure& figure, std::size_t node)
{
    return node < figure.small.size() && figure.small[node] ? 0.5 * figure.radius : figure.radius;
}

Figure arrange(const Picture& picture, const PictureLayout& layout);
// Whether a row of it is so long that its nodes would have no room for their labels.
bool wider_than_a_screen(const PictureLayout& layout);
// As the line is drawn: one with a point between its ends is a curve.
std::vector<Point> drawn_line(const std::vector<Point>& line);
// Links behind nodes that they don't end at curve around them.
void bend_around_nodes(const Picture& picture, Figure& figure);
inline constexpr std::size_t kMostLabelledEdges = 40;
// Chooses which labels there is room for, and where; no two overlap, and none lies on a node.
void place_labels(const Picture& picture, Figure& figure);
Rect extent(const PictureNode& node, Point at, double radius);  // of the shape that it is drawn with

double text_width(std::string_view text, double font);  // of a sans-serif face, rather too wide than too narrow

std::string write_svg(const Picture& picture, const Colouring& colours, const Figure& figure, bool dark);

}  // namespace anml
