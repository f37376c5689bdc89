// From a layout's units to pixels: scale, size of the nodes, room between them, boxes around instances.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "graph/figure.h"
#include "graph/figures.h"
#include "graph/layout/land.h"

namespace anml {

namespace {

constexpr double kWidth = 1500, kHeight = 820;  // what a slide has room for

class Arranger {
  public:
    Arranger(const Picture& picture, const PictureLayout& layout) : picture_(picture), layout_(layout) {}

    Figure arrange()
    {
        figure_.kind = layout_.kind;
        const std::size_t n = picture_.nodes.size();
        figure_.font = n <= 60 ? 13 : n <= 250 ? 11.5 : n <= 600 ? 10 : 9;
        scale();
        for (const Point p : layout_.at) figure_.at.push_back(on_paper(p));
        find_small();
        if (figure_.kind != LayoutKind::tree && figure_.kind != LayoutKind::layered) separate();
        place_small();
        draw_lines();
        find_boxes();
        set_frame();
        if (figure_.kind == LayoutKind::map) draw_map();
        return std::move(figure_);
    }

  private:
    Point on_paper(Point p) const { return {(p.x - origin_.x) * factor_.x, (p.y - origin_.y) * factor_.y}; }

    void scale()
    {
        double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
        for (const Point p : layout_.at) {
            left = std::min(left, p.x);
            right = std::max(right, p.x);
            top = std::min(top, p.y);
            bottom = std::max(bottom, p.y);
        }
        origin_ = {left, top};
        const double n = static_cast<double>(picture_.nodes.size());
        const double width = std::max(right - left, 1e-6), height = std::max(bottom - top, 1e-6);
        double longest = 0;
        for (const PictureNode& node : picture_.nodes)
            longest = std::max(longest, text_width(node.label, figure_.font));
        if (figure_.kind == LayoutKind::tree) {
            const double column = std::clamp(std::max(longest + 34, edge_text() + 50), 96.0, 170.0);
            factor_ = {std::min(column, std::max(kWidth / (width + 1), 46.0)), 92};
            figure_.radius = std::min(14.0, 0.24 * factor_.x);
        } else if (figure_.kind == LayoutKind::layered) {
            const double column = std::clamp(longest + 16, 60.0, 130.0);
            factor_ = {std::min(column, std::max(kWidth / (width + 1), 9.0)), 0};
            factor_.y = std::clamp(0.42 * factor_.x * width / std::max(height, 1.0), 110.0, 210.0);
            figure_.radius = std::min(14.0, 0.36 * factor_.x);
        } else {
            double s = std::min(kWidth / width, kHeight / height);
            if (figure_.kind == LayoutKind::force) s = std::min(s, 105.0);
            if (figure_.kind == LayoutKind::graphviz) s = std::min(s, 90.0);
            factor_ = {s, s};
            const double area = std::max(width * s, 300.0) * std::max(height * s, 200.0);
            const double share = figure_.kind == LayoutKind::map ? 0.10 : 0.14;
            figure_.radius = std::clamp(share * std::sqrt(area / n), 1.7, figure_.kind == LayoutKind::map ? 8.5 : 14.0);
        }
    }

    // The longest label of a link between two columns, if the figure has links' labels at all.
    double edge_text() const
    {
        double longest = 0;
        if (picture_.edges.size() > kMostLabelledEdges) return 0;
        for (const PictureEdge& edge : picture_.edges)
            longest = std::max(longest, text_width(edge_label(edge), 0.8 * figure_.font));
        return longest;
    }

    // On a map of many nodes, hosts without a position of their own keep close to their router and take little room.
    void find_small()
    {
        constexpr std::size_t kFewNodes = 60;
        figure_.small.assign(figure_.at.size(), 0);
        if (figure_.kind != LayoutKind::map && figure_.kind != LayoutKind::plane) return;
        if (figure_.at.size() <= kFewNodes) return;
        std::vector<std::uint32_t> links(figure_.at.size(), 0);
        anchor_.assign(figure_.at.size(), abi::kNone);
        for (const PictureEdge& edge : picture_.edges) {
            for (const auto& [end, other] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
                ++links[end];
                anchor_[end] = other;
            }
        }
        for (std::size_t i = 0; i < figure_.at.size(); ++i) {
            const PictureNode& node = picture_.nodes[i];
            figure_.small[i] = node.role == Role::host && !node.position && links[i] == 1;
        }
    }

    void place_small()
    {
        std::vector<Point> directions = layout_.at;
        for (std::size_t i = 0; i < figure_.at.size(); ++i) {
            if (!figure_.small[i]) continue;
            const Point away = directions[i] - directions[anchor_[i]];
            const double length = std::max(std::hypot(away.x, away.y), 1e-9);
            figure_.at[i] = figure_.at[anchor_[i]] + 1.9 * figure_.radius / length * away;
        }
    }

    // Pushes nodes apart that would lie on each other, as little as that takes.
    void separate()
    {
        const int rounds = figure_.at.size() > 3000 ? 25 : 80;
        const double room = 2.5 * figure_.radius;
        // Nodes by the cell that they are in, cells by column and row.
        struct Placed {
            std::pair<int, int> cell;
            std::uint32_t node;
            auto operator<=>(const Placed&) const = default;
        };
        std::vector<Placed> placed;
        std::vector<Point> push;
        for (int round = 0; round < rounds; ++round) {
            placed.clear();
            for (std::uint32_t i = 0; i < figure_.at.size(); ++i) {
                if (figure_.small[i]) continue;
                const Point p = figure_.at[i];
                placed.push_back(
                    {{static_cast<int>(std::floor(p.x / room)), static_cast<int>(std::floor(p.y / room))}, i});
            }
            std::sort(placed.begin(), placed.end());
            bool moved = false;
            push.assign(figure_.at.size(), {});
            // With itself and what stands behind it: the rest of its cell and the one below; the next column's three.
            for (int dx = 0; dx <= 1; ++dx) {
                std::size_t from = 0;
                for (std::size_t at = 0; at < placed.size(); ++at) {
                    const auto [x, y] = placed[at].cell;
                    const std::pair first(x + dx, y - 1);
                    while (from < placed.size() && placed[from].cell < first) ++from;
                    for (std::size_t other = dx == 0 ? at + 1 : from;
                         other < placed.size() && placed[other].cell <= std::pair(x + dx, y + 1); ++other)
                        moved |= push_apart(std::min(placed[at].node, placed[other].node),
                                            std::max(placed[at].node, placed[other].node), room, push);
                }
            }
            if (!moved) return;
            for (std::uint32_t i = 0; i < figure_.at.size(); ++i) figure_.at[i] = figure_.at[i] + push[i];
        }
    }

    bool push_apart(std::uint32_t i, std::uint32_t j, double room, std::vector<Point>& push) const
    {
        Point apart = figure_.at[j] - figure_.at[i];
        double length = std::sqrt(apart.x * apart.x + apart.y * apart.y);
        if (length >= room) return false;
        if (length < 1e-6) {  // in one place: a direction of its own for each pair
            const double angle = std::numbers::phi * 2 * std::numbers::pi * (i + 1.0) * (j + 1.0);
            apart = {std::cos(angle), std::sin(angle)};
            length = 1;
            push[i] = push[i] - 0.25 * room * apart;
            push[j] = push[j] + 0.25 * room * apart;
            return true;
        }
        const Point step = 0.3 * (room - length) / length * apart;
        push[i] = push[i] - step;
        push[j] = push[j] + step;
        return room - length > 0.02 * room;
    }

    // Whether the short way between its ends leads over the border of the map.
    bool crosses_seam(const PictureEdge& edge) const
    {
        return figure_.kind == LayoutKind::map && std::abs(layout_.at[edge.a].x - layout_.at[edge.b].x) > 180;
    }

    // To the border next to its first end, and from the other border to its second.
    void tear(const PictureEdge& edge, std::vector<Point>& line) const
    {
        const Point a = figure_.at[edge.a], b = figure_.at[edge.b];
        const bool left = a.x < b.x;
        const double west = on_paper({-180, 0}).x, east = on_paper({180, 0}).x;
        const double to_border = left ? a.x - west : east - a.x, from_border = left ? east - b.x : b.x - west;
        const double part = to_border / std::max(to_border + from_border, 1e-9);
        const double y = a.y + part * (b.y - a.y);
        line.push_back({left ? west : east, y});
        line.push_back({left ? east : west, y});
        line.push_back(b);
    }

    void draw_lines()
    {
        for (std::size_t e = 0; e < picture_.edges.size(); ++e) {
            const PictureEdge& edge = picture_.edges[e];
            std::vector<Point>& line = figure_.lines.emplace_back();
            figure_.torn.push_back(crosses_seam(edge));
            line.push_back(figure_.at[edge.a]);
            if (figure_.torn.back()) {
                tear(edge, line);
                continue;
            }
            if (e < layout_.bends.size())
                for (const Point p : layout_.bends[e]) line.push_back(on_paper(p));
            const Point a = figure_.at[edge.a], b = figure_.at[edge.b];
            if (edge.parallels > 1 && line.size() == 1) {
                // Side by side, from the lower node to the higher one whichever way they run.
                const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1.0);
                const double side = (edge.parallel - (edge.parallels - 1) / 2.0) * (edge.a < edge.b ? 1 : -1);
                const double off = side * std::min({0.9 * figure_.radius, 0.18 * length, 10.0}) * 2;
                line.push_back(0.5 * (a + b) + Point{-(b.y - a.y) / length * off, (b.x - a.x) / length * off});
            }
            line.push_back(b);
        }
    }

    // Boxes are drawn where they hold what belongs to them and nothing else; of one depth all, or none.
    void find_boxes()
    {
        constexpr std::size_t kMostNodes = 700;
        const std::size_t groups = picture_.groups.size();
        if (groups == 0 || picture_.nodes.size() > kMostNodes) return;
        std::vector<std::uint32_t> depth(groups, 0), height(groups, 0);
        std::vector<Rect> rect(groups, {1e300, 1e300, -1e300, -1e300});
        std::vector<std::size_t> members(groups, 0);
        for (std::size_t g = 0; g < groups; ++g)
            if (picture_.groups[g].parent != abi::kNone) depth[g] = depth[picture_.groups[g].parent] + 1;
        for (std::size_t g = groups; g-- > 0;)
            if (const std::uint32_t up = picture_.groups[g].parent; up != abi::kNone)
                height[up] = std::max(height[up], height[g] + 1);
        const auto inside = [&](std::uint32_t node, std::size_t group) {
            for (std::uint32_t g = picture_.nodes[node].group; g != abi::kNone; g = picture_.groups[g].parent)
                if (g == group) return true;
            return false;
        };
        for (std::uint32_t i = 0; i < picture_.nodes.size(); ++i)
            for (std::uint32_t g = picture_.nodes[i].group; g != abi::kNone; g = picture_.groups[g].parent) {
                rect[g].add(extent(picture_.nodes[i], figure_.at[i], radius_of(figure_, i)));
                ++members[g];
            }
        const std::uint32_t deepest = *std::max_element(depth.begin(), depth.end());
        for (std::uint32_t level = 0; level <= deepest; ++level) {
            bool clean = true;
            std::vector<GroupBox> boxes;
            for (std::uint32_t g = 0; g < groups && clean; ++g) {
                if (depth[g] != level || members[g] == 0) continue;
                const Rect box = around(rect[g], height[g]);
                clean = members[g] < picture_.nodes.size();
                for (std::uint32_t i = 0; i < picture_.nodes.size() && clean; ++i)
                    clean =
                        inside(i, g) || !box.overlaps(extent(picture_.nodes[i], figure_.at[i], radius_of(figure_, i)));
                for (const GroupBox& other : boxes) clean = clean && !box.overlaps(other.rect);
                boxes.push_back({g, box});
            }
            if (clean) figure_.boxes.insert(figure_.boxes.end(), boxes.begin(), boxes.end());
        }
    }

    // With room for labels above and below, where columns leave room for them.
    Rect around(const Rect& nodes, std::uint32_t height) const
    {
        const double pad = figure_.kind == LayoutKind::layered ? 0.7 : 0.9;
        Rect box = nodes.grown(std::min(14.0, pad * figure_.radius) * (1 + 0.8 * height));
        const double text = 1.15 * figure_.font + 4;
        if (figure_.kind == LayoutKind::layered) {
            box.top -= text;
            box.bottom += text;
        }
        if (figure_.kind != LayoutKind::tree) return box;
        box.top -= text * (1 + 0.6 * height);
        box.bottom += 0.7 * text;
        const double side = 0.44 * factor_.x - figure_.radius;
        box.left = std::min(box.left, nodes.left - side + 3.0 * height);
        box.right = std::max(box.right, nodes.right + side - 0.55 * figure_.radius - 3.0 * height);
        return box;
    }

    void set_frame()
    {
        figure_.frame = {1e300, 1e300, -1e300, -1e300};
        for (std::size_t i = 0; i < figure_.at.size(); ++i)
            figure_.frame.add(extent(picture_.nodes[i], figure_.at[i], radius_of(figure_, i)));
        for (const GroupBox& box : figure_.boxes) figure_.frame.add(box.rect);
        for (const auto& line : figure_.lines)
            for (const Point p : line) figure_.frame.add({p.x, p.y, p.x, p.y});
        if (figure_.kind == LayoutKind::map) figure_.frame = figure_.frame.grown(0.035 * kWidth);
    }

    void draw_map()
    {
        const Rect& frame = figure_.frame;
        const auto shifted = [&](Point p, double by) { return on_paper({p.x + by, p.y}); };
        for (const auto& ring : land_rings()) {
            // Outlines go on across the seam: whole turns are added where a step would be longer than half a turn.
            std::vector<Point> points;
            double turn = 0, before = 0;
            for (const GeoPosition& position : ring) {
                Point p = project(position, layout_.central_meridian);
                if (!points.empty() && p.x + turn - before > 180) turn -= 360;
                if (!points.empty() && p.x + turn - before < -180) turn += 360;
                p.x += turn;
                before = p.x;
                points.push_back(p);
            }
            for (const double by : {-360.0, 0.0, 360.0}) {
                Rect bounds{1e300, 1e300, -1e300, -1e300};
                std::vector<Point> line;
                for (const Point p : points) {
                    const Point q = shifted(p, by);
                    bounds.add({q.x, q.y, q.x, q.y});
                    line.push_back(q);
                }
                if (bounds.overlaps(frame)) figure_.land.push_back(std::move(line));
            }
        }
    }

    const Picture& picture_;
    const PictureLayout& layout_;
    Figure figure_;
    std::vector<std::uint32_t> anchor_;  // the one neighbour of nodes that have one
    Point origin_, factor_;
};

}  // namespace

double text_width(std::string_view text, double font)
{
    double width = 0;
    for (const char c : text) {
        if (c == 'i' || c == 'l' || c == 'j' || c == '.' || c == ',' || c == '|' || c == '\'')
            width += 0.3;
        else if (c == 'm' || c == 'w' || c == 'M' || c == 'W')
            width += 0.9;
        else if (c == ' ' || c == '[' || c == ']' || c == 't' || c == 'f' || c == 'r')
            width += 0.4;
        else
            width += c >= 'A' && c <= 'Z' ? 0.7 : 0.61;
    }
    return width * font;
}

Rect extent(const PictureNode& node, Point at, double r)
{
    double x = r, y = r;
    if (node.role == Role::host) x = 1.15 * r, y = 0.8 * r;
    if (node.role == Role::switch_) x = y = 0.9 * r;
    if (node.role == Role::endpoint) x = y = 1.2 * r;
    if (node.role == Role::component) x = 1.5 * r, y = 1.05 * r;
    const double stack = node.stacked ? 0.55 * r : 0;
    return {at.x - x, at.y - y - stack, at.x + x + stack, at.y + y};
}

bool wider_than_a_screen(const PictureLayout& layout)
{
    if (layout.kind != LayoutKind::tree && layout.kind != LayoutKind::layered) return false;
    constexpr double kLeastPitch = 52;  // of short labels
    std::map<double, std::size_t> rows;
    for (const Point p : layout.at) ++rows[p.y];
    return std::any_of(rows.begin(), rows.end(),
                       [](const auto& row) { return static_cast<double>(row.second) * kLeastPitch > kWidth; });
}

Figure arrange(const Picture& picture, const PictureLayout& layout)
{
    Figure figure = Arranger(picture, layout).arrange();
    bend_around_nodes(picture, figure);
    place_labels(picture, figure);
    return figure;
}

}  // namespace anml
