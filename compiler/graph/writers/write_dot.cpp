// DOT, with the attributes that Graphviz's programs draw by, and ours beside them for programs that read it.
#include <fmt/format.h>

#include "base/json.h"
#include "graph/figures.h"
#include "graph/formats.h"
#include "graph/writers/nesting.h"

namespace anml {

namespace {

// A label's backslashes are escapes of DOT's own; the rest of a string is quoted as in JSON.
std::string dot_quoted(std::string_view text) { return json_string(text); }

const char* dot_shape(Role role)
{
    static constexpr const char* kShapes[] = {"box", "ellipse", "box", "hexagon", "folder"};
    return kShapes[static_cast<int>(role)];
}

}  // namespace

std::string write_dot(const Picture& picture, const Colouring& colours)
{
    constexpr std::size_t kLabelledEdges = 60;
    std::string out = fmt::format("graph {} {{\n", dot_quoted(picture.title));
    out += "  graph [overlap=false, splines=true, fontname=\"Helvetica\"];\n";
    out += "  node [style=filled, fontname=\"Helvetica\", fontcolor=white, color=white];\n";
    out += "  edge [fontname=\"Helvetica\", fontsize=9];\n";
    std::size_t depth = 1;
    const auto pad = [&] { return std::string(2 * depth, ' '); };
    walk_groups(
        picture,
        [&](std::uint32_t group) {
            out += fmt::format("{}subgraph {} {{\n", pad(), dot_quoted("cluster " + picture.groups[group].name));
            ++depth;
            out += fmt::format("{}label={}; color=\"#94a3b8\"; style=rounded;\n", pad(),
                               dot_quoted(shown_label(picture.groups[group])));
        },
        [&](std::uint32_t i) {
            const PictureNode& node = picture.nodes[i];
            std::string more = node.stacked ? ", peripheries=2, color=\"#334155\"" : "";
            if (node.count > 1) more += fmt::format(", count={}", node.count);
            if (!show_addresses(node).empty()) more += fmt::format(", address={}", dot_quoted(show_addresses(node)));
            if (picture.has_marks) {
                more += fmt::format(", change={}", dot_quoted(mark_name(node.mark.mark.value_or(Mark::same))));
                if (node.mark.mark == Mark::removed) more += ", style=dashed, color=\"#dc2626\", fontcolor=\"#dc2626\"";
            }
            if (node.task != abi::kNone && !node.several_tasks) more += fmt::format(", task={}", node.task);
            if (node.position) {
                more += fmt::format(", pos=\"{:.6g},{:.6g}\"", node.position->x, node.position->y);
                if (node.position->geographic)
                    more += fmt::format(", latitude={}, longitude={}", node.position->y, node.position->x);
            }
            out += fmt::format("{}{} [label={}, kind={}, shape={}, fillcolor=\"{}\", tooltip={}{}];\n", pad(),
                               dot_quoted(node.name), dot_quoted(shown_label(node)), role_name(node.role),
                               dot_shape(node.role), colours.nodes[i],
                               dot_quoted(full_name(node) + ": " + describe(node) + describe_change(node)), more);
        },
        [&](std::uint32_t) {
            --depth;
            out += pad() + "}\n";
        });
    for (std::size_t i = 0; i < picture.edges.size(); ++i) {
        const PictureEdge& edge = picture.edges[i];
        std::string more = picture.edges.size() <= kLabelledEdges ? ", label=" + dot_quoted(edge_label(edge)) : "";
        if (edge.one_way) more += ", dir=forward";
        if (edge.down == edge.links || edge.mark.mark == Mark::removed) more += ", style=dashed";
        if (picture.has_marks)
            more += fmt::format(", change={}", dot_quoted(mark_name(edge.mark.mark.value_or(Mark::same))));
        if (edge.links > 1) more += fmt::format(", links={}, penwidth=2", edge.links);
        std::string figures;
        if (edge.calls.empty())
            figures = fmt::format(", rate={}, delay={}", dot_quoted(show_rates(edge)), dot_quoted(show_delays(edge)));
        out += fmt::format("  {} -- {} [name={}{}, color=\"{}\", tooltip={}{}];\n",
                           dot_quoted(picture.nodes[edge.a].name), dot_quoted(picture.nodes[edge.b].name),
                           dot_quoted(edge.name), figures,
                           colours.edges[i],
                           dot_quoted(full_name(edge) + ": " + describe(edge) + describe_change(edge)), more);
    }
    return out + "}\n";
}

}  // namespace anml
