// Figures as pictures show them.
#include "graph/figures.h"

#include <fmt/format.h>

#include <algorithm>

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
    if (!edge.calls.empty()) return edge.calls;
    const bool prompt = edge.delay[0].high == 0 && edge.delay[1].high == 0;
    std::string text = prompt ? show_rates(edge) : show_rates(edge) + ", " + show_delays(edge);
    if (edge.down > 0) text += edge.down == edge.links ? ", down" : fmt::format(", {} of them down", edge.down);
    return text;
}

namespace {

std::string change_line(const MarkSum& sum, std::string_view separator)
{
    std::string text = sum.text;
    for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at)) text.replace(at, 1, separator);
    return text;
}

// "rate: 1 Gbps -> 400 Mbps" without its name, which the unit says.
std::string_view brief_change(std::string_view line)
{
    constexpr std::string_view kRate = "rate: ", kDelay = "delay: ";
    if (line.starts_with(kRate) && line.ends_with("bps")) return line.substr(kRate.size());
    if (line.starts_with(kDelay))
        for (const std::string_view unit : {" s", " ms", " us", " ns"})
            if (line.ends_with(unit)) return line.substr(kDelay.size());
    return line;
}

}  // namespace

std::string describe_change(const PictureEdge& edge)
{
    return edge.mark.text.empty() ? "" : "; " + change_line(edge.mark, "; ");
}

std::string describe_change(const PictureNode& node)
{
    return node.mark.text.empty() ? "" : "; " + change_line(node.mark, "; ");
}

std::string edge_label(const PictureEdge& edge)
{
    constexpr std::size_t kMostChanges = 2, kLongest = 36;  // as much as there is room for
    if (edge.mark.mark != Mark::changed || edge.mark.text.empty()) return describe(edge);
    std::string label;
    std::size_t shown = 0;
    for (std::size_t at = 0; at < edge.mark.text.size() && shown < kMostChanges;) {
        const std::size_t end = std::min(edge.mark.text.find('\n', at), edge.mark.text.size());
        const std::string_view line = brief_change(std::string_view(edge.mark.text).substr(at, end - at));
        if (line.size() <= kLongest) {
            label += fmt::format("{}{}", label.empty() ? "" : ", ", line);
            ++shown;
        }
        at = end + 1;
    }
    return label.empty() ? "changed" : label;
}

std::string describe(const PictureNode& node)
{
    if (node.role == Role::component) return fmt::format("{} nodes", node.count);
    const std::string_view kind = role_name(node.role);
    std::string box;
    if (!node.middlebox.empty()) box = fmt::format(" ({})", node.middlebox);
    std::replace(box.begin(), box.end(), '_', ' ');
    if (node.count == 1) return std::string(kind) + box;
    return fmt::format("{} {}{}{}", node.count, kind, kind.ends_with("ch") ? "es" : "s", box);
}

std::string show_addresses(const PictureNode& node)
{
    const auto range = [](AddressBits first, AddressBits last, bool ipv6) {
        const std::string text = format_address(first, ipv6);
        return first == last ? text : text + " .. " + format_address(last, ipv6);
    };
    std::string text = node.address == 0 ? "" : range(node.address, node.last_address, false);
    if (node.has_ipv6) text += (text.empty() ? "" : ", ") + range(node.ipv6, node.last_ipv6, true);
    return text;
}

}  // namespace anml
