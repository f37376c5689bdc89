// Positions from Graphviz's dot, where it is installed and asked for. It is given numbers, sizes and links, nothing
// that a file says: what text a hostile graph may hold never reaches it.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "graph/layout.h"
#include "graph/nesting.h"
#include "link/process.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

std::string bare_graph(const Picture& picture)
{
    std::string text = "graph {\n  node [shape=box, fixedsize=true, width=0.9, height=0.5];\n";
    walk_groups(
        picture, [&](std::uint32_t group) { text += fmt::format("subgraph cluster{} {{\n", group); },
        [&](std::uint32_t node) { text += fmt::format("n{};\n", node); }, [&](std::uint32_t) { text += "}\n"; });
    for (const PictureEdge& edge : picture.edges) text += fmt::format("n{} -- n{};\n", edge.a, edge.b);
    return text + "}\n";
}

// Lines `node nID x y ...`, y upwards, of -Tplain.
bool read_plain(const std::string& text, Layout& layout)
{
    std::istringstream lines(text);
    std::size_t found = 0;
    for (std::string line; std::getline(lines, line);) {
        std::size_t id = 0;
        double x = 0, y = 0;
        if (std::sscanf(line.c_str(), "node n%zu %lf %lf", &id, &x, &y) != 3 || id >= layout.at.size()) continue;
        layout.at[id] = {x, -y};
        ++found;
    }
    return found == layout.at.size();
}

}  // namespace

std::optional<Layout> lay_out_graphviz(const Picture& picture)
{
    constexpr std::size_t kMostNodes = 400, kMostEdges = 1500;  // more take dot minutes
    const std::string program = find_program("dot");
    if (program.empty() || picture.nodes.size() > kMostNodes || picture.edges.size() > kMostEdges) return std::nullopt;
    std::string path = (fs::temp_directory_path() / "anml-graph-XXXXXX").string();
    const int file = mkstemp(path.data());
    if (file < 0) return std::nullopt;
    const std::string text = bare_graph(picture);
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    Layout layout;
    layout.kind = LayoutKind::graphviz;
    layout.at.resize(picture.nodes.size());
    const ProcessResult result = written ? run_process({program, "-Tplain", path}) : ProcessResult{};
    std::error_code ignored;
    fs::remove(path, ignored);
    if (result.exit_code != 0 || !read_plain(result.output, layout)) return std::nullopt;
    return layout;
}

}  // namespace anml
