// anmlc graph: from the elaborated network to a picture of it. Nothing is run; routes and tasks are computed where the
// picture shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/demand.h"
#include "graph/colouring.h"
#include "graph/layout.h"
#include "partition/task_graph.h"
#include "unparse/graph_notes.h"

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
    std::vector<std::string> fold, unfold;
    PartitionOptions partition;
    std::optional<DemandOptions> demand;  // of loads; none: the workloads', uniform where there are none
    std::optional<double> at;             // ns: a time of the timeline; none: before it begins

    // Whether loads are those of an analysis, which needs routes to every address.
    bool analyzes(const Network& network) const
    {
        return color_by == ColorBy::load && (demand || network.workloads.empty());
    }
};

// `notes`: for the exchange formats, what graphs have no attributes for.
std::optional<std::string> draw_network(const Network& network, const PictureOptions& options, SourceSet& sources,
                                        Diagnostics& diagnostics, GraphNotes* notes = nullptr);
// Whether a search for the shortest path finds the model's routes: no regions, policy or static routes. Else a page
// needs routes to every address.
bool page_finds_routes(const Network& network);
// Formats that other programs read, and `anmlc import`.
bool is_exchange_format(PictureFormat format);

}  // namespace anml
