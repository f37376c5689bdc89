// Rates of fluid on links, solved for a time at which nothing changes.
//
// Inelastic flows send what they send: a link to which more comes than it carries passes to all of them the same share
// of what they bring, and what it loses does not come to the links behind it. Elastic flows share what these leave:
// max-min fairly, each flow for itself, none above a most of its own (Bertsekas and Gallager, Data Networks, 6.5.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace anml::rt::fluid {

// Flows that are alike and take the same links.
struct Demand {
    double flows = 0;  // that send
    double rate = 0;   // of each, in the unit of the capacities; of elastic ones at most
    bool elastic = false;
    std::uint32_t first = 0;  // Problem::links[first, first + count) are its links, in their order
    std::uint32_t count = 0;
};

struct Problem {
    std::vector<double> capacity;  // by link; 0: it carries nothing
    std::vector<double> fill;      // by link: the share of what inelastic flows leave that elastic ones may take
    std::vector<Demand> demands;
    std::vector<std::uint32_t> links;  // of the demands
};

struct Solution {
    std::vector<double> inflow;   // by link: what comes to it
    std::vector<double> offered;  // by demand: what its flows send, together
    std::vector<double> carried;  // by demand: what reaches its end
};

// The vectors of the solution are used again.
void solve(const Problem& problem, Solution& solution);

}  // namespace anml::rt::fluid
