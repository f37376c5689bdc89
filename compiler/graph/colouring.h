// What colours say: of nodes by role or task, of edges by delay, rate or load, of both by what changed; and the legend
// that tells.
#pragma once

#include <string>
#include <vector>

#include "graph/picture.h"

namespace anml {

enum class ColorBy : std::uint8_t { role, task, delay, rate, load, change };

struct LegendEntry {
    std::string colour, text;
    bool line = false;  // of edges
    Role role{};        // the shape, where the legend is one of roles
};

struct Colouring {
    std::vector<std::string> nodes, edges;  // "#rrggbb"
    std::string title;
    std::vector<LegendEntry> legend;
};

Colouring colour(const Picture& picture, ColorBy by);

std::string role_colour(Role role);
std::string task_colour(std::uint32_t task);
// 0 to 1 along one scale that also people who see no red or green can order.
std::string ramp_colour(double part);

std::string mark_colour(Mark mark);

inline constexpr const char* kPlainEdge = "#94a3b8";

}  // namespace anml
