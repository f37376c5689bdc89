// Functions of numbers and quantities: their units, and the draws that are made while compiling.
#include <fmt/format.h>

#include <algorithm>

#include "check/expressions/expressions.h"

namespace anml {
namespace {

// `floor(a)` of a plain number is an int; `floor(a, step)` a multiple of the step, of whatever kind.
ExprId rounded(Checking& in, SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    const Type found = in.program.expr(given[0]).type;
    Type type{.kind = TypeKind::integer, .dim = found.dim, .random = found.random};
    if (given.size() == 2) {
        if (!same_dimension(in.program, in.diagnostics, given[0], given[1], fmt::format("`{}`", builtin_name(builtin))))
            return in.error(in.span(id));
        const Type step = in.program.expr(given[1]).type;
        type.kind = step.kind;
        type.random = type.random || step.random;
    } else if (found.dim != dimension::none) {
        in.report(Diag::unit_mismatch, in.program.expr(given[0]).span,
                  fmt::format("`{}` wants a plain number, or a step besides, found {}", builtin_name(builtin),
                              in.a_named(found)))
            .help(fmt::format("give the step, `{0}(t, 1 ms)`, or divide by a unit, `{0}(t / 1 ms)`",
                              builtin_name(builtin)));
        return in.error(in.span(id));
    }
    return in.call(builtin, type, in.span(id), std::move(given));
}

// The root of a size * size is a size; where the dimension is no square there is none.
ExprId square_root(Checking& in, SyntaxId id, ExprId given)
{
    const Expr of = in.program.expr(given);
    const Dimension d = of.type.dim;
    const bool open_square = std::all_of(d.open.begin(), d.open.end(), [](std::int8_t e) { return e % 2 == 0; });
    if (d.time % 2 != 0 || d.size % 2 != 0 || d.length % 2 != 0 || !open_square) {
        in.report(Diag::unit_mismatch, of.span, fmt::format("{} is no square of a quantity", in.a_named(of.type)))
            .help("divide by a unit first: `sqrt(t / 1 ms)`");
        return in.error(in.span(id));
    }
    Dimension root{static_cast<std::int8_t>(d.time / 2), static_cast<std::int8_t>(d.size / 2),
                   static_cast<std::int8_t>(d.length / 2)};
    for (std::size_t i = 0; i < d.open.size(); ++i) root.open[i] = static_cast<std::int8_t>(d.open[i] / 2);
    return in.add(ExprKind::call, {.kind = TypeKind::number, .dim = root, .random = of.type.random}, in.span(id),
                  static_cast<std::uint32_t>(Builtin::sqrt), product_scale(root, root), {given});
}

// Functions that know no units.
ExprId plain(Checking& in, SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    Type type{.kind = TypeKind::number};
    for (ExprId e : given) {
        const Expr of = in.program.expr(e);
        type.random = type.random || of.type.random;
        if (of.type.dim == dimension::none) continue;
        in.report(Diag::unit_mismatch, of.span,
                  fmt::format("`{}` wants a plain number, found {}", builtin_name(builtin), in.a_named(of.type)))
            .help(fmt::format("divide by a unit first: `{}(t / 1 s)`", builtin_name(builtin)));
        return in.error(in.span(id));
    }
    return in.call(builtin, type, in.span(id), std::move(given));
}

// Angles of sides, which nothing computes while the model runs; of two sides these may be quantities of one kind.
ExprId angle(Checking& in, SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    for (ExprId e : given) {
        const Expr of = in.program.expr(e);
        if (!of.type.random) continue;
        in.report(Diag::type_mismatch, of.span,
                  fmt::format("`{}` wants a fixed number, found {}", builtin_name(builtin), in.a_named(of.type)));
        return in.error(in.span(id));
    }
    if (given.size() == 1) return plain(in, id, builtin, std::move(given));
    if (!same_dimension(in.program, in.diagnostics, given[0], given[1], fmt::format("`{}`", builtin_name(builtin))))
        return in.error(in.span(id));
    return in.call(builtin, {.kind = TypeKind::number}, in.span(id), std::move(given));
}

}  // namespace

bool numeric(const CheckedProgram& program, Diagnostics& diagnostics, ExprId id, std::string_view what)
{
    const Expr e = program.expr(id);
    if (is_numeric(e.type) && !e.type.list) return true;
    auto report = diagnostics.report(Diag::type_mismatch, e.span,
                                     fmt::format("{} wants a number, found {}", what, a_type(program, e.type)));
    if (e.type.kind == TypeKind::workload && (what == "`mean`" || what == "`max`"))
        report.help(fmt::format("of what a workload waits for it is `{}_time`", what.substr(1, what.size() - 2)));
    return false;
}

bool same_dimension(const CheckedProgram& program, Diagnostics& diagnostics, ExprId first, ExprId other,
                    std::string_view what)
{
    const Expr a = program.expr(first), b = program.expr(other);
    if (a.type.dim == b.type.dim) return true;
    diagnostics
        .report(Diag::unit_mismatch, b.span,
                fmt::format("{} wants quantities of one kind, found {} and {}", what, a_type(program, a.type),
                            a_type(program, b.type)))
        .also(a.span, fmt::format("this is {}", a_type(program, a.type)));
    return false;
}

ExprId mathematics(Checking& in, SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    const Span where = in.span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    for (ExprId e : given)
        if (!numeric(in.program, in.diagnostics, e, what)) return in.error(where);
    switch (builtin) {
        case Builtin::floor:
        case Builtin::ceil:
        case Builtin::round:
            return rounded(in, id, builtin, std::move(given));
        case Builtin::sqrt:
            return square_root(in, id, given[0]);
        case Builtin::exp:
        case Builtin::log:
        case Builtin::pow:
        case Builtin::sin:
        case Builtin::cos:
            return plain(in, id, builtin, std::move(given));
        case Builtin::asin:
        case Builtin::acos:
        case Builtin::atan2:
            return angle(in, id, builtin, std::move(given));
        default: {  // min, max, abs
            Type type = in.program.expr(given[0]).type;
            for (ExprId e : given) {
                if (!same_dimension(in.program, in.diagnostics, given[0], e, what)) return in.error(where);
                const Type other = in.program.expr(e).type;
                if (other.kind == TypeKind::number) type.kind = TypeKind::number;
                type.random = type.random || other.random;
            }
            type.tolerance = false;
            return in.call(builtin, type, where, std::move(given));
        }
    }
}

// A number from 0 up to 1 that depends on nothing but its keys.
ExprId draw(Checking& in, SyntaxId id, std::vector<ExprId> given)
{
    for (ExprId& e : given) e = require_type(in, e, {.kind = TypeKind::integer}, "`draw`");
    return in.call(Builtin::draw, {.kind = TypeKind::number}, in.span(id), std::move(given));
}

}  // namespace anml
