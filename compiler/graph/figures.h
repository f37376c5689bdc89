// Figures as pictures show them: three digits, with a unit.
#pragma once

#include <string>

#include "common/figures.h"
#include "graph/picture.h"

namespace anml {

std::string show_share(double part);              // "45 %"
std::string show_rates(const PictureEdge& edge);  // "1 Gbps", "10 Mbps .. 1 Gbps", "8 Mbps / 1 Mbps" (there and back)
std::string show_delays(const PictureEdge& edge);
std::string describe(const PictureEdge& edge);         // "1 Gbps, 1 ms"
std::string describe_change(const PictureEdge& edge);  // "; delay: 1 ms -> 2 ms", "" where networks are not compared
std::string describe_change(const PictureNode& node);
std::string edge_label(const PictureEdge& edge);      // what stands at its line: what changed, else its figures
std::string describe(const PictureNode& node);        // "4096 hosts", "router", "12 nodes"
std::string show_addresses(const PictureNode& node);  // "10.0.0.1", "10.0.0.1 .. 10.0.0.9", ""

}  // namespace anml
