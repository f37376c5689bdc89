#include "entry/options/sandbox_arguments.h"

#include <algorithm>

namespace anml::rt::entry {

namespace {
constexpr const char* kForm = "write it as --sandbox [NAME] -- COMMAND..., after all other options";

bool is_sandbox(const std::string& argument) { return argument == "--sandbox" || argument.starts_with("--sandbox="); }
}  // namespace

bool take_sandboxes(std::vector<std::string>& arguments, std::vector<SandboxArgument>& sandboxes, std::string& error)
{
    auto next = std::find_if(arguments.begin(), arguments.end(), is_sandbox);
    const auto first = next;
    while (next != arguments.end()) {
        SandboxArgument sandbox;
        auto at = next + 1;
        if (std::size_t equals = next->find('='); equals != std::string::npos) {
            sandbox.endpoint = next->substr(equals + 1);
        } else if (at != arguments.end() && *at != "--") {
            sandbox.endpoint = *at++;
        }
        if (arguments.end() - at > 2 && *at == "--line") {
            sandbox.where = at[1];
            at += 2;
        }
        if (at == arguments.end() || *at != "--") {
            error = std::string("--sandbox needs a command: ") + kForm;
            return false;
        }
        ++at;
        next = std::find_if(at, arguments.end(), is_sandbox);
        sandbox.command.assign(at, next);
        if (sandbox.command.empty()) {
            error = std::string("--sandbox has an empty command: ") + kForm;
            return false;
        }
        sandboxes.push_back(std::move(sandbox));
    }
    arguments.erase(first, arguments.end());
    return true;
}

bool take_exec(std::vector<std::string>& arguments, std::vector<std::string>& command)
{
    if (arguments.empty() || arguments.front() != "exec") return false;
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    if (end != arguments.end()) command.assign(end + 1, arguments.end());
    arguments.erase(end, arguments.end());
    return true;
}

}  // namespace anml::rt::entry
