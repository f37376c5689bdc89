// The command line of anmlc, understood: which verb it is, which has its options.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/verb.h"

namespace anml {

struct ParsedCommand {
    std::unique_ptr<Verb> verb;  // nullptr: to be ended
    CommandLine line;
    bool batch = false;  // --batch: to be run
    int status = 0;      // else what to exit with, after printing `text`: help or version, or what is wrong
    std::string text;
};

ParsedCommand parse_command_line(int argc, const char* const* argv);

// Command lines from standard input, each of which `run` takes from its parsing to its exit status.
int run_batch(const std::function<int(int argc, char** argv)>& run);

}  // namespace anml
