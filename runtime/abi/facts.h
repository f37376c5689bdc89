// What the compiler knows of all links and nodes of a model alike: constants where the runtime is compiled with the
// model (anmlc -O2), unknown elsewhere. A fact never changes what happens, only what has to be looked up for it.
#pragma once

#include <cstdint>

namespace anml::abi {

inline constexpr std::uint32_t kVaries = 0xffffffffu;

using RecordSet = std::uint64_t;  // bit 1 << RecordSchema of each

struct Facts {
    // Of every directed link, as LinkState has them; kVaries: they differ, or depend on a tunable.
    std::uint32_t mtu = kVaries;
    std::uint32_t overhead = kVaries;
    std::uint32_t packet_limit = kVaries;
    std::uint16_t unbounded_queues = 0;  // 1: no queue is bounded in bytes
    std::uint16_t secured = 1;           // 0: no workload and no server speaks TLS
    // The rates that occur, where they are at most two, fixed, and each byte takes a whole number of nanoseconds; else
    // 0.
    std::uint32_t ns_per_byte[2] = {0, 0};
    double rate[2] = {0, 0};
    std::uint32_t node_kinds = ~0u;      // bit 1 << NodeKind: there are such nodes
    std::uint16_t one_task = 0;          // 1: nothing crosses between tasks
    std::uint16_t one_epoch = 0;         // 1: routes stay as they are
    std::uint16_t window_laws = 0xffff;  // bit 1 << Congestion: there are such senders
    std::uint16_t paced = 1;             // 0: no sender paces
    std::uint16_t connections = 1;       // 0: nobody opens a TCP connection, or listens for one
    std::uint16_t traced = 1;            // 0: no link follows a trace
    std::uint16_t timeline = 1;          // 0: nothing changes in a run
    std::uint16_t other_rates = 1;       // 0: links have the rates above at all times; where there are any
    std::uint16_t http2 = 1;             // 0: neither clients nor servers speak it
    std::uint16_t checks_content = 1;    // 0: nobody compares bodies with hashes
    std::uint16_t mtu_searches = 1;      // 0: no sender looks for the MTU of its path, and no router tells of one
    std::uint16_t segments = 1;          // 0: no router gives packets segments
    std::uint16_t slow_readers = 1;      // 0: applications read what comes at once
    std::uint16_t unused[1] = {};        // each byte is said
    // Bit 1 << RecordSchema: such records occur, of disciplines, impairments, workloads, servers. The code of others is
    // cut before it costs anything to compile.
    RecordSet records = ~RecordSet{0};
};
static_assert(sizeof(Facts) == 80);

}  // namespace anml::abi
