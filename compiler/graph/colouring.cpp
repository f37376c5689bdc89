// Palettes, and scales from the values that are there.
#include "graph/colouring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "graph/figures.h"

namespace anml {

std::string role_colour(Role role)
{
    static constexpr const char* kColours[] = {"#64748b", "#2563eb", "#0d9488", "#ea580c", "#7c3aed"};
    return kColours[static_cast<int>(role)];
}

namespace {

std::string rgb(double r, double g, double b)
{
    const auto byte = [](double v) { return static_cast<int>(std::lround(255 * std::clamp(v, 0.0, 1.0))); };
    return fmt::format("#{:02x}{:02x}{:02x}", byte(r), byte(g), byte(b));
}

std::string hsl(double hue, double saturation, double lightness)
{
    const auto channel = [&](double n) {
        const double k = std::fmod(n + hue / 30, 12);
        const double a = saturation * std::min(lightness, 1 - lightness);
        return lightness - a * std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    };
    return rgb(channel(0), channel(8), channel(4));
}

}  // namespace

std::string task_colour(std::uint32_t task)
{
    static constexpr const char* kColours[] = {"#2563eb", "#ea580c", "#0d9488", "#c026d3", "#ca8a04", "#4f46e5",
                                               "#dc2626", "#65a30d", "#0891b2", "#9333ea", "#b45309", "#059669"};
    if (task < std::size(kColours)) return kColours[task];
    return hsl(std::fmod(task * 137.508, 360), 0.65, task % 2 ? 0.42 : 0.55);
}

std::string ramp_colour(double part)
{
    static constexpr double kStops[][3] = {
        {0.17, 0.42, 0.78}, {0.42, 0.31, 0.73}, {0.72, 0.20, 0.52}, {0.88, 0.30, 0.21}, {0.96, 0.62, 0.04}};
    constexpr int kLast = static_cast<int>(std::size(kStops)) - 1;
    const double at = std::clamp(part, 0.0, 1.0) * kLast;
    const int low = std::min(static_cast<int>(at), kLast - 1);
    const auto mix = [&](int i) { return kStops[low][i] + (at - low) * (kStops[low + 1][i] - kStops[low][i]); };
    return rgb(mix(0), mix(1), mix(2));
}

std::string mark_colour(Mark mark)
{
    static constexpr const char* kColours[] = {"#94a3b8", "#16a34a", "#dc2626", "#d97706"};
    return kColours[static_cast<int>(mark)];
}

namespace {

void colour_marks(const Picture& picture, Colouring& c)
{
    const auto colour_of = [](const MarkSum& sum) { return mark_colour(sum.mark.value_or(Mark::same)); };
    for (const PictureNode& node : picture.nodes) c.nodes.push_back(colour_of(node.mark));
    for (const PictureEdge& edge : picture.edges) c.edges.push_back(colour_of(edge.mark));
    for (const Mark mark : {Mark::added, Mark::removed, Mark::changed, Mark::same})
        c.legend.push_back({mark_colour(mark), mark_name(mark), true, {}});
}

void colour_roles(const Picture& picture, Colouring& c)
{
    std::set<Role> seen;
    for (const PictureNode& node : picture.nodes) {
        c.nodes.push_back(role_colour(node.role));
        seen.insert(node.role);
    }
    for (const Role role : seen) c.legend.push_back({role_colour(role), std::string(role_name(role)), false, role});
}

void colour_tasks(const Picture& picture, Colouring& c)
{
    constexpr const char* kSeveral = "#475569";
    bool several = false;
    for (const PictureNode& node : picture.nodes) {
        const bool none = node.several_tasks || node.task == abi::kNone;
        c.nodes.push_back(none ? kSeveral : task_colour(node.task));
        several |= none;
    }
    c.title = "Task";
    for (std::uint32_t task = 0; task < picture.tasks; ++task) {
        const std::string& name = picture.task_names[task];
        c.legend.push_back(
            {task_colour(task), name.empty() ? fmt::format("task {}", task) : name, false, Role::router});
    }
    if (several) c.legend.push_back({kSeveral, "several tasks", false, Role::router});
}

double edge_value(const PictureEdge& edge, ColorBy by)
{
    if (by == ColorBy::delay) return std::max(edge.delay[0].high, edge.delay[1].high);
    if (by == ColorBy::rate) return std::min(edge.rate[0].low, edge.rate[1].low);
    return std::max(edge.load[0], edge.load[1]);
}

std::string value_text(double value, ColorBy by)
{
    if (by == ColorBy::delay) return show_time(value);
    if (by == ColorBy::rate) return show_rate(value);
    return show_share(value);
}

// Delays and rates span orders of magnitude: their scale is logarithmic. Loads are shares of 100 % or more.
void colour_values(const Picture& picture, ColorBy by, Colouring& c)
{
    constexpr std::size_t kFewValues = 7;
    constexpr int kTicks = 5;
    std::set<double> values;
    for (const PictureEdge& edge : picture.edges) values.insert(edge_value(edge, by));
    double low = 0, high = 1;
    const auto scale = [&](double v) { return by == ColorBy::load ? v : std::log(std::max(v, 1.0)); };
    if (by == ColorBy::load) {
        high = std::max(picture.load_meaning.top, values.empty() ? 0.0 : *values.rbegin());
    } else if (const auto least = values.upper_bound(0); least != values.end()) {  // links without delay aside
        low = scale(*least);
        high = scale(*values.rbegin());
    }
    const auto part = [&](double v) { return high > low ? (scale(v) - low) / (high - low) : 0.0; };
    for (const PictureEdge& edge : picture.edges) c.edges.push_back(ramp_colour(part(edge_value(edge, by))));
    c.title = by == ColorBy::delay ? "Delay" : by == ColorBy::rate ? "Rate" : picture.load_meaning.title;
    if (values.size() <= kFewValues) {
        for (const double v : values) c.legend.push_back({ramp_colour(part(v)), value_text(v, by), true, {}});
        return;
    }
    for (int i = 0; i < kTicks; ++i) {
        const double at = i / (kTicks - 1.0), v = low + at * (high - low);
        const double exact = by == ColorBy::load ? v : std::round(std::exp(v));
        c.legend.push_back({ramp_colour(at), value_text(exact, by), true, {}});
    }
}

}  // namespace

Colouring colour(const Picture& picture, ColorBy by)
{
    Colouring c;
    if (by == ColorBy::change) {
        colour_marks(picture, c);
        return c;
    }
    if (by == ColorBy::task)
        colour_tasks(picture, c);
    else
        colour_roles(picture, c);
    if (by == ColorBy::role || by == ColorBy::task)
        c.edges.assign(picture.edges.size(), kPlainEdge);
    else
        colour_values(picture, by, c);
    return c;
}

}  // namespace anml
