// The table of anmlc's options.
#pragma once

#include <CLI/CLI.hpp>

#include "driver/options/graph_options.h"
#include "driver/options/options.h"

namespace anml {

// What the command line says, before it is understood.
struct Words {
    std::string file, output, emit, level, front_end, error_format = "human", color = "auto", model, explain;
    std::string show = "summary", analysis_format = "table", between = "hosts", demand = "uniform", total, at;
    std::uint32_t top = 10;
    GraphWords graph;
    std::string second, before_model, after_model, diff_format, findings_format;
    std::vector<std::string> before_defines, after_defines;
    bool all = false;
    std::string completion, doc_format, report_format, from, rate, delay;
    std::vector<std::string> includes, defines, files, warnings, dependencies;
    std::uint32_t tasks = 0, hosts = 1, largest = 0, within = 2;
    std::string around, network, experiment, page, filter, timeout, junit, server, launcher, launcher_arguments, lab;
    std::uint32_t jobs = 0;
    WireOptions wire;
    bool object = false, assembly = false, commands_only = false, verbose = false, check_only = false, diff = false,
         man = false, doc_source = false;
    bool json = false, fresh = false, quiet = false, dry_run = false, list = false, no_wait = false, gather = false,
         copy_files = false, stdio = false, no_sharing = false, mpi = false, batch = false;
};

// Options of plain compiling, and the verbs with theirs.
void add_options(CLI::App& app, Words& words, std::vector<std::pair<CLI::App*, Verb>>& verbs);

}  // namespace anml
