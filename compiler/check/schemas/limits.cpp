// What declarations of attributes and parameters say besides the type: ranges, numbers of elements, patterns.
#include <fmt/format.h>

#include "base/pattern.h"
#include "base/string_literal.h"
#include "check/statements/statements.h"
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

Limits limits(Checking& in, SyntaxId declaration, const Type& type, std::string_view name)
{
    Limits result;
    const syntax::ValueDeclaration declared(in.tree, declaration);
    static_cast<ValueRange&>(result) = range(in, declared.range(), type, name);
    const auto digits = [&](SyntaxId id) { return in.tree.kind(id) == SyntaxKind::literal_quantity; };
    if (declared.has_cardinality() && in.tree.kind(declared.cardinality()) == SyntaxKind::range &&
        digits(syntax::Range(in.tree, declared.cardinality()).low()))
    {
        Type one = type;
        one.list = false;
        in.report(Diag::type_mismatch, in.span(declared.cardinality()),
                  "brackets say how many there are, found a range")
            .help(fmt::format("a range of values stands behind `in`: `{} in {}`", in.named(one),
                              in.text(declared.cardinality())));
    } else if (declared.has_cardinality() && type.kind != TypeKind::error) {
        const SyntaxId number = declared.cardinality();
        const bool is_range = in.tree.kind(number) == SyntaxKind::range;
        const Type integer{.kind = TypeKind::integer};
        const std::string what = fmt::format("the number of elements of `{}`", name);
        const ExprId low = value(in, is_range ? syntax::Range(in.tree, number).low() : number, integer, what);
        const ExprId high = is_range ? value(in, syntax::Range(in.tree, number).high(), integer, what) : low;
        const auto least = constant(in.program, low), most = constant(in.program, high);
        const bool half_open = in.tree.node(number).flags & syntax_flag::half_open;
        if (!least || !most) {
            in.report(Diag::type_mismatch, in.span(number), what + " is written in digits");
        } else if (*least < 0 || *most - half_open < *least || *most > 1e9) {
            in.report(Diag::out_of_range, in.span(number), "no list has so many elements");
        } else {
            result.least = static_cast<std::uint32_t>(*least);
            result.most = static_cast<std::uint32_t>(*most) - half_open;
        }
    }
    if (declared.has_pattern()) {
        const SyntaxId pattern = declared.pattern();
        result.pattern = string_value(in, in.diagnostics, pattern);
        if (type.kind != TypeKind::string && type.kind != TypeKind::error)
            in.report(Diag::type_mismatch, in.span(pattern),
                      fmt::format("only a string has a pattern, found {}", in.a_named(type)));
        if (const auto problem = Pattern::parse(result.pattern).problem; !problem.empty()) {
            in.report(Diag::invalid_pattern, in.span(pattern), problem);
            result.pattern.clear();
        }
    }
    return result;
}

void check_limits(const CheckedProgram& program, Diagnostics& diagnostics, ExprId value, const Limits& limits,
                  std::string_view name, Span declared)
{
    const Expr& e = program.expr(value);
    if (!limits.pattern.empty() && e.kind == ExprKind::string &&
        !Pattern::parse(limits.pattern).matches(program.strings[e.index]))
    {
        const std::string& given = program.strings[e.index];
        auto report = diagnostics.report(Diag::pattern_mismatch, e.span,
                                         fmt::format("`{}` is \"{}\", which does not match \"{}\"", name, given,
                                                     limits.pattern));
        report.also(declared, "its pattern is declared here");
        const std::size_t host = given.find("://"), slash = host == given.npos ? host : given.find('/', host + 3);
        const std::string path = host == given.npos ? "/" + given : slash == given.npos ? "/" : given.substr(slash);
        if (name == "path" && Pattern::parse(limits.pattern).matches(path))
            report
                .help(fmt::format("a path begins with `/`, and has no host before it: {}", string_literal(path)))
                .fix(e.span, string_literal(path));
    }
    if (e.kind == ExprKind::list && (e.operand_count < limits.least || e.operand_count > limits.most))
        diagnostics.report(Diag::out_of_range, e.span, cardinality_message(name, limits, e.operand_count))
            .also(declared, "declared here");
}

}  // namespace anml
