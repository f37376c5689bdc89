// Distributions: the functions that draw. What they are given may be random itself, but for weights, points and files.
#include <fmt/format.h>

#include "check/expressions/expressions.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

ExprId mixture(Checking& in, SyntaxId id, const std::vector<ExprId>& given)
{
    const Span where = in.span(id);
    const Expr weights = in.program.expr(given[0]), parts = in.program.expr(given[1]);
    const auto wants = [&](const Expr& argument, std::string_view what) {
        in.report(Diag::type_mismatch, argument.span,
                  fmt::format("`mixture` wants a list of {}, found {}", what, in.a_named(argument.type)))
            .help("write `mixture([0.9, 0.1], [exponential(1 s), pareto(1 s, 1.5)])`");
        return in.error(where);
    };
    const auto is_list = [](const Type& t) { return t.list && is_numeric(t); };
    if (!is_list(weights.type) || weights.type.random || weights.type.dim != dimension::none)
        return wants(weights, "plain numbers");
    if (!is_list(parts.type)) return wants(parts, "distributions");
    Type type = parts.type;
    type.list = false;
    type.random = true;
    return in.call(Builtin::mixture, type, where, given);
}

// Points in the text: two lists.
ExprId cumulative(Checking& in, SyntaxId id, const std::vector<ExprId>& given)
{
    const Span where = in.span(id);
    const auto fits = [&](const Type& t) { return t.list && !t.random && is_numeric(t); };
    const Expr values = in.program.expr(given[0]), shares = in.program.expr(given.back());
    const Expr* wrong = nullptr;
    if (!fits(values.type))
        wrong = &values;
    else if (given.size() < 2 || !fits(shares.type) || shares.type.dim != dimension::none)
        wrong = &shares;
    if (wrong) {
        const bool alone = given.size() < 2 && wrong == &shares;
        in.report(Diag::type_mismatch, wrong->span,
                  alone ? "`cumulative` wants a list of shares behind its values"
                        : fmt::format("`cumulative` wants a list of {}, found {}",
                                      wrong == &values ? "values" : "plain numbers", in.a_named(wrong->type)))
            .help("write `cumulative([1 KB, 10 KB, 1 MB], [0, 80 %, 100 %])`, or `cumulative(\"file.csv\", 1 B)`");
        return in.error(where);
    }
    Type type = values.type;
    type.kind = TypeKind::number;
    type.list = false;
    type.random = true;
    return in.call(Builtin::cumulative, type, where, given);
}

}  // namespace

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

ExprId distribution_call(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& syntax)
{
    const bool file = !syntax.empty() && in.tree.kind(syntax[0]) == SyntaxKind::literal_string;
    if (builtin == Builtin::empirical || (builtin == Builtin::cumulative && file))
        return samples(in, id, builtin, syntax);
    const Span where = in.span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    if (builtin == Builtin::cumulative && in.tree.kind(syntax[0]) == SyntaxKind::list) {
        const auto elements = syntax::List(in.tree, syntax[0]).elements();
        if (!elements.empty() && in.tree.kind(elements[0]) == SyntaxKind::list) {
            in.report(Diag::type_mismatch, in.span(syntax[0]), "the points of `cumulative` are two lists, not pairs")
                .help("write `cumulative([1 KB, 10 KB, 1 MB], [0, 80 %, 100 %])`: the values, then their shares");
            return in.error(where);
        }
    }
    std::vector<ExprId> given;
    for (SyntaxId s : syntax) given.push_back(expression(in, s));
    for (ExprId e : given)
        if (in.program.expr(e).type.kind == TypeKind::error) return in.error(where);
    const auto low = constant(in.program, given[0]), high = constant(in.program, given.back());
    const bool same = in.program.expr(given[0]).type.dim == in.program.expr(given.back()).type.dim;
    if (builtin == Builtin::uniform && low && high && same && *low > *high) {
        const Span both{where.file, in.span(syntax[0]).begin, in.span(syntax[1]).end};
        in.report(Diag::out_of_range, both, "the range of `uniform` is empty")
            .help(fmt::format("the lower end comes first: `{}, {}`", in.text(syntax[1]), in.text(syntax[0])))
            .fix(both, fmt::format("{}, {}", in.text(syntax[1]), in.text(syntax[0])));
        return in.error(where);
    }
    if (builtin == Builtin::mixture) return mixture(in, id, given);
    if (builtin == Builtin::cumulative) return cumulative(in, id, given);

    const std::string_view letters = builtin == Builtin::truncated ? "vvv" : distribution_arguments(builtin);
    Type type{.kind = TypeKind::number, .random = true};
    bool first = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (!numeric(in.program, in.diagnostics, given[i], what)) return in.error(where);
        if (letters[i] == 'n') {
            if (in.program.expr(given[i]).type.dim == dimension::none) continue;
            require_type(in, given[i], {.kind = TypeKind::number, .random = true},
                         fmt::format("argument {} of {}", i + 1, what));
            return in.error(where);
        }
        if (!first && !same_dimension(in.program, in.diagnostics, given[0], given[i], what)) return in.error(where);
        type.dim = in.program.expr(given[i]).type.dim;
        first = false;
    }
    if (builtin == Builtin::zipf || builtin == Builtin::geometric) type.kind = TypeKind::integer;
    if (builtin == Builtin::truncated) type.kind = in.program.expr(given[0]).type.kind;
    if (builtin == Builtin::chance) type.kind = TypeKind::boolean;
    return in.call(builtin, type, where, std::move(given));
}

}  // namespace anml
