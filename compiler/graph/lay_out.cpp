// The choice of a layout: a map where nodes have positions, lines and rows where the network has such a form.
#include "graph/layout.h"

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

}  // namespace

std::optional<Layout> lay_out(const Picture& picture, LayoutKind kind)
{
    std::optional<Layout> layout;
    const bool any = kind == LayoutKind::automatic;
    if (kind == LayoutKind::map || (any && mostly_positioned(picture, true))) layout = lay_out_map(picture);
    if (kind == LayoutKind::plane || (!layout && any && mostly_positioned(picture, false)))
        layout = lay_out_plane(picture);
    if (kind == LayoutKind::graphviz) layout = lay_out_graphviz(picture);
    if (!layout && (any || kind == LayoutKind::tree)) layout = lay_out_tree(picture);
    if (!layout && (any || kind == LayoutKind::layered)) layout = lay_out_layered(picture);
    if (!layout && (any || kind == LayoutKind::force)) layout = lay_out_force(picture);
    return layout;
}

}  // namespace anml
