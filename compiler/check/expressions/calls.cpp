// Calls: the functions of the language, and profiles with parameters; arguments by position, then by name.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

constexpr std::array kBuiltins = {
#define ANML_BUILTIN(id, usage) std::pair<std::string_view, std::string_view>{#id, usage},
#include "check/expressions/builtins.def"
};

// The least and the largest number of arguments.
std::pair<std::size_t, std::size_t> argument_counts(Builtin builtin)
{
    switch (builtin) {
        case Builtin::min:
        case Builtin::max:
            return {1, 1000};
        case Builtin::floor:
        case Builtin::ceil:
        case Builtin::round:
        case Builtin::bdp:
        case Builtin::load:
        case Builtin::cumulative:
        case Builtin::empirical:
            return {1, 2};
        case Builtin::draw:
            return {1, 1000};
        case Builtin::max_load:
            return {0, 0};
        case Builtin::pow:
        case Builtin::atan2:
        case Builtin::mixture:
        case Builtin::distance:
        case Builtin::host:
        case Builtin::contains:
            return {2, 2};
        case Builtin::nearest:
            return {2, 3};
        case Builtin::truncated:
        case Builtin::subnet:
            return {3, 3};
        default: {
            const std::string_view usage = builtin_usage(builtin);  // as many as it shows
            if (is_measure(builtin)) return {1, most_of_measure(builtin)};
            const std::size_t count = is_path_function(builtin)
                                          ? static_cast<std::size_t>(1 + std::count(usage.begin(), usage.end(), ','))
                                      : is_distribution(builtin) ? distribution_arguments(builtin).size()
                                                                 : 1;
            return {count, count};
        }
    }
}

}  // namespace

std::string_view builtin_name(Builtin builtin) { return kBuiltins[static_cast<std::size_t>(builtin)].first; }
std::string_view builtin_usage(Builtin builtin) { return kBuiltins[static_cast<std::size_t>(builtin)].second; }

Dimension dimension_of_measure(abi::MeasureKind kind, abi::MeasurePhase phase)
{
    const abi::Unit unit = abi::measure_unit(kind, phase);
    return unit == abi::Unit::time ? dimension::time : unit == abi::Unit::rate ? dimension::rate : dimension::none;
}

std::string measures_there_are()
{
    std::string of_workloads, of_links;
    for (auto b = Builtin::p50; is_measure(b); b = static_cast<Builtin>(static_cast<int>(b) + 1)) {
        std::string& names = is_link_measure(b) ? of_links : of_workloads;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", builtin_name(b));
    }
    return fmt::format("{} of a workload, and {} of a link", of_workloads, of_links);
}

std::optional<Builtin> find_builtin(std::string_view name)
{
    for (std::size_t i = 0; i < kBuiltins.size(); ++i)
        if (kBuiltins[i].first == name) return static_cast<Builtin>(i);
    return std::nullopt;
}

ExprId Checker::call(SyntaxId id)
{
    const syntax::Call written(tree_, id);
    const SyntaxId callee = written.callee(), list = written.arguments();
    if (tree_.kind(callee) == SyntaxKind::member && text(syntax::Member(tree_, callee).name()) == "contains")
        return contains(id);
    const Symbol* symbol = static_symbol(callee);
    if (symbol && symbol->kind == SymbolKind::profile) return profile_call(callee, symbol->index, list, span(id));
    if (symbol && symbol->kind == SymbolKind::process) {
        use(SymbolKind::process, symbol->index, span(callee));
        const std::uint32_t index = symbol->index;
        const Process process = program_.processes[index];  // a copy: arguments may grow the program
        auto given = arguments(list, process.parameters, span(callee), text(callee), process.span);
        return add(ExprKind::process, process.type, span(id), index, 0, std::move(given));
    }
    if (symbol && symbol->kind == SymbolKind::function) return function_call(id, FunctionId{symbol->index}, list);
    const auto builtin = tree_.kind(callee) == SyntaxKind::name ? find_builtin(text(callee)) : std::nullopt;
    if (builtin == Builtin::contains) {
        diagnostics_.report(Diag::unknown_name, span(callee), "unknown name `contains`")
            .help(fmt::format("it is asked of a prefix: `{}`", builtin_usage(*builtin)));
        return error(span(id));
    }
    if (builtin) {
        std::vector<SyntaxId> values;
        for (SyntaxId argument_syntax : syntax::ArgumentList(tree_, list).arguments()) {
            if (tree_.is_hole(argument_syntax)) {
                values.push_back(argument_syntax);
                continue;
            }
            const syntax::Argument argument(tree_, argument_syntax);
            if (argument.has_name())
                diagnostics_
                    .report(Diag::unknown_argument, span(argument.name()),
                            fmt::format("`{}` takes its arguments by position", text(callee)))
                    .help(fmt::format("write `{}`", builtin_usage(*builtin)))
                    .fix({file_, span(argument.name()).begin, span(argument.value()).begin}, "");
            values.push_back(argument.value());
        }
        return builtin_call(id, *builtin, values);
    }
    if (symbol) {
        const bool no_value = symbol->kind == SymbolKind::component || symbol->kind == SymbolKind::schema;
        auto report = diagnostics_.report(
            Diag::not_callable, span(callee),
            no_value ? fmt::format("`{}` is a {}, which is not a value", text(callee), kind_of(*symbol))
                     : fmt::format("`{}` takes no arguments", text(callee)));
        if (symbol->kind == SymbolKind::component)
            report.help(fmt::format("an instance is a statement: `{} name(...)`", text(callee)));
        if (symbol->kind == SymbolKind::schema) report.help("a schema is a type; a profile makes a value of it");
        return error(span(id));
    }
    if (tree_.kind(callee) == SyntaxKind::name && !find(text(callee))) {
        if (report_python(callee, list)) return error(span(id));
        std::vector<std::string_view> candidates;
        if (diagnostics_.suggests()) candidates = visible_names();
        for (const auto& [name, usage] : kBuiltins) candidates.push_back(name);
        const auto similar = similar_name(text(callee), candidates);
        if (!similar.empty() && find_builtin(similar)) {
            diagnostics_.report(Diag::unknown_name, span(callee), fmt::format("unknown name `{}`", text(callee)))
                .help(fmt::format("there is `{}`", builtin_usage(*find_builtin(similar))))
                .fix(span(callee), std::string(similar));
            return error(span(id));
        }
    }
    const bool outer = std::exchange(may_be_measure_, in_require_);
    const ExprId e = expression(callee);
    may_be_measure_ = outer;
    const Type found = program_.expr(e).type;
    if (found.kind == TypeKind::error) return error(span(id));
    auto report =
        diagnostics_.report(Diag::not_callable, span(callee), fmt::format("`{}` takes no arguments", text(callee)));
    if (found.array) {
        const std::string_view all = text(list), inside = all.size() < 2 ? all : all.substr(1, all.size() - 2);
        report.help(fmt::format("an element is chosen with brackets: `{}[{}]`", text(callee), inside))
            .fix(span(list), fmt::format("[{}]", inside));
    }
    return error(span(id));
}

std::vector<ExprId> Checker::arguments(SyntaxId argument_list, const std::vector<Parameter>& parameters, Span callee,
                                       std::string_view callee_name, Span declared)
{
    std::vector<ExprId> given(parameters.size());
    std::vector<Span> places(parameters.size());
    std::size_t position = 0;
    bool named = false;
    const auto list =
        argument_list ? syntax::ArgumentList(tree_, argument_list).arguments() : std::span<const SyntaxId>{};
    for (SyntaxId argument_syntax : list) {
        if (tree_.is_hole(argument_syntax)) {
            if (position < parameters.size() && !given[position]) given[position++] = error(span(argument_syntax));
            continue;
        }
        const syntax::Argument argument(tree_, argument_syntax);
        const SyntaxId name = argument.name(), value_syntax = argument.value();
        std::size_t index = position;
        if (argument.has_name()) {
            for (index = 0; index < parameters.size() && parameters[index].name != text(name);) ++index;
            if (index == parameters.size()) {
                auto report = diagnostics_.report(Diag::unknown_argument, span(name),
                                                  fmt::format("`{}` has no parameter `{}`", callee_name, text(name)));
                std::vector<std::string_view> candidates;
                if (diagnostics_.suggests())
                    for (const Parameter& p : parameters) candidates.push_back(p.name);
                const auto similar = similar_name(text(name), candidates);
                if (!similar.empty()) report.suggest(span(name), similar, quoted_name(similar));
                report.also(declared, "declared here");
                const ExprId stray = expression(value_syntax);
                for (std::size_t i = 0; i < parameters.size() && !similar.empty(); ++i)  // not missing besides
                    if (parameters[i].name == similar && !given[i]) {
                        given[i] = error(program_.expr(stray).span);
                        places[i] = span(name);
                    }
                continue;
            }
            means(name, parameters[index].span);
            position = parameters.size();  // no positions after a name
            named = true;
        } else if (position >= parameters.size()) {
            auto report =
                diagnostics_.report(Diag::wrong_argument_count, span(argument_syntax),
                                    named ? std::string("an argument without a name follows one with a name")
                                          : fmt::format("`{}` takes {} argument{}", callee_name, parameters.size(),
                                                        parameters.size() == 1 ? "" : "s"));
            report.also(declared, "declared here");
            break;
        } else {
            ++position;
        }
        const Parameter& parameter = parameters[index];
        if (given[index]) {
            diagnostics_
                .report(Diag::duplicate_argument, span(argument_syntax),
                        fmt::format("`{}` is given twice", parameter.name))
                .also(places[index], "first given here");
            continue;
        }
        places[index] = span(argument_syntax);
        given[index] = value(value_syntax, parameter.type, fmt::format("`{}`", parameter.name));
        check_range(given[index], parameter.range, parameter.type, parameter.name, parameter.span);
    }
    std::string missing;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (!given[i] && parameters[i].required)
            missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", parameters[i].name);
    if (!missing.empty())
        diagnostics_.report(Diag::wrong_argument_count, callee, fmt::format("`{}` also needs {}", callee_name, missing))
            .also(declared, "declared here");
    return given;
}

ExprId Checker::builtin_call(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& syntax)
{
    const Span where = span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    const auto [least, most] = argument_counts(builtin);
    if (syntax.size() < least || syntax.size() > most) {
        constexpr std::string_view kCounts[] = {"no arguments", "one argument", "two arguments", "three arguments",
                                                "four arguments"};
        const bool list_of_values =
            syntax.size() > 1 && (builtin == Builtin::sum || builtin == Builtin::any || builtin == Builtin::all);
        auto report =
            diagnostics_.report(Diag::wrong_argument_count, where,
                                fmt::format("{} takes {}, found {}", what,
                                            most > 4 ? (least == 1 ? "one or more arguments" : "two or more arguments")
                                            : least == most ? kCounts[least]
                                            : most - least == 2 ? "one to three arguments"
                                            : least == 1    ? "one or two arguments"
                                                            : "two or three arguments",
                                            syntax.size()));
        if (list_of_values) {
            const Span all{where.file, span(syntax.front()).begin, span(syntax.back()).end};
            report.help(fmt::format("a list stands in brackets: `{}([{}])`", builtin_name(builtin), sources_.text(all)))
                .fix(all, fmt::format("[{}]", sources_.text(all)));
        } else {
            report.help(fmt::format("write `{}`", builtin_usage(builtin)));
        }
        return error(where);
    }
    if (is_distribution(builtin)) return distribution_call(id, builtin, syntax);
    if (builtin == Builtin::trace) return trace(id, syntax[0]);
    if (is_measure(builtin)) return measure(id, builtin, syntax);
    if (builtin == Builtin::load || builtin == Builtin::max_load) return load(id, builtin, syntax);
    std::vector<ExprId> given;
    for (SyntaxId s : syntax) given.push_back(expression(s));
    for (ExprId e : given)
        if (program_.expr(e).type.kind == TypeKind::error) return error(where);
    if (builtin == Builtin::bdp && given.size() == 1) return link_bdp(id, given[0]);
    if (is_path_function(builtin)) return path_function(id, builtin, given);
    if (builtin == Builtin::len || builtin == Builtin::indices) return length(id, builtin, given[0]);
    if (builtin == Builtin::text) return text_of(id, given[0]);
    if (asks_list(builtin, given)) return of_list(id, builtin, given[0]);
    if (builtin == Builtin::mean) return mean(id, given[0]);
    if (builtin == Builtin::given) return this->given(id, given[0]);
    if (builtin == Builtin::subnet) {
        const Type integer{.kind = TypeKind::integer};
        given[0] = require_type(given[0], {.kind = TypeKind::prefix}, what);
        for (std::size_t i : {1, 2}) given[i] = require_type(given[i], integer, what);
        return add(ExprKind::call, {.kind = TypeKind::prefix}, where, static_cast<std::uint32_t>(builtin), 0,
                   std::move(given));
    }
    if (builtin == Builtin::host) {
        given[0] = require_type(given[0], {.kind = TypeKind::prefix}, what);
        given[1] = require_type(given[1], {.kind = TypeKind::integer}, what);
        return add(ExprKind::call, {.kind = TypeKind::address}, where, static_cast<std::uint32_t>(builtin), 0,
                   std::move(given));
    }
    if (builtin == Builtin::distance) {
        for (ExprId& e : given) e = require_type(e, {.kind = TypeKind::node}, what);
        return add(ExprKind::call, {.kind = TypeKind::number, .dim = dimension::length}, where,
                   static_cast<std::uint32_t>(builtin), 0, std::move(given));
    }
    if (builtin == Builtin::nearest) {
        given[0] = require_type(given[0], {.kind = TypeKind::node, .many = true}, what);
        given[1] = require_type(given[1], {.kind = TypeKind::node}, what);
        if (given.size() > 2) given[2] = require_type(given[2], {.kind = TypeKind::integer}, what);
        return add(ExprKind::call, {.kind = TypeKind::integer}, where, static_cast<std::uint32_t>(builtin), 0,
                   std::move(given));
    }
    if (builtin == Builtin::draw) return draw(id, std::move(given));
    return mathematics(id, builtin, std::move(given));
}

// `prefix.contains(address)`, or of another prefix.
ExprId Checker::contains(SyntaxId id)
{
    const syntax::Call written(tree_, id);
    const SyntaxId object = syntax::Member(tree_, written.callee()).object();
    const auto given = syntax::ArgumentList(tree_, written.arguments()).arguments();
    const ExprId prefix = value(object, {.kind = TypeKind::prefix}, "`contains`");
    if (given.size() != 1 || tree_.is_hole(given[0]) || syntax::Argument(tree_, given[0]).has_name()) {
        diagnostics_.report(Diag::wrong_argument_count, span(id), "`contains` takes an address or a prefix")
            .help(fmt::format("write `{}.contains(address)`", text(object)));
        return error(span(id));
    }
    const ExprId one = expression(syntax::Argument(tree_, given[0]).value());
    const Expr of = program_.expr(one);
    if (of.type.kind == TypeKind::error || program_.expr(prefix).type.kind == TypeKind::error) return error(span(id));
    if ((of.type.kind != TypeKind::address && of.type.kind != TypeKind::prefix) || of.type.list) {
        auto report = diagnostics_.report(Diag::type_mismatch, of.span,
                                          fmt::format("`contains` takes an address or a prefix, found {}",
                                                      a_named(of.type)));
        if (of.type.list) report.help(fmt::format("ask for each: `all([{}.contains(a) for a in {}])`", text(object),
                                                  sources_.text(of.span)));
        return error(span(id));
    }
    return add(ExprKind::call, {.kind = TypeKind::boolean}, span(id), static_cast<std::uint32_t>(Builtin::contains), 0,
               {prefix, one});
}

// `connect` of `p99(browse, connect)`: a word, whatever else has the name.
std::optional<abi::MeasurePhase> Checker::find_phase(SyntaxId id, Builtin builtin) const
{
    for (std::size_t i = 1; i < std::size(abi::kMeasurePhases); ++i) {
        const auto phase = static_cast<abi::MeasurePhase>(i);
        if (tree_.kind(id) == SyntaxKind::name && text(id) == abi::kMeasurePhases[i] &&
            abi::is_direction(phase) == is_of_link(builtin))
            return phase;
    }
    return std::nullopt;
}

std::optional<abi::MeasurePhase> Checker::phase(SyntaxId id, Builtin builtin)
{
    const auto phase = find_phase(id, builtin);
    if (phase && (has_phases(builtin) || builtin == Builtin::load)) return phase;
    if (tree_.is_hole(id)) return std::nullopt;
    if (is_of_link(builtin)) {
        diagnostics_.report(Diag::unknown_name, span(id), fmt::format("there is no direction `{}`", text(id)))
            .help("`up` is from the end that the link names first, `down` the other way; without either the worse one");
        return std::nullopt;
    }
    if (!has_phases(builtin)) {
        diagnostics_
            .report(Diag::type_mismatch, span(id), fmt::format("`{}` is of no phase", builtin_name(builtin)))
            .help("times have phases; a request of a file is named in quotes");
        return std::nullopt;
    }
    diagnostics_.report(Diag::unknown_name, span(id), fmt::format("there is no phase `{}`", text(id)))
        .help(
            "the phases of a transaction are connect, tls, first_byte and transfer; `page` asks for whole pages, "
            "`slowdown` for that of flows; a request of a file is named in quotes");
    return std::nullopt;
}

static std::string whole_array(std::string_view name, unsigned indices)
{
    std::string result(name);
    for (unsigned i = 0; i < indices; ++i) result += "[*]";
    return result;
}

ExprId Checker::measure(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given)
{
    const SyntaxId object = given[0];
    const Span where = span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    const auto misplaced = [&](const std::string& why) {
        diagnostics_.report(Diag::misplaced_measure, where, fmt::format("{} stands {}", what, why))
            .help("it is known when the run ends: only a `require` of a model or component can ask for it");
        return error(where);
    };
    if (!in_require_) return misplaced("outside `require`");
    if (in_moment_) return misplaced("in a `require` of a moment");
    asks_measures_ = true;
    std::vector<ExprId> workloads;  // or one link
    const auto add_workload = [&](SyntaxId one) {
        const ExprId workload = link_or_value(one);
        const Type found = program_.expr(workload).type;
        workloads.push_back(workload);
        if (found.kind == TypeKind::error) return false;
        if (is_link_measure(builtin)) {
            if (found.kind == TypeKind::link && !found.array && !found.many) return true;
            auto report = diagnostics_.report(found.array ? Diag::invalid_selection : Diag::type_mismatch, span(one),
                                              fmt::format("{} wants a link, found {}", what, a_named(found)));
            if (found.kind == TypeKind::link && found.array)
                report.help(fmt::format("choose one: `{}[0]`", text(one))).fix_when_asked({span(one).behind(), "[0]"});
            return false;
        }
        if (found.kind == TypeKind::workload && !found.array) return true;
        auto report = diagnostics_.report(Diag::type_mismatch, span(one),
                                          fmt::format("{} wants a workload, found {}", what, a_named(found)));
        if (found.kind == TypeKind::link) report.help("of a link there are queue_delay, max_queue_delay and losses");
        if (found.kind == TypeKind::workload)
            report.help(fmt::format("`{}` are all its elements together", whole_array(text(one), found.array)))
                .fix(span(one), whole_array(text(one), found.array));
        return false;
    };
    bool fits = true;
    if (tree_.kind(object) == SyntaxKind::list && !is_link_measure(builtin))
    {  // of no values: expressions have no lists of workloads
        const auto elements = syntax::List(tree_, object).elements();
        for (const SyntaxId element : elements) fits = add_workload(element) && fits;
        if (elements.empty())
            diagnostics_.report(Diag::type_mismatch, span(object),
                                fmt::format("{} wants a workload, found none", what));
        fits = fits && !elements.empty();
    } else {
        fits = add_workload(object);
    }
    if (!fits) return error(where);
    // The name of a request, then a phase: either may be left out.
    std::size_t next = 1;
    const auto is_unknown = [&](SyntaxId one) {
        return tree_.kind(one) == SyntaxKind::name && !check_named(text(one), span(one)) && !find(text(one));
    };
    if (next < given.size() && !is_link_measure(builtin) && !tree_.is_hole(given[next]) &&
        !find_phase(given[next], builtin) && !is_unknown(given[next]))
    {
        workloads.push_back(value(given[next++], {.kind = TypeKind::string}, "the name of a request"));
        if (program_.expr(workloads.back()).type.kind == TypeKind::error) return error(where);
    }
    const auto of = next < given.size() ? phase(given[next++], builtin) : abi::MeasurePhase::whole;
    if (!of) return error(where);
    if (next == 3 && of == abi::MeasurePhase::page) {
        diagnostics_.report(Diag::type_mismatch, span(given[2]), "a page is more than one request")
            .help(fmt::format("of pages there is `{}(workload, page)`", builtin_name(builtin)));
        return error(where);
    }
    if (next < given.size()) {
        diagnostics_
            .report(Diag::wrong_argument_count, span(given[next]), fmt::format("{} is of one phase", what))
            .help(fmt::format("a request's name stands before it: `{}(workload, \"name\", first_byte)`",
                              builtin_name(builtin)));
        return error(where);
    }
    return add(ExprKind::call, {.kind = TypeKind::number, .dim = dimension_of_measure(measure_kind(builtin), *of)},
               where, static_cast<std::uint32_t>(builtin), static_cast<double>(*of), workloads);
}

// Whether routes can be asked for there; else it is reported.
bool Checker::may_ask_routes(Span where, Builtin builtin)
{
    asks_paths_ = asks_paths_ || in_require_;
    if (in_require_) return true;
    diagnostics_
        .report(Diag::misplaced_path_function, where,
                fmt::format("`{}` stands outside `require`", builtin_name(builtin)))
        .help(builtin == Builtin::bdp
                  ? "routes exist once the network is complete: only a `require` of a model or component can ask "
                    "for them; `bdp(link)`, of a link further up, may stand anywhere"
                  : "routes exist once the network is complete: only a `require` of a model or component can ask "
                    "for them");
    return false;
}

ExprId Checker::path_function(SyntaxId id, Builtin builtin, const std::vector<ExprId>& given)
{
    const Span where = span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    if (!may_ask_routes(where, builtin)) return error(where);
    std::vector<ExprId> nodes;
    for (ExprId e : given) {
        const bool several = builtin == Builtin::path && nodes.size() == 2;
        nodes.push_back(require_type(e, {.kind = TypeKind::node, .many = several}, what));
    }
    Type type{.kind = TypeKind::number};
    if (builtin == Builtin::rtt) type.dim = dimension::time;
    if (builtin == Builtin::bottleneck) type.dim = dimension::rate;
    if (builtin == Builtin::bdp) type.dim = dimension::size;
    if (builtin == Builtin::hops || builtin == Builtin::disjoint_paths) type.kind = TypeKind::integer;
    if (builtin == Builtin::reachable || builtin == Builtin::via || builtin == Builtin::disjoint ||
        builtin == Builtin::path)
        type.kind = TypeKind::boolean;
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(builtin), 0, std::move(nodes));
}

}  // namespace anml
