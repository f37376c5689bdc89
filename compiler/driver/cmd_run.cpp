// anmlc run FILE [-- ARGUMENTS]: compiles to a temporary place and runs the emulator there.
#include <fmt/format.h>

#include <cstdio>

#include "driver/commands.h"
#include "driver/report.h"
#include "driver/temporary_folder.h"
#include "link/foreground.h"
#include "link/process.h"

namespace anml {

namespace {

// Without a command among them the arguments are those of `simulate`.
std::vector<std::string> emulator_arguments(const std::vector<std::string>& given)
{
    std::vector<std::string> all = given;
    const bool whole =
        !given.empty() && (given.front() == "--help" || given.front() == "-h" || given.front() == "--version");
    if (!whole && (given.empty() || given.front().starts_with("-"))) all.insert(all.begin(), "simulate");
    return all;
}

// What stands before the emulator's arguments on this command line: its usage and its results name what will be there
// again, and not a temporary file.
std::string own_name(const std::vector<std::string>& words)
{
    std::string name = "anmlc";
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool plain = words[i].find_first_of(" '\"\\$*?&|;<>()[]") == std::string::npos;
        name += plain ? " " + words[i] : fmt::format(" '{}'", words[i]);
    }
    return name + " --";
}

}  // namespace

int cmd_run(const Options& options)
{
    const SignalHold hold;  // an interrupt leaves nothing behind
    const TemporaryFolder folder;
    if (folder.path().empty()) {
        fmt::print(stderr, "anmlc: cannot make a temporary folder; TMPDIR names another place\n");
        return kExitErrors;
    }
    Options compiling = options;
    std::string stem = std::filesystem::path(options.sources.input).stem().string();
    compiling.output = fmt::format("{}/{}", folder.path(), options.sources.input == "-" ? "model" : stem);
    Compilation compilation;
    const bool good = compile(compiling, compilation);
    print_report(options, compilation);
    if (!good) return kExitErrors;

    std::vector<std::string> command = emulator_arguments(options.arguments);
    command.insert(command.begin(), own_name(options.words));
    std::string problem;
    const int status = run_foreground(compiling.output, command, problem);
    if (status < 0) fmt::print(stderr, "anmlc: cannot run `{}`: {}\n", compiling.output, problem);
    return status < 0 ? kExitErrors : status;
}

}  // namespace anml
