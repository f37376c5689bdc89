// anmlc doctor: whether models can be compiled and run on this machine, and what mends it where not.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/process.h"
#include "commandline/signal_hold.h"
#include "doctor/checks.h"
#include "driver/commands.h"
#include "driver/compile.h"
#include "driver/write_file.h"
#include "link/temporary_folder.h"

namespace anml {

namespace {

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
            !list.empty() && !list.front().helps.empty() ? list.front().helps.front() : "sudo apt-get install g++";
        return {name, Health::missing, text, mend};
    }
    const ProcessResult run = run_process({options.output, "simulate"});
    if (run.exit_code != 0)
        return {name, Health::missing, fmt::format("the emulator does not run: {}{}", run.problem, run.output),
                "is TMPDIR mounted noexec? Set TMPDIR to another folder"};
    return {name, Health::good, "a model compiles, links and runs", ""};
}

std::string_view health_name(Health health)
{
    return health == Health::good ? "ok" : health == Health::advice ? "note" : "missing";
}

std::string as_json(const std::vector<MachineCheck>& findings)
{
    nlohmann::json list = nlohmann::json::array();
    for (const MachineCheck& f : findings)
        list.push_back({{"name", f.name}, {"health", health_name(f.health)}, {"text", f.text}, {"mend", f.mend}});
    return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string as_text(const std::vector<MachineCheck>& findings)
{
    std::string out;
    for (const MachineCheck& f : findings) {
        out += fmt::format("{:<8} {:<13} {}\n", health_name(f.health), f.name, f.text);
        if (!f.mend.empty()) out += fmt::format("{:<22} -> {}\n", "", f.mend);
    }
    return out;
}

}  // namespace

int cmd_doctor(const Options& options)
{
    std::vector<MachineCheck> findings{compiles("compile -O0", OptLevel::O0), compiles("compile -O2", OptLevel::O2)};
    for (const auto& part : {check_network(), check_machine()})
        findings.insert(findings.end(), part.begin(), part.end());
    std::fputs((options.json ? as_json(findings) : as_text(findings)).c_str(), stdout);
    const auto missing = [](const MachineCheck& f) { return f.health == Health::missing; };
    return std::any_of(findings.begin(), findings.end(), missing) ? kExitErrors : 0;
}

}  // namespace anml
