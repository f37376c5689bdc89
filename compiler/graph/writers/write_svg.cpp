// SVG, self-contained: styles inside, nothing to load, titles that a browser shows on hovering.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "common/markup.h"
#include "graph/figure.h"
#include "graph/figures.h"

namespace anml {

namespace {

constexpr double kMargin = 28, kTitle = 54;
constexpr std::size_t kManyEdges = 200;  // lines are thinner and pale, so that one sees between them
constexpr const char* kDashes = " stroke-dasharray=\"5 5\"";

struct Theme {
    const char *paper, *ink, *faint, *box, *border, *land, *sea;
};
constexpr Theme kLight{"#ffffff", "#0f172a", "#64748b", "#f1f5f9", "#cbd5e1", "#eef1ea", "#f8fafc"};
constexpr Theme kDark{"#0f172a", "#f1f5f9", "#94a3b8", "#1e293b", "#475569", "#1f2a3a", "#111a2e"};

class Writer {
  public:
    Writer(const Picture& picture, const Colouring& colours, const Figure& figure, const Theme& theme)
        : picture_(picture), colours_(colours), figure_(figure), theme_(theme), crowded_(picture.edges.size() > 3000)
    {
    }

    std::string write()
    {
        map();
        boxes();
        lines();
        nodes();
        texts();
        const double left = figure_.frame.left - kMargin, top = figure_.frame.top - kMargin - kTitle;
        double width = figure_.frame.right - figure_.frame.left + 2 * kMargin;
        width = std::max({width, text_width(picture_.title, 24) + 2 * kMargin, 420.0});
        const double legend_top = figure_.frame.bottom + 20;
        const double bottom = legend(left + kMargin, legend_top, left + width - kMargin) + kMargin;
        title(left + kMargin, top + kMargin);
        return fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0f} {:.0f} {:.0f} {:.0f}\" "
            "width=\"{:.0f}\" height=\"{:.0f}\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
            "'DejaVu Sans', sans-serif\">\n<title>{}</title>\n<style>\n{}</style>\n"
            "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"100%\" height=\"100%\" fill=\"{}\"/>\n{}</svg>\n",
            left, top, width, bottom - top, width, bottom - top, escaped(picture_.title), styles(), left, top,
            theme_.paper, body_);
    }

  private:
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args)
    {
        fmt::format_to(std::back_inserter(body_), format, std::forward<Args>(args)...);
    }

    std::string styles() const
    {
        return fmt::format(
            "  .n {{ stroke: {}; stroke-width: {:.2f} }}\n"
            "  .e {{ fill: none; stroke-linecap: round }}\n"
            "  .t {{ font-size: {:.1f}px; fill: {}; paint-order: stroke; stroke: {}; stroke-width: 3px; "
            "stroke-linejoin: round }}\n"
            "  .f {{ font-size: {:.1f}px; fill: {}; paint-order: stroke; stroke: {}; stroke-width: 3px; "
            "stroke-linejoin: round }}\n",
            theme_.paper, std::min(1.5, 0.2 * figure_.radius), figure_.font, theme_.ink, theme_.paper,
            0.8 * figure_.font, theme_.faint, theme_.paper);
    }

    std::string path_of(std::size_t edge) const
    {
        const std::vector<Point>& line = figure_.lines[edge];
        if (!figure_.torn[edge]) return path(line, true);
        return path({line[0], line[1]}, false) + path({line[2], line[3]}, false);
    }

    static std::string path(const std::vector<Point>& line, bool smooth)
    {
        std::string d = fmt::format("M{:.1f} {:.1f}", line[0].x, line[0].y);
        if (smooth && line.size() == 3)
            return d + fmt::format("Q{:.1f} {:.1f} {:.1f} {:.1f}", line[1].x, line[1].y, line[2].x, line[2].y);
        if (smooth && line.size() > 3) {
            // Round corners.
            for (std::size_t i = 1; i + 1 < line.size(); ++i) {
                const auto toward = [&](Point to) {
                    const Point way = to - line[i];
                    const double length = std::max(std::hypot(way.x, way.y), 1e-9);
                    return line[i] + std::min(16.0, length / 2) / length * way;
                };
                const Point from = toward(line[i - 1]), to = toward(line[i + 1]);
                d += fmt::format("L{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", from.x, from.y, line[i].x, line[i].y,
                                 to.x, to.y);
            }
            return d + fmt::format("L{:.1f} {:.1f}", line.back().x, line.back().y);
        }
        for (std::size_t i = 1; i < line.size(); ++i) d += fmt::format("L{:.1f} {:.1f}", line[i].x, line[i].y);
        return d;
    }

    void map()
    {
        if (figure_.kind != LayoutKind::map) return;
        const Rect& f = figure_.frame;
        put("<clipPath id=\"frame\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"8\"/>"
            "</clipPath>\n<g clip-path=\"url(#frame)\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
            "height=\"{:.1f}\" fill=\"{}\"/>\n",
            f.left, f.top, f.right - f.left, f.bottom - f.top, f.left, f.top, f.right - f.left, f.bottom - f.top,
            theme_.sea);
        std::string d;
        for (const auto& ring : figure_.land) d += path(ring, false) + "Z";
        if (!d.empty())
            put("<path d=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.8\" fill-rule=\"evenodd\"/>\n", d,
                theme_.land, theme_.border);
        put("</g>\n");
    }

    void boxes()
    {
        for (const GroupBox& box : figure_.boxes)
            put("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\" fill=\"{}\" "
                "stroke=\"{}\"{}><title>{}</title></rect>\n",
                box.rect.left, box.rect.top, box.rect.right - box.rect.left, box.rect.bottom - box.rect.top,
                std::min(10.0, figure_.radius), theme_.box, theme_.border,
                figure_.kind == LayoutKind::map ? " fill-opacity=\"0.6\"" : "",
                escaped(full_name(picture_.groups[box.group])));
    }

    double line_width(const PictureEdge& edge) const
    {
        const double thin = picture_.edges.size() > kManyEdges ? 0.6 : 1;
        const double base = thin * std::clamp(0.16 * figure_.radius, 0.5, 1.6);
        if (crowded_ || slowest_ == fastest_) return base;
        const double rate = std::max(edge.rate[0].low, edge.rate[1].low);
        return base * (0.8 + 2.2 * std::log(rate / slowest_) / std::log(fastest_ / slowest_));
    }

    void lines()
    {
        slowest_ = 1e300;
        for (const PictureEdge& edge : picture_.edges) {
            const double rate = std::max(edge.rate[0].low, edge.rate[1].low);
            slowest_ = std::min(slowest_, rate);
            fastest_ = std::max(fastest_, rate);
        }
        if (crowded_) {
            // Few paths: thousands of elements would be slow to show. In the crowd lines are pale, those to what hangs
            // on one link are not.
            std::vector<std::uint32_t> degree(picture_.nodes.size());
            for (const PictureEdge& edge : picture_.edges) {
                ++degree[edge.a];
                ++degree[edge.b];
            }
            const double pale = std::clamp(2500.0 / static_cast<double>(picture_.edges.size()), 0.1, 0.6);
            std::map<std::tuple<int, std::string, double>, std::string> paths;  // by their order, colour and opacity
            for (std::size_t e = 0; e < picture_.edges.size(); ++e) {
                const PictureEdge& edge = picture_.edges[e];
                const bool hangs = degree[edge.a] == 1 || degree[edge.b] == 1;
                const Mark mark = edge.mark.mark.value_or(Mark::same);  // what is not alike lies above the rest
                paths[{static_cast<int>(mark), colours_.edges[e],
                       mark != Mark::same ? 1
                       : hangs            ? std::max(pale, 0.5)
                                          : pale}] += path_of(e);
            }
            for (const auto& [look, d] : paths)
                put("<path class=\"e\" d=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\" stroke-opacity=\"{:.2f}\"{}/>\n",
                    d, std::get<1>(look), std::clamp(0.16 * figure_.radius, 0.5, 1.2), std::get<2>(look),
                    std::get<0>(look) == static_cast<int>(Mark::removed) ? kDashes : "");
            return;
        }
        const bool many = picture_.edges.size() > kManyEdges && !picture_.has_marks;
        for (std::size_t e = 0; e < picture_.edges.size(); ++e) {
            const PictureEdge& edge = picture_.edges[e];
            const bool gone = edge.down == edge.links || edge.mark.mark == Mark::removed;
            std::string look = gone ? kDashes : "";
            if (const double pale = gone && many ? 0.3 : many ? 0.7 : 1; pale < 1)
                look += fmt::format(" stroke-opacity=\"{}\"", pale);
            put("<path class=\"e\" d=\"{}\" stroke=\"{}\" stroke-width=\"{:.2f}\"{}><title>{}: {}{}{}</title></path>\n",
                path_of(e), colours_.edges[e], line_width(edge), look, escaped(full_name(edge)),
                escaped(describe(edge)), load(edge), escaped(describe_change(edge)));
            if (edge.one_way) arrow(figure_.lines[e], colours_.edges[e]);
        }
    }

    std::string load(const PictureEdge& edge) const
    {
        if (!picture_.has_load) return "";
        return fmt::format("; {}: {} there, {} back", escaped(picture_.load_meaning.title), show_share(edge.load[0]),
                           show_share(edge.load[1]));
    }

    // In the middle of a line, along it.
    void arrow(const std::vector<Point>& line, const std::string& colour)
    {
        // Of calls nearer to who is asked, so that their names have the middle.
        const std::size_t end = picture_.has_calls ? line.size() - 1 : line.size() / 2;
        const Point a = line[end - 1], b = line[end], middle = a + (picture_.has_calls ? 0.75 : 0.5) * (b - a);
        const double length = std::max(std::hypot(b.x - a.x, b.y - a.y), 1e-9),
                     half = std::max(3.0, 0.5 * figure_.radius);
        const Point along = half / length * (b - a), across{-along.y, along.x};
        const Point tip = middle + along, left = middle - along + across, right = middle - along - across;
        put("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\" fill=\"{}\"/>\n", tip.x, tip.y, left.x, left.y,
            right.x, right.y, colour);
    }

    void shape(Role role, Point at, double r, const std::string& colour, const char* more)
    {
        switch (role) {
            case Role::router:
                put("<circle class=\"n\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"{}/>", at.x, at.y, r,
                    colour, more);
                return;
            case Role::endpoint:
                put("<path class=\"n\" d=\"M{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}l{:.1f} {:.1f}z\" fill=\"{}\"{}/>",
                    at.x, at.y - 1.2 * r, 1.2 * r, 1.2 * r, -1.2 * r, 1.2 * r, -1.2 * r, -1.2 * r, colour, more);
                return;
            case Role::host:
                return rect(at, 1.15 * r, 0.8 * r, 0.3 * r, colour, more);
            case Role::switch_:
                return rect(at, 0.9 * r, 0.9 * r, 0.12 * r, colour, more);
            case Role::component:
                return rect(at, 1.5 * r, 1.05 * r, 0.35 * r, colour, more);
        }
    }

    void rect(Point at, double x, double y, double round, const std::string& colour, const char* more)
    {
        put("<rect class=\"n\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\" "
            "fill=\"{}\"{}/>",
            at.x - x, at.y - y, 2 * x, 2 * y, round, colour, more);
    }

    void stack(Role role, Point at, double r, const std::string& colour)
    {
        shape(role, at + Point{0.5 * r, -0.5 * r}, r, colour, " opacity=\"0.45\"");
        shape(role, at + Point{0.25 * r, -0.25 * r}, r, colour, " opacity=\"0.7\"");
    }

    void nodes()
    {
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i) {
            const PictureNode& node = picture_.nodes[i];
            put("<g>");
            const double radius = radius_of(figure_, i);
            if (node.stacked) stack(node.role, figure_.at[i], radius, colours_.nodes[i]);
            const bool gone = node.mark.mark == Mark::removed;
            const std::string hollow =
                gone ? fmt::format(" style=\"fill: {}; stroke: {}; stroke-width: {:.2f}; stroke-dasharray: 3 2\"",
                                   theme_.paper, colours_.nodes[i], std::min(2.0, 0.25 * radius))
                     : "";
            shape(node.role, figure_.at[i], radius, colours_.nodes[i], hollow.c_str());
            if (!crowded_) {
                const std::string addresses = gone ? "" : show_addresses(node);
                put("<title>{}: {}{}{}{}</title>", escaped(full_name(node)), describe(node),
                    addresses.empty() ? "" : ", ", addresses, escaped(describe_change(node)));
            }
            put("</g>\n");
        }
    }

    void texts()
    {
        for (const PlacedText& label : figure_.edge_labels) text("f", label, 0.8 * figure_.font);
        for (const PlacedText& label : figure_.captions)
            put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" font-weight=\"bold\" text-anchor=\"end\" "
                "fill=\"{}\">{}"
                "</text>\n",
                label.box.right, label.box.bottom - 4, theme_.faint, escaped(label.text));
        for (const PlacedText& label : figure_.labels) text("t", label, figure_.font);
    }

    void text(const char* style, const PlacedText& label, double font)
    {
        put("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", style,
            (label.box.left + label.box.right) / 2, label.box.bottom - 0.27 * font, escaped(label.text));
    }

    void title(double x, double y)
    {
        std::size_t nodes = 0, links = 0;
        for (const PictureNode& node : picture_.nodes) {
            nodes += node.count;
            links += node.inner_links;
        }
        for (const PictureEdge& edge : picture_.edges) links += edge.links;
        put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"22\" font-weight=\"bold\" fill=\"{}\">{}</text>\n", x, y + 16,
            theme_.ink, escaped(picture_.title));
        put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"13\" fill=\"{}\">{} nodes, {} {}{}</text>\n", x, y + 36,
            theme_.faint, nodes, links, picture_.has_calls ? "calls" : "links",
            picture_.has_marks ? ", of both networks together" : "");
    }

    // Returns where it ends.
    double legend(double left, double top, double right)
    {
        constexpr double kFont = 13, kMark = 9, kLine = 24;
        double x = left, y = top + kLine / 2;
        // What belongs together begins a line of its own rather than being torn.
        const auto keep_together = [&](double width) {
            if (x > left && x + width > right) {
                x = left;
                y += kLine;
            }
        };
        const auto entry_width = [&](double mark, const std::string& text) {
            return mark + 8 + text_width(text, kFont) + 18;
        };
        const auto entry = [&](double mark, const std::string& text, auto&& draw) {
            const double width = entry_width(mark, text);
            keep_together(width);
            draw(Point{x + mark / 2, y});
            put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\">{}</text>\n", x + mark + 8, y + 4.5,
                kFont, theme_.ink, escaped(text));
            x += width;
        };
        const auto stroke = [&](Point at, double half, const std::string& colour, double width) {
            const bool gone = picture_.has_marks && colour == mark_colour(Mark::removed);
            put("<path d=\"M{:.1f} {:.1f}h{:.1f}\" stroke=\"{}\" stroke-width=\"{:.1f}\" stroke-linecap=\"round\"{}/>",
                at.x - half, at.y, 2 * half, colour, width, gone ? " stroke-dasharray=\"7 9\"" : "");
        };
        const bool lines =
            std::any_of(colours_.legend.begin(), colours_.legend.end(), [](const auto& e) { return e.line; });
        bool titled = colours_.title.empty();
        for (const LegendEntry& e : colours_.legend) {
            if (!titled && e.line == lines) {
                double width = entry_width(0, colours_.title + ":");
                for (const LegendEntry& other : colours_.legend)
                    if (other.line == lines) width += entry_width(lines ? 26 : 2.4 * kMark, other.text);
                keep_together(width);
                entry(0, colours_.title + ":", [](Point) {});
                titled = true;
            }
            if (e.line)
                entry(26, e.text, [&](Point at) { stroke(at, 13, e.colour, 4); });
            else
                entry(2.4 * kMark, e.text, [&](Point at) { shape(e.role, at, kMark, e.colour, ""); });
        }
        const auto stacked = std::find_if(picture_.nodes.begin(), picture_.nodes.end(),
                                          [](const PictureNode& node) { return node.stacked; });
        if (stacked != picture_.nodes.end()) {
            const std::string& colour = colours_.nodes[static_cast<std::size_t>(stacked - picture_.nodes.begin())];
            entry(3 * kMark, "several alike", [&](Point at) {
                stack(stacked->role, at, 0.8 * kMark, colour);
                shape(stacked->role, at, 0.8 * kMark, colour, "");
            });
        }
        if (!crowded_ && slowest_ < fastest_ && colours_.title != "Rate" && !picture_.has_marks) {
            constexpr std::size_t kMostWidths = 5;
            std::map<double, std::string> rates;
            for (const PictureEdge& edge : picture_.edges) {
                const double rate = std::max(edge.rate[0].low, edge.rate[1].low);
                rates[rate] = show_rate(rate);
            }
            if (rates.size() > kMostWidths) rates = {{slowest_, show_rate(slowest_)}, {fastest_, show_rate(fastest_)}};
            double width = 0;
            for (const auto& [rate, text] : rates) width += entry_width(26, text);
            keep_together(width);
            for (const auto& [rate, text] : rates) {
                PictureEdge edge;
                edge.rate[0].low = rate;
                entry(26, text, [&](Point at) { stroke(at, 13, kPlainEdge, line_width(edge)); });
            }
        }
        if (x == left && y == top + kLine / 2) return top;
        if (figure_.kind == LayoutKind::map)
            put("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"10\" text-anchor=\"end\" fill=\"{}\">Coastlines: Natural "
                "Earth. Mercator projection.</text>\n",
                right, y + kLine, theme_.faint);
        return y + kLine / 2 + (figure_.kind == LayoutKind::map ? kLine / 2 : 0);
    }

    const Picture& picture_;
    const Colouring& colours_;
    const Figure& figure_;
    const Theme& theme_;
    const bool crowded_;
    double slowest_ = 0, fastest_ = 0;
    std::string body_;
};

}  // namespace

std::string write_svg(const Picture& picture, const Colouring& colours, const Figure& figure, bool dark)
{
    return Writer(picture, colours, figure, dark ? kDark : kLight).write();
}

}  // namespace anml
