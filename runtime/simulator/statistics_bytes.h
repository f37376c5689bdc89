// What a process of a run has counted, as bytes for another one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/statistics.h"

namespace anml::rt {

// Without batches, which rank 0 has. `digest`: of the packets whose fate was decided there.
std::vector<std::uint8_t> write_statistics(Statistics& statistics, std::uint64_t digest);
Statistics read_statistics(std::span<const std::uint8_t> bytes, std::uint64_t& digest);

// Adds what another process has counted, in its clusters, of its nodes and links.
void join(Statistics& all, const Statistics& other);

}  // namespace anml::rt
