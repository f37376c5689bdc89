// What declarations of attributes and parameters say besides the type: ranges, numbers of elements, patterns.
#include <fmt/format.h>

#include "base/pattern.h"
#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

std::string elements(std::uint32_t least, std::uint32_t most)
{
    return least == most ? fmt::format("{} element{}", least, least == 1 ? "" : "s")
                         : fmt::format("{} to {} elements", least, most);
}

}  // namespace

std::string cardinality_message(std::string_view name, const Limits& limits, std::size_t found)
{
    return fmt::format("`{}` wants {}, found {}", name, elements(limits.least, limits.most), found);
}

Limits Checker::limits(SyntaxId declaration, const Type& type, std::string_view name)
{
    Limits result;
    const syntax::ValueDeclaration declared(tree_, declaration);
    static_cast<ValueRange&>(result) = range(declared.range(), type, name);
    if (declared.has_cardinality()) {
        const SyntaxId number = declared.cardinality();
        const bool is_range = tree_.kind(number) == SyntaxKind::range;
        const Type integer{.kind = TypeKind::integer};
        const std::string what = fmt::format("the number of elements of `{}`", name);
        const ExprId low = value(is_range ? syntax::Range(tree_, number).low() : number, integer, what);
        const ExprId high = is_range ? value(syntax::Range(tree_, number).high(), integer, what) : low;
        const auto least = constant(low), most = constant(high);
        const bool half_open = tree_.node(number).flags & syntax_flag::half_open;
        if (!least || !most) {
            diagnostics_.report(Diag::type_mismatch, span(number), what + " is written in digits");
        } else if (*least < 0 || *most - half_open < *least || *most > 1e9) {
            diagnostics_.report(Diag::out_of_range, span(number), "no list has so many elements");
        } else {
            result.least = static_cast<std::uint32_t>(*least);
            result.most = static_cast<std::uint32_t>(*most) - half_open;
        }
    }
    if (declared.has_pattern()) {
        const SyntaxId pattern = declared.pattern();
        result.pattern = string_value(pattern);
        if (type.kind != TypeKind::string && type.kind != TypeKind::error)
            diagnostics_.report(Diag::type_mismatch, span(pattern),
                                fmt::format("only a string has a pattern, found {}", a_named(type)));
        if (const auto problem = Pattern::parse(result.pattern).problem; !problem.empty()) {
            diagnostics_.report(Diag::invalid_pattern, span(pattern), problem);
            result.pattern.clear();
        }
    }
    return result;
}

void Checker::check_limits(ExprId value, const Limits& limits, std::string_view name, Span declared)
{
    const Expr& e = program_.expr(value);
    if (!limits.pattern.empty() && e.kind == ExprKind::string &&
        !Pattern::parse(limits.pattern).matches(program_.strings[e.index]))
        diagnostics_
            .report(Diag::pattern_mismatch, e.span,
                    fmt::format("`{}` is \"{}\", which does not match \"{}\"", name, program_.strings[e.index],
                                limits.pattern))
            .also(declared, "its pattern is declared here");
    if (e.kind == ExprKind::list && (e.operand_count < limits.least || e.operand_count > limits.most))
        diagnostics_.report(Diag::out_of_range, e.span, cardinality_message(name, limits, e.operand_count))
            .also(declared, "declared here");
}

}  // namespace anml
