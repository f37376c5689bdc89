// A command beside the one that a sandbox was made for.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace anml::rt::io {

// Runs `command` in the namespaces of a sandbox's first process, and waits for it. Its exit status, 128 + signal if one
// ended it. nullopt, and where the command could not be started: `error`. Takes a process of one thread, which is in
// these namespaces then.
std::optional<int> run_in_sandbox(pid_t first_process, const std::vector<std::string>& command, std::string& error);

}  // namespace anml::rt::io
