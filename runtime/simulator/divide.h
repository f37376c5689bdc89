// A model divided between processes that real time joins: each has some nodes for sure, its endpoints, and of the rest
// what is nearer to those.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "abi/image.h"
#include "net/model.h"
#include "net/timeline/timeline.h"

namespace anml::rt {

struct Parts {
    std::vector<abi::TaskRow> rows;    // for Model::divide: the task is the process
    std::vector<std::uint32_t> nodes;  // by process: how many it has

    // What crosses between two processes, of which `a` is the lesser.
    struct Border {
        std::uint32_t a, b;
        Time delay;   // of the link with the least
        LinkId link;  // that one
        std::uint32_t links;
    };
    std::vector<Border> borders;  // by a, then b
};

// `owned`: nodes and the processes that have them, of `processes`, each of which is to have one. Links with the least
// delay, over the timeline, are never cut unless they must be: of all divisions the least delay that is cut is the
// greatest (single linkage: Kruskal 1956, ended where two processes would meet). The air is not cut, nor is a link that
// can have no delay. What no process's nodes are linked with the first one has. False: `error`.
bool divide_between(const Model& model, const Timeline& timeline,
                    std::span<const std::pair<NodeId, std::uint32_t>> owned, std::uint32_t processes, Parts& parts,
                    std::string& error);

}  // namespace anml::rt
