// anmlc diff BEFORE AFTER: what changed between two networks, as text, JSON or a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "diff/difference.h"
#include "driver/commands.h"
#include "driver/dependencies.h"
#include "driver/report.h"
#include "driver/write_file.h"

namespace anml {

namespace {

// As of diff(1): other verbs have 1 for errors.
constexpr int kExitSame = 0, kExitDifferent = 1, kExitTrouble = 2;

// What is wrong with a parameter of one side is said of the option that gave it, not of -D.
void name_option(const DiffOptions::Side& side, const char* option, Compilation& compilation)
{
    const auto given = [&](const std::string& name) {
        return std::any_of(side.defines.begin(), side.defines.end(), [&](const auto& d) { return d.first == name; });
    };
    for (SourceFile& file : compilation.sources.files)
        if (!file.value_of.empty() && given(file.value_of)) file.path = fmt::format("<{} {}>", option, file.value_of);
    std::vector<Diagnostic> unknown;
    compilation.diagnostics.drop_if([&](const Diagnostic& d) {
        const bool taken = d.diag == Diag::unknown_parameter && d.message.starts_with("-D ") &&
                           given(d.message.substr(3, d.message.find(':') - 3));
        if (taken) unknown.push_back(d);
        return taken;
    });
    for (const Diagnostic& d : unknown) {
        auto report = compilation.diagnostics.report(d.diag, d.span, option + d.message.substr(2));
        for (const std::string& help : d.helps) report.help(help);
    }
}

// False after errors. Warnings are what `check` and `lint` are for.
bool build_side(const Options& options, const DiffOptions::Side& side, const char* option, Compilation& compilation,
                BuiltNetwork& built)
{
    Options one = options;
    one.sources.input = side.input;
    one.elaborate.model = side.model;
    one.elaborate.defines.insert(one.elaborate.defines.end(), side.defines.begin(), side.defines.end());
    built.name = side.input == "-" ? "<stdin>" : side.input;
    for (const auto& [name, value] : side.defines) built.name += fmt::format(" {}={}", name, value);
    const auto folder = std::filesystem::path(side.input == "-" ? "" : side.input).parent_path();
    built.folder = folder.empty() ? "." : folder.string();
    compilation.seen = [&](const Network& network, const RouteTables& routes, const std::vector<double>& answers) {
        built.network = network;
        built.routes = routes;
        built.answers = answers;
    };
    const bool good = compile(one, compilation);
    name_option(side, option, compilation);
    compilation.diagnostics.remove_if([](const Diagnostic&) { return true; });
    return good;
}

// What is to be written; nothing after an error.
std::optional<std::string> show_difference(const Options& options, const NetworkDifference& difference,
                                           const BuiltNetwork& before, const BuiltNetwork& after,
                                           Diagnostics& diagnostics)
{
    switch (options.difference.format) {
        case DiffOptions::Format::text:
            return write_difference(difference, before, after, {options.difference.all, options.color});
        case DiffOptions::Format::json:
            return write_difference_json(difference, before, after);
        case DiffOptions::Format::picture:
            break;
    }
    const UnitedNetwork united = unite_networks(before, after, difference);
    PictureInput input{united.network};
    input.marks = &united.marks;
    return draw_network(input, options.graph, diagnostics);
}

bool write_text(const Options& options, const std::string& text, Compilation& before, Compilation& after)
{
    if (options.output != "-")
        return keeps_inputs(options.output, before) && keeps_inputs(options.output, after) &&
               write_file(options.output, text, after.diagnostics);
    const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) == 0 && good) return true;
    after.diagnostics.report(Diag::cannot_write_output, {}, "cannot write to standard output");
    return false;
}

}  // namespace

int cmd_diff(const Options& options)
{
    Compilation first, second;
    BuiltNetwork before, after;
    const bool first_good = build_side(options, options.difference.before, "--before-define", first, before);
    bool good = build_side(options, options.difference.after, "--after-define", second, after) && first_good;
    std::optional<NetworkDifference> difference;
    if (good) difference = diff_networks(before, after, second.diagnostics);
    if (difference && !options.difference.quiet) {
        const auto text = show_difference(options, *difference, before, after, second.diagnostics);
        good = text && write_text(options, *text, first, second);
    }
    Reporter reporter(options);
    reporter.add(first);
    reporter.add(second);
    reporter.end();
    if (!good || !difference) return kExitTrouble;
    return difference->empty() ? kExitSame : kExitDifferent;
}

}  // namespace anml
