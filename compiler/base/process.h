// Running another program and looking for files around this one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

struct ProcessResult {
    int exit_code = -1;   // -1: it could not be started or was killed
    std::string output;   // standard output and error, in the order written
    std::string problem;  // why exit_code is -1
};

// Runs `command` (command[0] is a path) without a shell and with no input, and waits for it.
ProcessResult run_process(const std::vector<std::string>& command);

// The same of a function, in a copy of this process; what it returns is the exit code. Not where other threads run: the
// copy has none of them, and what they had locked stays locked in it. Signals have their usual effect there.
ProcessResult run_child(const std::function<int()>& body);

std::string find_program(std::string_view name);  // in PATH; "" if it isn't there
std::string executable_path();                    // of this process, "" if unknown
std::string executable_folder();                  // that it lies in, "" if unknown
unsigned processors();                            // that this process may use

}  // namespace anml
