// Functions of numbers and quantities: their units, and the draws that are made while compiling.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"

namespace anml {

bool Checker::numeric(ExprId id, std::string_view what)
{
    const Expr e = program_.expr(id);
    if ((e.type.kind == TypeKind::number || e.type.kind == TypeKind::integer) && !e.type.list) return true;
    diagnostics_.report(Diag::type_mismatch, e.span, fmt::format("{} wants a number, found {}", what, a_named(e.type)));
    return false;
}

bool Checker::same_dimension(ExprId first, ExprId other, std::string_view what)
{
    const Expr a = program_.expr(first), b = program_.expr(other);
    if (a.type.dim == b.type.dim) return true;
    diagnostics_
        .report(Diag::unit_mismatch, b.span,
                fmt::format("{} wants quantities of one kind, found {} and {}", what, a_named(a.type), a_named(b.type)))
        .also(a.span, fmt::format("this is {}", a_named(a.type)));
    return false;
}

// `floor(a)` of a plain number is an int; `floor(a, step)` a multiple of the step, of whatever kind.
ExprId Checker::rounded(SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    const Type found = program_.expr(given[0]).type;
    Type type{.kind = TypeKind::integer, .dim = found.dim, .random = found.random};
    if (given.size() == 2) {
        if (!same_dimension(given[0], given[1], fmt::format("`{}`", builtin_name(builtin)))) return error(span(id));
        const Type step = program_.expr(given[1]).type;
        type.kind = step.kind;
        type.random = type.random || step.random;
    } else if (found.dim != dimension::none) {
        diagnostics_
            .report(Diag::unit_mismatch, program_.expr(given[0]).span,
                    fmt::format("`{}` wants a plain number, or a step besides, found {}", builtin_name(builtin),
                                a_named(found)))
            .help(fmt::format("give the step, `{0}(t, 1 ms)`, or divide by a unit, `{0}(t / 1 ms)`",
                              builtin_name(builtin)));
        return error(span(id));
    }
    return add(ExprKind::call, type, span(id), static_cast<std::uint32_t>(builtin), 0, std::move(given));
}

// The root of a size * size is a size; where the dimension is no square there is none.
ExprId Checker::square_root(SyntaxId id, ExprId given)
{
    const Expr of = program_.expr(given);
    const Dimension d = of.type.dim;
    const bool open_square = std::all_of(d.open.begin(), d.open.end(), [](std::int8_t e) { return e % 2 == 0; });
    if (d.time % 2 != 0 || d.size % 2 != 0 || d.length % 2 != 0 || !open_square) {
        diagnostics_
            .report(Diag::unit_mismatch, of.span, fmt::format("{} is no square of a quantity", a_named(of.type)))
            .help("divide by a unit first: `sqrt(t / 1 ms)`");
        return error(span(id));
    }
    Dimension root{static_cast<std::int8_t>(d.time / 2), static_cast<std::int8_t>(d.size / 2),
                   static_cast<std::int8_t>(d.length / 2)};
    for (std::size_t i = 0; i < d.open.size(); ++i) root.open[i] = static_cast<std::int8_t>(d.open[i] / 2);
    return add(ExprKind::call, {.kind = TypeKind::number, .dim = root, .random = of.type.random}, span(id),
               static_cast<std::uint32_t>(Builtin::sqrt), product_scale(root, root), {given});
}

ExprId Checker::mathematics(SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    const Span where = span(id);
    const std::string what = fmt::format("`{}`", builtin_name(builtin));
    for (ExprId e : given)
        if (!numeric(e, what)) return error(where);
    switch (builtin) {
        case Builtin::floor:
        case Builtin::ceil:
        case Builtin::round:
            return rounded(id, builtin, std::move(given));
        case Builtin::sqrt:
            return square_root(id, given[0]);
        case Builtin::exp:
        case Builtin::log:
        case Builtin::pow:
        case Builtin::sin:
        case Builtin::cos:
            return plain(id, builtin, std::move(given));
        case Builtin::asin:
        case Builtin::acos:
        case Builtin::atan2:
            return angle(id, builtin, std::move(given));
        default: {  // min, max, abs
            Type type = program_.expr(given[0]).type;
            for (ExprId e : given) {
                if (!same_dimension(given[0], e, what)) return error(where);
                const Type other = program_.expr(e).type;
                if (other.kind == TypeKind::number) type.kind = TypeKind::number;
                type.random = type.random || other.random;
            }
            type.tolerance = false;
            return add(ExprKind::call, type, where, static_cast<std::uint32_t>(builtin), 0, std::move(given));
        }
    }
}

// Functions that know no units.
ExprId Checker::plain(SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    Type type{.kind = TypeKind::number};
    for (ExprId e : given) {
        const Expr of = program_.expr(e);
        type.random = type.random || of.type.random;
        if (of.type.dim == dimension::none) continue;
        diagnostics_
            .report(Diag::unit_mismatch, of.span,
                    fmt::format("`{}` wants a plain number, found {}", builtin_name(builtin), a_named(of.type)))
            .help(fmt::format("divide by a unit first: `{}(t / 1 s)`", builtin_name(builtin)));
        return error(span(id));
    }
    return add(ExprKind::call, type, span(id), static_cast<std::uint32_t>(builtin), 0, std::move(given));
}

// Angles of sides, which nothing computes while the model runs; of two sides these may be quantities of one kind.
ExprId Checker::angle(SyntaxId id, Builtin builtin, std::vector<ExprId> given)
{
    for (ExprId e : given) {
        const Expr of = program_.expr(e);
        if (!of.type.random) continue;
        diagnostics_.report(
            Diag::type_mismatch, of.span,
            fmt::format("`{}` wants a fixed number, found {}", builtin_name(builtin), a_named(of.type)));
        return error(span(id));
    }
    if (given.size() == 1) return plain(id, builtin, std::move(given));
    if (!same_dimension(given[0], given[1], fmt::format("`{}`", builtin_name(builtin)))) return error(span(id));
    return add(ExprKind::call, {.kind = TypeKind::number}, span(id), static_cast<std::uint32_t>(builtin), 0,
               std::move(given));
}

// A number from 0 up to 1 that depends on nothing but its keys.
ExprId Checker::draw(SyntaxId id, std::vector<ExprId> given)
{
    for (ExprId& e : given) e = require_type(e, {.kind = TypeKind::integer}, "`draw`");
    return add(ExprKind::call, {.kind = TypeKind::number}, span(id), static_cast<std::uint32_t>(Builtin::draw), 0,
               std::move(given));
}

}  // namespace anml
