// Nodes where the model says on a plane, whose unit only pictures know.
#include "graph/adjacency.h"
#include "graph/layout/layout.h"
#include "graph/layout/place_rest.h"

namespace anml {

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
