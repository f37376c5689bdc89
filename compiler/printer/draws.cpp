// Distributions: the forms that elaborate/values/distributions.cpp gives them, recognised.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "printer/expressions.h"
#include "printer/names.h"

namespace anml {

std::string Expressions::drawn(const DistributionValue& value, Dimension wanted)
{
    switch (value.kind) {
        case abi::DistributionKind::constant:
            return number(value.a, wanted);
        case abi::DistributionKind::uniform:
            return call("uniform", {number(value.a, wanted), number(value.b, wanted)});
        case abi::DistributionKind::exponential:
            return call("exponential", {number(value.a, wanted)});
        case abi::DistributionKind::computed:
            break;
    }
    std::string text = number(value.a, wanted);
    // By themselves these two are drawn without an expression, which gives other numbers.
    if (text.starts_with("uniform(") || text.starts_with("exponential(")) return "1 * " + text;
    return text;
}

bool Expressions::is_log_of_rest(ValueExprId id) const
{
    const ValueNode& n = pool_.node(id);
    if (n.op != ValueOp::log) return false;
    const ValueNode& rest = pool_.node(n.a);
    return rest.op == ValueOp::sub && is_constant(rest.a, 1) && pool_.node(rest.b).op == ValueOp::unit;
}

// Of `sign / shape`: the shape.
std::optional<std::string> Expressions::shape_of(ValueExprId exponent, double sign)
{
    const ValueNode& n = pool_.node(exponent);
    if (n.op == ValueOp::div && is_constant(n.a, sign)) return number(n.b, dimension::none);
    const auto value = pool_.as_constant(exponent);
    if (!value) return std::nullopt;
    // The quotient was rounded: what gives the same one is near.
    double shape = sign / *value;
    for (int i = 0; i < 8; ++i) shape = std::nextafter(shape, 0);
    for (int i = 0; i < 17; ++i, shape = std::nextafter(shape, INFINITY))
        if (sign / shape == *value) return exact_quantity(shape, dimension::none);
    return std::nullopt;
}

// factor * of, where it is one distribution; without a factor, of alone.
std::optional<Expressions::Text> Expressions::product_draw(std::optional<ValueExprId> factor, ValueExprId of,
                                                           Dimension wanted)
{
    const ValueNode& n = pool_.node(of);
    if (factor && is_log_of_rest(of)) {  // -mean * log(1 - unit)
        if (const auto value = pool_.as_constant(*factor))
            return Text{call("exponential", {exact_quantity(-*value, wanted)})};
        const ValueNode& mean = pool_.node(*factor);
        if (mean.op == ValueOp::neg) return Text{call("exponential", {number(mean.a, wanted)})};
    }
    const auto scale = [&] { return factor ? number(*factor, wanted) : "1"; };
    if (n.op == ValueOp::exp) {
        const ValueNode& exponent = pool_.node(n.a);
        const auto normal = [&](ValueExprId id) { return pool_.node(id).op == ValueOp::normal; };
        if (normal(n.a)) return Text{call("lognormal", {scale(), "1"})};
        if (exponent.op == ValueOp::mul && normal(exponent.b))
            return Text{call("lognormal", {scale(), number(exponent.a, dimension::none)})};
    }
    if (n.op == ValueOp::pow) {
        const ValueNode& base = pool_.node(n.a);
        if (base.op == ValueOp::neg && is_log_of_rest(base.a))
            if (const auto shape = shape_of(n.b, 1)) return Text{call("weibull", {scale(), *shape})};
        if (base.op == ValueOp::sub && is_constant(base.a, 1) && pool_.node(base.b).op == ValueOp::unit)
            if (const auto shape = shape_of(n.b, -1)) return Text{call("pareto", {scale(), *shape})};
    }
    if (n.op == ValueOp::normal) return Text{call("normal", {exact_quantity(0, wanted), scale()})};
    return std::nullopt;
}

std::optional<Expressions::Text> Expressions::sum_draw(const ValueNode& n, Dimension wanted)
{
    const ValueNode& b = pool_.node(n.b);
    const bool deviates = b.op == ValueOp::mul && pool_.node(b.b).op == ValueOp::normal;
    if (deviates && !pool_.is_random(n.a)) return Text{call("normal", {number(n.a, wanted), number(b.a, wanted)})};
    const bool wide = b.op == ValueOp::mul && pool_.node(b.b).op == ValueOp::unit;
    if (wide) {  // low + (high - low) * unit
        const ValueNode& width = pool_.node(b.a);
        if (width.op == ValueOp::sub && width.b == n.a)
            return Text{call("uniform", {number(n.a, wanted), number(width.a, wanted)})};
        const auto low = pool_.as_constant(n.a), range = pool_.as_constant(b.a);
        if (low && range && (*low + *range) - *low == *range && *range >= 0)
            return Text{call("uniform", {exact_quantity(*low, wanted), exact_quantity(*low + *range, wanted)})};
    }
    if (wanted == dimension::none && is_constant(n.a, 1) && b.op == ValueOp::floor) {  // 1 + floor(log / log(1 - p))
        const ValueNode& failures = pool_.node(b.a);
        if (failures.op != ValueOp::div || !is_log_of_rest(failures.a)) return std::nullopt;
        const ValueNode& log = pool_.node(failures.b);
        if (log.op == ValueOp::log) {
            const ValueNode& most = pool_.node(log.a);
            if (most.op != ValueOp::max) return std::nullopt;
            const ValueNode& failure = pool_.node(most.a);
            if (failure.op == ValueOp::sub && is_constant(failure.a, 1))
                return Text{call("geometric", {number(failure.b, dimension::none)})};
        }
        if (const auto wanted_log = pool_.as_constant(failures.b)) {
            double p = -std::expm1(*wanted_log);
            for (int i = 0; i < 64; ++i) p = std::nextafter(p, 0);
            for (int i = 0; i < 129; ++i, p = std::nextafter(p, 2))
                if (apply_operation(ValueOp::log, std::max(1 - p, 1e-300)) == *wanted_log)
                    return Text{call("geometric", {exact_quantity(p, dimension::none)})};
        }
    }
    return std::nullopt;
}

// Nothing where the operation is an ordinary one on what is drawn.
std::optional<Expressions::Text> Expressions::draw(ValueExprId id, Dimension wanted)
{
    const ValueNode& n = pool_.node(id);
    const auto number_of = [&](Text text) { return leaf(dimension::none, std::move(text), wanted); };
    switch (n.op) {
        case ValueOp::unit:
            return number_of({call("uniform", {"0", "1"})});
        case ValueOp::normal:
            return number_of({call("normal", {"0", "1"})});
        case ValueOp::zipf:
            return number_of({call("zipf", {number(n.a, dimension::none), number(n.b, dimension::none)})});
        case ValueOp::empirical: {
            const EmpiricalTable& table = pool_.tables()[n.a];
            return leaf(table.dim, {empirical(table, table.dim)}, wanted);
        }
        case ValueOp::truncate:
            return Text{call("truncated", {number(n.a, wanted), number(n.b, wanted), number(n.c, wanted)})};
        case ValueOp::process:
            return process(n.a, wanted);
        case ValueOp::state: {
            const auto& variable = pool_.process(n.a).variables[n.b];
            return leaf(variable.dim, {state_name(variable.name)}, wanted);
        }
        case ValueOp::mul:
            if (pool_.node(n.b).op == ValueOp::unit && pool_.as_constant(n.a).value_or(-1) >= 0)
                return Text{call("uniform", {exact_quantity(0, wanted), number(n.a, wanted)})};
            return product_draw(n.a, n.b, wanted);
        case ValueOp::add:
            return sum_draw(n, wanted);
        case ValueOp::exp:
        case ValueOp::pow:  // of a factor of 1
            if (auto text = product_draw(std::nullopt, id, dimension::none)) return number_of(*text);
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

std::string Expressions::near(const std::string& path) const
{
    std::error_code error;
    const std::filesystem::path near = std::filesystem::proximate(path, folder_, error);
    return error ? path : near.string();
}

std::string Expressions::file(const std::string& path) const { return string_literal(near(path)); }

std::string Expressions::empirical(const EmpiricalTable& table, Dimension wanted) const
{
    if (table.linear && table.file.empty()) {
        std::string values, shares;
        for (std::size_t i = 0; i < table.values.size(); ++i) {
            const char* const comma = i == 0 ? "" : ", ";
            values += comma + exact_quantity(table.values[i], wanted);
            shares += comma + exact_quantity(table.cumulated[i], dimension::none);
        }
        return call("cumulative", {"[" + values + "]", "[" + shares + "]"});
    }
    if (table.linear) return call("cumulative", {file(table.file), exact_quantity(table.unit, wanted)});
    return call("empirical", {file(table.file), exact_quantity(table.unit, wanted)});
}

}  // namespace anml
