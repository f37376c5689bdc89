// What a process of a live run found out, as bytes for process 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "report/live/live_report.h"

namespace anml::rt {

// Without forecast and replays, which are of one process.
std::vector<std::uint8_t> write_live(LiveReport& report);
std::optional<LiveReport> read_live(std::span<const std::uint8_t> bytes);  // nothing: they are damaged

// Adds what another process found out: counts together, shares of a processor too, and of what one processor was busy
// or waited the most.
void join(LiveReport& all, LiveReport other);

}  // namespace anml::rt
