// Labels: the most connected nodes first, each at the best of the places around its node that are still free.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "graph/figure.h"
#include "graph/figures.h"
#include "graph/fold_plan.h"

namespace anml {

namespace {

// Rectangles by the cells of a grid that they touch.
class Occupied {
  public:
    void add(const Rect& rect)
    {
        each_cell(rect, [&](auto& list) { list.push_back(rect); });
    }
    bool free(const Rect& rect)
    {
        bool free = true;
        each_cell(rect, [&](auto& list) {
            for (const Rect& other : list) free = free && !rect.overlaps(other);
        });
        return free;
    }

  private:
    template <class Visit>
    void each_cell(const Rect& rect, Visit&& visit)
    {
        constexpr double kCell = 40;
        const auto cell = [](double v) { return static_cast<int>(std::floor(v / kCell)); };
        for (int x = cell(rect.left); x <= cell(rect.right); ++x)
            for (int y = cell(rect.top); y <= cell(rect.bottom); ++y) visit(cells_[{x, y}]);
    }
    std::map<std::pair<int, int>, std::vector<Rect>> cells_;
};

bool crosses(const Rect& r, Point a, Point b)
{
    // Liang and Barsky: the part of the segment that lies between each pair of borders.
    double from = 0, to = 1;
    const double moves[] = {a.x - b.x, b.x - a.x, a.y - b.y, b.y - a.y};
    const double rooms[] = {a.x - r.left, r.right - a.x, a.y - r.top, r.bottom - a.y};
    for (int i = 0; i < 4; ++i) {
        if (moves[i] == 0) {
            if (rooms[i] < 0) return false;
            continue;
        }
        const double at = rooms[i] / moves[i];
        if (moves[i] < 0)
            from = std::max(from, at);
        else
            to = std::min(to, at);
    }
    return from <= to;
}

constexpr double kEdgeGap = 3.5;  // between a link and its label

struct EdgeText {
    std::vector<std::string> lines;
    double width(double font) const
    {
        double widest = 0;
        for (const std::string& line : lines) widest = std::max(widest, text_width(line, font));
        return widest;
    }
    double height(double font) const { return 1.15 * font * static_cast<double>(lines.size()); }
};

class Placer {
  public:
    Placer(const Picture& picture, Figure& figure) : picture_(picture), figure_(figure)
    {
        degree_.assign(picture.nodes.size(), 0);
        neighbour_.assign(picture.nodes.size(), abi::kNone);
        for (const PictureEdge& edge : picture.edges) {
            ++degree_[edge.a];
            ++degree_[edge.b];
            neighbour_[edge.a] = edge.b;
            neighbour_[edge.b] = edge.a;
        }
        for (std::size_t i = 0; i < figure.at.size(); ++i)
            occupied_.add(extent(picture.nodes[i], figure.at[i], radius_of(figure, i)));
        for (std::size_t e = 0; e < figure.lines.size(); ++e)
            drawn_.push_back(figure.torn[e] ? std::vector{figure.lines[e][0], figure.lines[e][1]}
                                            : drawn_line(figure.lines[e]));
    }

    void place()
    {
        for (const GroupBox& box : figure_.boxes) keep_off_borders(box.rect);
        constexpr std::size_t kMostNodes = 1500;
        label_boxes();
        if (figure_.at.size() > kMostNodes) return;
        std::vector<std::uint32_t> order(figure_.at.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto weight = [&](std::uint32_t i) {
                const Role role = picture_.nodes[i].role;
                return std::tuple(role != Role::host, degree_[i], ~i);
            };
            return weight(a) > weight(b);
        });
        const std::size_t prefix = common_prefix();
        if (figure_.kind == LayoutKind::layered) caption_rows();
        for (const std::uint32_t node : order)
            if (!captioned_.contains(figure_.at[node].y)) label_node(node, prefix);
        label_edges();
        for (const auto* labels : {&figure_.labels, &figure_.edge_labels, &figure_.captions})
            for (const PlacedText& label : *labels) figure_.frame.add(label.box);
    }

  private:
    // Of compared networks those that are not alike.
    void label_edges()
    {
        std::vector<std::size_t> wanted;
        for (std::size_t e = 0; e < picture_.edges.size(); ++e)
            if (!picture_.has_marks || picture_.edges[e].mark.mark != Mark::same) wanted.push_back(e);
        if (wanted.size() > kMostLabelledEdges) return;
        std::erase_if(wanted, [&](std::size_t e) { return label_edge(e, false); });
        if (picture_.has_marks)
            for (const std::size_t e : wanted) label_edge(e, true);
    }

    double height() const { return 1.15 * figure_.font; }

    void keep_off_borders(const Rect& box)
    {
        borders_.push_back({box.left - 1, box.top, box.left + 1, box.bottom});
        borders_.push_back({box.right - 1, box.top, box.right + 1, box.bottom});
        borders_.push_back({box.left, box.top - 1, box.right, box.top + 1});
        borders_.push_back({box.left, box.bottom - 1, box.right, box.bottom + 1});
    }

    bool on_border(const Rect& rect) const
    {
        return std::any_of(borders_.begin(), borders_.end(), [&](const Rect& b) { return rect.overlaps(b); });
    }

    // A row whose labels would not all fit is called by what its nodes are called: "edge", "agg".
    void caption_rows()
    {
        std::map<double, std::vector<std::uint32_t>> rows;
        for (std::uint32_t i = 0; i < figure_.at.size(); ++i) rows[figure_.at[i].y].push_back(i);
        for (const auto& [y, nodes] : rows) {
            double widest = 0;
            std::set<std::string> words;
            for (const std::uint32_t i : nodes) {
                const std::string& label = shown_label(picture_.nodes[i]);
                widest = std::max(widest, text_width(label, figure_.font));
                words.insert(label.substr(0, label.find('[')));
            }
            const double pitch = nodes.size() > 1 ? std::abs(figure_.at[nodes[1]].x - figure_.at[nodes[0]].x) : 1e9;
            if (widest + 4 < pitch) continue;
            captioned_.insert(y);
            std::string text;
            for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
            if (words.size() > 3) continue;
            const double right = figure_.frame.left - 14, font = 13;
            figure_.captions.push_back({text, {right - text_width(text, font), y - 9, right, y + 8}});
        }
    }

    // Above and below a box, at its left end and its right.
    std::array<Rect, 4> corners(const GroupBox& box) const
    {
        const double width = text_width(shown_label(picture_.groups[box.group]), figure_.font);
        const double left = box.rect.left + 2, right = box.rect.right - 2, over = box.rect.top - 2,
                     below = box.rect.bottom + 2;
        return {Rect{left, over - height(), left + width, over}, Rect{right - width, over - height(), right, over},
                Rect{left, below, left + width, below + height()}, Rect{right - width, below, right, below + height()}};
    }

    // All boxes have theirs at the same corner, the one at which fewest lines cross them, as far as there is room.
    void label_boxes()
    {
        std::array<std::size_t, 4> crossed{}, order{0, 1, 2, 3};
        for (const GroupBox& box : figure_.boxes)
            for (std::size_t c = 0; c < order.size(); ++c) {
                const Rect rect = corners(box)[c];
                crossed[c] += lines_across(rect) + (occupied_.free(rect) ? 0 : 2);
            }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return crossed[a] < crossed[b]; });
        for (const GroupBox& box : figure_.boxes) {
            const std::string& text = shown_label(picture_.groups[box.group]);
            const double room = box.rect.right - box.rect.left + 2 * figure_.radius;
            if (text_width(text, figure_.font) > room) continue;
            const std::array<Rect, 4> at = corners(box);
            const auto free = std::find_if(order.begin(), order.end(),
                                           [&](std::size_t corner) { return occupied_.free(at[corner]); });
            if (free == order.end()) continue;
            occupied_.add(at[*free]);
            figure_.labels.push_back({text, at[*free]});
        }
    }

    // How much of all names is alike, up to a dot: the instance that a whole model consists of.
    std::size_t common_prefix() const
    {
        std::string_view prefix = picture_.nodes.empty() ? "" : std::string_view(picture_.nodes[0].name);
        for (const PictureNode& node : picture_.nodes) {
            std::size_t same = 0;
            while (same < std::min(prefix.size(), node.name.size()) && prefix[same] == node.name[same]) ++same;
            prefix = prefix.substr(0, same);
        }
        const std::size_t dot = prefix.rfind('.');
        return picture_.nodes.size() < 2 || dot == std::string_view::npos ? 0 : dot + 1;
    }

    std::string text_of(const PictureNode& node, std::size_t prefix) const
    {
        if (!node.given.empty()) return node.given;
        // Without its box a node's short name would say too little.
        for (const GroupBox& box : figure_.boxes)
            if (box.group == node.group) return node.label;
        if (node.group == abi::kNone || prefix > picture_.groups[node.group].name.size()) return node.label;
        if (const std::string& given = picture_.groups[node.group].given; !given.empty())
            return given + ": " + node.label;
        return picture_.groups[node.group].name.substr(prefix) + "." + node.label;
    }

    void label_node(std::uint32_t index, std::size_t prefix)
    {
        if (figure_.small[index]) return;
        const PictureNode& node = picture_.nodes[index];
        if (one_of_a_crowd(node)) return;
        const std::string text = text_of(node, prefix);
        const double width = text_width(text, figure_.font), gap = 2 + 0.15 * figure_.radius;
        const Point at = figure_.at[index];
        const Rect shape = extent(node, at, figure_.radius);
        const Rect above{at.x - width / 2, shape.top - gap - height(), at.x + width / 2, shape.top - gap};
        const Rect below{at.x - width / 2, shape.bottom + gap, at.x + width / 2, shape.bottom + gap + height()};
        const Rect right{shape.right + gap, at.y - height() / 2, shape.right + gap + width, at.y + height() / 2};
        const Rect left{shape.left - gap - width, right.top, shape.left - gap, right.bottom};
        const double up = 0.75 * height();
        const auto moved = [](Rect r, double y) { return Rect{r.left, r.top + y, r.right, r.bottom + y}; };
        std::vector<Rect> places{right,           below,           above, left, moved(right, up), moved(right, -up),
                                 moved(left, up), moved(left, -up)};
        if (figure_.kind == LayoutKind::tree) std::swap(places[0], hangs(index) ? places[1] : places[2]);
        if (figure_.kind == LayoutKind::layered) {
            const bool lowest = degree_[index] <= 1;
            places = {lowest ? below : above, lowest ? above : below, right, left};
        }
        const Rect* best = nullptr;
        std::size_t least = SIZE_MAX;
        for (const Rect& place : places) {
            if (!occupied_.free(place.grown(1))) continue;
            const std::size_t crossed = lines_across(place) + on_border(place);
            if (crossed >= least) continue;
            least = crossed;
            best = &place;
        }
        if (!best) return;
        occupied_.add(*best);
        figure_.labels.push_back({text, *best});
    }

    // On a map of a constellation the numbers of satellites would hide what is between them.
    bool one_of_a_crowd(const PictureNode& node) const
    {
        constexpr std::size_t kCrowd = 200;
        return figure_.kind == LayoutKind::map && picture_.nodes.size() > kCrowd && node.given.empty() &&
               node.label.ends_with(']') && degree_[static_cast<std::size_t>(&node - picture_.nodes.data())] > 1;
    }

    // Whether its only neighbour lies above it.
    bool hangs(std::uint32_t index) const
    {
        return degree_[index] <= 1 && neighbour_[index] != abi::kNone &&
               figure_.at[neighbour_[index]].y < figure_.at[index].y;
    }

    std::size_t lines_across(const Rect& rect) const
    {
        constexpr std::size_t kMostLines = 1500;
        if (figure_.lines.size() > kMostLines) return 0;
        std::size_t crossed = 0;
        for (const auto& line : drawn_)
            for (std::size_t i = 1; i < line.size(); ++i) crossed += crosses(rect, line[i - 1], line[i]);
        return crossed;
    }

    // Beside its link, off all lines and the borders of boxes. Rate and delay stand one below the other beside steep
    // links, for which narrow columns have room, and where one line would be too long; values before and after, too.
    // `tight`: it may stick out beyond its link's ends, stand further off, and, if nothing else is left, cross lines
    // and borders; never nodes and other labels. False: there is no room.
    bool label_edge(std::size_t e, bool tight)
    {
        const std::string text = edge_label(picture_.edges[e]);
        const auto& line = drawn_[e];
        const std::size_t middle = line.size() / 2;
        const Point a = line[middle - 1], b = line[middle];
        const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9);
        const bool flat = std::abs(b.x - a.x) > std::abs(b.y - a.y);
        const std::size_t comma = text.find(", "), arrow = text.find(" -> ");
        std::vector<EdgeText> forms;
        if (flat || comma == std::string::npos) forms.push_back({{text}});
        if (comma != std::string::npos)
            forms.push_back({{text.substr(0, comma), text.substr(comma + 2)}});
        else if (arrow != std::string::npos)
            forms.push_back({{text.substr(0, arrow + 3), text.substr(arrow + 4)}});
        // To the right of what is upright, above what is level.
        Point normal{(b.y - a.y) / length, -(b.x - a.x) / length};
        if (flat ? normal.y > 0 : normal.x < 0) normal = -1 * normal;
        const Beside beside{a, b, normal, flat};
        const double room = flat && line.size() == 2 && !tight ? std::abs(b.x - a.x) - 2 * figure_.radius : 1e9;
        const std::vector<std::size_t> crossings =
            tight ? std::vector<std::size_t>{0, SIZE_MAX} : std::vector<std::size_t>{0};
        const std::vector<double> further = tight ? std::vector{0.0, 1.0, 2.0} : std::vector{0.0};
        for (const std::size_t most : crossings)
            for (const double lines_off : further)
                for (const EdgeText& form : forms)
                    if (form.width(edge_font()) <= room && put_beside(form, beside, lines_off, most)) return true;
        return false;
    }

    struct Beside {
        Point a, b, normal;
        bool flat;
    };

    double edge_font() const { return 0.8 * figure_.font; }

    // `most`: of lines and borders that it may cross.
    bool put_beside(const EdgeText& form, const Beside& link, double lines_off, std::size_t most)
    {
        const double font = edge_font(), width = form.width(font), high = form.height(font);
        const double off = width / 2 * std::abs(link.normal.x) + high / 2 * std::abs(link.normal.y) + kEdgeGap +
                           lines_off * 1.15 * font;
        for (const double along : {0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73}) {
            for (const double side : {1.0, -1.0}) {
                const Point at = link.a + along * (link.b - link.a) + side * off * link.normal;
                const Rect rect{at.x - width / 2, at.y - high / 2, at.x + width / 2, at.y + high / 2};
                if (!occupied_.free(rect.grown(1)) || lines_across(rect) + on_border(rect) > most) continue;
                occupied_.add(rect);
                for (std::size_t i = 0; i < form.lines.size(); ++i) {
                    const double wide = text_width(form.lines[i], font), top = rect.top + i * 1.15 * font;
                    const double left = link.flat ? at.x - wide / 2 : side < 0 ? rect.right - wide : rect.left;
                    figure_.edge_labels.push_back({form.lines[i], {left, top, left + wide, top + 1.15 * font}});
                }
                return true;
            }
        }
        return false;
    }

    const Picture& picture_;
    Figure& figure_;
    Occupied occupied_;
    std::vector<std::size_t> degree_;
    std::vector<std::uint32_t> neighbour_;  // one of them
    std::vector<Rect> borders_;
    std::vector<std::vector<Point>> drawn_;  // by edge
    std::set<double> captioned_;             // rows, by their y
};

}  // namespace

void place_labels(const Picture& picture, Figure& figure) { Placer(picture, figure).place(); }

}  // namespace anml
