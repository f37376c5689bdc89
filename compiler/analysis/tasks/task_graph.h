// Tasks and their channels as data. How they come about: partition/partition.h.
#pragma once

#include <string>
#include <vector>

#include "elaborate/network.h"

namespace anml {

struct Task {
    std::vector<TargetRange> nodes;        // elements of node rows, in order
    std::vector<std::uint32_t> endpoints;  // of Network::endpoints: those whose node it has
    double weight = 0;                     // expected events, see pieces.h
    std::string name;                      // that @task gives; "": none
};

// Elements [first, first + count) of a link row, in one direction (0 runs from end a to end b).
struct LinkRange {
    std::uint32_t row = 0, direction = 0;
    std::uint32_t first = 0, count = 0;
};

struct Channel {
    std::uint32_t from = 0, to = 0;  // tasks
    ValueExprId lookahead = 0;       // in TaskGraph::values, ns; least delay of the links that it carries
    std::vector<LinkRange> links;    // by row, then element
};

struct TaskGraph {
    std::vector<Task> tasks;
    std::vector<Channel> channels;   // by sender, then receiver
    ValuePool values;                // network.values plus what the lookaheads needed
    std::vector<std::string> notes;  // why nodes share a task
};

}  // namespace anml
