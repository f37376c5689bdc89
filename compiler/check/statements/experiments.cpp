// Experiments: models that extend another one, whose parameters they have, and say which of these take which values,
// what is measured and how often it is run.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

bool only_in_experiment(Checking& in, SyntaxId id, std::string_view word)
{
    const Component& around = in.program.component(in.component);
    if (!around.is_experiment && around.is_model && around.base) {  // `model growth : Shop { vary ... }`
        const Span whole = in.span(in.component_syntax[in.component.value]);
        if (!in.once.insert(around.span).second) return false;
        const std::size_t model = in.sources.text(whole).find("model");
        const auto begin = whole.begin + static_cast<std::uint32_t>(model);
        in.report(Diag::misplaced_statement, around.span, fmt::format("`{}` belongs to an experiment", word))
            .also(in.span(id), "here")
            .help(fmt::format("a model is made one by its first word: `experiment {} : {}`", around.name,
                              in.program.component(around.base).name))
            .fix({whole.file, begin, begin + 5}, "experiment");
        return false;
    }
    if (!in.program.component(in.component).is_experiment) {
        in.report(Diag::misplaced_statement, in.tree.node(id).token.valid() ? in.tree.node(id).token : in.span(id),
                  fmt::format("`{}` belongs to an experiment", word))
            .also(in.program.component(in.component).span, "this is none")
            .help(in.program.component(in.component).is_model
                      ? fmt::format("write it beside the model: `experiment e : {} {{ {} }}`",
                                    in.program.component(in.component).name, in.text(id))
                      : "write `experiment NAME : MODEL { ... }`");
        return false;
    }
    if (in.scopes.size() == 1) return true;
    in.report(Diag::misplaced_statement, in.span(id),
              fmt::format("`{}` depends on no condition and stands in no loop", word));
    return false;
}

}  // namespace

// Whether the model, or experiment, may extend that one.
bool experiment_base(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ComponentId id,
                     ComponentId base, SyntaxId name)
{
    const Component& extended = program.component(base);
    if (extended.is_experiment) {
        diagnostics
            .report(Diag::invalid_experiment, source.span(name),
                    fmt::format("`{}` is an experiment itself", extended.name))
            .also(extended.span, "declared here")
            .help("name the model that it extends");
        return false;
    }
    if (!program.component(id).is_experiment || extended.is_model) return true;
    diagnostics
        .report(Diag::invalid_experiment, source.span(name),
                fmt::format("an experiment extends a model, and `{}` is a component", extended.name))
        .also(extended.span, "declared here");
    return false;
}

// Those of the model; its slots are the first ones.
void take_parameters(CheckerScope& scope, CheckedProgram& program, Diagnostics& diagnostics, ComponentId id,
                     ComponentId base)
{
    if (const auto& own = program.component(id).parameters; !own.empty())
        diagnostics.report(Diag::invalid_experiment, own.front().span, "an experiment has the parameters of its model")
            .help(fmt::format("declare `{}` in `{}`", own.front().name, program.component(base).name));
    program.components[id.value].parameters = program.component(base).parameters;
    for (const Parameter& p : program.component(id).parameters)
        scope.scopes.back().try_emplace(p.name, Symbol{SymbolKind::local, p.slot, p.span, p.type});
}

bool factor_statement(Checking& in, SyntaxId id, Statement& out)
{
    const std::string word{in.sources.text(in.tree.node(id).token)};
    if (!only_in_experiment(in, id, word)) return false;
    const syntax::FactorDeclaration written(in.tree, id);
    FactorStatement factor;
    factor.name = in.text(written.name());
    out.span = in.span(written.name());
    const std::vector<Parameter>& parameters = in.program.component(in.component).parameters;
    const std::vector<Attribute>& attributes = in.program.schema(in.program.experiment).attributes;
    const auto parameter =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == factor.name; });
    const auto attribute =
        std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == factor.name; });
    Type type;
    if (parameter != parameters.end()) {
        factor.parameter = static_cast<std::uint32_t>(parameter - parameters.begin());
        type = parameter->type;
        in.means(written.name(), parameter->span);
    } else if (attribute != attributes.end() && attribute->type.kind == TypeKind::string) {
        factor.attribute = static_cast<std::uint32_t>(attribute - attributes.begin());
        type = attribute->type;
        in.means(written.name(), attribute->span);
    } else {
        std::vector<std::string_view> candidates;
        if (in.diagnostics.suggests())
            for (const Parameter& p : parameters) candidates.push_back(p.name);
        auto report =
            in.report(Diag::unknown_name, out.span, fmt::format("the model has no parameter `{}`", factor.name));
        if (const auto similar = similar_name(factor.name, candidates); !similar.empty())
            report.suggest(out.span, similar, quoted_name(similar));
        else
            report.help(fmt::format("an experiment varies parameters of its model{}, and the `server` of its `run`",
                                    candidates.empty() ? "" : fmt::format(", `{}`", fmt::join(candidates, "`, `"))));
        return false;
    }
    if (const auto [before, fresh] = in.factors.try_emplace(in.text(written.name()), Upcoming{out.span, {}}); !fresh) {
        in.report(Diag::invalid_experiment, out.span, fmt::format("`{}` is a factor already", factor.name))
            .also(before->second.span, "here");
        return false;
    }
    const bool number = is_numeric(type);
    if (type.list || type.random || type.kind == TypeKind::node || type.kind == TypeKind::component) {
        in.report(Diag::invalid_experiment, out.span,
                  fmt::format("`{}` is {}, which no experiment varies", factor.name, in.a_named(type)));
        return false;
    }
    const std::string what = fmt::format("`{}`", factor.name);
    const bool range = in.tree.kind(written.over()) == SyntaxKind::range;
    if (word == "search") {
        if (!range || !number) {
            in.report(Diag::invalid_experiment, in.span(written.over()),
                      number ? "a search goes between two values" : "a search is for a number")
                .help(fmt::format("write `search {} in 1 .. 100`, or `vary {} in [...]`", factor.name, factor.name));
            return false;
        }
        const syntax::Range bounds(in.tree, written.over());
        factor.low = value(in, bounds.low(), type, what);
        factor.high = value(in, bounds.high(), type, what);
    } else if (range) {
        in.report(Diag::invalid_experiment, in.span(written.over()), "levels are a list")
            .help(fmt::format("write `vary {} in [1, 2, 4]`", factor.name));
        return false;
    } else {
        type.list = true;
        factor.levels = value(in, written.over(), type, what);
    }
    out.form = std::move(factor);
    return true;
}

// `measure p99(browse)` reads like an instance of a component `measure`, unless there is one.
bool is_measure_statement(const Checking& in, SyntaxId id)
{
    const syntax::InstanceDeclaration written(in.tree, id);
    const auto parts = syntax::DottedName(in.tree, written.component()).parts();
    return parts.size() == 1 && in.text(parts[0]) == "measure" && written.has_arguments() && !find(in, "measure");
}

bool measure_statement(Checking& in, SyntaxId id, Statement& out)
{
    const syntax::InstanceDeclaration written(in.tree, id);
    out.span = in.span(id);
    if (!only_in_experiment(in, id, "measure")) return false;
    const auto builtin = find_builtin(in.text(written.name()));
    if (!builtin || !is_measure(*builtin)) {
        in.report(Diag::unknown_name, in.span(written.name()),
                  fmt::format("there is no measure `{}`", in.text(written.name())))
            .help(fmt::format("measures are {}", measures_there_are()));
        return false;
    }
    std::vector<SyntaxId> given;  // but for the ends of a part of the run
    for (const SyntaxId one : syntax::ArgumentList(in.tree, written.arguments()).arguments()) {
        const bool named = !in.tree.is_hole(one) && syntax::Argument(in.tree, one).has_name();
        if (!named || !is_end_of_part(*builtin, in.text(syntax::Argument(in.tree, one).name()))) given.push_back(one);
    }
    const std::size_t most = most_of_measure(*builtin);
    if (given.empty() || given.size() > most || in.tree.is_hole(given[0]) || written.has_brackets() ||
        written.has_overrides())
    {
        in.report(Diag::wrong_argument_count, in.span(id), "a measure is of one workload, or of one link")
            .help(fmt::format("write `measure {}`", builtin_usage(*builtin)));
        return false;
    }
    in.in_require = true;
    std::vector<SyntaxId> values;
    for (const SyntaxId argument : given)
        if (!in.tree.is_hole(argument)) values.push_back(syntax::Argument(in.tree, argument).value());
    out.form = MeasureStatement{measure(in, id, *builtin, values)};
    in.in_require = false;
    return true;
}

}  // namespace anml
