// Takes `--sandbox [NAME] -- COMMAND...` out of an argument list: option parsers know no options that swallow the rest.
#pragma once

#include <string>
#include <vector>

namespace anml::rt::entry {

struct SandboxArgument {
    std::string endpoint;  // "": not named
    std::string where = "--sandbox";  // it stands, for messages
    std::vector<std::string> command;
};

// Behind the name `anmlc up` says, as --line FILE:LINE, where its lab has it. A command reaches to the next
// `--sandbox`, or to the end. What stands before the first `--sandbox` stays in `arguments`. False: `error`.
bool take_sandboxes(std::vector<std::string>& arguments, std::vector<SandboxArgument>& sandboxes, std::string& error);

// Takes `-- COMMAND...` from the arguments of `exec`. Whether they are of it.
bool take_exec(std::vector<std::string>& arguments, std::vector<std::string>& command);

}  // namespace anml::rt::entry
