// Distributions: the functions that draw. What they are given may be random itself, but for weights, points and files.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {
std::string_view distribution_arguments(Builtin distribution)
{
    switch (distribution) {
        case Builtin::constant:
        case Builtin::exponential:
            return "v";
        case Builtin::uniform:
        case Builtin::normal:
            return "vv";
        case Builtin::lognormal:
        case Builtin::pareto:
        case Builtin::weibull:
            return "vn";
        case Builtin::zipf:
            return "nn";
        case Builtin::geometric:
        case Builtin::chance:
            return "n";
        default:
            return "";
    }
}

ExprId Checker::distribution_call(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& syntax)
{
    const bool file = !syntax.empty() && tree_.kind(syntax[0]) == SyntaxKind::literal_string;
    if (builtin == Builtin::empirical || (builtin == Builtin::cumulative && file)) return samples(id, builtin, syntax);
    const Span where = span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    if (builtin == Builtin::cumulative && tree_.kind(syntax[0]) == SyntaxKind::list) {
        const auto elements = syntax::List(tree_, syntax[0]).elements();
        if (!elements.empty() && tree_.kind(elements[0]) == SyntaxKind::list) {
            diagnostics_
                .report(Diag::type_mismatch, span(syntax[0]), "the points of `cumulative` are two lists, not pairs")
                .help("write `cumulative([1 KB, 10 KB, 1 MB], [0, 80 %, 100 %])`: the values, then their shares");
            return error(where);
        }
    }
    std::vector<ExprId> given;
    for (SyntaxId s : syntax) given.push_back(expression(s));
    for (ExprId e : given)
        if (program_.expr(e).type.kind == TypeKind::error) return error(where);
    if (builtin == Builtin::mixture) return mixture(id, given);
    if (builtin == Builtin::cumulative) return cumulative(id, given);

    const std::string_view letters = builtin == Builtin::truncated ? "vvv" : distribution_arguments(builtin);
    Type type{.kind = TypeKind::number, .random = true};
    bool first = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!numeric(given[i], what)) return error(where);
        if (letters[i] == 'n') {
            if (program_.expr(given[i]).type.dim == dimension::none) continue;
            require_type(given[i], {.kind = TypeKind::number, .random = true},
                         fmt::format("argument {} of {}", i + 1, what));
            return error(where);
        }
        if (!first && !same_dimension(given[0], given[i], what)) return error(where);
        type.dim = program_.expr(given[i]).type.dim;
        first = false;
    }
    if (builtin == Builtin::zipf || builtin == Builtin::geometric) type.kind = TypeKind::integer;
    if (builtin == Builtin::truncated) type.kind = program_.expr(given[0]).type.kind;
    if (builtin == Builtin::chance) type.kind = TypeKind::boolean;
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(builtin), 0, std::move(given));
}

ExprId Checker::mixture(SyntaxId id, const std::vector<ExprId>& given)
{
    const Span where = span(id);
    const Expr weights = program_.expr(given[0]), parts = program_.expr(given[1]);
    const auto wants = [&](const Expr& argument, std::string_view what) {
        diagnostics_
            .report(Diag::type_mismatch, argument.span,
                    fmt::format("`mixture` wants a list of {}, found {}", what, a_named(argument.type)))
            .help("write `mixture([0.9, 0.1], [exponential(1 s), pareto(1 s, 1.5)])`");
        return error(where);
    };
    const auto is_list = [](const Type& t) {
        return t.list && (t.kind == TypeKind::number || t.kind == TypeKind::integer);
    };
    if (!is_list(weights.type) || weights.type.random || weights.type.dim != dimension::none)
        return wants(weights, "plain numbers");
    if (!is_list(parts.type)) return wants(parts, "distributions");
    Type type = parts.type;
    type.list = false;
    type.random = true;
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(Builtin::mixture), 0, given);
}

// Points in the text: two lists.
ExprId Checker::cumulative(SyntaxId id, const std::vector<ExprId>& given)
{
    const Span where = span(id);
    const auto fits = [&](const Type& t) {
        return t.list && !t.random && (t.kind == TypeKind::number || t.kind == TypeKind::integer);
    };
    const Expr values = program_.expr(given[0]), shares = program_.expr(given.back());
    const Expr* wrong = nullptr;
    if (!fits(values.type))
        wrong = &values;
    else if (given.size() < 2 || !fits(shares.type) || shares.type.dim != dimension::none)
        wrong = &shares;
    if (wrong) {
        const bool alone = given.size() < 2 && wrong == &shares;
        diagnostics_
            .report(Diag::type_mismatch, wrong->span,
                    alone ? "`cumulative` wants a list of shares behind its values"
                          : fmt::format("`cumulative` wants a list of {}, found {}",
                                        wrong == &values ? "values" : "plain numbers", a_named(wrong->type)))
            .help("write `cumulative([1 KB, 10 KB, 1 MB], [0, 80 %, 100 %])`, or `cumulative(\"file.csv\", 1 B)`");
        return error(where);
    }
    Type type = values.type;
    type.kind = TypeKind::number;
    type.list = false;
    type.random = true;
    return add(ExprKind::call, type, where, static_cast<std::uint32_t>(Builtin::cumulative), 0, given);
}

}  // namespace anml
