// Walks a picture's nodes by the instances around them: the formats that have boxes open and close them.
#pragma once

#include <vector>

#include "graph/picture.h"

namespace anml {

// Calls open(group), node(index) and close(group), each group's nodes before the groups in it.
template <class Open, class Node, class Close>
void walk_groups(const Picture& picture, Open&& open, Node&& node, Close&& close)
{
    std::vector<std::vector<std::uint32_t>> nodes(picture.groups.size() + 1), groups(picture.groups.size() + 1);
    const auto slot = [&](std::uint32_t group) { return group == abi::kNone ? picture.groups.size() : group; };
    for (std::uint32_t i = 0; i < picture.nodes.size(); ++i) nodes[slot(picture.nodes[i].group)].push_back(i);
    for (std::uint32_t i = 0; i < picture.groups.size(); ++i) groups[slot(picture.groups[i].parent)].push_back(i);
    const auto visit = [&](auto&& self, std::uint32_t group) -> void {
        if (group != abi::kNone) open(group);
        for (const std::uint32_t i : nodes[slot(group)]) node(i);
        for (const std::uint32_t i : groups[slot(group)]) self(self, i);
        if (group != abi::kNone) close(group);
    };
    visit(visit, abi::kNone);
}

}  // namespace anml
