// Where a picture's nodes lie. Deterministic: the same picture is laid out alike on every machine, and one with a node
// more nearly so.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/picture.h"

namespace anml {

class Adjacency;

struct Point {
    double x = 0, y = 0;
    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend Point operator*(double f, Point a) { return {f * a.x, f * a.y}; }
};

enum class LayoutKind : std::uint8_t {
    automatic,
    map,      // by latitude and longitude
    plane,    // by positions on a plane
    tree,     // a line of routers, what hangs on them below
    layered,  // rows by the distance from the hosts
    force,    // by stress: distances in the picture like those in the network
    graphviz  // by Graphviz's dot, where it is installed
};

// Units: map: degrees of longitude; tree and layered: rows and columns; force: about one per link; graphviz: inches. y
// grows downwards.
struct PictureLayout {
    LayoutKind kind = LayoutKind::force;
    std::vector<Point> at;                  // by node
    std::vector<std::vector<Point>> bends;  // by edge: points that it goes through; may be shorter
    double central_meridian = 0;            // of a map, degrees
};

// Each returns nothing where its kind of layout doesn't suit the picture.
std::optional<PictureLayout> lay_out_map(const Picture& picture);
std::optional<PictureLayout> lay_out_plane(const Picture& picture);
std::optional<PictureLayout> lay_out_tree(const Picture& picture);
std::optional<PictureLayout> lay_out_layered(const Picture& picture);
// Rows of who asks whom, those who ask above; of calls that go round in circles none.
std::optional<PictureLayout> lay_out_calls(const Picture& picture);
std::optional<PictureLayout> lay_out_graphviz(const Picture& picture);
// Instances as blocks, each laid out by itself.
PictureLayout lay_out_force(const Picture& picture);
// The same without regard to instances.
PictureLayout lay_out_stress(const Picture& picture);
// A part of the graph that is a node and its leaves, these around it in their order; false: it is none.
bool lay_out_star(const Adjacency& graph, const std::vector<std::uint32_t>& members, std::vector<Point>& at);
// A part of the graph whose core is dense, on a circle; false: it is not.
bool lay_out_circle(const Adjacency& graph, const std::vector<std::uint32_t>& members, std::vector<Point>& at);

// The first that suits, or the one that is asked for, if it suits.
std::optional<PictureLayout> lay_out(const Picture& picture, LayoutKind kind);

// Why that kind of layout does not suit the picture.
std::string why_unsuited(const Picture& picture, LayoutKind kind);

// Mercator's projection in degrees, y downwards; the central meridian is in the middle.
Point project(GeoPosition position, double central_meridian);

}  // namespace anml
