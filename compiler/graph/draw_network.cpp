// The steps: folding, colours, the format.
#include <fmt/format.h>

#include <algorithm>

#include "graph/figure.h"
#include "graph/figures.h"
#include "graph/fold_plan.h"
#include "graph/formats.h"
#include "graph/graph.h"
#include "graph/writers/page.h"

namespace anml {

namespace {

struct FormatName {
    PictureFormat format;
    std::string_view name, suffix;
};
constexpr FormatName kFormats[] = {
#define ANML_PICTURE_FORMAT(id, name, suffix) {PictureFormat::id, name, suffix},
#include "graph/formats.def"
#undef ANML_PICTURE_FORMAT
};

// Beyond so many nodes a file of them is of no use to anybody's program.
constexpr std::size_t kMostExchanged = 2000000, kMostDrawn = 30000;

// True, or a diagnostic.
bool small_enough(const Picture& picture, PictureFormat format, Diagnostics& diagnostics)
{
    const auto too_large = [&](const std::string& message, const std::string& help) {
        diagnostics.report(Diag::graph_too_large, {}, message).help(help);
        return false;
    };
    if (format == PictureFormat::mermaid && picture.edges.size() > kMermaidEdges) {
        return too_large(
            fmt::format("Mermaid draws up to {} links, and the picture has {}", kMermaidEdges, picture.edges.size()),
            "other formats draw it: -o picture.svg, or picture.html to explore it");
    }
    const std::size_t most = is_exchange_format(format) ? kMostExchanged : kMostDrawn;
    if (picture.nodes.size() > most) {
        return too_large(fmt::format("the picture would have {} nodes, more than {}", picture.nodes.size(), most),
                         "show arrays as one with --fold NAME or --fold all");
    }
    return true;
}

// What files of graphs do not carry, once each.
void report_left_out(const Network& network, Diagnostics& diagnostics)
{
    std::size_t tasks = 0, middleboxes = 0;
    for (const NodeArray& row : network.nodes) {
        tasks += row.task != abi::kNone;
        middleboxes += row.middlebox != abi::kNone;
    }
    const auto queues = std::count_if(network.links.begin(), network.links.end(), [&](const LinkArray& link) {
        return std::any_of(std::begin(link.discipline), std::end(link.discipline), [&](std::uint32_t record) {
            return record != abi::kNone && names_nodes(network, network.records[record]);
        });
    });
    const auto say = [&](std::size_t count, std::string_view what) {
        if (count > 0) diagnostics.report(Diag::dropped_element, {}, fmt::format("{}: {}", what, count));
    };
    // Rows without a subject are of the change before them.
    const auto changes = std::count_if(network.timeline.begin(), network.timeline.end(),
                                       [](const TimelineInfo& t) { return !t.subject.empty(); });
    say(static_cast<std::size_t>(changes), "changes of the timeline are left out");
    say(network.tunables.size(), "tunables become numbers, their defaults");
    say(tasks, "annotations with `@task` are left out");
    say(middleboxes, "middleboxes are left out");
    say(network.labels.size(), "labels are left out");
    say(network.reports.size(), "reports by labels are left out");
    say(static_cast<std::size_t>(queues), "classes of queues that name nodes are left out, with their queues");
}

std::optional<std::string> draw_page(const PictureInput& input, const PictureOptions& options, Diagnostics& diagnostics)
{
    constexpr std::size_t kMostShown = 3000;
    const auto plan =
        plan_folds(input.network, nullptr, {options.fold, options.unfold, true, kMostShown}, diagnostics, input.marks);
    if (!plan) return std::nullopt;
    return write_page(input, *plan, options);
}

}  // namespace

bool is_exchange_format(PictureFormat format)
{
    return format == PictureFormat::graphml || format == PictureFormat::json ||
           format == PictureFormat::containerlab || format == PictureFormat::netlab;
}

std::optional<PictureFormat> find_picture_format(std::string_view name)
{
    for (const FormatName& format : kFormats)
        if (name == format.name || name == format.suffix) return format.format;
    return std::nullopt;
}

std::string picture_format_list()
{
    std::string list;
    for (const FormatName& format : kFormats) {
        const bool last = &format == std::end(kFormats) - 1;
        list += fmt::format("{}{}", list.empty() ? "" : last ? " or " : ", ", format.name);
    }
    return list;
}

std::optional<std::string> draw_network(const PictureInput& input, const PictureOptions& options,
                                        Diagnostics& diagnostics, GraphNotes* notes)
{
    PictureInput shown = input;
    shown.calls = options.calls;
    if (options.format == PictureFormat::html) return draw_page(input, options, diagnostics);
    const Network& network = input.network;
    FoldRequest request{options.fold, options.unfold, !is_exchange_format(options.format)};
    request.alike = request.automatic;
    request.calls = options.calls;
    auto plan = plan_folds(network, input.tasks, request, diagnostics, input.marks);
    if (!plan) return std::nullopt;
    Picture picture = make_picture(shown, *plan);
    while (options.format == PictureFormat::mermaid && picture.edges.size() > kMermaidEdges && plan->fold_more())
        picture = make_picture(shown, *plan);
    if (!small_enough(picture, options.format, diagnostics)) return std::nullopt;
    Colouring colours = colour(picture, options.color_by);
    if (notes && is_exchange_format(options.format)) report_left_out(network, diagnostics);
    switch (options.format) {
        case PictureFormat::svg: {
            auto layout = lay_out(picture, options.layout);
            while (layout && wider_than_a_screen(*layout) && plan->fold_wider()) {
                picture = make_picture(shown, *plan);
                colours = colour(picture, options.color_by);
                layout = lay_out(picture, options.layout);
            }
            if (layout) return write_svg(picture, colours, arrange(picture, *layout), options.dark);
            diagnostics.report(Diag::layout_unsuited, {}, "this layout does not suit the network")
                .note(why_unsuited(picture, options.layout))
                .help("without --layout one that does is chosen");
            return std::nullopt;
        }
        case PictureFormat::html:  // above
            break;
        case PictureFormat::dot:
            return write_dot(picture, colours);
        case PictureFormat::mermaid:
            return write_mermaid(picture, colours);
        case PictureFormat::d2:
            return write_d2(picture, colours);
        case PictureFormat::graphml:
            return write_graphml(network, picture, notes);
        case PictureFormat::json:
            return write_node_link(network, picture, notes);
        case PictureFormat::containerlab:
            return write_containerlab(network, picture, notes);
        case PictureFormat::netlab:
            return write_netlab(network, picture, notes);
    }
    return std::nullopt;
}

}  // namespace anml
