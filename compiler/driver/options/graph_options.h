// The options of the verb `graph` that no other verb has.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "driver/options/options.h"

namespace anml {

struct GraphWords {
    std::string format, color_by = "role", layout = "auto", theme = "light", demand, total, at;
    std::vector<std::string> fold, unfold;
};

void add_graph(CLI::App& app, GraphWords& words);
void add_layout(CLI::App& app, GraphWords& words);  // those of any picture, which that has too
// Empty, or what is wrong; the output's name chooses the format where --format doesn't.
std::string set_graph(const GraphWords& words, const std::string& output, Options& options);

}  // namespace anml
