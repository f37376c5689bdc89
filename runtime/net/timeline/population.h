// Which hosts of a workload are on, where the timeline says how many (`surf { active = 40 % }`).
//
// Hosts have turns: the numbers that they have among the workload's, with their bits reversed. Those with the first
// turns are on. So more of them are those that were on and others, and however many there are, they are spread evenly
// over the hosts in their order. That takes one number per workload, and no list.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Model;

using Turn = std::uint64_t;
inline constexpr Turn kEveryTurn = ~Turn{0};  // behind all of them

Turn turn_of(std::uint64_t number);
// Behind the turns of the first `count` of so many hosts.
Turn turn_behind(std::uint64_t count, std::uint64_t hosts);

// Hosts of a workload whose turns lie in [first, end).
struct Hosts {
    std::uint32_t workload;
    Turn first, end;

    bool have(const Model& model, NodeId host) const
    {
        return (first == 0 && end == kEveryTurn) || have_turn(model, host);
    }

  private:
    bool have_turn(const Model& model, NodeId host) const;
};

}  // namespace anml::rt
