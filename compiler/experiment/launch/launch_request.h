// Who runs an experiment's simulations.
#pragma once

#include <cstdint>
#include <string>

namespace anml {

enum class Launching : std::uint8_t {
    local,     // this process, beside each other
    slurm,     // array jobs
    parallel,  // GNU parallel, on this machine or by ssh
    plan       // somebody else: what is to be run is written down
};

struct LaunchRequest {
    Launching by = Launching::local;
    std::string arguments;    // of sbatch or parallel, as for a shell
    unsigned jobs = 0;        // at a time; 0: as the launcher has it
    bool wait = true;         // for the end of what was submitted
    bool copy_files = false;  // the hosts of GNU parallel do not see the folder
    bool gather = false;      // only what has ended: nothing is run
    bool elsewhere() const { return gather || by != Launching::local; }
};

}  // namespace anml
