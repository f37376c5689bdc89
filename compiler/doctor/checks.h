// What `anmlc doctor` looks at. Each check says what it found and, where something is missing, the command that mends
// it.
#pragma once

#include <string>
#include <vector>

namespace anml {

enum class Health { good, advice, missing };  // advice: it works, but could be better, or only some runs need it

struct MachineCheck {
    std::string name;  // stable, such as "sandbox"
    Health health = Health::good;
    std::string text;  // what was found
    std::string mend;  // a command or a sentence, "" where nothing is to mend
};

std::vector<MachineCheck>
check_network();  // namespaces, TAP devices, capabilities, raw packets, reverse paths, offloads
std::vector<MachineCheck> check_machine();  // timers, processors, memory

// Reads a file of /proc or /sys; "" if it isn't there. Without the final newline.
std::string read_setting(const std::string& path);

}  // namespace anml
