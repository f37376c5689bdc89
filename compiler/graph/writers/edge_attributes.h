// The numbers of an edge under the names that the exchange formats give them.
#pragma once

#include "graph/picture.h"

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
    constexpr double kMillisecond = 1e6;  // ns
    const auto extent = [&](const std::string& key, const Extent& e, double unit = 1) {
        number(key, e.low / unit);
        if (e.high != e.low) number(key + "_max", e.high / unit);
    };
    const auto both = [&](const std::string& key, const std::array<Extent, 2>& e, double unit = 1) {
        extent(key, e[0], unit);
        if (!picture.has_one_way && (e[1].low != e[0].low || e[1].high != e[0].high)) extent(key + "_back", e[1], unit);
    };
    both("rate", edge.rate);
    both("delay", edge.delay, kMillisecond);
    both("queue", edge.queue);
    extent("mtu", edge.mtu);
    extent("overhead", edge.overhead);
    if (picture.has_load) {
        number(std::string("load"), edge.load[0]);
        if (!picture.has_one_way) number(std::string("load_back"), edge.load[1]);
    }
    if (edge.down > 0) number(std::string("down"), edge.down);
    if (edge.links > 1) number(std::string("links"), edge.links);
}

}  // namespace anml
