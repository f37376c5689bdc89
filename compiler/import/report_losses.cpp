// What an import left out or guessed: one warning for each kind, with a count.
#include <fmt/format.h>

#include "import/interpret.h"

namespace anml {

namespace {

std::string counted(const std::map<std::string, std::uint64_t>& counts)
{
    std::string out;
    std::size_t shown = 0;
    for (const auto& [name, count] : counts) {
        if (shown++ == 40) {
            out += fmt::format(" and {} more", counts.size() - 40);
            break;
        }
        out += fmt::format("{}`{}` ({})", out.empty() ? "" : ", ", name.substr(0, 60), count);
    }
    return out;
}

}  // namespace

void report_losses(const ImportLosses& losses, Span place, Diagnostics& diagnostics)
{
    if (!losses.node_attributes.empty() || !losses.edge_attributes.empty() || !losses.graph_attributes.empty()) {
        auto report = diagnostics.report(Diag::dropped_attribute, place,
                                         "attributes of the file that mean nothing to a network are dropped");
        if (!losses.node_attributes.empty()) report.note(fmt::format("of nodes: {}", counted(losses.node_attributes)));
        if (!losses.edge_attributes.empty()) report.note(fmt::format("of edges: {}", counted(losses.edge_attributes)));
        if (!losses.graph_attributes.empty())
            report.note(fmt::format("of the graph: {}", counted(losses.graph_attributes)));
    }
    for (const auto& [name, values] : losses.unread) {
        for (const UnreadValues::One& one : values.first)
            diagnostics.report(Diag::unreadable_value, one.place,
                               fmt::format("`{}` is `{}`, which cannot be read", name, one.value));
        if (values.count > values.first.size())
            diagnostics.report(
                Diag::unreadable_value, place,
                fmt::format("{} more values of `{}` cannot be read", values.count - values.first.size(), name));
    }
    for (const auto& [what, count] : losses.elements)
        diagnostics.report(Diag::dropped_element, place, fmt::format("{} are left out: {}", what, count));
    for (const auto& [what, count] : losses.guesses) {
        const auto at = losses.guessed_at.find(what);
        diagnostics.report(Diag::guessed_value, at == losses.guessed_at.end() ? place : at->second,
                           fmt::format("{} are a guess: {}", what, count));
    }
}

}  // namespace anml
