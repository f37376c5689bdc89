// What the compiler knows of all links and nodes of a model alike: constants where the runtime is compiled with the
// model (anmlc -O2), unknown elsewhere. A fact never changes what happens, only what has to be looked up for it.
#pragma once

#include <cstdint>

namespace anml::abi {

inline constexpr std::uint32_t kVaries = 0xffffffffu;

struct Facts {
    // Of every directed link, as LinkState has them; kVaries: they differ, or depend on a tunable.
    std::uint32_t mtu = kVaries;
    std::uint32_t overhead = kVaries;
    std::uint32_t packet_limit = kVaries;
    std::uint32_t unbounded_queues = 0;  // 1: no queue is bounded in bytes
    // The rates that occur, where they are at most two, fixed, and each byte takes a whole number of nanoseconds; else
    // 0.
    std::uint32_t ns_per_byte[2] = {0, 0};
    double rate[2] = {0, 0};
    std::uint32_t node_kinds = ~0u;      // bit 1 << NodeKind: there are such nodes
    std::uint16_t one_task = 0;          // 1: nothing crosses between tasks
    std::uint16_t impaired = 1;          // 0: no link does anything to packets but carry them
    std::uint32_t one_epoch = 0;         // 1: routes stay as they are
    std::uint16_t window_laws = 0xffff;  // bit 1 << Congestion: there are such senders
    std::uint16_t paced = 1;             // 0: no sender paces
    std::uint32_t disciplines = ~0u;     // bit 1 << number of a queue discipline: there are links that have it
    std::uint32_t unused = 0;
};
static_assert(sizeof(Facts) == 64);

}  // namespace anml::abi
