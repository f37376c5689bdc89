// The list of stages. Each returns its output, or nothing after it reported an error: of what the first ones understood
// of a text with errors nothing is used here. Debug builds verify every output.
#include "driver/compile.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "analysis/analyze/analyze.h"
#include "analysis/traffic/fluid_ways.h"
#include "analysis/traffic/port_shortages.h"
#include "check/check.h"
#include "codegen/codegen.h"
#include "driver/dependencies.h"
#include "driver/show_network.h"
#include "driver/write_file.h"
#include "elaborate/network.h"
#include "import/graph_components.h"
#include "import/tables/read_table.h"
#include "link/link.h"
#include "link/runtime_files.h"
#include "lint/lint.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "printer/printer.h"
#include "route/route.h"
#include "source/unsaved_texts.h"
#include "syntax/syntax_tree.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

class Stages {
  public:
    explicit Stages(Compilation& compilation) : compilation_(compilation) {}

    // Notes the time since the last stage, and lets `verify` look at its output.
    template <class Verify>
    void done(const char* stage, Verify&& verify)
    {
        auto now = std::chrono::steady_clock::now();
        double ms = std::chrono::duration<double, std::milli>(now - last_).count();
        compilation_.log += fmt::format("{:>10} {:9.2f} ms\n", stage, ms);
#ifndef NDEBUG
        if (std::string broken = verify(); !broken.empty())
            throw InternalError(fmt::format("after {}: {}", stage, broken));
#else
        (void)verify;
#endif
        last_ = std::chrono::steady_clock::now();
    }

  private:
    Compilation& compilation_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

constexpr auto kNothingToVerify = [] { return std::string(); };

// From where names of files in a text count.
std::string output_folder(const Options& options)
{
    const auto folder = std::filesystem::path(options.output == "-" ? "" : options.output).parent_path();
    return folder.empty() ? "." : folder.string();
}

}  // namespace

namespace {

// Which warnings the text allows, and whether those that it does were taken out.
struct Filter {
    std::optional<Allowances> allowances;
    bool done = false;
    bool complete = false;  // everything that warns had its say
};

// What is built of the file, by name, "" for what the options say. `check` finds every error, so it builds all models
// and experiments, and nothing of a library, whose declarations `check/` has looked at. A file in which there is
// nothing is no library: it was cut short, or is the wrong one.
std::vector<std::string> builds_of(const Options& options, const CheckedProgram& program, bool empty)
{
    const bool every = options.goal == Goal::check || options.goal == Goal::lint;
    if (!every || empty || !options.elaborate.model.empty() || !options.elaborate.defines.empty()) return {""};
    std::vector<std::string> names;
    for (const ComponentId id : program.models) names.push_back(program.component(id).name);
    if (options.goal == Goal::lint) return names;  // an experiment's network is its model's
    for (const ComponentId id : program.experiments) names.push_back(program.component(id).name);
    return names;
}

// Routes to everywhere before the timeline begins, and what path queries are worth, at their times. A requirement that
// fails is part of what is compared.
bool show_for_difference(const Network& network, Compilation& c, Stages& stages)
{
    Network still = network;
    still.timeline.clear();
    const auto routes = compute_routes(still, c.diagnostics, RouteScope::everywhere);
    if (!routes) return false;
    stages.done("route", [&] { return verify_routes(still, *routes); });
    std::vector<double> answers;
    if (!network.queries.empty()) {
        const auto timed = compute_routes(network, c.diagnostics, RouteScope::needed);
        if (!timed) return false;
        Diagnostics failures;
        resolve_requirements(network, *timed, failures, &answers);
        stages.done("require", kNothingToVerify);
    }
    c.seen(network, *routes, answers);
    return true;
}

// The stages that need a network. What they have read is dropped if this is the `last` build.
bool build_model(const Options& options, Compilation& c, Stages& stages, std::optional<SyntaxTree>& tree,
                 std::optional<CheckedProgram>& program, bool last, Filter& filter);

bool build_models(const Options& options, Compilation& c, Stages& stages, std::optional<SyntaxTree>& tree,
                  std::optional<CheckedProgram>& program, bool nothing, Filter& filter)
{
    const std::vector<std::string> builds = builds_of(options, *program, nothing);
    bool good = true;
    for (std::size_t i = 0; i < builds.size(); ++i) {
        Options one = options;
        if (!builds[i].empty()) one.elaborate.model = builds[i];
        good = build_model(one, c, stages, tree, program, i + 1 == builds.size(), filter) && good;
    }
    filter.complete = good && options.goal == Goal::lint && !builds.empty();
    return good;
}

bool is_empty(const SourceSet& sources, const SyntaxTree& tree)
{
    return syntax::File(tree, tree.roots[sources.main.value]).declarations().empty();
}

// Those behind `check`.
bool run_later_stages(const Options& options, Compilation& c, Filter& filter)
{
    Stages stages(c);
    const FrontEnd& front_end = *c.front_end;
    c.sources = front_end.sources;
    c.diagnostics = front_end.diagnostics;
    filter.allowances = find_allowances(c.sources, front_end.tree);
    std::optional<SyntaxTree> none;  // which the linter alone asks for
    std::optional<CheckedProgram> program(front_end.program);
    return build_models(options, c, stages, none, program, is_empty(c.sources, front_end.tree), filter);
}

// The stages up to the goal; true if none of them reported an error.
bool run_stages(const Options& options, Compilation& c, Filter& filter)
{
    Stages stages(c);
    auto emit = [&](std::string text) { return c.text = std::move(text), true; };

    // Where a module is missing the rest is looked at all the same, as far as `check`.
    const bool whole = load_sources(options.sources, options.unsaved, c.sources, c.diagnostics);
    if (!whole && !c.sources.readable(c.diagnostics)) return false;
    for (const auto& [name, value] : options.elaborate.defines) c.sources.define(name, value);
    stages.done("read", kNothingToVerify);

    auto tree = parse(c.sources, c.diagnostics).if_whole();
    if (!tree) return false;
    filter.allowances = find_allowances(c.sources, *tree);
    stages.done("parse", [&] { return verify_syntax(c.sources, *tree); });
    if (options.goal == Goal::ast) return whole && emit(dump_syntax(c.sources, *tree));

    const std::size_t files = c.sources.files.size();
    const bool nothing = is_empty(c.sources, *tree);
    if (!read_tables(options.sources, *tree, c.sources, c.diagnostics)) return false;
    tree = expand_graphs(options.sources, std::move(*tree), c.sources, c.diagnostics);
    if (!tree) return false;
    if (c.sources.files.size() != files) stages.done("graphs", [&] { return verify_syntax(c.sources, *tree); });

    if (options.goal == Goal::lint && whole) {
        lint_text(c.sources, *tree, options.warnings, c.diagnostics);
        stages.done("lint text", kNothingToVerify);
    }

    auto program = check(c.sources, *tree, c.diagnostics, options.elaborate.model).if_whole();
    if (!program || !whole) return false;
    stages.done("check", [&] { return verify_checked(*program); });
    c.data_files = program->data_files;
    for (const ComponentId id : program->experiments)
        c.experiments.emplace_back(program->component(id).name, program->component(id).doc);
    for (const ComponentId id : program->models) c.models.push_back(program->component(id).name);
    for (const SyntaxId id : syntax::File(*tree, tree->roots[c.sources.main.value]).declarations())
        if (tree->kind(id) == SyntaxKind::model_decl) c.model_texts.push_back(tree->node(id).span);
    if (options.goal == Goal::checked) return emit(dump_checked(*program));
    if (options.goal == Goal::syntax_only) return true;

    return build_models(options, c, stages, tree, program, nothing, filter);
}

bool build_model(const Options& options, Compilation& c, Stages& stages, std::optional<SyntaxTree>& tree,
                 std::optional<CheckedProgram>& program, bool last, Filter& filter)
{
    auto emit = [&](std::string text) { return c.text = std::move(text), true; };
    // Of a large model each of these is hundreds of megabytes: none outlives those that read it.
    if (last && options.goal != Goal::lint) tree.reset();

    std::optional<const Network> network = elaborate(*program, options.elaborate, c.diagnostics);
    adopt_quotes(c.diagnostics, c.sources);
    if (!network) return false;
    for (const auto& file : network->files)
        c.data_files.insert(c.data_files.end(), file->included.begin(), file->included.end());
    c.experiment = network->experiment;
    c.duration = network->values.as_constant(network->duration);
    for (const MeasureInfo& m : network->measures) c.measures.push_back({measure_text(*network, m), m.kind, m.phase});
    const bool graph_notes = options.goal == Goal::graph && is_exchange_format(options.graph.format);
    if (last && options.goal != Goal::anml && !graph_notes) program.reset();
    stages.done("elaborate", [&] { return verify_network(*network); });
    if (options.goal == Goal::network) {
        if (c.seen) c.seen(*network, RouteTables(), {});
        return emit(dump_network(*network));
    }
    if (options.goal == Goal::anml) {
        auto text = print_program(*program, *network, output_folder(options), c.diagnostics);
        stages.done("print", kNothingToVerify);
        return text && emit(std::move(*text));
    }
    if (options.goal == Goal::graph) {
        if (c.seen) c.seen(*network, RouteTables(), {});
        std::optional<GraphNotes> notes;
        if (graph_notes) notes.emplace(*program, *network, output_folder(options));
        auto text =
            show_network(*network, options.graph, options.shown, c.sources, c.diagnostics, notes ? &*notes : nullptr);
        if (notes && !notes->failure().empty())
            c.diagnostics.report(Diag::dropped_element, {}, "what is neither a node nor a link is left out: 1")
                .note(notes->failure());
        stages.done("draw", kNothingToVerify);
        return text && emit(std::move(*text));
    }

    if (options.goal == Goal::diff) return show_for_difference(*network, c, stages);

    const RouteScope scope = options.goal == Goal::analyze ? RouteScope::everywhere : RouteScope::needed;
    auto routes = compute_routes(*network, c.diagnostics, scope);
    if (!routes) return false;
    stages.done("route", [&] { return verify_routes(*network, *routes); });
    if (options.goal == Goal::routes) return emit(dump_routes(*network, *routes));

    if (options.goal == Goal::analyze) {
        std::optional<NetworkMoment> moment;
        std::optional<RouteTables> tables;  // of that moment
        if (options.analyze.at || acts_at_start(*network)) {
            moment.emplace(*network, options.analyze.at.value_or(0));
            tables = moment->tables(*routes);
        }
        const auto analysis = analyze(*network, tables ? *tables : *routes, moment ? &*moment : nullptr,
                                      options.analyze, c.sources, c.diagnostics);
        stages.done("analyze", kNothingToVerify);
        return analysis && emit(show_analysis(*analysis, options.analyze));
    }

    if (!check_fluid(*network, *routes, c.diagnostics)) return false;
    std::vector<double> answers;
    auto requirements = resolve_requirements(*network, *routes, c.diagnostics, c.seen ? &answers : nullptr);
    if (c.seen) c.seen(*network, *routes, answers);
    if (!requirements) return false;
    stages.done("require", kNothingToVerify);

    auto tasks = partition(*network, *routes, c.diagnostics, options.partition);
    if (!tasks) return false;
    stages.done("partition", [&] { return verify_tasks(*network, *tasks); });
    if (options.goal == Goal::tasks) return emit(dump_tasks(*network, *tasks));
    if (options.goal == Goal::lint) {
        lint_network({c.sources, *tree, *network, *routes, *tasks}, options.warnings, c.diagnostics);
        stages.done("lint", kNothingToVerify);
        return true;
    }
    warn_of_port_shortages(*network, *routes, c.diagnostics);

    const auto plan = make_plan({c.sources, *network, *routes, *requirements, *tasks}, c.diagnostics);
    if (!plan) return false;
    network.reset(), routes.reset(), requirements.reset(), tasks.reset();
    stages.done("plan", [&] { return verify_plan(*plan); });
    if (options.goal == Goal::plan) return emit(dump_plan(*plan));
    if (options.goal == Goal::check) return true;

    // Nothing is written where -Werror makes a warning an error.
    filter_warnings(c.sources, *filter.allowances, options.warnings, false, c.diagnostics);
    filter.done = true;
    if (c.diagnostics.has_errors()) return false;

    // -c makes one file, which holds everything.
    CodegenOptions codegen{options.level,
                           options.goal == Goal::executable ? TablePlacement::apart : TablePlacement::within};
    if (options.level == OptLevel::O2 && has_bitcode()) {
        codegen.runtime = find_runtime_file(kRuntimeBitcode, "", c.diagnostics);
        if (codegen.runtime.empty()) return false;
    }
    if (options.goal == Goal::llvm) {
        const auto text = dump_llvm(*plan, codegen, c.diagnostics);
        return text && emit(*text);
    }
    if (options.goal == Goal::assembly) {
        const auto text = dump_assembly(*plan, codegen, c.diagnostics);
        stages.done("codegen", kNothingToVerify);
        return text && emit(*text);
    }
    const auto object = generate_object(*plan, codegen, c.diagnostics);
    if (!object) return false;
    stages.done("codegen", kNothingToVerify);
    if (!keeps_inputs(options.output, c)) return false;
    if (options.goal == Goal::object) return write_file(options.output, object->bytes, c.diagnostics);

    if (!link_emulator(*object, {options.output, "", options.mpi, options.verbose, options.commands_only},
                       c.diagnostics))
        return false;
    stages.done("link", kNothingToVerify);
    return true;
}

}  // namespace

bool compile(const Options& options, Compilation& c)
{
    Filter filter;
    const bool good = c.front_end ? run_later_stages(options, c, filter) : run_stages(options, c, filter);
    if (filter.allowances && !filter.done)
        filter_warnings(c.sources, *filter.allowances, options.warnings, filter.complete, c.diagnostics);
    return good && !c.diagnostics.has_errors();
}

}  // namespace anml
