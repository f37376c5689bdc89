// D2: containers for instances, stacks as multiples.
#include <fmt/format.h>

#include "base/json.h"
#include "graph/figures.h"
#include "graph/formats.h"
#include "graph/writers/nesting.h"

namespace anml {

namespace {

// A key is quoted, since names have brackets and dots; `$` would begin a substitution.
std::string d2_quoted(std::string_view text)
{
    std::string out;
    for (const char c : json_string(text)) {
        if (c == '$') out += '\\';
        out += c;
    }
    return out;
}

const char* d2_shape(Role role)
{
    static constexpr const char* kShapes[] = {"rectangle", "circle", "square", "hexagon", "package"};
    return kShapes[static_cast<int>(role)];
}

std::string path(const Picture& picture, std::uint32_t group)
{
    if (group == abi::kNone) return "";
    return path(picture, picture.groups[group].parent) + d2_quoted(picture.groups[group].label) + ".";
}

}  // namespace

std::string write_d2(const Picture& picture, const Colouring& colours)
{
    constexpr std::size_t kLabelledEdges = 60;
    std::string out = fmt::format("# {}\ndirection: right\n", picture.title);
    std::size_t depth = 0;
    const auto pad = [&] { return std::string(2 * depth, ' '); };
    walk_groups(
        picture,
        [&](std::uint32_t group) {
            const PictureGroup& box = picture.groups[group];
            out += fmt::format("{}{}: {}{{\n", pad(), d2_quoted(box.label),
                               box.given.empty() ? "" : d2_quoted(box.given) + " ");
            ++depth;
        },
        [&](std::uint32_t i) {
            const PictureNode& node = picture.nodes[i];
            out += fmt::format(
                "{}{}: {}{{ shape: {}; style.fill: {}; style.font-color: \"#ffffff\"{}; tooltip: {} }}\n", pad(),
                d2_quoted(node.label), node.given.empty() ? "" : d2_quoted(node.given) + " ", d2_shape(node.role),
                d2_quoted(colours.nodes[i]), node.stacked ? "; style.multiple: true" : "",
                d2_quoted(full_name(node) + ": " + describe(node)));
        },
        [&](std::uint32_t) {
            --depth;
            out += pad() + "}\n";
        });
    for (std::size_t i = 0; i < picture.edges.size(); ++i) {
        const PictureEdge& edge = picture.edges[i];
        const auto end = [&](std::uint32_t node) {
            return path(picture, picture.nodes[node].group) + d2_quoted(picture.nodes[node].label);
        };
        const std::string label = picture.edges.size() <= kLabelledEdges ? d2_quoted(describe(edge)) + " " : "";
        out +=
            fmt::format("{} {} {}: {}{{ style.stroke: {}{} }}\n", end(edge.a), edge.one_way ? "->" : "--", end(edge.b),
                        label, d2_quoted(colours.edges[i]), edge.links > 1 ? "; style.stroke-width: 4" : "");
    }
    return out;
}

}  // namespace anml
