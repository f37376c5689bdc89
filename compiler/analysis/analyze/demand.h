// Who is asked to send how much to whom.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze/paths.h"
#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

enum class DemandKind : std::uint8_t { uniform, gravity, file, workloads };

struct DemandOptions {
    // None: what the model's workloads are expected to send, or uniform where there are none or a total is given.
    std::optional<DemandKind> kind;
    std::string file;
    std::optional<double> total;  // bit/s of all pairs together; none: a unit for each pair, or gravity's masses
};

// One line of a demand file: elements of node rows, and bit/s from each one of them to each one of the others.
struct DemandLine {
    TargetRange from, to;
    double rate = 0;
};

// Lines `from,to,rate`, such as `net[0].client,server,10 Mbps`; the name of an array is each of its nodes. Empty lines,
// and those that begin with `#`, don't count, nor does the first one if it is `from,to,rate`. Nothing after an error,
// which is reported at its place in the file.
std::optional<std::vector<DemandLine>> read_demands(const std::string& path, const Network& network, SourceSet& sources,
                                                    Diagnostics& diagnostics);

// uniform: every pair the same. gravity: in proportion to the product of what the two nodes' links can carry.
PairDemand make_demand(const Places& places, const DemandOptions& options, const std::vector<DemandLine>& lines);

}  // namespace anml
