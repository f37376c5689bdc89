#include "driver/options/option_groups.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "base/values/quantity.h"

namespace anml {

void add_file(CLI::App& app, std::string& file)
{
    app.add_option("file", file, "The model, or - for standard input")->required()->option_text("FILE.anml");
}

void add_files(CLI::App& app, std::vector<std::string>& files, const char* text)
{
    app.add_option("file", files, text)->required()->option_text("FILE...");
}

void add_folders(CLI::App& app, SourceOptions& sources)
{
    app.add_option("-I", sources.include_dirs, "Look for imported modules in DIR too (repeatable)")
        ->allow_extra_args(false)
        ->option_text("DIR");
}

void add_tasks(CLI::App& app, PartitionOptions& partition)
{
    app.add_option("--tasks", partition.tasks,
                   "Divide the model into N tasks, fewer where no lookahead lies between (default: by its size)")
        ->check(CLI::Range(1u, kMostTasksAsked))
        ->option_text("N");
}

void add_defines(CLI::App& app, const char* name, std::vector<std::string>& defines, const char* text)
{
    app.add_option(name, defines, text)->allow_extra_args(false)->option_text("NAME=VALUE");
}

std::string format_of(const std::string& output)
{
    std::string suffix = output == "-" ? "" : std::filesystem::path(output).extension().string();
    if (!suffix.empty()) suffix.erase(0, 1);
    return suffix;
}

std::string wrong_output(const std::string& output, const std::string& input)
{
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (output == "-" || input == "-" || !fs::exists(output, ignored) || !fs::equivalent(output, input, ignored))
        return {};
    if (!input.ends_with(".anml") && fs::exists(input + ".anml", ignored))
        return fmt::format("`{0}` is no model; there is `{0}.anml`", input);
    return fmt::format("the output `{}` would replace the input: give -o another name", output);
}

bool want_color(const std::string& when, int stream)
{
    if (when != "auto") return when == "always";
    const char* terminal = std::getenv("TERM");
    return isatty(stream) && !std::getenv("NO_COLOR") && terminal && std::string_view(terminal) != "dumb";
}

std::string set_defines(const std::vector<std::string>& words, Defines& defines, const char* option)
{
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            return fmt::format("{} takes NAME=VALUE, found `{}`{}", option, word,
                               equals == std::string::npos ? ": no blanks stand around the `=`" : "");
        const std::string_view name = std::string_view(word).substr(0, equals);
        for (const auto& [given, value] : defines)
            if (given == name)
                return fmt::format("{} gives `{}` twice: {} and {}", option, name, value, word.substr(equals + 1));
        defines.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    return {};
}

std::string set_time(const std::string& word, std::optional<double>& at)
{
    if (word.empty()) return {};
    const auto time = parse_quantity(word);
    if (!time || time->dim != dimension::time) return fmt::format("--at takes a time such as 40s, found `{}`", word);
    at = time->value;
    return {};
}

std::string set_demand(const std::string& word, const std::string& total, DemandOptions& demand)
{
    if (!word.empty())
        demand.kind = word == "uniform"     ? DemandKind::uniform
                      : word == "gravity"   ? DemandKind::gravity
                      : word == "workloads" ? DemandKind::workloads
                                            : DemandKind::file;
    if (demand.kind == DemandKind::file) demand.file = word;
    if (total.empty()) return {};
    const auto rate = parse_quantity(total);
    if (!rate || rate->dim != dimension::rate || rate->value <= 0)
        return fmt::format("--total takes a rate above 0, such as '10 Gbps', found `{}`", total);
    if (demand.kind == DemandKind::file)
        return "the rates stand in the file of demands: --total goes with uniform and gravity";
    if (demand.kind == DemandKind::workloads)
        return "the model says what its workloads send: --total goes with uniform and gravity";
    demand.total = rate->value;
    return {};
}

ErrorFormat find_error_format(const std::string& name)
{
    static const std::map<std::string, ErrorFormat> kFormats{{"human", ErrorFormat::human},
                                                             {"short", ErrorFormat::brief},
                                                             {"json", ErrorFormat::json},
                                                             {"github", ErrorFormat::github},
                                                             {"sarif", ErrorFormat::sarif}};
    return kFormats.at(name);
}

void MessageWords::add(CLI::App& app)
{
    app.add_option("--error-format", error_format,
                   "human (default), short: a line each, json: an object a line, github: annotations of GitHub "
                   "Actions, or sarif: "
                   "a SARIF 2.1.0 log")
        ->check(CLI::IsMember({"human", "short", "json", "github", "sarif"}))
        ->option_text("FORMAT");
    app.add_option("--color", color, "auto (default), always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->option_text("WHEN");
}

void MessageWords::set(MessageOptions& messages) const
{
    messages.format = find_error_format(error_format);
    messages.color = want_color(color, STDERR_FILENO);
}

void LevelWord::add(CLI::App& app, const char* text)
{
    app.add_option("-O", level, text)->check(CLI::IsMember({"0", "2"}))->option_text("LEVEL");
}

OptLevel LevelWord::value(OptLevel usual) const
{
    return level.empty() ? usual : level == "0" ? OptLevel::O0 : OptLevel::O2;
}

void ModelWords::add(CLI::App& app, BuildOptions& options)
{
    add_folders(app, options.sources);
    add_defines(app, "-D", defines, "Set a parameter of the model: -D N=32, -D 'D=4 ms' (repeatable)");
    app.add_option("--model", options.elaborate.model, "The model to build, where the file has several")
        ->option_text("NAME");
    messages.add(app);
    app.add_option("-W", warnings, "-Wno-NAME: leave a warning out; -WNAME: show it after all; -Werror (repeatable)")
        ->allow_extra_args(false)
        ->option_text("[no-]NAME");
    app.add_flag("-v", options.messages.verbose,
                 "Say what is done and how long it takes, and show the link command");
}

std::string ModelWords::set(BuildOptions& options) const
{
    messages.set(options.messages);
    for (const std::string& word : warnings)
        if (std::string wrong = options.warnings.set(word); !wrong.empty()) return wrong;
    return set_defines(defines, options.elaborate.defines);
}

void LayoutWords::add(CLI::App& app)
{
    app.add_option("--layout", layout,
                   "auto (default), map or plane (by positions), tree, layered (tiers above the hosts), force or dot "
                   "(Graphviz)")
        ->check(CLI::IsMember({"auto", "map", "plane", "tree", "layered", "force", "dot"}))
        ->option_text("KIND");
    app.add_option("--theme", theme, "light (default) or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->option_text("WHICH");
    app.add_option("--fold", fold, "Show an array or instance as one: net, net[3], net[*].client, all (repeatable)")
        ->allow_extra_args(false)
        ->option_text("NAME");
    app.add_option("--unfold", unfold, "Show its elements or parts (repeatable; wins over --fold)")
        ->allow_extra_args(false)
        ->option_text("NAME");
}

void LayoutWords::set(PictureOptions& picture) const
{
    static const std::map<std::string, LayoutKind> kLayouts{
        {"auto", LayoutKind::automatic},  {"map", LayoutKind::map},     {"plane", LayoutKind::plane},
        {"tree", LayoutKind::tree},       {"layered", LayoutKind::layered}, {"force", LayoutKind::force},
        {"dot", LayoutKind::graphviz}};
    picture.layout = kLayouts.at(layout);
    picture.dark = theme == "dark";
    picture.fold = fold;
    picture.unfold = unfold;
}

}  // namespace anml
