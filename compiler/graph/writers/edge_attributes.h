// The numbers of an edge under the names that the exchange formats give them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "graph/details.h"

namespace anml {

// Calls visit(edge) for each edge of a file: where some links are one-way its edges are directed, and links both ways
// are two of them.
template <class Visit>
void each_exchanged(const Picture& picture, Visit&& visit)
{
    for (const PictureEdge& edge : picture.edges) {
        visit(edge);
        if (!picture.has_one_way || edge.one_way) continue;
        PictureEdge back = edge;
        std::swap(back.a, back.b);
        back.reversed = true;
        for (auto* values : {&back.rate, &back.delay, &back.queue}) std::swap((*values)[0], (*values)[1]);
        std::swap(back.load[0], back.load[1]);
        visit(back);
    }
}

// Calls number(key, value): bit/s, milliseconds and bytes, direction a to b; `_back` where the other direction differs,
// `_max` where an edge stands for links that differ.
template <class Number>
void each_number(const Picture& picture, const PictureEdge& edge, Number&& number)
{
    const auto plain = [](double value) { return value; };
    const auto extent = [&](const std::string& key, const Extent& e, const auto& in) {
        number(key, in(e.low));
        if (e.high != e.low) number(key + "_max", in(e.high));
    };
    const auto both = [&](const std::string& key, const std::array<Extent, 2>& e, const auto& in) {
        extent(key, e[0], in);
        if (!picture.has_one_way && (e[1].low != e[0].low || e[1].high != e[0].high)) extent(key + "_back", e[1], in);
    };
    both("rate", edge.rate, plain);
    both("delay", edge.delay, milliseconds);
    both("queue", edge.queue, plain);
    extent("mtu", edge.mtu, plain);
    extent("overhead", edge.overhead, plain);
    if (picture.has_load) {
        number(std::string("load"), edge.load[0]);
        if (!picture.has_one_way) number(std::string("load_back"), edge.load[1]);
    }
    if (edge.down > 0) number(std::string("down"), edge.down);
    if (edge.links > 1) number(std::string("links"), edge.links);
}

// The name of the left end, where a program that writes the nodes of an edge in their own order would let it be said of
// the other one; else "". `details`: of the edge.
inline std::string left_end(const Picture& picture, const PictureEdge& edge, const std::vector<Detail>& details)
{
    const auto differs = [](const std::array<Extent, 2>& e) { return e[0].low != e[1].low || e[0].high != e[1].high; };
    const std::uint32_t left = edge.reversed ? edge.b : edge.a, right = edge.reversed ? edge.a : edge.b;
    const bool both_said = !picture.has_one_way && (differs(edge.rate) || differs(edge.delay) || differs(edge.queue) ||
                                                    edge.load[0] != edge.load[1]);
    const bool said = std::any_of(details.begin(), details.end(), [](const Detail& d) {
        return d.key == "relation" || d.key.find("_back") != d.key.npos;
    });
    return left > right || both_said || said ? picture.nodes[left].name : "";
}

}  // namespace anml
