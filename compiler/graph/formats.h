// A folded picture as text in the formats of other programs. One file per format.
#pragma once

#include <string>

#include "graph/colouring.h"
#include "graph/picture.h"
#include "printer/graph_notes.h"

namespace anml {

std::string write_dot(const Picture& picture, const Colouring& colours);      // Graphviz
std::string write_mermaid(const Picture& picture, const Colouring& colours);  // a flowchart
std::string write_d2(const Picture& picture, const Colouring& colours);
// `notes`: what graphs have no attributes for; without, it is left out.
std::string write_graphml(const Network& network, const Picture& picture, GraphNotes* notes);
// Node-link JSON, as NetworkX reads it.
std::string write_node_link(const Network& network, const Picture& picture, GraphNotes* notes);
// A topology of containerlab, YAML.
std::string write_containerlab(const Network& network, const Picture& picture, GraphNotes* notes);
// One of netlab.
std::string write_netlab(const Network& network, const Picture& picture, GraphNotes* notes);

// What Mermaid draws at most, unless its configuration says otherwise.
inline constexpr std::size_t kMermaidEdges = 500, kMermaidText = 50000;

}  // namespace anml
