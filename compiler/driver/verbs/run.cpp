// anmlc run FILE [-- ARGUMENTS]: compiles to a temporary place, removes that, and becomes the emulator.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "commandline/signal_hold.h"
#include "commandline/streams.h"
#include "driver/commands.h"
#include "driver/report.h"
#include "link/temporary_folder.h"

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

int compile_emulator(const Options& options)
{
    const commandline::SignalHold hold;  // an interrupt leaves nothing behind
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    if (folder.path().empty()) {
        commandline::say(fmt::format("anmlc: cannot make a temporary folder in {}: {}; TMPDIR names another place\n",
                                     folder_of_temporaries(), std::strerror(folder.error())));
        return -1;
    }
    Options compiling = options;
    std::string stem = std::filesystem::path(options.sources.input).stem().string();
    compiling.output = fmt::format("{}/{}", folder.path(), options.sources.input == "-" ? "model" : stem);
    Compilation compilation;
    const bool good = compile(compiling, compilation);
    print_report(options, compilation);
    if (!good) return -1;
    const int program = open(compiling.output.c_str(), O_PATH | O_CLOEXEC);
    if (program < 0)
        commandline::say(fmt::format("anmlc: cannot run `{}`: {}\n", compiling.output, std::strerror(errno)));
    return program;
}

int cmd_run(const Options& options)
{
    const int program = compile_emulator(options);
    return program < 0 ? kExitErrors : become_emulator(options, program, emulator_arguments(options.arguments));
}

int become_emulator(const Options& options, int program, std::vector<std::string> words)
{
    words.insert(words.begin(), own_name(options.words));
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::signal(SIGXFSZ, SIG_DFL);  // main ignores it
    fexecve(program, arguments.data(), environ);
    commandline::say(
        fmt::format("anmlc: cannot run the emulator: {}; is {} mounted noexec? TMPDIR names another place\n",
                    std::strerror(errno), folder_of_temporaries()));
    return kExitErrors;
}

}  // namespace anml
