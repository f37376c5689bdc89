// What a process of a run has counted, as bytes for another one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "abi/image.h"
#include "simulator/statistics.h"

namespace anml::rt {

// Without batches, which rank 0 has. `digest`: of the packets that were delivered or dropped there.
std::vector<std::uint8_t> write_statistics(Statistics& statistics, std::uint64_t digest);
std::optional<Statistics> read_statistics(std::span<const std::uint8_t> bytes, std::uint64_t& digest);  // nothing: damaged

// Adds what another process has counted, in its clusters, of its nodes and links; it may_join.
bool may_join(const Statistics& all, const Statistics& other, const abi::Image& image);
void join(Statistics& all, const Statistics& other);

}  // namespace anml::rt
