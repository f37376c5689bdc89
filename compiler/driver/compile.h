// The pipeline: from a file to an emulator.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driver/options/options.h"

namespace anml {

// A stage broke its own promises: a bug of ours.
struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

// What the stages up to `check` came to, without an error.
struct FrontEnd {
    const SourceSet& sources;
    const SyntaxTree& tree;
    const CheckedProgram& program;
    const Diagnostics& diagnostics;
};

struct Compilation {
    SourceSet sources;  // as far as they could be read
    Diagnostics diagnostics;
    std::string text;                                              // what --emit asked for
    std::string log;                                               // -v: a line per stage
    std::vector<std::string> data_files;                           // read beside the sources
    std::vector<std::pair<std::string, std::string>> experiments;  // of the main file, with what is said of them
    std::vector<std::string> models;                               // of the main file
    std::vector<Span> model_texts;                                 // where each of them stands
    std::optional<ExperimentInfo> experiment;                      // that was elaborated
    std::optional<double> duration;                                // ns, of a run where no tunable decides it
    struct Measure {
        std::string name;
        abi::MeasureKind kind;
        abi::MeasurePhase phase;
    };
    std::vector<Measure> measures;  // that it asks for: "p99(browse)"
    // Is shown each network, its routes and what its path queries are worth, as far as the stages come.
    std::function<void(const Network&, const RouteTables&, const std::vector<double>&)> seen;
    // These stages are not run again; for the goal `check`.
    const FrontEnd* front_end = nullptr;
};

// Runs the stages up to the goal of `options`. True if there was no error; an executable or object file is then
// written.
bool compile(const Options& options, Compilation& compilation);

}  // namespace anml
