// Lists: their parts, functions and operators of them, and the type of what these make.
#include <fmt/format.h>

#include "check/expressions/expressions.h"
#include "syntax/syntax_views.h"

namespace anml {

// `min` and `max` also take two or more values.
bool asks_list(Builtin builtin, const std::vector<ExprId>& given)
{
    if (builtin == Builtin::min || builtin == Builtin::max) return given.size() == 1;
    return builtin == Builtin::sum || builtin == Builtin::any || builtin == Builtin::all;
}

ExprId of_list(Checking& in, SyntaxId id, Builtin builtin, ExprId list)
{
    const Expr of = in.program.expr(list);
    const bool truth = builtin == Builtin::any || builtin == Builtin::all;
    Type element = of.type;
    element.list = false;
    const bool fits = truth ? element.kind == TypeKind::boolean : is_numeric(element);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    if (!of.type.list || !fits) {
        const bool alternative = builtin == Builtin::min || builtin == Builtin::max;
        auto report = in.report(
            Diag::type_mismatch, of.span,
            fmt::format("{} wants {}a list of {}, found {}", what, alternative ? "two or more values, or " : "",
                        truth ? "bools" : "numbers or quantities", in.a_named(of.type)));
        if (of.type.list && element.kind == TypeKind::boolean)
            report.help("whether one of them holds is `any(list)`, whether all do `all(list)`");
        else if (of.type.many || of.type.array)
            report.help(fmt::format("how many there are is `len({})`", in.sources.text(of.span)))
                .fix(in.span(syntax::Call(in.tree, id).callee()), "len");
        return in.error(in.span(id));
    }
    if (element.random) {
        in.report(Diag::type_mismatch, of.span,
                  fmt::format("{} wants fixed values, and these are drawn anew each time", what))
            .help(truth ? "name them one by one: `a || b`" : "name them one by one: `a + b`, `max(a, b)`");
        return in.error(in.span(id));
    }
    return in.call(builtin, element, in.span(id), {list});
}

// Elements of a list, or of an array or a selection of nodes or instances; or the characters of a string.
ExprId length(Checking& in, SyntaxId id, Builtin builtin, ExprId given)
{
    const Expr argument = in.program.expr(given);
    const Type& type = argument.type;
    const bool characters = builtin == Builtin::len && type.kind == TypeKind::string;
    if (!type.list && !type.array && !type.many && !characters) {
        in.report(Diag::type_mismatch, argument.span,
                  fmt::format("`{}` wants a list or an array, found {}", builtin_name(builtin), in.a_named(type)));
        return in.error(in.span(id));
    }
    return in.call(builtin, {.kind = TypeKind::integer, .list = builtin == Builtin::indices}, in.span(id), {given});
}

// An element, or a list of those that a slice or `*` chooses.
ExprId part_of_list(Checking& in, SyntaxId id, ExprId list, SyntaxId index)
{
    Type type = in.program.expr(list).type;
    const Type integer{.kind = TypeKind::integer};
    if (in.tree.kind(index) == SyntaxKind::wildcard) return in.add(ExprKind::every, type, in.span(id), 0, 0, {list});
    if (in.tree.kind(index) == SyntaxKind::range) {
        const syntax::Range slice(in.tree, index);
        const ExprId low = value(in, slice.low(), integer, "a slice"),
                     high = value(in, slice.high(), integer, "a slice");
        const bool half_open = in.tree.node(index).flags & syntax_flag::half_open;
        return in.add(ExprKind::slice, type, in.span(id), half_open, 0, {list, low, high});
    }
    const ExprId chosen = index_of(in, index, type, syntax::Subscript(in.tree, id).object());
    type.list = false;
    type.keys = 0;
    return in.add(ExprKind::element, type, in.span(id), 0, 0, {list, chosen});
}

// `+`, `==` and `!=`, where one side at least is a list.
ExprId list_operation(Checking& in, SyntaxId id, ValueOp op, std::string_view verb, ExprId a, ExprId b)
{
    const Span where = in.span(id);
    const Expr left = in.program.expr(a), right = in.program.expr(b);
    const Type &x = left.type, &y = right.type;
    const bool equality = op == ValueOp::eq || op == ValueOp::ne;
    const auto comparable = [](const Type& t) {
        return !t.random && (is_numeric(t) || t.kind == TypeKind::boolean || t.kind == TypeKind::enumeration ||
                             t.kind == TypeKind::string || t.kind == TypeKind::address || t.kind == TypeKind::prefix);
    };
    const bool one_type = assignable(in.program, x, y) || assignable(in.program, y, x);
    const Type& wider = assignable(in.program, x, y) ? y : x;
    if (x.list && y.list && one_type && (op == ValueOp::add || (equality && comparable(x) && comparable(y)))) {
        const Type type = op == ValueOp::add ? wider : Type{.kind = TypeKind::boolean};
        return in.add(ExprKind::binary, type, where, static_cast<std::uint32_t>(op), 1, {a, b});
    }
    const bool numbers = is_numeric(x) && is_numeric(y);
    auto report = in.report(numbers && x.list && y.list && x.dim != y.dim ? Diag::unit_mismatch : Diag::type_mismatch,
                            in.tree.node(id).token,
                            fmt::format("{} and {} cannot be {}", in.a_named(x), in.a_named(y),
                                        op == ValueOp::add ? "put together" : verb));
    report.also(left.span, fmt::format("this is {}", in.a_named(x)));
    report.also(right.span, fmt::format("this is {}", in.a_named(y)));
    Type element = x.list ? x : y;
    element.list = false;
    const Expr& other = x.list ? right : left;
    if ((op == ValueOp::add || equality) && x.list != y.list && assignable(in.program, other.type, element))
        report.help(fmt::format("a list of one element is written `[{}]`", in.sources.text(other.span)))
            .fix(other.span, fmt::format("[{}]", in.sources.text(other.span)));
    else if (numbers && !equality && op != ValueOp::add && x.list != y.list)
        report.help(x.list ? "of each element: `[x * 2 for x in list]`" : "of each element: `[2 * x for x in list]`");
    return in.error(where);
}

}  // namespace anml
