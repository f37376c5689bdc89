// What the process runs on, as results name it.
#pragma once

#include <cstdint>
#include <string>

namespace anml::rt {

struct Machine {
    std::string system;        // "Linux 6.1.0-28-amd64 x86_64"
    std::string processor;     // its name, "" where the system says none
    unsigned processors = 0;   // that the process may use
    std::uint64_t memory = 0;  // bytes
};

Machine this_machine();

}  // namespace anml::rt
