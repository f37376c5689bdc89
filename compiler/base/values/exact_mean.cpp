// Each mention of a draw draws for itself, so that all operands are independent: the mean of a product is that of the
// means. Not so what a process keeps: of one with a state nothing is said.
#include "base/values/exact_mean.h"

#include <unordered_map>

#include "base/values/value_walk.h"

namespace anml {
namespace {

class MeanMaker {
  public:
    explicit MeanMaker(ValuePool& pool) : pool_(pool) {}

    std::optional<ValueExprId> run(ValueExprId root)
    {
        // The pool grows while this goes on: what is asked of it comes before what is made.
        const auto parts = [&](ValueExprId id, const auto& each) {
            if (!pool_.is_random(id)) return;
            each_operand(pool_, id, each);
            const ValueNode& n = pool_.node(id);
            if (n.op == ValueOp::process && pool_.process(n.a).variables.empty()) each(pool_.process(n.a).yield);
        };
        const auto known = [&](ValueExprId id) { return means_.contains(id); };
        visit_parts_first(root, parts, known, [&](ValueExprId id) { means_.emplace(id, mean(id)); });
        return means_.at(root);
    }

  private:
    using Mean = std::optional<ValueExprId>;

    bool is(ValueExprId id, double value) const { return pool_.as_constant(id) == value; }
    // What is left of 1 behind a uniform draw, as distributions are made of it, and its logarithm: exponential, mean
    // -1.
    bool is_left(ValueExprId id) const
    {
        const ValueNode& n = pool_.node(id);
        return n.op == ValueOp::sub && is(n.a, 1) && pool_.node(n.b).op == ValueOp::unit;
    }
    bool is_standard_normal(ValueExprId id) const
    {
        const ValueNode& n = pool_.node(id);
        return n.op == ValueOp::normal && pool_.node(n.a).op == ValueOp::unit;
    }

    Mean two(ValueOp op, const ValueNode& n)
    {
        const Mean a = means_.at(n.a), b = means_.at(n.b);
        if (!a || !b) return std::nullopt;
        return pool_.make(op, *a, *b);
    }

    // The share of draws for which a condition holds.
    Mean share(ValueExprId condition)
    {
        if (!pool_.is_random(condition)) return condition;
        const ValueNode n = pool_.node(condition);
        const bool chance = n.op == ValueOp::lt && pool_.node(n.a).op == ValueOp::unit && !pool_.is_random(n.b);
        if (!chance) return std::nullopt;
        return pool_.make(ValueOp::max, pool_.constant(0), pool_.make(ValueOp::min, pool_.constant(1), n.b));
    }

    Mean choice(const ValueNode& n)
    {
        const Mean a = means_.at(n.b), b = means_.at(n.c), taken = share(n.a);
        if (!a || !b || !taken) return std::nullopt;
        if (!pool_.is_random(n.a)) return pool_.make(ValueOp::select, n.a, *a, *b);
        const ValueExprId rest = pool_.make(ValueOp::sub, pool_.constant(1), *taken);
        return pool_.make(ValueOp::add, pool_.make(ValueOp::mul, *taken, *a), pool_.make(ValueOp::mul, rest, *b));
    }

    // Of the logarithm's normal distribution (lognormal), e to half the variance.
    Mean exponential(const ValueNode& n)
    {
        ValueExprId deviation = pool_.constant(1);
        if (!is_standard_normal(n.a)) {
            const ValueNode product = pool_.node(n.a);
            if (product.op != ValueOp::mul || !is_standard_normal(product.b) || pool_.is_random(product.a))
                return std::nullopt;
            deviation = product.a;
        }
        const ValueExprId square = pool_.make(ValueOp::mul, deviation, deviation);
        return pool_.make(ValueOp::exp, pool_.make(ValueOp::div, square, pool_.constant(2)));
    }

    // Of a uniform draw (Pareto): it has a mean where the exponent is above -1.
    Mean power(const ValueNode& n)
    {
        const auto exponent = pool_.as_constant(n.b);
        if (!is_left(n.a) || !exponent || *exponent <= -1) return std::nullopt;
        return pool_.constant(1 / (1 + *exponent));
    }

    Mean mean(ValueExprId id)
    {
        if (!pool_.is_random(id)) return id;
        const ValueNode n = pool_.node(id);
        switch (n.op) {
            case ValueOp::unit:
                return pool_.constant(0.5);
            case ValueOp::empirical:
                return pool_.constant(pool_.tables()[n.a].mean());
            case ValueOp::normal:
                return is_standard_normal(id) ? Mean(pool_.constant(0)) : std::nullopt;
            case ValueOp::log:
                return is_left(n.a) ? Mean(pool_.constant(-1)) : std::nullopt;
            case ValueOp::exp:
                return exponential(n);
            case ValueOp::pow:
                return power(n);
            case ValueOp::neg: {
                const Mean a = means_.at(n.a);
                return a ? Mean(pool_.make(ValueOp::neg, *a)) : std::nullopt;
            }
            case ValueOp::add:
            case ValueOp::sub:
            case ValueOp::mul:
                return two(n.op, n);
            case ValueOp::div:
                return pool_.is_random(n.b) ? std::nullopt : two(n.op, n);
            case ValueOp::lt:
                return share(id);
            case ValueOp::select:
                return choice(n);
            case ValueOp::process: {
                const RandomProcess& process = pool_.process(n.a);
                return process.variables.empty() ? means_.at(process.yield) : std::nullopt;
            }
            default:
                return std::nullopt;
        }
    }

    ValuePool& pool_;
    std::unordered_map<ValueExprId, Mean> means_;
};

}  // namespace

std::optional<ValueExprId> exact_mean(ValuePool& pool, ValueExprId root) { return MeanMaker(pool).run(root); }

}  // namespace anml
