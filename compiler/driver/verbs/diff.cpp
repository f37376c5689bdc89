// anmlc diff BEFORE AFTER: what changed between two networks, as text, JSON or a picture.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "diff/difference.h"
#include "driver/dependencies.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/show_network.h"
#include "driver/verb.h"

namespace anml {

namespace {

// As of diff(1): other verbs have 1 for errors.
constexpr int kExitSame = 0, kExitDifferent = 1, kExitTrouble = 2;

struct Side {
    std::string input;  // file, or "-"
    std::string model;
    const char* option;  // that gives it parameters
    std::vector<std::string> words;
    Defines defines;  // besides those of both
};

// What is wrong with a parameter of one side is said of the option that gave it, not of -D.
void name_option(const Side& side, Compilation& compilation)
{
    const auto given = [&](const std::string& name) {
        return std::any_of(side.defines.begin(), side.defines.end(), [&](const auto& d) { return d.first == name; });
    };
    for (SourceFile& file : compilation.sources.files)
        if (!file.value_of.empty() && given(file.value_of))
            file.path = fmt::format("<{} {}>", side.option, file.value_of);
    std::vector<Diagnostic> unknown;
    compilation.diagnostics.drop_if([&](const Diagnostic& d) {
        const bool taken = d.diag == Diag::unknown_parameter && d.message.starts_with("-D ") &&
                           given(d.message.substr(3, d.message.find(':') - 3));
        if (taken) unknown.push_back(d);
        return taken;
    });
    for (const Diagnostic& d : unknown) {
        auto report = compilation.diagnostics.report(d.diag, d.span, side.option + d.message.substr(2));
        for (const std::string& help : d.helps) report.help(help);
    }
}

// Routes to everywhere before the timeline begins, and what path queries are worth, at their times. A requirement that
// fails is part of what is compared.
bool build_routes(Session& session, BuiltNetwork& built)
{
    const Network* network = session.network();
    if (!network) return false;
    built.network = *network;
    Network still = *network;
    still.timeline.clear();
    const auto routes = compute_routes(still, session.diagnostics(), RouteScope::everywhere);
    if (!routes) return false;
    session.done("route", [&] { return verify_routes(still, *routes); });
    built.routes = *routes;
    if (network->queries.empty()) return true;
    const RouteTables* timed = session.routes();
    if (!timed) return false;
    Diagnostics failures;
    resolve_requirements(*network, *timed, failures, &built.answers);
    session.done("require");
    return true;
}

// False after errors. Warnings are what `check` and `lint` are for.
bool build_side(const BuildOptions& options, const Side& side, Compilation& compilation, BuiltNetwork& built)
{
    BuildOptions one = options;
    one.sources.input = side.input;
    one.elaborate.model = side.model;
    one.elaborate.defines.insert(one.elaborate.defines.end(), side.defines.begin(), side.defines.end());
    built.name = side.input == "-" ? "<stdin>" : side.input;
    for (const auto& [name, value] : side.defines) built.name += fmt::format(" {}={}", name, value);
    built.folder = output_folder(side.input);
    Session session(one, compilation);
    const bool good = session.end(build_routes(session, built));
    name_option(side, compilation);
    compilation.diagnostics.remove_if([](const Diagnostic&) { return true; });
    return good;
}

class DiffVerb : public Verb {
  public:
    DiffVerb() : Verb("diff", "Say what changed between two networks: nodes, links, routes, requirements") {}

    void add_options(CLI::App& app) override
    {
        app.add_option("before", before_.input, "The model as it was, or - for standard input")
            ->required()
            ->option_text("BEFORE.anml");
        app.add_option("after", after_.input, "As it is now, or - for standard input")
            ->required()
            ->option_text("AFTER.anml");
        app.add_option("-o", output_, "Write to PATH, whose suffix chooses the format (default: standard output)")
            ->option_text("PATH");
        app.add_option("--format", format_,
                       "text (default), json, or a picture: html, svg or dot (default: by the output's name)")
            ->check(CLI::IsMember({"text", "json", "html", "svg", "dot"}))
            ->option_text("FORMAT");
        app.add_flag("--all", all_, "Say everything, and not the first of what is much");
        app.add_flag("--quiet", quiet_, "Say nothing: the exit status tells");
        add_folders(app, options_.sources);
        add_defines(app, "-D", defines_, "Set a parameter of both models: -D N=32, -D 'D=4 ms' (repeatable)");
        add_defines(app, before_.option, before_.words, "Set one of the first model (repeatable)");
        add_defines(app, after_.option, after_.words, "Set one of the second model (repeatable)");
        app.add_option("--model", options_.elaborate.model, "The model to build of both files, where they have several")
            ->option_text("NAME");
        app.add_option("--before-model", before_.model, "Of the first file")->option_text("NAME");
        app.add_option("--after-model", after_.model, "Of the second file")->option_text("NAME");
        layout_.add(app);
        messages_.add(app);
        app.footer("Exit status: 0 the networks are the same, 1 they differ, 2 there are errors, 70 a bug in anmlc.");
    }

    std::string understand() override;
    int run(const CommandLine&) override;

  private:
    std::optional<std::string> show(const NetworkDifference& difference, const BuiltNetwork& before,
                                    const BuiltNetwork& after, Diagnostics& diagnostics) const;

    BuildOptions options_;  // of both
    Side before_{"", "", "--before-define", {}, {}}, after_{"", "", "--after-define", {}, {}};
    std::vector<std::string> defines_;
    LayoutWords layout_;
    PictureOptions picture_;
    MessageWords messages_;
    std::string output_, format_;
    bool all_ = false, quiet_ = false;
};

std::string DiffVerb::understand()
{
    if (before_.input == "-" && after_.input == "-") return "one of the models only can be on standard input";
    for (Side* side : {&before_, &after_})
        if (side->model.empty()) side->model = options_.elaborate.model;
    if (output_.empty()) output_ = "-";
    if (format_.empty()) format_ = format_of(output_);
    if (format_.empty() || format_ == "txt") format_ = "text";
    layout_.set(picture_);
    picture_.color_by = ColorBy::change;
    if (format_ != "text" && format_ != "json") {
        const auto picture = find_picture_format(format_);
        if (picture != PictureFormat::html && picture != PictureFormat::svg && picture != PictureFormat::dot)
            return fmt::format(
                "no difference is written as `{}`: --format or the output's name chooses text, json, html, svg or dot",
                format_);
        picture_.format = *picture;
    }
    messages_.set(options_.messages);
    options_.messages.color = output_ == "-" && want_color(messages_.color, STDOUT_FILENO);
    if (std::string wrong = set_defines(defines_, options_.elaborate.defines); !wrong.empty()) return wrong;
    for (Side* side : {&before_, &after_})
        if (std::string wrong = set_defines(side->words, side->defines, side->option); !wrong.empty()) return wrong;
    return {};
}

// What is to be written; nothing after an error.
std::optional<std::string> DiffVerb::show(const NetworkDifference& difference, const BuiltNetwork& before,
                                          const BuiltNetwork& after, Diagnostics& diagnostics) const
{
    if (format_ == "text") return write_difference(difference, before, after, {all_, options_.messages.color});
    if (format_ == "json") return write_difference_json(difference, before, after);
    const UnitedNetwork united = unite_networks(before, after, difference);
    PictureInput input{united.network};
    input.marks = &united.marks;
    return draw_network(input, picture_, diagnostics);
}

int DiffVerb::run(const CommandLine&)
{
    Compilation first, second;
    BuiltNetwork before, after;
    const bool first_good = build_side(options_, before_, first, before);
    bool good = build_side(options_, after_, second, after) && first_good;
    std::optional<NetworkDifference> difference;
    if (good) difference = diff_networks(before, after, second.diagnostics);
    if (difference && !quiet_) {
        const auto text = show(*difference, before, after, second.diagnostics);
        good = text && (output_ == "-" || keeps_inputs(output_, first)) && write_text(output_, *text, second);
    }
    DiagnosticsPrinter printer(options_.messages);
    printer.add(first);
    printer.add(second);
    printer.end();
    if (!good || !difference) return kExitTrouble;
    return difference->empty() ? kExitSame : kExitDifferent;
}

}  // namespace

std::unique_ptr<Verb> verb_diff() { return std::make_unique<DiffVerb>(); }

}  // namespace anml
