// Sums, differences and multiples stay affine; everything else that depends on a tunable becomes an atom.
#include "analysis/routes/affine_delay.h"

#include <algorithm>

#include "analysis/network_queries.h"
#include "base/values/value_walk.h"

namespace anml {
namespace {

AffineForm combine(const AffineForm& a, double scale_a, const AffineForm& b, double scale_b)
{
    AffineForm sum{a.constant * scale_a + b.constant * scale_b, {}};
    auto p = a.terms.begin(), q = b.terms.begin();
    while (p != a.terms.end() || q != b.terms.end()) {
        const ValueExprId atom =
            std::min(p != a.terms.end() ? p->first : q->first, q != b.terms.end() ? q->first : p->first);
        double coefficient = 0;
        if (p != a.terms.end() && p->first == atom) coefficient += scale_a * (p++)->second;
        if (q != b.terms.end() && q->first == atom) coefficient += scale_b * (q++)->second;
        if (coefficient != 0) sum.terms.emplace_back(atom, coefficient);
    }
    return sum;
}

}  // namespace

AffineForms::AffineForms(const Network& network)
    : values_(network.values), defaults_(default_tunables(network)), ranges_(tunable_ranges(network))
{
}

ValuePool::Interval AffineForms::bounds(ValueExprId atom) const
{
    // An open range may not reach a delay, but a bound must be finite to be computed with: 1000 s in ns.
    constexpr double kLimit = 1e12;
    const ValuePool::Interval exact = values_.bounds(atom, ranges_);
    return {std::clamp(exact.low, -kLimit, kLimit), std::clamp(exact.high, -kLimit, kLimit)};
}

double AffineForms::default_value(ValueExprId atom) const { return values_.evaluate(atom, defaults_); }

std::set<std::uint32_t> AffineForms::tunables(ValueExprId atom) const
{
    std::set<std::uint32_t> found;
    std::set<ValueExprId> seen;
    std::vector<ValueExprId> open{atom};
    while (!open.empty()) {
        const ValueExprId id = open.back();
        open.pop_back();
        if (!seen.insert(id).second) continue;
        const ValueNode& node = values_.node(id);
        if (node.op == ValueOp::tunable) found.insert(node.a);
        const ValueExprId operands[] = {node.a, node.b, node.c};
        open.insert(open.end(), operands, operands + operand_count(node.op));
    }
    return found;
}

const AffineForm& AffineForms::of(ValueExprId expression)
{
    const auto parts = [&](ValueExprId id, const auto& each) {
        const ValueOp op = values_.node(id).op;
        if (op >= ValueOp::add && op <= ValueOp::neg && op != ValueOp::rem) each_operand(values_, id, each);
    };
    const auto known = [&](ValueExprId id) { return known_.contains(id); };
    visit_parts_first(expression, parts, known, [&](ValueExprId id) { known_.emplace(id, compute(id)); });
    return known_.at(expression);
}

AffineForm AffineForms::as_atom(ValueExprId expression) const
{
    const ValuePool::Interval range = bounds(expression);
    if (range.low == range.high) return {range.low, {}};
    return {0, {{expression, 1}}};
}

AffineForm AffineForms::compute(ValueExprId expression)
{
    const ValueNode node = values_.node(expression);
    switch (node.op) {
        case ValueOp::constant:
            return {node.value, {}};
        case ValueOp::add:
            return combine(of(node.a), 1, of(node.b), 1);
        case ValueOp::sub:
            return combine(of(node.a), 1, of(node.b), -1);
        case ValueOp::neg:
            return combine(of(node.a), -1, {}, 0);
        case ValueOp::mul:
            if (of(node.a).terms.empty()) return combine(of(node.b), of(node.a).constant, {}, 0);
            if (of(node.b).terms.empty()) return combine(of(node.a), of(node.b).constant, {}, 0);
            return as_atom(expression);
        case ValueOp::div:
            if (of(node.b).terms.empty() && of(node.b).constant != 0) {
                return combine(of(node.a), 1 / of(node.b).constant, {}, 0);
            }
            return as_atom(expression);
        default:
            return as_atom(expression);
    }
}

}  // namespace anml
