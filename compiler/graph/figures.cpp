// Figures as pictures show them.
#include "graph/figures.h"

#include <fmt/format.h>

#include "base/address.h"

namespace anml {

namespace {

template <class Show>
std::string both(const std::array<Extent, 2>& values, Show&& show)
{
    const auto one = [&](const Extent& e) {
        return e.low == e.high ? show(e.low) : fmt::format("{} .. {}", show(e.low), show(e.high));
    };
    const std::string there = one(values[0]), back = one(values[1]);
    return there == back ? there : there + " / " + back;
}

}  // namespace

std::string show_share(double part) { return show(100 * part) + " %"; }

std::string show_rates(const PictureEdge& edge) { return both(edge.rate, show_rate); }

std::string show_delays(const PictureEdge& edge) { return both(edge.delay, show_time); }

std::string describe(const PictureEdge& edge)
{
    const bool prompt = edge.delay[0].high == 0 && edge.delay[1].high == 0;
    std::string text = prompt ? show_rates(edge) : show_rates(edge) + ", " + show_delays(edge);
    if (edge.down > 0) text += edge.down == edge.links ? ", down" : fmt::format(", {} of them down", edge.down);
    return text;
}

std::string describe(const PictureNode& node)
{
    if (node.role == Role::component) return fmt::format("{} nodes", node.count);
    const std::string_view kind = role_name(node.role);
    if (node.count == 1) return std::string(kind);
    return fmt::format("{} {}{}", node.count, kind, kind.ends_with("ch") ? "es" : "s");
}

std::string show_addresses(const PictureNode& node)
{
    if (node.address == 0) return "";
    const std::string first = format_address(node.address);
    return node.address == node.last_address ? first : first + " .. " + format_address(node.last_address);
}

}  // namespace anml
