// `ctl capture`: pcapng from a live run to standard output, `| wireshark -k -i -`.
#pragma once

#include <atomic>

#include "entry/options/options.h"

namespace anml::rt::entry {

// Writes what comes over the connection, whole blocks, until --for or --count is reached, somebody interrupts or reads
// no more, or the run ends. `begun`: bytes that have come already. The process's exit code.
int write_capture(int connection, std::string begun, const Options& options, const std::atomic<bool>& stop);

}  // namespace anml::rt::entry
