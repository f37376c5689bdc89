// Options of pictures: the words that they take, and what these mean.
#include "driver/options/graph_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace anml {

namespace {

namespace fs = std::filesystem;

const std::map<std::string, ColorBy> kColorBy{{"role", ColorBy::role},
                                              {"task", ColorBy::task},
                                              {"delay", ColorBy::delay},
                                              {"rate", ColorBy::rate},
                                              {"load", ColorBy::load}};

const std::map<std::string, LayoutKind> kLayouts{{"auto", LayoutKind::automatic},  {"map", LayoutKind::map},
                                                 {"plane", LayoutKind::plane},     {"tree", LayoutKind::tree},
                                                 {"layered", LayoutKind::layered}, {"force", LayoutKind::force},
                                                 {"dot", LayoutKind::graphviz}};

}  // namespace

void add_layout(CLI::App& app, GraphWords& words)
{
    app.add_option("--layout", words.layout,
                   "auto (default), map or plane (by positions), tree, layered (tiers above the hosts), force or dot "
                   "(Graphviz)")
        ->check(CLI::IsMember({"auto", "map", "plane", "tree", "layered", "force", "dot"}))
        ->option_text("KIND");
    app.add_option("--theme", words.theme, "light (default) or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->option_text("WHICH");
    app.add_option("--fold", words.fold,
                   "Show an array or instance as one: net, net[3], net[*].client, all (repeatable)")
        ->allow_extra_args(false)
        ->option_text("NAME");
    app.add_option("--unfold", words.unfold, "Show its elements or parts (repeatable; wins over --fold)")
        ->allow_extra_args(false)
        ->option_text("NAME");
}

void add_graph(CLI::App& app, GraphWords& words)
{
    app.add_option("--format", words.format, picture_format_list() + " (default: by the output's name)")
        ->option_text("FORMAT");
    app.add_option("--color-by", words.color_by, "role (default), task, delay, rate or load")
        ->check(CLI::IsMember({"role", "task", "delay", "rate", "load"}))
        ->option_text("WHAT");
    add_layout(app, words);
    app.add_option("--demand", words.demand,
                   "Whose load --color-by=load shows, as for analyze: uniform, gravity or a file (default: the "
                   "workloads', uniform where there are none)")
        ->option_text("DEMAND");
    app.add_option("--total", words.total, "Of all demands together: --total '10 Gbps'")->option_text("RATE");
    app.add_option("--at", words.at, "At a moment of the timeline: --at 40s")->option_text("TIME");
}

std::string set_graph(const GraphWords& words, const std::string& output, Options& options)
{
    options.graph.color_by = kColorBy.at(words.color_by);
    options.graph.layout = kLayouts.at(words.layout);
    options.graph.dark = words.theme == "dark";
    options.graph.fold = words.fold;
    options.graph.unfold = words.unfold;
    options.shown.partition = options.partition;
    std::string name = words.format;
    if (name.empty()) {
        name = fs::path(output).extension().string();
        if (name.empty() || output == "-") return {};
        name.erase(0, 1);
    }
    const auto format = find_picture_format(name);
    if (!format)
        return fmt::format("no picture is written as `{}`: --format or the output's name chooses {}", name,
                           picture_format_list());
    options.graph.format = *format;
    return {};
}

}  // namespace anml
