// Functions of lists: what they take, and the type of what they make.
#include <fmt/format.h>

#include "check/checker.h"

namespace anml {

// `min` and `max` also take two or more values.
bool Checker::asks_list(Builtin builtin, const std::vector<ExprId>& given) const
{
    if (builtin == Builtin::min || builtin == Builtin::max) return given.size() == 1;
    return builtin == Builtin::sum || builtin == Builtin::any || builtin == Builtin::all;
}

ExprId Checker::of_list(SyntaxId id, Builtin builtin, ExprId list)
{
    const Expr of = program_.expr(list);
    const bool truth = builtin == Builtin::any || builtin == Builtin::all;
    Type element = of.type;
    element.list = false;
    const bool fits = truth ? element.kind == TypeKind::boolean
                            : element.kind == TypeKind::number || element.kind == TypeKind::integer;
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    if (!of.type.list || !fits) {
        const bool alternative = builtin == Builtin::min || builtin == Builtin::max;
        auto report = diagnostics_.report(
            Diag::type_mismatch, of.span,
            fmt::format("{} wants {}a list of {}, found {}", what, alternative ? "two or more values, or " : "",
                        truth ? "bools" : "numbers or quantities", a_named(of.type)));
        if (of.type.list && element.kind == TypeKind::boolean)
            report.help("whether one of them holds is `any(list)`, whether all do `all(list)`");
        else if (of.type.many || of.type.array)
            report.help(fmt::format("how many there are is `len({})`", sources_.text(of.span)));
        return error(span(id));
    }
    if (element.random) {
        diagnostics_
            .report(Diag::type_mismatch, of.span,
                    fmt::format("{} wants fixed values, and these are drawn anew each time", what))
            .help(truth ? "name them one by one: `a || b`" : "name them one by one: `a + b`, `max(a, b)`");
        return error(span(id));
    }
    return add(ExprKind::call, element, span(id), static_cast<std::uint32_t>(builtin), 0, {list});
}

}  // namespace anml
