// The options that a command line may have, as CLI11 knows them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "entry/options/options.h"

namespace anml::rt::entry {

// What CLI11 collects; read into Options afterwards, where messages can name the model's things.
struct RawOptions {
    std::string duration, warmup, wait, processors, pace, metrics, otlp, api, seed, batches, threads, count, jobs, listen,
        join, processes, until, stop_timeout;
    std::vector<std::string> captures, attachments, subnets, maps;
    bool no_workload = false;
};

void add_common(CLI::App& command, Options& options);
void add_run_options(CLI::App& command, std::string_view time, Options& options, RawOptions& raw);
void add_point_options(CLI::App& simulate, Options& options, RawOptions& raw);
void add_live_options(CLI::App& command, Options& options, RawOptions& raw);
void add_control_options(CLI::App& command, Options& options, RawOptions& raw);

}  // namespace anml::rt::entry
