// Replays: open-loop web clients whose transactions begin when a file says it, an access log or a list of times. Each
// host has an open loop's source (open_loop.h), for which what it begins, waits for and counts is the same. What falls
// due while the workload is switched off does not happen.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/ids.h"
#include "base/time.h"

namespace anml::rt::app {

struct ReplayingHost {
    std::uint32_t workload = 0;  // row
    std::uint32_t source = 0;    // index in OpenLoops::sources
    std::uint32_t next = 0;      // of its arrivals (Model::arrivals_of)
    std::uint64_t number = 0;    // among the workload's hosts
    bool dormant = false;        // the next one was due while the workload was off
};

struct Replays {
    std::vector<ReplayingHost> hosts;  // by workload, then by target
};

namespace replay {

using namespace otherwise;
using Row = abi::record::replay;
using State = Replays;
inline constexpr FigureKind kFigureKind = FigureKind::transactions;

void start(Cluster& k, NodeId node, NodeId server, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t host, Time at);  // its next transaction is due
void resume(Cluster& k, const Hosts& hosts);                               // it is switched on

}  // namespace replay
}  // namespace anml::rt::app
