// A run of several processes: `simulate --mpi`. Every one does the same, on its own part of the model; rank 0 alone
// says how far, reads what is written somewhere, and prints.
#pragma once

#include <string>
#include <vector>

#include "abi/image.h"
#include "entry/options/options.h"
#include "entry/run/mpi.h"
#include "kernel/post.h"

namespace anml::rt::entry {

struct MpiRun {
    Mpi& mpi;
    cct::Post post{mpi};

    bool first() const { return mpi.rank() == 0; }
    // For the simulator: null where this process is alone.
    cct::Post* several() { return mpi.size() > 1 ? &post : nullptr; }
};

// A line of the model and its values: the same one, the same results.
std::string identity(const Model& model);

// Says once where mpirun or srun started several of these, and nobody said --mpi: each runs the whole model, which may
// be meant.
void warn_of_copies();

// The process's exit code, which is the same in all.
int simulate_with_mpi(const abi::Image& image, const Options& options, const std::vector<std::string>& command_line);

}  // namespace anml::rt::entry
