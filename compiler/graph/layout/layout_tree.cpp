// Networks without cycles, such as the paper's chain of routers: the longest line of routers runs from left to right,
// in several rows if it is long, and what hangs on each of them stands below it.
#include <algorithm>
#include <cmath>

#include "graph/adjacency.h"
#include "graph/layout/layout.h"

namespace anml {

namespace {

constexpr std::size_t kMostColumns = 160, kMostDepth = 12;

class Tree {
  public:
    Tree(const Picture& picture, const Adjacency& graph)
        : picture_(picture), graph_(graph), on_spine_(picture.nodes.size(), 0)
    {
    }

    std::optional<PictureLayout> lay_out()
    {
        if (graph_.edges() + 1 != graph_.size() || graph_.components().size() != 1) return std::nullopt;
        find_spine();
        for (const std::uint32_t node : spine_) {
            double width = 0;
            std::size_t depth = 1;
            for (const std::uint32_t child : graph_.of(node)) {
                if (on_spine_[child]) continue;
                const Extent2 below = measure(child, node);
                width += below.width;
                depth = std::max(depth, below.depth + 1);
            }
            columns_.push_back({std::max(1.0, width), depth});
        }
        double columns = 0;
        std::size_t depth = 0;
        for (const Extent2& column : columns_) {
            columns += column.width;
            depth = std::max(depth, column.depth);
        }
        if (columns > kMostColumns || depth > kMostDepth) return std::nullopt;
        place(columns, static_cast<double>(depth));
        return std::move(layout_);
    }

  private:
    struct Extent2 {
        double width = 1;
        std::size_t depth = 1;
    };

    // The nodes that the line runs through: routers and instances where they hang together, else all but the leaves.
    void find_spine()
    {
        const std::uint32_t n = graph_.size();
        std::vector<char> candidate(n, 0);
        for (int attempt = 0; attempt < 3; ++attempt) {
            std::size_t nodes = 0, edges = 0;
            for (std::uint32_t i = 0; i < n; ++i) {
                const Role role = picture_.nodes[i].role;
                candidate[i] = attempt == 0   ? role == Role::router || role == Role::component
                               : attempt == 1 ? graph_.degree(i) > 1
                                              : 1;
                nodes += candidate[i] != 0;
            }
            for (std::uint32_t i = 0; i < n; ++i)
                for (const std::uint32_t to : graph_.of(i)) edges += i < to && candidate[i] && candidate[to];
            if (nodes > 0 && edges + 1 == nodes) break;
        }
        std::uint32_t start = 0;
        while (!candidate[start]) ++start;
        spine_ = farthest(farthest({start}, candidate), candidate);
        if (spine_.front() > spine_.back()) std::reverse(spine_.begin(), spine_.end());
        for (const std::uint32_t node : spine_) on_spine_[node] = 1;
        // A server or a real network at either end continues the line.
        for (const bool front : {true, false}) {
            const std::uint32_t end = front ? spine_.front() : spine_.back();
            for (const std::uint32_t to : graph_.of(end)) {
                if (on_spine_[to] || picture_.nodes[to].role != Role::endpoint || graph_.degree(to) != 1) continue;
                spine_.insert(front ? spine_.begin() : spine_.end(), to);
                on_spine_[to] = 1;
                break;
            }
        }
        // A single router's server continues on the left, which is where it was put.
    }

    // The path from the end of `path` to the candidate that is farthest from it.
    std::vector<std::uint32_t> farthest(const std::vector<std::uint32_t>& path,
                                        const std::vector<char>& candidate) const
    {
        std::vector<std::uint32_t> queue{path.back()}, from(graph_.size(), abi::kNone);
        from[path.back()] = path.back();
        for (std::size_t next = 0; next < queue.size(); ++next) {
            for (const std::uint32_t to : graph_.of(queue[next])) {
                if (!candidate[to] || from[to] != abi::kNone) continue;
                from[to] = queue[next];
                queue.push_back(to);
            }
        }
        std::vector<std::uint32_t> line{queue.back()};
        while (from[line.back()] != line.back()) line.push_back(from[line.back()]);
        std::reverse(line.begin(), line.end());
        return line;
    }

    Extent2 measure(std::uint32_t node, std::uint32_t parent) const
    {
        Extent2 extent{0, 1};
        for (const std::uint32_t child : graph_.of(node)) {
            if (child == parent) continue;
            const Extent2 below = measure(child, node);
            extent.width += below.width;
            extent.depth = std::max(extent.depth, below.depth + 1);
        }
        extent.width = std::max(extent.width, 1.0);
        return extent;
    }

    // Its subtree in the columns from `left` on; the node above the middle of its children.
    void place_below(std::uint32_t node, std::uint32_t parent, double left, double y)
    {
        const double width = measure(node, parent).width;
        layout_.at[node] = {left + (width - 1) / 2, y};
        double x = left;
        for (const std::uint32_t child : graph_.of(node)) {
            if (child == parent) continue;
            place_below(child, node, x, y + 1);
            x += measure(child, node).width;
        }
    }

    void place(double columns, double depth)
    {
        constexpr double kWide = 2.4;  // a slide's width over its height, a column being wider than a row is high
        layout_.kind = LayoutKind::tree;
        layout_.at.resize(graph_.size());
        layout_.bends.resize(picture_.edges.size());
        const double lines = std::max(1.0, std::round(std::sqrt(columns / (depth + 1) / kWide)));
        const double target = columns / lines;
        double y = 0, used = 0, height = 0;
        std::vector<std::pair<std::size_t, std::size_t>> rows{{0, 0}};
        for (std::size_t i = 0; i < spine_.size(); ++i) {
            if (rows.back().second > rows.back().first && used + columns_[i].width / 2 > target) {
                rows.push_back({i, i});
                used = 0;
            }
            used += columns_[i].width;
            rows.back().second = i + 1;
        }
        double widest = 0;
        for (const auto& [from, to] : rows) {
            double width = 0;
            for (std::size_t i = from; i < to; ++i) width += columns_[i].width;
            widest = std::max(widest, width);
        }
        for (std::size_t r = 0; r < rows.size(); ++r) {
            const bool back = r % 2 == 1;  // boustrophedon
            double x = back ? widest : 0;
            height = 0;
            for (std::size_t i = rows[r].first; i < rows[r].second; ++i) {
                const double width = columns_[i].width;
                const double left = back ? x - width : x;
                layout_.at[spine_[i]] = {left + (width - 1) / 2, y};
                double child_left = left;
                for (const std::uint32_t child : graph_.of(spine_[i])) {
                    if (on_spine_[child]) continue;
                    place_below(child, spine_[i], child_left, y + 1);
                    child_left += measure(child, spine_[i]).width;
                }
                x = back ? left : left + width;
                height = std::max(height, static_cast<double>(columns_[i].depth));
            }
            if (r + 1 < rows.size()) {
                const double outside = back ? -0.75 : widest - 0.25;
                bend(spine_[rows[r].second - 1], spine_[rows[r].second], {{outside, y}, {outside, y + height + 0.6}});
            }
            y += height + 0.6;
        }
    }

    void bend(std::uint32_t from, std::uint32_t to, std::vector<Point> through)
    {
        for (std::size_t e = 0; e < picture_.edges.size(); ++e) {
            const PictureEdge& edge = picture_.edges[e];
            if (edge.a == from && edge.b == to) layout_.bends[e] = through;
            if (edge.a == to && edge.b == from) layout_.bends[e] = {through.rbegin(), through.rend()};
        }
    }

    const Picture& picture_;
    const Adjacency& graph_;
    std::vector<char> on_spine_;
    std::vector<std::uint32_t> spine_;
    std::vector<Extent2> columns_;
    PictureLayout layout_;
};

}  // namespace

std::optional<PictureLayout> lay_out_tree(const Picture& picture)
{
    constexpr std::size_t kMostNodes = 500;
    if (picture.nodes.empty() || picture.nodes.size() > kMostNodes) return std::nullopt;
    const Adjacency graph(picture);
    return Tree(picture, graph).lay_out();
}

}  // namespace anml
