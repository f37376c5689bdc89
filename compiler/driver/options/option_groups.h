// Options that several verbs have: how they are declared, and what they say. A group of options that are more than
// values keeps the words that were given until all are there.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analyze/demand.h"
#include "driver/build_options.h"
#include "graph/graph.h"

namespace anml {

void add_file(CLI::App& app, std::string& file);
void add_files(CLI::App& app, std::vector<std::string>& files, const char* text);
void add_folders(CLI::App& app, SourceOptions& sources);  // -I
void add_tasks(CLI::App& app, PartitionOptions& partition);
void add_defines(CLI::App& app, const char* name, std::vector<std::string>& defines, const char* text);

// The suffix of an output's name that chooses its format; "" of standard output.
std::string format_of(const std::string& output);
// That the output would replace the input, or "".
std::string wrong_output(const std::string& output, const std::string& input);
// Whether what goes to that stream is coloured.
bool want_color(const std::string& when, int stream);

using Defines = std::vector<std::pair<std::string, std::string>>;
// Each: what is wrong, or "".
std::string set_defines(const std::vector<std::string>& words, Defines& defines, const char* option = "-D");
std::string set_time(const std::string& word, std::optional<double>& at);  // --at
std::string set_demand(const std::string& word, const std::string& total, DemandOptions& demand);

struct MessageWords {
    std::string error_format = "human", color = "auto";

    void add(CLI::App& app);
    void set(MessageOptions& messages) const;
};

struct LevelWord {
    std::string level;

    void add(CLI::App& app, const char* text);
    OptLevel value(OptLevel usual) const;
};

// What all verbs have that build models: -I, -D, --model, -W, -v and messages.
struct ModelWords {
    std::vector<std::string> defines, warnings;
    MessageWords messages;

    void add(CLI::App& app, BuildOptions& options);
    std::string set(BuildOptions& options) const;
};

// How any picture of a network looks.
struct LayoutWords {
    std::string layout = "auto", theme = "light";
    std::vector<std::string> fold, unfold;

    void add(CLI::App& app);
    void set(PictureOptions& picture) const;
};

ErrorFormat find_error_format(const std::string& name);

}  // namespace anml
