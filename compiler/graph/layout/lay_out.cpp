// The choice of a layout: a map where nodes have positions, lines and rows where the network has such a form.
#include <fmt/format.h>

#include <algorithm>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

namespace {

// Whether the map shows more than it leaves to guess.
bool mostly_positioned(const Picture& picture, bool geographic)
{
    std::size_t with = 0, without = 0;
    for (const PictureNode& node : picture.nodes) {
        if (node.position && node.position->geographic == geographic)
            ++with;
        else if (node.role != Role::host && node.role != Role::endpoint)
            ++without;
    }
    return with >= 2 && with >= without;
}

// Whether a node has so many leaves that they would make a row wider than all else: a star.
bool has_wide_star(const Picture& picture)
{
    constexpr std::size_t kWide = 12;
    const Adjacency graph(picture);
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
        const auto near = graph.of(i);
        if (std::count_if(near.begin(), near.end(), [&](std::uint32_t to) { return graph.degree(to) == 1; }) >
            static_cast<std::ptrdiff_t>(kWide))
            return true;
    }
    return false;
}

}  // namespace

std::optional<PictureLayout> lay_out(const Picture& picture, LayoutKind kind)
{
    std::optional<PictureLayout> layout;
    const bool any = kind == LayoutKind::automatic;
    if (any && picture.has_calls) {
        layout = lay_out_calls(picture);
        return layout ? layout : lay_out_force(picture);
    }
    if (kind == LayoutKind::map || (any && mostly_positioned(picture, true))) layout = lay_out_map(picture);
    if (kind == LayoutKind::plane || (!layout && any && mostly_positioned(picture, false)))
        layout = lay_out_plane(picture);
    if (kind == LayoutKind::graphviz) layout = lay_out_graphviz(picture);
    const bool rows = any && !layout && !has_wide_star(picture);
    if (!layout && (rows || kind == LayoutKind::tree)) layout = lay_out_tree(picture);
    if (!layout && (rows || kind == LayoutKind::layered)) layout = lay_out_layered(picture);
    if (!layout && (any || kind == LayoutKind::force)) layout = lay_out_force(picture);
    return layout;
}

std::string why_unsuited(const Picture& picture, LayoutKind kind)
{
    const std::size_t nodes = picture.nodes.size();
    const auto positioned = [&](bool geographic) {
        return std::count_if(picture.nodes.begin(), picture.nodes.end(),
                             [&](const PictureNode& n) { return n.position && n.position->geographic == geographic; });
    };
    switch (kind) {
        case LayoutKind::map:
            return fmt::format(
                "two nodes or more need a position on the earth, `position = geo(latitude, longitude)`; "
                "{} of {} have one",
                positioned(true), nodes);
        case LayoutKind::plane:
            return fmt::format(
                "two nodes or more need a position on a plane, `position = plane(x, y)`; {} of {} have "
                "one",
                positioned(false), nodes);
        case LayoutKind::tree: {
            const Adjacency graph(picture);
            if (graph.components().size() > 1)
                return fmt::format("the network is in {} parts, a tree is in one", graph.components().size());
            if (graph.edges() + 1 > graph.size())
                return fmt::format("links make cycles: {} pairs of {} nodes are joined, in a tree it would be {}",
                                   graph.edges(), graph.size(), graph.size() - 1);
            return fmt::format("the tree of {} nodes is too wide or too deep to be read", nodes);
        }
        case LayoutKind::layered:
            return "every link has to lead from one distance from the hosts to the next, in at most 8 rows of 300";
        case LayoutKind::graphviz:
            return fmt::format(
                "Graphviz's `dot` has to be installed and to answer, and takes up to 400 nodes; the picture has {}",
                nodes);
        default:
            return "";
    }
}

}  // namespace anml
