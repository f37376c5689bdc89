// Figures in the words of the summary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace anml::rt {

std::string duration(double seconds);                             // "3.203 ms"
std::string plural(std::uint64_t count, std::string_view thing);  // "1 reply", "2 replies"

}  // namespace anml::rt
