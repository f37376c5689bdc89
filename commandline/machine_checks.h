// What `anmlc doctor` and `./emu doctor` look at. Each check says what it found and, where something is missing, the
// command that mends it.
#pragma once

#include <string>
#include <vector>

namespace anml::commandline {

enum class Health { good, advice, missing };  // advice: it works, but could be better, or only some runs need it

struct MachineCheck {
    std::string name;  // stable, such as "sandbox"
    Health health = Health::good;
    std::string text;  // what was found
    std::string mend;  // a command or a sentence, "" where nothing is to mend
};

// Namespaces, TAP devices, capabilities, raw packets, AF_XDP, reverse paths, offloads.
std::vector<MachineCheck> check_network();
// Timers, stalls, priority, processors, memory. Takes half a second.
std::vector<MachineCheck> check_machine();

// A line for each and the command that mends it, or a JSON array.
std::string show_checks(const std::vector<MachineCheck>& checks, bool json);
bool is_missing(const std::vector<MachineCheck>& checks);  // something

// Reads a file of /proc or /sys; "" if it isn't there. Without the final newline.
std::string read_setting(const std::string& path);

}  // namespace anml::commandline
