// anmlc doctor: whether models can be compiled and run on this machine, and what mends it where not.
#include <fmt/format.h>

#include <cstdio>

#include "base/process.h"
#include "commandline/machine_checks.h"
#include "commandline/signal_hold.h"
#include "driver/commands.h"
#include "driver/compile.h"
#include "driver/write_file.h"
#include "link/temporary_folder.h"

namespace anml {

namespace {

using commandline::Health;
using commandline::MachineCheck;

constexpr std::string_view kSmallest =
    "model Smallest {\n  router a\n  router b\n  link a -- b { rate = 1 Mbps }\n  run { duration = 1 s }\n}\n";

// A whole model at one level, from the text to the end of its simulation: the compiler, the linker, the runtime's
// files.
MachineCheck compiles(const char* name, OptLevel level)
{
    const commandline::SignalHold hold;  // an interrupt leaves nothing behind
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    if (folder.path().empty())
        return {name, Health::missing, fmt::format("no folder can be made in {}", folder_of_temporaries()),
                "set TMPDIR to a folder that can be written to"};
    Compilation c;
    Options options;
    options.level = level;
    options.sources.input = folder.path() + "/smallest.anml";
    options.output = folder.path() + "/smallest";
    bool good = write_file(options.sources.input, kSmallest, c.diagnostics) && compile(options, c);
    if (!good) {
        const auto& list = c.diagnostics.list();
        std::string text = list.empty() ? "it failed" : list.front().message;
        std::string mend =
            !list.empty() && !list.front().helps.empty() ? list.front().helps.front() : "install anmlc anew";
        return {name, Health::missing, text, mend};
    }
    const ProcessResult run = run_process({options.output, "simulate"});
    if (run.exit_code != 0)
        return {name, Health::missing, fmt::format("the emulator does not run: {}{}", run.problem, run.output),
                "is TMPDIR mounted noexec? Set TMPDIR to another folder"};
    return {name, Health::good, "a model compiles, links and runs", ""};
}

}  // namespace

int cmd_doctor(const Options& options)
{
    std::vector<MachineCheck> findings{compiles("compile -O0", OptLevel::O0), compiles("compile -O2", OptLevel::O2)};
    for (const auto& part : {commandline::check_network(), commandline::check_machine()})
        findings.insert(findings.end(), part.begin(), part.end());
    std::fputs(commandline::show_checks(findings, options.json).c_str(), stdout);
    return commandline::is_missing(findings) ? kExitErrors : 0;
}

}  // namespace anml
