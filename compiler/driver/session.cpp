#include "driver/session.h"

#include <fmt/format.h>

#include "analysis/traffic/fluid_ways.h"
#include "analysis/traffic/port_shortages.h"
#include "check/check.h"
#include "elaborate/network.h"
#include "import/graph_components.h"
#include "import/tables/read_table.h"
#include "partition/partition.h"
#include "syntax/syntax_tree.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

template <class Output>
auto* shown(std::optional<Output>& output)
{
    return output ? &*output : nullptr;
}

bool is_empty(const SourceSet& sources, const SyntaxTree& tree)
{
    return syntax::File(tree, tree.roots[sources.main.value]).declarations().empty();
}

}  // namespace

Session::Session(const BuildOptions& options, Compilation& compilation)
    : options_(options), c_(compilation), elaborate_(options.elaborate)
{
}

Session::Session(const BuildOptions& options, const FrontEnd& front_end, Compilation& compilation)
    : Session(options, compilation)
{
    c_.sources = front_end.sources;
    c_.diagnostics = front_end.diagnostics;
    allowances_ = find_allowances(c_.sources, front_end.tree);
    empty_ = is_empty(c_.sources, front_end.tree);
    program_ = front_end.program;
    read_ = expanded_ = checked_ = true;
}

void Session::done(const char* stage, const std::function<std::string()>& verify)
{
    const auto now = std::chrono::steady_clock::now();
    c_.log += fmt::format("{:>10} {:9.2f} ms\n", stage, std::chrono::duration<double, std::milli>(now - last_).count());
#ifndef NDEBUG
    if (std::string broken = verify ? verify() : ""; !broken.empty())
        throw InternalError(fmt::format("after {}: {}", stage, broken));
#else
    (void)verify;
#endif
    last_ = std::chrono::steady_clock::now();
}

bool Session::read()
{
    if (read_) return tree_.has_value();
    read_ = true;
    whole_ = load_sources(options_.sources, options_.unsaved, c_.sources, c_.diagnostics);
    if (!whole_ && !c_.sources.readable(c_.diagnostics)) return false;
    for (const auto& [name, value] : elaborate_.defines) c_.sources.define(name, value);
    done("read");

    tree_ = parse(c_.sources, c_.diagnostics).if_whole();
    if (!tree_) return false;
    allowances_ = find_allowances(c_.sources, *tree_);
    empty_ = is_empty(c_.sources, *tree_);
    done("parse", [&] { return verify_syntax(c_.sources, *tree_); });
    return true;
}

bool Session::expand()
{
    if (expanded_) return tree_.has_value();
    expanded_ = true;
    if (!read()) return false;
    const std::size_t files = c_.sources.files.size();
    if (!read_tables(options_.sources, *tree_, c_.sources, c_.diagnostics))
        tree_.reset();
    else
        tree_ = expand_graphs(options_.sources, std::move(*tree_), c_.sources, c_.diagnostics);
    if (!tree_) return false;
    if (c_.sources.files.size() != files) done("graphs", [&] { return verify_syntax(c_.sources, *tree_); });
    return true;
}

const SyntaxTree* Session::tree()
{
    return read() && whole_ ? &*tree_ : nullptr;
}

const SyntaxTree* Session::expanded_tree()
{
    return expand() && whole_ ? &*tree_ : nullptr;
}

const CheckedProgram* Session::program()
{
    if (checked_) return shown(program_);
    checked_ = true;
    if (!expand()) return nullptr;
    program_ = check(c_.sources, *tree_, c_.diagnostics, elaborate_.model).if_whole();
    if (!whole_) program_.reset();
    if (!program_) return nullptr;
    done("check", [&] { return verify_checked(*program_); });
    c_.data_files = program_->data_files;
    return &*program_;
}

std::vector<std::string> Session::models_to_build(bool experiments)
{
    if (empty_ || !elaborate_.model.empty() || !elaborate_.defines.empty()) return {elaborate_.model};
    std::vector<std::string> names;
    for (const ComponentId id : program_->models) names.push_back(program_->component(id).name);
    if (experiments)
        for (const ComponentId id : program_->experiments) names.push_back(program_->component(id).name);
    return names;
}

void Session::begin_model(const std::string& name, bool last)
{
    elaborate_.model = name;
    last_model_ = last;
    elaborated_ = routed_ = required_ = divided_ = planned_ = false;
    fluid_.reset();
    network_.reset(), routes_.reset(), requirements_.reset(), tasks_.reset(), plan_.reset();
}

const Network* Session::network()
{
    if (elaborated_) return shown(network_);
    elaborated_ = true;
    if (!program()) return nullptr;
    if (last_model_ && !keep_tree_) tree_.reset();
    network_ = elaborate(*program_, elaborate_, c_.diagnostics);
    adopt_quotes(c_.diagnostics, c_.sources);
    if (!network_) return nullptr;
    for (const auto& file : network_->files)
        c_.data_files.insert(c_.data_files.end(), file->included.begin(), file->included.end());
    if (last_model_ && !keep_program_) program_.reset();
    done("elaborate", [&] { return verify_network(*network_); });
    return &*network_;
}

const RouteTables* Session::routes(RouteScope scope)
{
    if (routed_) return shown(routes_);
    routed_ = true;
    if (!network()) return nullptr;
    routes_ = compute_routes(*network_, c_.diagnostics, scope);
    if (!routes_) return nullptr;
    done("route", [&] { return verify_routes(*network_, *routes_); });
    return &*routes_;
}

bool Session::fluid()
{
    if (!fluid_) fluid_ = routes() && check_fluid(*network_, *routes_, c_.diagnostics);
    return *fluid_;
}

const Requirements* Session::requirements(std::vector<double>* answers)
{
    if (required_) return shown(requirements_);
    required_ = true;
    if (!fluid()) return nullptr;
    requirements_ = resolve_requirements(*network_, *routes_, c_.diagnostics, answers);
    if (!requirements_) return nullptr;
    warn_of_port_shortages(*network_, *routes_, c_.diagnostics);
    done("require");
    return &*requirements_;
}

const TaskGraph* Session::tasks()
{
    if (divided_) return shown(tasks_);
    divided_ = true;
    if (!requirements()) return nullptr;
    tasks_ = partition(*network_, *routes_, options_.partition);
    done("partition", [&] { return verify_tasks(*network_, *tasks_); });
    return &*tasks_;
}

const Plan* Session::plan()
{
    if (planned_) return shown(plan_);
    planned_ = true;
    if (!tasks()) return nullptr;
    plan_ = make_plan({c_.sources, *network_, *routes_, *requirements_, *tasks_});
    network_.reset(), routes_.reset(), requirements_.reset(), tasks_.reset();
    done("plan", [&] { return verify_plan(*plan_); });
    return &*plan_;
}

bool Session::filter_warnings()
{
    if (allowances_ && !filtered_)
        anml::filter_warnings(c_.sources, *allowances_, options_.warnings, false, c_.diagnostics);
    filtered_ = true;
    return !c_.diagnostics.has_errors();
}

bool Session::end(bool good, bool complete)
{
    if (allowances_ && !filtered_)
        anml::filter_warnings(c_.sources, *allowances_, options_.warnings, complete && every_model_, c_.diagnostics);
    filtered_ = true;
    return good && !c_.diagnostics.has_errors();
}

}  // namespace anml
