// Mermaid: a flowchart with a subgraph per instance, for Markdown that renders it.
#include <fmt/format.h>

#include <map>

#include "graph/figures.h"
#include "graph/formats.h"
#include "graph/writers/nesting.h"

namespace anml {

namespace {

// In quotes Mermaid reads `#name;` as a character, `"` as the end, and what is in `<` and `>` as HTML.
std::string mermaid_quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"')
            out += "#quot;";
        else if (c == '#')
            out += "#35;";
        else if (c == '<')
            out += "#lt;";
        else if (c == '>')
            out += "#gt;";
        else if (c == '&')
            out += "#amp;";
        else
            out += c;
    }
    return out + '"';
}

std::string shaped(const PictureNode& node)
{
    const std::string label = mermaid_quoted(shown_label(node));
    if (node.stacked) return "[[" + label + "]]";
    static constexpr const char* kOpen[] = {"(", "((", "[", "{{", "[["};
    static constexpr const char* kClose[] = {")", "))", "]", "}}", "]]"};
    return kOpen[static_cast<int>(node.role)] + label + kClose[static_cast<int>(node.role)];
}

const char* arrow(const PictureEdge& edge)
{
    if (edge.one_way) return edge.links > 1 ? "==>" : "-->";
    return edge.links > 1 ? "===" : "---";
}

}  // namespace

std::string write_mermaid(const Picture& picture, const Colouring& colours)
{
    constexpr std::size_t kLabelledEdges = 60;
    std::string out = "flowchart LR\n";
    std::size_t depth = 1;
    const auto pad = [&] { return std::string(2 * depth, ' '); };
    std::map<std::string, std::string> classes;  // colour, nodes
    walk_groups(
        picture,
        [&](std::uint32_t group) {
            out +=
                fmt::format("{}subgraph g{}[{}]\n", pad(), group, mermaid_quoted(shown_label(picture.groups[group])));
            ++depth;
        },
        [&](std::uint32_t i) {
            out += fmt::format("{}n{}{}\n", pad(), i, shaped(picture.nodes[i]));
            std::string& list = classes[colours.nodes[i]];
            list += fmt::format("{}n{}", list.empty() ? "" : ",", i);
        },
        [&](std::uint32_t) {
            --depth;
            out += pad() + "end\n";
        });
    std::map<std::string, std::string> lines;  // colour, edges
    for (std::size_t i = 0; i < picture.edges.size(); ++i) {
        const PictureEdge& edge = picture.edges[i];
        const std::string label =
            picture.edges.size() <= kLabelledEdges ? fmt::format("|{}|", mermaid_quoted(describe(edge))) : "";
        out += fmt::format("  n{} {}{} n{}\n", edge.a, arrow(edge), label, edge.b);
        std::string& list = lines[colours.edges[i]];
        list += fmt::format("{}{}", list.empty() ? "" : ",", i);
    }
    std::size_t number = 0;
    for (const auto& [colour, nodes] : classes) {
        out += fmt::format("  classDef c{} fill:{},stroke:#334155,color:#ffffff\n  class {} c{}\n", number, colour,
                           nodes, number);
        ++number;
    }
    for (const auto& [colour, edges] : lines) out += fmt::format("  linkStyle {} stroke:{}\n", edges, colour);
    return out;
}

}  // namespace anml
