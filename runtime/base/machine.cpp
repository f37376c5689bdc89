#include "base/machine.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "base/processors.h"

namespace anml::rt {

namespace {

// x86's line; other systems have none.
std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        return colon == std::string::npos ? "" : line.substr(colon + 2);
    }
    return "";
}

}  // namespace

Machine this_machine()
{
    Machine machine;
    if (utsname name{}; uname(&name) == 0)
        machine.system = std::string(name.sysname) + ' ' + name.release + ' ' + name.machine;
    machine.processor = processor_name();
    machine.processors = Processors().count();
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    if (pages > 0 && size > 0) machine.memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
    return machine;
}

}  // namespace anml::rt
