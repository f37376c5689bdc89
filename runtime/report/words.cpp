#include "report/words.h"

#include <fmt/format.h>

namespace anml::rt {

std::string duration(double seconds)
{
    if (seconds == 0) return "0 s";
    if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
    if (seconds < 1e-3) return fmt::format("{:.4g} us", seconds * 1e6);
    if (seconds < 1) return fmt::format("{:.4g} ms", seconds * 1e3);
    return fmt::format("{:.4g} s", seconds);
}

std::string plural(std::uint64_t count, std::string_view thing)
{
    if (count != 1 && thing.ends_with("ply")) return fmt::format("{} {}ies", count, thing.substr(0, thing.size() - 1));
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

}  // namespace anml::rt
