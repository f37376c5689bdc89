// Functions of numbers and quantities, and draws that are made while compiling.
#include <fmt/format.h>

#include <cmath>

#include "common/mix.h"
#include "elaborate/values/evaluation.h"

namespace anml {

Value mathematics(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    std::vector<ValueExprId> given;
    for (ExprId operand : in.program.operands_of(e)) {
        const auto v = number(in, operand, frame);
        if (!v) return {Failed{}};
        given.push_back(*v);
    }
    ValuePool& pool = in.network.values;
    const auto fold = [&](ValueOp op) {
        ValueExprId result = given[0];
        for (std::size_t i = 1; i < given.size(); ++i) result = pool.make(op, result, given[i]);
        return drawn(in.network.values, result);
    };
    const auto round = [&](ValueOp op) {
        if (given.size() == 1) return checked(in.network.values, in.report, pool.make(op, given[0]), e.span);
        const ValueExprId steps = pool.make(op, pool.make(ValueOp::div, given[0], given[1]));
        return checked(in.network.values, in.report, pool.make(ValueOp::mul, steps, given[1]), e.span);
    };
    const auto simple = [&](ValueOp op) {
        return checked(in.network.values, in.report, pool.make(op, given[0]), e.span);
    };
    switch (function) {
        case Builtin::min:
            return fold(ValueOp::min);
        case Builtin::max:
            return fold(ValueOp::max);
        case Builtin::floor:
            return round(ValueOp::floor);
        case Builtin::ceil:
            return round(ValueOp::ceil);
        case Builtin::round:
            return round(ValueOp::round);
        case Builtin::abs:
            return simple(ValueOp::abs);
        case Builtin::sqrt:
            if (e.value != 1) given[0] = pool.make(ValueOp::mul, given[0], in.constant(1 / e.value));
            return simple(ValueOp::sqrt);
        case Builtin::exp:
            return simple(ValueOp::exp);
        case Builtin::log:
            return simple(ValueOp::log);
        case Builtin::pow:
            return checked(in.network.values, in.report, pool.make(ValueOp::power, given[0], given[1]), e.span);
        case Builtin::sin:
            return simple(ValueOp::sin);
        case Builtin::cos:
            return simple(ValueOp::cos);
        case Builtin::asin:
        case Builtin::acos:
        case Builtin::atan2: {
            double sides[2] = {0, 0};
            for (std::size_t i = 0; i < given.size(); ++i) {
                const auto fixed = pool.as_constant(given[i]);
                if (!fixed) {
                    report_shape(in, given[i], in.program.expr(in.program.operands_of(e)[i]).span,
                                 fmt::format("`{}`", builtin_name(function)));
                    return {Failed{}};
                }
                sides[i] = *fixed;
            }
            const double angle = function == Builtin::asin   ? std::asin(sides[0])
                                 : function == Builtin::acos ? std::acos(sides[0])
                                                             : std::atan2(sides[0], sides[1]);
            return checked(in.network.values, in.report, in.constant(angle), e.span);
        }
        default:
            return {Failed{}};
    }
}

// Each key is mixed into what those before it made. 53 bits, so that `floor(n * draw(...))` is never n.
Value draw(Elaboration& in, const Expr& e, Frame& frame)
{
    constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
    std::uint64_t state = kStep;
    for (ExprId operand : in.program.operands_of(e)) {
        const auto key = shape(in, operand, frame, "`draw`");
        if (!key) return {Failed{}};
        state = rt::mix(state ^ static_cast<std::uint64_t>(*key)) + kStep;
    }
    return {Number{in.constant(static_cast<double>(rt::mix(state) >> 11) * 0x1p-53)}};
}

}  // namespace anml
