// Positions from Graphviz's dot, where it is installed and asked for. It is given numbers, sizes and links, nothing
// that a file says: what text a hostile graph may hold never reaches it.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "base/process.h"
#include "graph/layout/layout.h"
#include "graph/writers/nesting.h"

namespace anml {

namespace {

using EdgesBetween = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>;

std::string bare_graph(const Picture& picture)
{
    std::string text = "graph {\n  node [shape=box, fixedsize=true, width=0.9, height=0.5];\n";
    walk_groups(
        picture, [&](std::uint32_t group) { text += fmt::format("subgraph cluster{} {{\n", group); },
        [&](std::uint32_t node) { text += fmt::format("n{};\n", node); }, [&](std::uint32_t) { text += "}\n"; });
    for (const PictureEdge& edge : picture.edges) text += fmt::format("n{} -- n{};\n", edge.a, edge.b);
    return text + "}\n";
}

// The ways of links that dot leads round nodes: points of its Bezier curves between those at the nodes.
void read_edge(std::istringstream& words, const Picture& picture, const EdgesBetween& between,
               std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t>& seen, PictureLayout& layout)
{
    char letter = 0, other = 0;
    std::uint32_t a = 0, b = 0;
    std::size_t count = 0;
    if (!(words >> letter >> a >> other >> b >> count) || count < 4) return;
    std::vector<Point> control;
    for (Point p; control.size() < count && words >> p.x >> p.y;) control.push_back({p.x, -p.y});
    const auto edges = between.find({a, b});
    const std::size_t which = seen[{a, b}]++;
    if (control.size() != count || edges == between.end() || which >= edges->second.size()) return;
    const std::uint32_t edge = edges->second[which];
    std::vector<Point> way;
    for (std::size_t i = 0; i + 3 < count; i += 3) {
        if (i > 0) way.push_back(control[i]);
        for (const double t : {1 / 3.0, 2 / 3.0}) {
            const double u = 1 - t;
            way.push_back(u * u * u * control[i] + 3 * u * u * t * control[i + 1] + 3 * u * t * t * control[i + 2] +
                          t * t * t * control[i + 3]);
        }
    }
    // Straight ones are drawn from middle to middle.
    const Point from = layout.at[picture.edges[edge].a], to = layout.at[picture.edges[edge].b], along = to - from;
    const double length = std::max(std::hypot(along.x, along.y), 1e-9);
    const bool bent = std::any_of(way.begin(), way.end(), [&](Point p) {
        constexpr double kInches = 0.12;
        return std::abs((p.x - from.x) * along.y - (p.y - from.y) * along.x) / length > kInches;
    });
    if (!bent) return;
    const auto near = [&](Point p) { return std::hypot(p.x - from.x, p.y - from.y); };
    if (near(way.back()) < near(way.front())) std::reverse(way.begin(), way.end());
    layout.bends[edge] = std::move(way);
}

// Lines `node nID x y ...` and, behind them, `edge nID nID N x y ...`, y upwards, of -Tplain.
bool read_plain(const std::string& text, const Picture& picture, PictureLayout& layout)
{
    std::istringstream lines(text);
    std::size_t found = 0;
    EdgesBetween between;
    for (std::uint32_t e = 0; e < picture.edges.size(); ++e)
        between[{picture.edges[e].a, picture.edges[e].b}].push_back(e);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> seen;
    layout.bends.resize(picture.edges.size());
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("edge ") && found == layout.at.size()) {
            std::istringstream words(line.substr(5));
            read_edge(words, picture, between, seen, layout);
        }
        std::size_t id = 0;
        double x = 0, y = 0;
        if (std::sscanf(line.c_str(), "node n%zu %lf %lf", &id, &x, &y) != 3 || id >= layout.at.size()) continue;
        layout.at[id] = {x, -y};
        ++found;
    }
    return found == layout.at.size();
}

}  // namespace

std::optional<PictureLayout> lay_out_graphviz(const Picture& picture)
{
    constexpr std::size_t kMostNodes = 400, kMostEdges = 1500;  // more take dot minutes
    const std::string program = find_program("dot");
    if (program.empty() || picture.nodes.size() > kMostNodes || picture.edges.size() > kMostEdges) return std::nullopt;
    const int file = memfd_create("graph", 0);  // which dot inherits, and nobody has to remove
    if (file < 0) return std::nullopt;
    const std::string path = fmt::format("/dev/fd/{}", file), text = bare_graph(picture);
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    PictureLayout layout;
    layout.kind = LayoutKind::graphviz;
    layout.at.resize(picture.nodes.size());
    const ProcessResult result = written ? run_process({program, "-Tplain", path}) : ProcessResult{};
    close(file);
    if (result.exit_code != 0 || !read_plain(result.output, picture, layout)) return std::nullopt;
    return layout;
}

}  // namespace anml
