// The program of every generated emulator: the model is linked in as `anml_image`.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <system_error>

#include "commandline/machine_checks.h"
#include "commandline/streams.h"
#include "entry/control/ctl.h"
#include "entry/documents.h"
#include "entry/options/describe.h"
#include "entry/options/tunables.h"
#include "entry/points/points.h"
#include "entry/run/forecast.h"
#include "entry/run/mpi_run.h"
#include "entry/run/run.h"
#include "entry/tools/output_file.h"
#include "io/sandbox/enter_sandbox.h"
#include "report/quantity.h"

namespace {

using namespace anml::rt;
using namespace anml::rt::entry;

int end(const Ending& ending)
{
    bool good = write_standard_output(ending.output);
    anml::commandline::say(ending.error);
    return good ? ending.exit_code : kExitFailed;
}

int show_info(const anml::abi::Image& image, const Options& options)
{
    std::string error;
    auto tunables = bind_tunables(image, options.settings, error);
    if (!tunables) return end({kExitUsage, "", fmt::format("error: {}\n", error)});
    Model model(image, *tunables);
    if (!options.documents.empty()) {
        const auto written = write_documents(model, options.documents, error);
        if (!written) return end({kExitFailed, "", fmt::format("error: {}\n", error)});
        return end({kExitOk,
                    fmt::format("{} file{}, {}, in {}\n", written->files, written->files == 1 ? "" : "s",
                                format_quantity(static_cast<double>(written->bytes), anml::abi::Unit::size),
                                options.documents),
                    ""});
    }
    return end({kExitOk, options.json ? info_json(model) : info_text(model), ""});
}

int show_health(const anml::abi::Image& image, const Options& options)
{
    using namespace anml::commandline;
    std::vector<MachineCheck> checks = check_network();
    const std::vector<MachineCheck> machine = check_machine();
    checks.insert(checks.end(), machine.begin(), machine.end());
    checks.push_back(check_forecast(image));
    return end({is_missing(checks) ? kExitFailed : kExitOk, show_checks(checks, options.json), ""});
}

// `shell` and `exec`: a command in a sandbox of a live run. Its exit status; else the reason is said.
int run_shell(const Options& options)
{
    std::string error;
    std::optional<int> status;
    const std::string answer = ask_run(options, error);
    if (error.empty()) {
        const auto json = nlohmann::json::parse(answer, nullptr, false);
        const pid_t first = json.is_object() ? json.value("pid", pid_t{0}) : 0;
        std::vector<std::string> command = options.inside;
        if (const char* shell = std::getenv("SHELL"); command.empty()) command = {shell && *shell ? shell : "/bin/sh"};
        if (first > 0)
            status = io::run_in_sandbox(first, command, error);
        else
            error = "the run did not say where its sandbox is";
    }
    if (!error.empty()) anml::commandline::say(fmt::format("error: {}\n", error));
    return status.value_or(kExitFailed);
}

int run_all_points(const anml::abi::Image& image, const Options& options, const std::string& program)
{
    std::string error;
    const auto points = read_points(image, program, options.points, error);
    if (!points) return end({kExitUsage, "", fmt::format("error: {}\n", error)});
    return run_points(image, *points, options.jobs);
}

int run_command(const anml::abi::Image& image, const std::vector<std::string>& arguments)
{
    if (image.magic != anml::abi::kMagic || image.version != anml::abi::kVersion) {
        return end(
            {kExitFailed, "", "error: the model was compiled for another version of the runtime; compile it again\n"});
    }
    auto parsed = parse_options(image, arguments);
    if (const Ending* ending = std::get_if<Ending>(&parsed)) return end(*ending);
    const Options& options = std::get<Options>(parsed);
    if (options.command == Command::ctl) return run_ctl(options);
    if (options.command == Command::shell) return run_shell(options);
    if (options.command == Command::info) return show_info(image, options);
    if (options.command == Command::doctor) return show_health(image, options);
    if (!options.points.empty()) return run_all_points(image, options, arguments.front());
    if (options.mpi) return simulate_with_mpi(image, options, arguments);
    if (options.command == Command::simulate) warn_of_copies();

    Ending error;
    std::unique_ptr<Run> run = Run::prepare(image, options, arguments, error);
    if (!run) return end(error);
    return options.command == Command::live ? run_live(*run) : run_simulate(*run);
}

// What is thrown on a thread of a parallel run reaches nobody.
[[noreturn]] void end_at_once()
{
    anml::commandline::say("error: the memory or the threads that the run takes are not to be had\n");
    _exit(kExitFailed);
}

// Before the program's own data is made, for which there may be no memory either.
[[gnu::constructor(101)]] void before_all() { std::set_terminate(end_at_once); }

}  // namespace

int main(int argc, char** argv)
{
    anml::commandline::prepare_streams();
    std::signal(SIGPIPE, SIG_IGN);  // whoever reads a capture may go, and the run goes on
    try {
        return run_command(anml_image, {argv, argv + argc});
    } catch (const std::bad_alloc&) {
        anml::commandline::say("error: the memory that may be used does not do\n");
    } catch (const std::system_error& error) {  // a thread that cannot be started
        anml::commandline::say(fmt::format("error: {}\n", error.what()));
    }
    return kExitFailed;
}
