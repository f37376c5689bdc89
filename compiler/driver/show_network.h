// The verb `graph` behind elaboration: the stages and analyses whose outputs a picture shows, and the picture.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "analysis/analyze/demand.h"
#include "driver/session.h"
#include "graph/graph.h"
#include "partition/partition.h"

namespace anml {

// Shares by directed link: "entry>".
struct MeasuredLoads {
    std::string title;  // "Utilisation"
    double top = 0;     // the scale goes at least so far
    std::unordered_map<std::string, double> links;
};

struct ShownOptions {
    PartitionOptions partition;
    std::optional<DemandOptions> demand;      // of loads; none: the workloads', uniform where there are none
    std::optional<double> at;                 // ns: a time of the timeline; none: before it begins
    const MeasuredLoads* measured = nullptr;  // what links did in a run, in the place of what is expected
};

// `notes`: for the exchange formats, what graphs have no attributes for.
std::optional<std::string> show_network(const Network& network, const PictureOptions& picture,
                                        const ShownOptions& options, SourceSet& sources, Diagnostics& diagnostics,
                                        GraphNotes* notes = nullptr);

// The picture of the session's model. `output`: where it will stand, from whose folder names of files in it count.
std::optional<std::string> draw_model(Session& session, const PictureOptions& picture, const ShownOptions& options,
                                      const std::string& output);

// The folder that names of files count from in what is written to `output`, or "-".
std::string output_folder(const std::string& output);

}  // namespace anml
