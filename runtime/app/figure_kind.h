// Which of the figures that WorkloadStatistics has a workload comes to.
#pragma once

#include <cstdint>

#include "abi/image.h"

namespace anml::rt::app {

enum class FigureKind : std::uint8_t {
    none,
    transactions,  // of the web: response times, failures by cause, statuses
    calls,         // the same of what servers ask of each other, and what came of it
    flows,         // transfers, and what each sender delivered
    datagrams,     // sent, received, lost, and their delay
    fluid,         // flows without packets: what they offered, and what arrived
    echoes,        // requests, replies, and their round trip
};

FigureKind figure_kind_of(const abi::Image& image, const abi::WorkloadRow& workload);

}  // namespace anml::rt::app
