// anmlc analyze: what a network's shape and routes say before anything runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/analyze/cuts.h"
#include "analysis/analyze/demand.h"
#include "analysis/analyze/paths.h"
#include "analysis/analyze/places.h"

namespace anml {

struct AnalyzeOptions {
    enum class Show : std::uint8_t { summary, links, pairs, cuts, rtt, hops };
    enum class Format : std::uint8_t { table, csv, json };
    Show show = Show::summary;
    Format format = Format::table;
    Between between = Between::hosts;
    DemandOptions demand;
    std::uint32_t top = 10;    // rows of a table in the summary; 0: all
    std::optional<double> at;  // ns: a time of the timeline; none: before it begins
};

struct NetworkAnalysis {
    const Network& network;
    Places places;
    PathAnalysis paths;
    Cuts cuts;
    DemandKind demand{};
    bool absolute = false;          // loads are bit/s
    double greatest_load = 0;       // of any link
    std::optional<double> at;       // ns
    std::size_t down = 0;           // directed links that are down then
    std::optional<double> settles;  // as RouteTables::settles

    // Of a slot: its load in percent of the greatest; 0 where nothing is carried.
    double relative(std::uint32_t slot) const { return greatest_load > 0 ? 100 * paths.load[slot] / greatest_load : 0; }
    // By how much the demand may grow until the first link is full, and that link's slot; none where nothing is
    // carried.
    struct Room {
        double factor;
        std::uint32_t slot;
    };
    std::optional<Room> room() const;
    double terminals() const;  // nodes
};

// `routes` must lead to every address (RouteScope::everywhere), and be those of `moment` where there is one. Nothing
// after an error.
std::optional<NetworkAnalysis> analyze(const Network& network, const RouteTables& routes, NetworkMoment* moment,
                                       const AnalyzeOptions& options, SourceSet& sources, Diagnostics& diagnostics);

// The analysis as text.
std::string show_analysis(const NetworkAnalysis& analysis, const AnalyzeOptions& options);

}  // namespace anml
