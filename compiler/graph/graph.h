// anmlc graph: from the elaborated network to a picture of it. Nothing is computed here but the picture: routes, tasks
// and loads are given where it shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "graph/colouring.h"
#include "graph/layout/layout.h"
#include "graph/picture.h"
#include "printer/graph_notes.h"

namespace anml {

enum class PictureFormat : std::uint8_t {
#define ANML_PICTURE_FORMAT(id, name, suffix) id,
#include "graph/formats.def"
#undef ANML_PICTURE_FORMAT
};
std::optional<PictureFormat> find_picture_format(std::string_view name);  // or suffix
std::string picture_format_list();                                        // "svg, dot or json"

struct PictureOptions {
    PictureFormat format{};
    ColorBy color_by = ColorBy::role;
    LayoutKind layout = LayoutKind::automatic;
    bool dark = false;
    bool calls = false;  // who asks whom in place of links; no page, and no format of other programs
    std::vector<std::string> fold, unfold;
};

// `notes`: for the exchange formats, what graphs have no attributes for.
std::optional<std::string> draw_network(const PictureInput& input, const PictureOptions& options,
                                        Diagnostics& diagnostics, GraphNotes* notes = nullptr);
// Whether a search for the shortest path finds the model's routes: no regions, policy or static routes. Else a page
// needs routes to every address.
bool page_finds_routes(const Network& network);
// Formats that other programs read, and `anmlc import`.
bool is_exchange_format(PictureFormat format);

}  // namespace anml
