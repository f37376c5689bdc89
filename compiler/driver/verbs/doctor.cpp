// anmlc doctor: whether models can be compiled and run on this machine, and what mends it where not.
#include <fmt/format.h>

#include <cstdio>

#include "base/process.h"
#include "commandline/machine_checks.h"
#include "commandline/signal_hold.h"
#include "driver/emulator.h"
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
    BuildOptions options;
    options.sources.input = folder.path() + "/smallest.anml";
    EmulatorOptions emulator;
    emulator.level = level;
    emulator.output = folder.path() + "/smallest";
    Session session(options, c);
    std::string none;
    const bool good = write_file(options.sources.input, kSmallest, c.diagnostics) &&
                      session.end(write_emulator(session, emulator, none));
    if (!good) {
        const auto& list = c.diagnostics.list();
        std::string text = list.empty() ? "it failed" : list.front().message;
        std::string mend =
            !list.empty() && !list.front().helps.empty() ? list.front().helps.front() : "install anmlc anew";
        return {name, Health::missing, text, mend};
    }
    const ProcessResult run = run_process({emulator.output, "simulate"});
    if (run.exit_code != 0)
        return {name, Health::missing, fmt::format("the emulator does not run: {}{}", run.problem, run.output),
                "is TMPDIR mounted noexec? Set TMPDIR to another folder"};
    return {name, Health::good, "a model compiles, links and runs", ""};
}

class DoctorVerb : public Verb {
  public:
    DoctorVerb() : Verb("doctor", "Check what this machine lets compilers and emulators do") {}

    void add_options(CLI::App& app) override
    {
        app.add_flag("--json", json_, "As JSON");
        app.footer(
            "Exit status: 0 everything is as it should be, 1 something is missing, and the line says what for.");
    }

    int run(const CommandLine&) override
    {
        std::vector<MachineCheck> checks{compiles("compile -O0", OptLevel::O0), compiles("compile -O2", OptLevel::O2)};
        for (const auto& part : {commandline::check_network(), commandline::check_machine()})
            checks.insert(checks.end(), part.begin(), part.end());
        std::fputs(commandline::show_checks(checks, json_).c_str(), stdout);
        return commandline::is_missing(checks) ? kExitErrors : 0;
    }

  private:
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> verb_doctor() { return std::make_unique<DoctorVerb>(); }

}  // namespace anml
