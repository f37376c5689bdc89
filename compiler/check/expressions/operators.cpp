// Operators: their types, and the dimensions of what they make.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "check/expressions/expressions.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

struct Operator {
    std::string_view token;
    ValueOp op;
    std::string_view verb;  // "cannot be ..."
};
constexpr Operator kOperators[] = {
    {"+", ValueOp::add, "added"},     {"-", ValueOp::sub, "subtracted"},      {"*", ValueOp::mul, "multiplied"},
    {"/", ValueOp::div, "divided"},   {"%", ValueOp::rem, "divided"},         {"==", ValueOp::eq, "compared"},
    {"!=", ValueOp::ne, "compared"},  {"<", ValueOp::lt, "compared"},         {"<=", ValueOp::le, "compared"},
    {">", ValueOp::gt, "compared"},   {">=", ValueOp::ge, "compared"},        {"&&", ValueOp::and_, "combined"},
    {"||", ValueOp::or_, "combined"}, {"+/-", ValueOp::constant, "combined"}, {"\u00B1", ValueOp::constant, "combined"},
};

bool is_number(const Type& t) { return is_numeric(t) && !t.list; }

// Whether parentheses are around all of it, and not around its parts: `(a - 1) * (b - 1)`.
bool is_nested(std::string_view written)
{
    int depth = 0;
    for (std::size_t i = 0; i < written.size(); ++i) {
        depth += (written[i] == '(') - (written[i] == ')');
        if (depth == 0) return i > 0 && i + 1 == written.size();
    }
    return false;
}

// `failed(w) < 5`: what is a share is at most 1. It is reported.
bool is_beyond_share(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ExprId share,
                     ExprId bound, bool below)
{
    const Expr& e = program.expr(share);
    const auto limit = constant(program, bound);
    const auto builtin = static_cast<Builtin>(e.index);
    if (e.kind != ExprKind::call || (builtin != Builtin::failed && builtin != Builtin::losses)) return false;
    const std::string_view written = source.sources.text(program.expr(bound).span);
    if (limit && *limit <= 0 && below) {
        diagnostics
            .report(Diag::out_of_range, program.expr(bound).span,
                    fmt::format("`{}` is a share, and no share is below {}", builtin_name(builtin), written))
            .help(fmt::format("that nothing fails is `{} == 0`", source.sources.text(e.span)));
        return true;
    }
    const bool all = limit && *limit == 1 && below;  // `failed(w) < 1`: a count was meant, or a hundredth
    if (!limit || (*limit <= 1 && !all) || written.ends_with("%")) return false;
    auto builder = diagnostics.report(
        Diag::out_of_range, program.expr(bound).span,
        fmt::format("`{}` is a share, at most 1, and is compared with {}", builtin_name(builtin), written));
    builder.help(fmt::format("of a hundred parts: `{} %`", written)).fix(program.expr(bound).span.behind(), " %");
    if (all) builder.help(fmt::format("that nothing fails is `{} == 0`", source.sources.text(e.span)));
    return true;
}

// `10 MB/s`, `10 Mb/s`: units are words, and are not divided.
bool rate_in_seconds(Checking& in, SyntaxId id)
{
    const syntax::Binary written(in.tree, id);
    const SyntaxId amount = written.left(), per = written.right();
    if (in.tree.kind(amount) == SyntaxKind::literal_integer && in.text(per) == "s" && !find(in, "s")) {  // `5 / s`
        const auto often = parse_quantity(in.text(amount));
        if (!often || often->value < 1) return false;
        const std::string between = format_quantity(1e9 / often->value, dimension::time);
        in.report(Diag::unknown_name, in.span(per), "unknown name `s`")
            .help(fmt::format("how often is said by the time between two: `{}`", between))
            .fix(in.span(id), between);
        return true;
    }
    if (in.tree.kind(amount) != SyntaxKind::literal_quantity || in.tree.kind(per) != SyntaxKind::name) return false;
    if (in.text(per) != "s" && in.text(per) != "sec") return false;
    if (const Symbol* named = find(in, in.text(per)); named && named->type.kind != TypeKind::node) return false;
    const std::string_view number = in.text(amount);
    const std::size_t at = unit_position(number);
    std::string_view digits = number.substr(0, at), unit = number.substr(at);
    while (digits.ends_with(' ')) digits.remove_suffix(1);
    auto report = in.report(Diag::unknown_unit, in.span(id), fmt::format("`{}/{}` is no unit", unit, in.text(per)));
    const auto bytes = parse_quantity(number);
    if (bytes && bytes->dim == dimension::size)
        report
            .help(fmt::format("{} is `{}`, or a quotient: `10 MiB / 1 s`", in.text(id),
                              format_quantity(bytes->value * 8, dimension::rate)))
            .fix(in.span(id), format_quantity(bytes->value * 8, dimension::rate))
            .fix(in.span(id), fmt::format("{} / 1 s", number));
    else if (unit.ends_with('b') && unit.size() <= 2) {
        const std::string prefix = unit.size() == 2 ? std::string(1, static_cast<char>(std::toupper(unit[0]))) : "";
        const std::string meant = fmt::format("{} {}bps", digits, prefix);
        report.help(fmt::format("a rate in bits is written `{}`", meant)).fix(in.span(id), meant);
    } else if (bytes && bytes->dim == dimension::length) {
        report.help(fmt::format("a speed is a quotient: `{} / 1 s`", number))
            .fix(in.span(id), fmt::format("{} / 1 s", number));
    } else {
        report.help("a rate is written `10 Mbps`, or as a quotient: `10 MiB / 1 s`");
    }
    return true;
}

// Addresses are counted on and back: `address + 1`; how far two are apart is a number.
std::optional<Type> type_of_addresses(ValueOp op, const Type& x, const Type& y)
{
    const bool counts = op == ValueOp::add || op == ValueOp::sub;
    if (!counts || x.kind != TypeKind::address) return std::nullopt;
    if (y.kind == TypeKind::integer && !y.random) return Type{.kind = TypeKind::address};
    if (op == ValueOp::sub && y.kind == TypeKind::address) return Type{.kind = TypeKind::integer};
    return std::nullopt;
}

// `rtt(a, b) == 20 ms ± 2 ms`: whether the number is within the tolerance.
ExprId compare_within(Checking& in, SyntaxId id, ExprId a, ExprId b, bool equality, std::uint32_t op)
{
    const Span where = in.span(id);
    const Type x = in.program.expr(a).type, y = in.program.expr(b).type;
    const Type& number = x.tolerance ? y : x;
    const bool fits = x.tolerance != y.tolerance && is_number(number) && !number.random && x.dim == y.dim;
    if (equality && fits) return in.add(ExprKind::binary, {.kind = TypeKind::boolean}, where, op, 1, {a, b});
    in.report(Diag::type_mismatch, in.tree.node(id).token,
              fmt::format("{} and {} cannot be {}", in.a_named(x), in.a_named(y),
                          equality || op >= static_cast<std::uint32_t>(ValueOp::lt) ? "compared" : "combined"))
        .also(in.program.expr(a).span, fmt::format("this is {}", in.a_named(x)))
        .also(in.program.expr(b).span, fmt::format("this is {}", in.a_named(y)))
        .help("`==` says whether a value is within a tolerance, `!=` whether it is not");
    return in.error(where);
}

// `20 ms ± 2 ms`: uniform between the two ends. A ratio is a share of the value: `20 ms ± 10 %`.
ExprId tolerance(Checking& in, SyntaxId id, ExprId value, ExprId tolerance)
{
    const Span where = in.span(id);
    const Expr left = in.program.expr(value), right = in.program.expr(tolerance);
    const bool share = left.type.dim != dimension::none && right.type.dim == dimension::none;
    if (!is_number(left.type) || !is_number(right.type) || (left.type.dim != right.type.dim && !share)) {
        in.report(is_number(left.type) && is_number(right.type) ? Diag::unit_mismatch : Diag::type_mismatch,
                  in.tree.node(id).token,
                  fmt::format("{} cannot be the tolerance of {}", in.a_named(right.type), in.a_named(left.type)))
            .help("write `20 ms +/- 2 ms` or `20 ms +/- 10 %`");
        return in.error(where);
    }
    // The value counts in both ends, which would be drawn each for itself: `1 ± 1 ± 1` is neither a range nor cheap.
    if (left.type.random || right.type.random) {
        const Expr& drawn = left.type.random ? left : right;
        in.report(Diag::type_mismatch, drawn.span,
                  fmt::format("{} is drawn, and `±` wants fixed values", in.a_named(drawn.type)))
            .help("write `20 ms +/- 2 ms` or `20 ms +/- 10 %`");
        return in.error(where);
    }
    if (const auto amount = constant(in.program, tolerance); amount && *amount < 0) {
        in.report(Diag::out_of_range, right.span, "a tolerance is not negative");
        return in.error(where);
    }
    // Of 1 both are the same, and a percentage has percentages beside it.
    const auto percentage = [&](Span place) { return in.sources.text(place).ends_with('%'); };
    if (left.type.dim == dimension::none && percentage(right.span) && !percentage(left.span) &&
        constant(in.program, value) != 1)
    {
        auto report =
            in.report(Diag::ambiguous_tolerance, where,
                      fmt::format("`{}` could be a share of the number, or a part of 1", in.sources.text(right.span)));
        const auto about = constant(in.program, value), share = constant(in.program, tolerance);
        // With its parentheses, which the operand's place has not.
        std::string written(in.sources.text({where.file, where.begin, in.tree.node(id).token.begin}));
        written.erase(written.find_last_not_of(" \t\r\n") + 1);
        const SyntaxKind kind = in.tree.kind(syntax::Binary(in.tree, id).left());
        const bool sum = kind == SyntaxKind::binary && !is_nested(written);
        if (about && share)
            report
                .help(fmt::format("write `{0} ± {1}` for the share, or `{0} ± {2}`", written, std::abs(*about) * *share,
                                  *share))
                .fix(right.span, fmt::format("{}", std::abs(*about) * *share))
                .fix(right.span, fmt::format("{}", *share));
        else
            report.help(fmt::format("compare a quotient with 1: `x / {} == 1 ± {}`",
                                    sum ? fmt::format("({})", written) : written, in.sources.text(right.span)));
        return in.error(where);
    }
    Type type{.kind = TypeKind::number, .dim = left.type.dim};
    const auto combine = [&](ValueOp op, ExprId a, ExprId b) {
        return in.add(ExprKind::binary, type, where, static_cast<std::uint32_t>(op), 1, {a, b});
    };
    if (share) {
        ExprId about = value;  // what is less than 0 has a tolerance, too
        if (constant(in.program, value).value_or(-1) < 0) about = in.call(Builtin::abs, type, where, {value});
        tolerance = combine(ValueOp::mul, about, tolerance);
    }
    const ExprId low = combine(ValueOp::sub, value, tolerance), high = combine(ValueOp::add, value, tolerance);
    type.random = type.tolerance = true;
    return in.call(Builtin::uniform, type, where, {low, high});
}

}  // namespace

ExprId unary(Checking& in, SyntaxId id, const Type* wanted)
{
    const Span where = in.span(id);
    const SyntaxId operand_syntax = syntax::Unary(in.tree, id).operand();
    const bool is_not = in.sources.text(in.tree.node(id).token) == "!";
    if (is_not) {
        const ExprId given = expression(in, operand_syntax);
        if (const Type found = in.program.expr(given).type; is_number(found) && !found.random) {  // `!n == 3`
            in.report(Diag::type_mismatch, in.span(operand_syntax),
                      fmt::format("`!` wants a bool, found {}", in.a_named(found)))
                .help(
                    fmt::format("a comparison stands behind it in parentheses: `!({} == 3)`", in.text(operand_syntax)));
            return in.error(where);
        }
        const ExprId operand = require_type(in, given, {.kind = TypeKind::boolean, .random = true}, "`!`");
        const bool random = in.program.expr(operand).type.random;
        return in.add(ExprKind::not_, {.kind = TypeKind::boolean, .random = random}, where, 0, 0, {operand});
    }
    const ExprId operand = expression(in, operand_syntax, wanted);
    const Type type = in.program.expr(operand).type;
    if (type.kind == TypeKind::error) return in.error(where);
    if (!is_number(type)) {
        auto report = in.report(Diag::type_mismatch, in.span(operand_syntax),
                                fmt::format("`-` wants a number, found {}", in.a_named(type)));
        if (type.kind == TypeKind::node) report.help("several ends of a link stand in brackets: `link s -- [a, b]`");
        return in.error(where);
    }
    return in.add(ExprKind::negate, type, where, 0, 0, {operand});
}

ExprId binary(Checking& in, SyntaxId id, const Type* wanted)
{
    const Span where = in.span(id), token = in.tree.node(id).token;
    const std::string_view sign = in.sources.text(token);
    const Operator* found = nullptr;
    for (const Operator& o : kOperators)
        if (o.token == sign) found = &o;
    if (!found) return in.error(where);
    const ValueOp op = found->op;
    const syntax::Binary written(in.tree, id);
    const SyntaxId left_syntax = written.left(), right_syntax = written.right();
    const auto make = [&](Type type, ExprId a, ExprId b, double scale = 1) {
        return in.add(ExprKind::binary, type, where, static_cast<std::uint32_t>(op), scale, {a, b});
    };
    if (op == ValueOp::and_ || op == ValueOp::or_) {
        const std::string what = fmt::format("`{}`", sign);
        const Type wanted{.kind = TypeKind::boolean, .random = true};
        const ExprId a = value(in, left_syntax, wanted, what), b = value(in, right_syntax, wanted, what);
        const bool random = in.program.expr(a).type.random || in.program.expr(b).type.random;
        return make({.kind = TypeKind::boolean, .random = random}, a, b);
    }
    // `[] + xs`, `xs == []`: what an empty list would contain the other side says.
    const auto is_empty = [&](SyntaxId side) {
        return in.tree.kind(side) == SyntaxKind::list && syntax::List(in.tree, side).elements().empty();
    };
    if (is_empty(left_syntax) && !is_empty(right_syntax)) {
        const ExprId b = expression(in, right_syntax);
        const Type y = in.program.expr(b).type;
        const ExprId a = expression(in, left_syntax, &y);
        if (y.kind == TypeKind::error || in.program.expr(a).type.kind == TypeKind::error) return in.error(where);
        return list_operation(in, id, op, found->verb, a, b);
    }
    if (op == ValueOp::div && rate_in_seconds(in, id)) return in.error(where);
    const ExprId a = expression(in, left_syntax, op == ValueOp::add && wanted && wanted->list ? wanted : nullptr);
    // `self.close == at_once`: the value of an enum is looked up in the enum of the other side.
    const Type x = in.program.expr(a).type;
    const bool says = x.kind == TypeKind::enumeration || (x.list && is_empty(right_syntax));
    // `this.tier == gold`: which enum it is of nobody knows.
    if (x.kind == TypeKind::error && in.tree.kind(right_syntax) == SyntaxKind::name && !find(in, in.text(right_syntax)))
        return in.error(where);
    const ExprId b = expression(in, right_syntax, says ? &x : nullptr);
    const Type y = in.program.expr(b).type;
    if (x.kind == TypeKind::error || y.kind == TypeKind::error) return in.error(where);

    if (op == ValueOp::constant) return tolerance(in, id, a, b);
    if (x.list || y.list) return list_operation(in, id, op, found->verb, a, b);
    const bool comparison = found->verb == "compared";
    const bool random = x.random || y.random;
    const bool equality = op == ValueOp::eq || op == ValueOp::ne;
    if (x.tolerance || y.tolerance) return compare_within(in, id, a, b, equality, static_cast<std::uint32_t>(op));
    if (is_number(x) && is_number(y)) {
        const bool integers = x.kind == TypeKind::integer && y.kind == TypeKind::integer;
        if (op == ValueOp::mul || op == ValueOp::div) {
            const Dimension dim = op == ValueOp::mul ? x.dim * y.dim : x.dim / y.dim;
            const double scale = op == ValueOp::mul ? product_scale(x.dim, y.dim) : quotient_scale(x.dim, y.dim);
            return make({.kind = integers && op == ValueOp::mul ? TypeKind::integer : TypeKind::number,
                         .dim = dim,
                         .random = random},
                        a, b, scale);
        }
        if (x.dim == y.dim) {
            if (comparison) {
                if (is_beyond_share(in, in.program, in.diagnostics, a, b, op == ValueOp::lt) ||
                    is_beyond_share(in, in.program, in.diagnostics, b, a, op == ValueOp::gt))
                    return in.error(where);
                return make({.kind = TypeKind::boolean, .random = random}, a, b);
            }
            return make({.kind = integers ? TypeKind::integer : TypeKind::number, .dim = x.dim, .random = random}, a,
                        b);
        }
        auto report = in.report(Diag::unit_mismatch, token,
                                fmt::format("{} and {} cannot be {}", in.a_named(x), in.a_named(y), found->verb));
        report.also(in.span(left_syntax), fmt::format("this is {}", in.a_named(x)));
        report.also(in.span(right_syntax), fmt::format("this is {}", in.a_named(y)));
        // `p95(w) < 200`
        const bool left = x.dim == dimension::none;
        const Expr& bare = in.program.expr(left ? a : b);
        if ((left || y.dim == dimension::none) && bare.kind == ExprKind::number) {
            const auto [small, large] = usual_units(left ? y.dim : x.dim, bare.value);
            const std::string_view number = in.sources.text(bare.span);
            if (!small.empty())
                report.write_either(bare.span, fmt::format("{} {}", number, small),
                                    fmt::format("{} {}", number, large));
        }
        // `hops(a, b) == 5 s`: whose number is plain.
        const Expr &of_left = in.program.expr(a), &of_right = in.program.expr(b);
        const Expr& measured = left ? of_left : of_right;
        const Expr& literal = left ? of_right : of_left;
        const std::string_view with_unit = in.sources.text(literal.span);
        if (comparison && (left || y.dim == dimension::none) && measured.kind == ExprKind::call &&
            literal.kind == ExprKind::number)
        {
            const std::string digits(with_unit.substr(0, with_unit.find_first_not_of("0123456789.")));
            const auto builtin = static_cast<Builtin>(measured.index);
            const bool share = builtin == Builtin::failed || builtin == Builtin::losses;
            const std::string plain = digits + (share ? " %" : "");
            report.help(fmt::format("it {}: `{}`", share ? "is a share" : "has no unit", plain))
                .fix(literal.span, plain);
        }
        const bool first = x.dim == dimension::size;  // `throughput(w) > 1 MB`
        if ((first ? y.dim : x.dim) == dimension::rate && (first || y.dim == dimension::size)) {
            const SyntaxId size = first ? left_syntax : right_syntax;
            report.help(fmt::format("bytes in a time are a rate: `{} / 1 s`", in.text(size)))
                .fix(in.span(size), fmt::format("{} / 1 s", in.text(size)));
        }
        return in.error(where);
    }
    const bool comparable = x.kind == y.kind && x.ref == y.ref && !x.list && !y.list &&
                            (x.kind == TypeKind::boolean || x.kind == TypeKind::enumeration ||
                             x.kind == TypeKind::string || x.kind == TypeKind::address || x.kind == TypeKind::prefix);
    if (const auto type = type_of_addresses(op, x, y)) return make(*type, a, b);
    const auto one_node = [](const Type& t) { return t.kind == TypeKind::node && !t.many && !t.array; };
    if (equality && one_node(x) && one_node(y)) return make({.kind = TypeKind::boolean}, a, b);
    if (equality && comparable) return make({.kind = TypeKind::boolean, .random = random}, a, b);
    if (x.kind == TypeKind::string && y.kind == TypeKind::string) {
        if (comparison) return make({.kind = TypeKind::boolean}, a, b);
        if (op == ValueOp::add) return make({.kind = TypeKind::string}, a, b);
    }
    auto report = in.report(Diag::type_mismatch, token,
                            fmt::format("{} and {} cannot be {}", in.a_named(x), in.a_named(y), found->verb));
    report.also(in.span(left_syntax), fmt::format("this is {}", in.a_named(x)));
    report.also(in.span(right_syntax), fmt::format("this is {}", in.a_named(y)));
    if (op == ValueOp::add && (x.kind == TypeKind::string) != (y.kind == TypeKind::string)) {
        const Span other = in.span(x.kind == TypeKind::string ? right_syntax : left_syntax);
        report.help(fmt::format("`text` makes a string of it: `text({})`", in.sources.text(other)))
            .fix(other, fmt::format("text({})", in.sources.text(other)));
    } else if (equality && x.kind == TypeKind::enumeration && y.kind == TypeKind::string &&
               in.tree.kind(right_syntax) == SyntaxKind::literal_string && in.text(right_syntax).size() > 2)
    {
        const std::string bare(in.text(right_syntax).substr(1, in.text(right_syntax).size() - 2));
        const auto& values = in.program.enums[x.ref].values;
        if (std::ranges::find(values, bare) != values.end())
            report.help(fmt::format("a value of an enum stands without quotes: `{}`", bare))
                .fix(in.span(right_syntax), bare);
        else
            report.help(fmt::format("its values are `{}`", fmt::join(values, "`, `")));
    } else if (equality && x.kind == TypeKind::boolean && (y.kind == TypeKind::string || is_number(y))) {
        report.help(fmt::format("it is true or false by itself: `{0}`, or `!{0}`", in.text(left_syntax)));
    } else if (x.kind == TypeKind::string && y.kind != TypeKind::string && !comparison) {
        report.help("strings are put together: `\"site \" + text(n)`");
    } else if (op == ValueOp::add && x.kind == TypeKind::node && y.kind == TypeKind::node) {
        const std::string both = fmt::format("[{}, {}]", in.text(left_syntax), in.text(right_syntax));
        report.help(fmt::format("nodes are put together in brackets: `{}`", both)).fix(where, both);
    }
    return in.error(where);
}

std::optional<double> constant(const CheckedProgram& program, ExprId id)
{
    if (!id) return std::nullopt;
    const Expr& e = program.expr(id);
    const auto operands = program.operands_of(e);
    switch (e.kind) {
        case ExprKind::number:
            return e.value;
        case ExprKind::negate:
            if (const auto a = constant(program, operands[0])) return -*a;
            return std::nullopt;
        case ExprKind::binary: {
            const auto a = constant(program, operands[0]), b = constant(program, operands[1]);
            if (!a || !b) return std::nullopt;
            switch (static_cast<ValueOp>(e.index)) {
                case ValueOp::add:
                    return *a + *b;
                case ValueOp::sub:
                    return *a - *b;
                case ValueOp::mul:
                    return *a * *b * e.value;
                case ValueOp::div:
                    return *b == 0 ? std::nullopt : std::optional(*a / *b * e.value);
                default:
                    return std::nullopt;
            }
        }
        default:
            return std::nullopt;
    }
}

}  // namespace anml
