// Where what a network's page shows is declared: rows of nodes, by their names, and the instances around them.
#pragma once

#include <string>
#include <vector>

#include "elaborate/network.h"
#include "lsp/documents/workspace.h"

namespace anml::lsp {

// Of the network, which does not outlive its stages.
struct ShownRow {
    std::string name;  // as the page has it: "net[3].gateway", of an array without a subscript
    Span span;
};
struct ShownRows {
    std::string model;
    std::vector<ShownRow> rows;
};
ShownRows shown_rows(const Network& network);

// [{ name, uri, range }]. An instance's name has no subscripts: all elements of an array are declared by one name.
json locations_json(const ShownRows& shown, const SourceSet& sources, const Snapshot& snapshot,
                    const Workspace& workspace);

}  // namespace anml::lsp
