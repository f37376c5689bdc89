// Experiments: models that extend another one, whose parameters they have, and say which of these take which values,
// what is measured and how often it is run.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

// Whether the model, or experiment, may extend that one.
bool Checker::experiment_base(ComponentId id, ComponentId base, SyntaxId name)
{
    const Component& extended = program_.component(base);
    if (extended.is_experiment) {
        diagnostics_
            .report(Diag::invalid_experiment, span(name), fmt::format("`{}` is an experiment itself", extended.name))
            .also(extended.span, "declared here")
            .help("name the model that it extends");
        return false;
    }
    if (!program_.component(id).is_experiment || extended.is_model) return true;
    diagnostics_
        .report(Diag::invalid_experiment, span(name),
                fmt::format("an experiment extends a model, and `{}` is a component", extended.name))
        .also(extended.span, "declared here");
    return false;
}

// Those of the model; its slots are the first ones.
void Checker::take_parameters(ComponentId id, ComponentId base)
{
    if (const auto& own = program_.component(id).parameters; !own.empty())
        diagnostics_.report(Diag::invalid_experiment, own.front().span, "an experiment has the parameters of its model")
            .help(fmt::format("declare `{}` in `{}`", own.front().name, program_.component(base).name));
    program_.components[id.value].parameters = program_.component(base).parameters;
    for (const Parameter& p : program_.component(id).parameters)
        scopes_.back().try_emplace(p.name, Symbol{SymbolKind::local, p.slot, p.span, p.type});
}

bool Checker::only_in_experiment(SyntaxId id, std::string_view word)
{
    if (!program_.component(component_).is_experiment) {
        diagnostics_
            .report(Diag::misplaced_statement, tree_.node(id).token.valid() ? tree_.node(id).token : span(id),
                    fmt::format("`{}` belongs to an experiment", word))
            .also(program_.component(component_).span, "this is none")
            .help(program_.component(component_).is_model
                      ? fmt::format("write it beside the model: `experiment e : {} {{ {} }}`",
                                    program_.component(component_).name, text(id))
                      : "write `experiment NAME : MODEL { ... }`");
        return false;
    }
    if (scopes_.size() == 1) return true;
    diagnostics_.report(Diag::misplaced_statement, span(id),
                        fmt::format("`{}` depends on no condition and stands in no loop", word));
    return false;
}

bool Checker::factor_statement(SyntaxId id, Statement& out)
{
    const std::string word{sources_.text(tree_.node(id).token)};
    if (!only_in_experiment(id, word)) return false;
    const syntax::FactorDeclaration written(tree_, id);
    FactorStatement factor;
    factor.name = text(written.name());
    out.span = span(written.name());
    const std::vector<Parameter>& parameters = program_.component(component_).parameters;
    const std::vector<Attribute>& attributes = program_.schema(program_.experiment).attributes;
    const auto parameter =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == factor.name; });
    const auto attribute =
        std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == factor.name; });
    Type type;
    if (parameter != parameters.end()) {
        factor.parameter = static_cast<std::uint32_t>(parameter - parameters.begin());
        type = parameter->type;
        means(written.name(), parameter->span);
    } else if (attribute != attributes.end() && attribute->type.kind == TypeKind::string) {
        factor.attribute = static_cast<std::uint32_t>(attribute - attributes.begin());
        type = attribute->type;
        means(written.name(), attribute->span);
    } else {
        std::vector<std::string_view> candidates;
        if (diagnostics_.suggests())
            for (const Parameter& p : parameters) candidates.push_back(p.name);
        auto report = diagnostics_.report(Diag::unknown_name, out.span,
                                          fmt::format("the model has no parameter `{}`", factor.name));
        if (const auto similar = similar_name(factor.name, candidates); !similar.empty())
            report.suggest(out.span, similar, quoted_name(similar));
        else
            report.help(fmt::format("an experiment varies parameters of its model{}, and the `server` of its `run`",
                                    candidates.empty() ? "" : fmt::format(", `{}`", fmt::join(candidates, "`, `"))));
        return false;
    }
    if (const auto [before, fresh] = factors_.try_emplace(text(written.name()), Upcoming{out.span, {}}); !fresh) {
        diagnostics_.report(Diag::invalid_experiment, out.span, fmt::format("`{}` is a factor already", factor.name))
            .also(before->second.span, "here");
        return false;
    }
    const bool number = type.kind == TypeKind::number || type.kind == TypeKind::integer;
    if (type.list || type.random || type.kind == TypeKind::node || type.kind == TypeKind::component) {
        diagnostics_.report(Diag::invalid_experiment, out.span,
                            fmt::format("`{}` is {}, which no experiment varies", factor.name, a_named(type)));
        return false;
    }
    const std::string what = fmt::format("`{}`", factor.name);
    const bool range = tree_.kind(written.over()) == SyntaxKind::range;
    if (word == "search") {
        if (!range || !number) {
            diagnostics_
                .report(Diag::invalid_experiment, span(written.over()),
                        number ? "a search goes between two values" : "a search is for a number")
                .help(fmt::format("write `search {} in 1 .. 100`, or `vary {} in [...]`", factor.name, factor.name));
            return false;
        }
        const syntax::Range bounds(tree_, written.over());
        factor.low = value(bounds.low(), type, what);
        factor.high = value(bounds.high(), type, what);
    } else if (range) {
        diagnostics_.report(Diag::invalid_experiment, span(written.over()), "levels are a list")
            .help(fmt::format("write `vary {} in [1, 2, 4]`", factor.name));
        return false;
    } else {
        type.list = true;
        factor.levels = value(written.over(), type, what);
    }
    out.form = std::move(factor);
    return true;
}

// `measure p99(browse)` reads like an instance of a component `measure`, unless there is one.
bool Checker::is_measure_statement(SyntaxId id) const
{
    const syntax::InstanceDeclaration written(tree_, id);
    const auto parts = syntax::DottedName(tree_, written.component()).parts();
    return parts.size() == 1 && text(parts[0]) == "measure" && written.has_arguments() && !find("measure");
}

bool Checker::measure_statement(SyntaxId id, Statement& out)
{
    const syntax::InstanceDeclaration written(tree_, id);
    out.span = span(id);
    if (!only_in_experiment(id, "measure")) return false;
    const auto builtin = find_builtin(text(written.name()));
    if (!builtin || !is_measure(*builtin)) {
        diagnostics_
            .report(Diag::unknown_name, span(written.name()),
                    fmt::format("there is no measure `{}`", text(written.name())))
            .help(fmt::format("measures are {}", measures_there_are()));
        return false;
    }
    std::vector<SyntaxId> given;  // but for the ends of a part of the run
    for (const SyntaxId one : syntax::ArgumentList(tree_, written.arguments()).arguments()) {
        const bool named = !tree_.is_hole(one) && syntax::Argument(tree_, one).has_name();
        if (!named || !is_end_of_part(*builtin, text(syntax::Argument(tree_, one).name()))) given.push_back(one);
    }
    const std::size_t most = most_of_measure(*builtin);
    if (given.empty() || given.size() > most || tree_.is_hole(given[0]) || written.has_brackets() ||
        written.has_overrides())
    {
        diagnostics_.report(Diag::wrong_argument_count, span(id), "a measure is of one workload, or of one link")
            .help(fmt::format("write `measure {}`", builtin_usage(*builtin)));
        return false;
    }
    in_require_ = true;
    std::vector<SyntaxId> values;
    for (const SyntaxId argument : given)
        if (!tree_.is_hole(argument)) values.push_back(syntax::Argument(tree_, argument).value());
    out.form = MeasureStatement{measure(id, *builtin, values)};
    in_require_ = false;
    return true;
}

}  // namespace anml
