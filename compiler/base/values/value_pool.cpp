// Residual expressions: interning, folding, evaluation and bounds.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/values/quantity.h"
#include "base/values/value_walk.h"
#include "common/mix.h"
#include "common/sampling.h"

namespace anml {
namespace {

using Interval = ValuePool::Interval;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The samples at the ends of the interval of a function that only rises.
template <class Function>
Interval rising(Interval a, Function&& function)
{
    return {function(a.low), function(a.high)};
}

double apply(ValueOp op, double a, double b, double c) { return apply_operation(op, a, b, c); }

Interval hull(std::initializer_list<double> values)
{
    Interval result{kInfinity, -kInfinity};
    for (double v : values) {
        if (std::isnan(v)) return {-kInfinity, kInfinity};
        result.low = std::min(result.low, v + 0.0);  // -0 + 0 is 0
        result.high = std::max(result.high, v + 0.0);
    }
    return result;
}

// 1: always true, 0: never, -1: depends.
Interval truth(int always) { return always < 0 ? Interval{0, 1} : Interval{double(always), double(always)}; }
int truth_of(Interval v) { return v.low == 0 && v.high == 0 ? 0 : v.low > 0 || v.high < 0 ? 1 : -1; }

Interval apply(ValueOp op, Interval a, Interval b, Interval c)
{
    switch (op) {
        case ValueOp::constant:
        case ValueOp::tunable:
            return a;
        case ValueOp::add:
            return hull({a.low + b.low, a.high + b.high});
        case ValueOp::sub:
            return hull({a.low - b.high, a.high - b.low});
        case ValueOp::mul:
            return hull({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
        case ValueOp::div:
            if (b.low <= 0 && b.high >= 0) return {-kInfinity, kInfinity};
            return hull({a.low / b.low, a.low / b.high, a.high / b.low, a.high / b.high});
        case ValueOp::rem: {
            if (b.low <= 0 && b.high >= 0) return {-kInfinity, kInfinity};
            const double limit = std::max(std::fabs(b.low), std::fabs(b.high));
            return {a.low < 0 ? std::max(-limit, a.low) : 0, a.high > 0 ? std::min(limit, a.high) : 0};
        }
        case ValueOp::neg:
            return hull({-a.high, -a.low});
        case ValueOp::min:
            return {std::min(a.low, b.low), std::min(a.high, b.high)};
        case ValueOp::max:
            return {std::max(a.low, b.low), std::max(a.high, b.high)};
        case ValueOp::floor:
        case ValueOp::ceil:
        case ValueOp::round:
            return {apply_operation(op, a.low), apply_operation(op, a.high)};
        case ValueOp::lt:
            return truth(a.high < b.low ? 1 : a.low >= b.high ? 0 : -1);
        case ValueOp::le:
            return truth(a.high <= b.low ? 1 : a.low > b.high ? 0 : -1);
        case ValueOp::gt:
            return apply(ValueOp::lt, b, a, c);
        case ValueOp::ge:
            return apply(ValueOp::le, b, a, c);
        case ValueOp::eq:
        case ValueOp::ne: {
            const int equal = a.high < b.low || b.high < a.low                       ? 0
                              : a.low == a.high && b.low == b.high && a.low == b.low ? 1
                                                                                     : -1;
            return truth(equal < 0 ? -1 : op == ValueOp::eq ? equal : 1 - equal);
        }
        case ValueOp::and_: {
            const int x = truth_of(a), y = truth_of(b);
            return truth(x == 0 || y == 0 ? 0 : x == 1 && y == 1 ? 1 : -1);
        }
        case ValueOp::or_: {
            const int x = truth_of(a), y = truth_of(b);
            return truth(x == 1 || y == 1 ? 1 : x == 0 && y == 0 ? 0 : -1);
        }
        case ValueOp::not_: {
            const int x = truth_of(a);
            return truth(x < 0 ? -1 : 1 - x);
        }
        case ValueOp::select: {
            const int x = truth_of(a);
            if (x == 1) return b;
            if (x == 0) return c;
            return {std::min(b.low, c.low), std::max(b.high, c.high)};
        }
        case ValueOp::log:
            return rising(a, [](double x) { return x > 0 ? rt::natural_log(x) : -kInfinity; });
        case ValueOp::exp:
            return rising(a, rt::exponential_of);
        case ValueOp::pow:  // of a base that is not negative
            if (a.low < 0) break;
            return hull({rt::power_of(a.low, b.low), rt::power_of(a.low, b.high), rt::power_of(a.high, b.low),
                         rt::power_of(a.high, b.high)});
        case ValueOp::power:
            if (a.low < 0) break;
            return hull({rt::power(a.low, b.low), rt::power(a.low, b.high), rt::power(a.high, b.low),
                         rt::power(a.high, b.high)});
        case ValueOp::sqrt:
            return rising(a, [](double x) { return x > 0 ? std::sqrt(x) : 0; });
        case ValueOp::sin:
        case ValueOp::cos:
            if (a.low == a.high) return {apply_operation(op, a.low), apply_operation(op, a.low)};
            return {-1, 1};
        case ValueOp::normal:
            return {-kInfinity, kInfinity};
        case ValueOp::abs:
            if (a.low <= 0 && a.high >= 0) return {0, std::max(-a.low, a.high)};
            return hull({std::fabs(a.low), std::fabs(a.high)});
        case ValueOp::zipf:
            return {1, std::max(1.0, a.high)};
        case ValueOp::truncate:
            return {std::max(a.low, b.low), std::min(a.high, c.high)};
        default:
            break;
    }
    return {-kInfinity, kInfinity};
}

}  // namespace

double apply_operation(ValueOp op, double a, double b, double c)
{
    switch (op) {
        case ValueOp::constant:
        case ValueOp::tunable:
            return a;
        case ValueOp::add:
            return a + b;
        case ValueOp::sub:
            return a - b;
        case ValueOp::mul:
            return a * b;
        case ValueOp::div:
            return a / b;
        case ValueOp::rem:
            return std::fmod(a, b);
        case ValueOp::neg:
            return -a;
        case ValueOp::min:
            return std::min(a, b);
        case ValueOp::max:
            return std::max(a, b);
        case ValueOp::floor:
            return std::floor(a);
        case ValueOp::ceil:
            return std::ceil(a);
        case ValueOp::round:
            return std::round(a);
        case ValueOp::lt:
            return a < b;
        case ValueOp::le:
            return a <= b;
        case ValueOp::gt:
            return a > b;
        case ValueOp::ge:
            return a >= b;
        case ValueOp::eq:
            return a == b;
        case ValueOp::ne:
            return a != b;
        case ValueOp::and_:
            return a != 0 && b != 0;
        case ValueOp::or_:
            return a != 0 || b != 0;
        case ValueOp::not_:
            return a == 0;
        case ValueOp::select:
            return a != 0 ? b : c;
        case ValueOp::log:
            return rt::logarithm(a);
        case ValueOp::exp:
            return rt::exponential_of(a);
        case ValueOp::pow:
            return rt::power_of(a, b);
        case ValueOp::power:
            return rt::power(a, b);
        case ValueOp::sqrt:
            return std::sqrt(a);
        case ValueOp::sin:
            return rt::sine(a);
        case ValueOp::cos:
            return rt::cosine(a);
        case ValueOp::normal:
            return rt::normal_quantile(a);
        case ValueOp::abs:
            return std::fabs(a);
        default:  // draws, which base/values/sample_tree.h makes
            return 0;
    }
}

int operand_count(ValueOp op)
{
    switch (op) {
        case ValueOp::constant:
        case ValueOp::tunable:
        case ValueOp::unit:
        case ValueOp::empirical:
        case ValueOp::state:
        case ValueOp::process:
            return 0;
        case ValueOp::log:
        case ValueOp::exp:
        case ValueOp::sqrt:
        case ValueOp::sin:
        case ValueOp::cos:
        case ValueOp::normal:
        case ValueOp::abs:
        case ValueOp::neg:
        case ValueOp::floor:
        case ValueOp::ceil:
        case ValueOp::round:
        case ValueOp::not_:
            return 1;
        case ValueOp::select:
        case ValueOp::truncate:
            return 3;
        default:
            return 2;
    }
}

namespace {

std::uint64_t hash_of(const ValueNode& node)
{
    std::uint64_t h = std::bit_cast<std::uint64_t>(node.value) ^ (std::uint64_t(node.op) << 56);
    if (node.a | node.b | node.c) h = rt::mix(h ^ (std::uint64_t{node.a} << 32 | node.b)) ^ node.c;
    return rt::mix(h);
}

bool same(const ValueNode& x, const ValueNode& y)
{
    return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
           std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

void ValuePool::grow_index()
{
    constexpr std::size_t kLeast = 64;
    index_.assign(std::max(kLeast, 2 * index_.size()), 0);
    const std::size_t mask = index_.size() - 1;
    for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
        std::size_t at = hash_of(nodes_[id]) & mask;
        while (index_[at] != 0) at = (at + 1) & mask;
        index_[at] = id + 1;
    }
}

ValueExprId ValuePool::intern(const ValueNode& node)
{
    if (2 * (nodes_.size() + 1) > index_.size()) grow_index();
    const std::size_t mask = index_.size() - 1;
    std::size_t at = hash_of(node) & mask;
    for (; index_[at] != 0; at = (at + 1) & mask)
        if (same(nodes_[index_[at] - 1], node)) return index_[at] - 1;
    const ValueExprId operands[] = {node.a, node.b, node.c};
    bool random = node.op >= ValueOp::normal;
    for (int i = 0; i < operand_count(node.op); ++i) random = random || random_[operands[i]];
    nodes_.push_back(node);
    random_.push_back(random);
    index_[at] = static_cast<std::uint32_t>(nodes_.size());
    return index_[at] - 1;
}

ValueExprId ValuePool::constant(double v) { return intern({ValueOp::constant, 0, 0, 0, v}); }

ValueExprId ValuePool::tunable(std::uint32_t index) { return intern({ValueOp::tunable, index, 0, 0, 0}); }

std::optional<double> ValuePool::as_constant(ValueExprId id) const
{
    if (nodes_[id].op != ValueOp::constant) return std::nullopt;
    return nodes_[id].value;
}

ValueExprId ValuePool::make(ValueOp op, ValueExprId a, ValueExprId b, ValueExprId c)
{
    const int operands = operand_count(op);
    const auto x = as_constant(a);
    const auto y = operands > 1 ? as_constant(b) : 0.0;
    const auto z = operands > 2 ? as_constant(c) : 0.0;
    const bool draws = op == ValueOp::zipf || op == ValueOp::truncate;
    if (x && y && z && !draws) return constant(apply_operation(op, *x, *y, *z));
    switch (op) {  // identities that are exact
        case ValueOp::add:
            if (x == 0.0) return b;
            if (y == 0.0) return a;
            break;
        case ValueOp::sub:
            if (y == 0.0) return a;
            break;
        case ValueOp::mul:
            if (x == 1.0) return b;
            if (y == 1.0) return a;
            break;
        case ValueOp::div:
            if (y == 1.0) return a;
            break;
        case ValueOp::and_:
            if (x == 0.0 || y == 0.0) return constant(0);
            break;
        case ValueOp::or_:
            if ((x && *x != 0) || (y && *y != 0)) return constant(1);
            break;
        case ValueOp::select:
            if (x) return *x != 0 ? b : c;
            if (b == c) return b;
            break;
        default:
            break;
    }
    return intern({op, a, operands > 1 ? b : 0, operands > 2 ? c : 0, 0});
}

double EmpiricalTable::mean() const
{
    double sum = 0, before = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double middle = linear && i > 0 ? (values[i - 1] + values[i]) / 2 : values[i];
        sum += (cumulated[i] - before) * middle;
        before = cumulated[i];
    }
    return sum;
}

ValueExprId ValuePool::empirical(EmpiricalTable table)
{
    const auto known = std::find(tables_.begin(), tables_.end(), table);
    const auto index = static_cast<std::uint32_t>(known - tables_.begin());
    if (known == tables_.end()) tables_.push_back(std::move(table));
    return intern({ValueOp::empirical, index, 0, 0, 0});
}

std::uint32_t ValuePool::declare_process()
{
    processes_.emplace_back();
    return static_cast<std::uint32_t>(processes_.size() - 1);
}

ValueExprId ValuePool::state(std::uint32_t process, std::uint32_t variable, bool truth)
{
    return intern({ValueOp::state, process, variable, 0, truth ? 1.0 : 0.0});
}

ValueExprId ValuePool::define_process(std::uint32_t process, RandomProcess definition)
{
    processes_[process] = std::move(definition);
    return intern({ValueOp::process, process, 0, 0, 0});
}

// Nodes are shared, so that a path through them may come by one very often: each is computed once. A process counts as
// what it yields.
template <class Result, class Leaf>
Result ValuePool::compute(ValueExprId root, const Leaf& leaf) const
{
    if (nodes_[root].op == ValueOp::constant || nodes_[root].op == ValueOp::tunable) return leaf(nodes_[root]);
    std::unordered_map<ValueExprId, Result> results;
    const auto parts = [&](ValueExprId id, const auto& each) {
        each_operand(*this, id, each);
        if (nodes_[id].op == ValueOp::process) each(processes_[nodes_[id].a].yield);
    };
    const auto known = [&](ValueExprId id) { return results.contains(id); };
    visit_parts_first(root, parts, known, [&](ValueExprId id) {
        const ValueNode& n = nodes_[id];
        const int operands = operand_count(n.op);
        const auto operand = [&](int i, ValueExprId part) { return i < operands ? results.at(part) : Result{}; };
        results.emplace(id, n.op == ValueOp::process ? results.at(processes_[n.a].yield)
                            : operands == 0          ? leaf(n)
                                                     : apply(n.op, operand(0, n.a), operand(1, n.b), operand(2, n.c)));
    });
    return results.at(root);
}

double ValuePool::evaluate(ValueExprId id, const std::vector<double>& tunables) const
{
    return compute<double>(id, [&](const ValueNode& n) { return n.op == ValueOp::constant ? n.value : tunables[n.a]; });
}

ValuePool::Interval ValuePool::bounds(ValueExprId id, const std::vector<Interval>& tunables) const
{
    return compute<Interval>(id, [&](const ValueNode& n) {
        const Interval anything{-kInfinity, kInfinity};
        switch (n.op) {
            case ValueOp::constant:
                return Interval{n.value, n.value};
            case ValueOp::tunable:
                return n.a < tunables.size() ? tunables[n.a] : anything;
            case ValueOp::unit:
                return Interval{0, 1};
            case ValueOp::empirical: {
                const auto [low, high] = std::minmax_element(tables_[n.a].values.begin(), tables_[n.a].values.end());
                return Interval{*low, *high};
            }
            case ValueOp::state:
                return n.value != 0 ? Interval{0, 1} : anything;
            default:
                return anything;
        }
    });
}

}  // namespace anml
