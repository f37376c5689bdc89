#include "entry/live/shell.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "commandline/streams.h"
#include "entry/control/ctl.h"
#include "io/sandbox/enter_sandbox.h"

namespace anml::rt::entry {

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
    if (status) return *status;
    commandline::say(fmt::format("error: {}\n", error));
    return kExitFailed;
}

}  // namespace anml::rt::entry
