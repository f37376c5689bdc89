// Operations, constants, tunables and questions about paths.
#include "printer/expressions.h"

#include <fmt/format.h>

#include "base/values/value_walk.h"
#include "check/checked_program.h"
#include "printer/names.h"

namespace anml {

namespace {

constexpr std::size_t kDeepest = 500;          // one in the other: more could not be read back
constexpr std::size_t kMostParts = 2'000'000;  // of all expressions together: shared parts are written out each time

std::string unit_of(Dimension d)
{
    return d == dimension::time ? "1 ns" : d == dimension::size ? "1 B" : d == dimension::rate ? "1 bps" : "1 m";
}

const char* sign_of(ValueOp op)
{
    switch (op) {
        case ValueOp::add:
            return "+";
        case ValueOp::sub:
            return "-";
        case ValueOp::mul:
            return "*";
        case ValueOp::div:
            return "/";
        case ValueOp::rem:
            return "%";
        case ValueOp::lt:
            return "<";
        case ValueOp::le:
            return "<=";
        case ValueOp::gt:
            return ">";
        case ValueOp::ge:
            return ">=";
        case ValueOp::eq:
            return "==";
        case ValueOp::ne:
            return "!=";
        case ValueOp::and_:
            return "&&";
        case ValueOp::or_:
            return "||";
        default:
            return "";
    }
}

bool answers_truth(PathFunction f)
{
    return f == PathFunction::reachable || f == PathFunction::via || f == PathFunction::disjoint ||
           f == PathFunction::path;
}

Dimension dimension_of_answer(PathFunction f)
{
    return f == PathFunction::rtt          ? dimension::time
           : f == PathFunction::bottleneck ? dimension::rate
           : f == PathFunction::bdp        ? dimension::size
                                           : dimension::none;
}

}  // namespace

std::string FreshNames::make(std::string_view wanted)
{
    std::string name(wanted);
    for (unsigned n = 2; !taken_.insert(name).second; ++n) name = fmt::format("{}_{}", wanted, n);
    return name;
}

bool Expressions::too_long()
{
    if (depth_ >= kDeepest) failure_ = kNestedTooDeep;
    if (++parts_ <= kMostParts) return depth_ >= kDeepest;
    failure_ = "its expressions are too long once everything is written out";
    return true;
}

std::string Expressions::within(const Text& text, Level least)
{
    return text.level < least ? fmt::format("({})", text.text) : text.text;
}

Expressions::Text Expressions::infix(const char* sign, Level level, const Text& a, const Text& b) const
{
    return {fmt::format("{} {} {}", within(a, level), sign, within(b, static_cast<Level>(level + 1))), level};
}

std::string Expressions::call(const char* name, std::initializer_list<std::string> arguments) const
{
    return fmt::format("{}({})", name, fmt::join(arguments, ", "));
}

// What has one dimension, where another is wanted.
Expressions::Text Expressions::leaf(Dimension has, Text text, Dimension wanted)
{
    if (has == wanted) return text;
    if (has != dimension::none) text = infix("/", product, text, {unit_of(has), primary});
    if (wanted != dimension::none) text = infix("*", product, text, {unit_of(wanted), primary});
    return text;
}

Expressions::Text Expressions::plain(ValueExprId id, Dimension wanted)
{
    return leaf(dimension::none, write(id, dimension::none), wanted);
}

bool Expressions::is_truth(ValueExprId id)
{
    const auto known = [&](ValueExprId part) { return truths_.contains(part); };
    visit_operands_first(pool_, id, known, [&](ValueExprId part) { truths_[part] = work_out_truth(part); });
    return truths_.at(id);
}

bool Expressions::work_out_truth(ValueExprId id) const
{
    const ValueNode& node = pool_.node(id);
    switch (node.op) {
        case ValueOp::lt:
        case ValueOp::le:
        case ValueOp::gt:
        case ValueOp::ge:
        case ValueOp::eq:
        case ValueOp::ne:
        case ValueOp::and_:
        case ValueOp::or_:
        case ValueOp::not_:
            return true;
        case ValueOp::tunable:
            return node.a >= network_.tunables.size() && node.a < kFirstMeasure &&
                   answers_truth(network_.queries[node.a - network_.tunables.size()].function);
        case ValueOp::state:
            return node.value != 0;
        case ValueOp::process:
            return pool_.process(node.a).truth;
        case ValueOp::select:
            return truths_.at(node.b) || truths_.at(node.c);
        default:
            return false;
    }
}

Expressions::Known Expressions::dimension_of(ValueExprId id)
{
    const auto known = [&](ValueExprId part) { return dimensions_.contains(part); };
    visit_operands_first(pool_, id, known, [&](ValueExprId part) { dimensions_[part] = work_out_dimension(part); });
    return dimensions_.at(id);
}

// From what is known of its operands.
Expressions::Known Expressions::work_out_dimension(ValueExprId id) const
{
    const ValueNode& node = pool_.node(id);
    Known result;
    const auto either = [&](ValueExprId a, ValueExprId b) {
        const Known one = dimensions_.at(a);
        return one.known ? one : dimensions_.at(b);
    };
    switch (node.op) {
        case ValueOp::constant:
            break;
        case ValueOp::tunable:
            result = {true, node.a < network_.tunables.size() ? network_.tunables[node.a].dim
                            : node.a >= kFirstMeasure
                                ? dimension_of_measure(network_.measures[node.a - kFirstMeasure].kind,
                                                       network_.measures[node.a - kFirstMeasure].phase)
                                : dimension_of_answer(network_.queries[node.a - network_.tunables.size()].function)};
            break;
        case ValueOp::add:
        case ValueOp::sub:
        case ValueOp::rem:
        case ValueOp::min:
        case ValueOp::max:
            result = either(node.a, node.b);
            break;
        case ValueOp::select:
            result = either(node.b, node.c);
            break;
        case ValueOp::neg:
        case ValueOp::abs:
        case ValueOp::truncate:
            result = dimensions_.at(node.a);
            break;
        case ValueOp::mul: {
            const Known a = dimensions_.at(node.a), b = dimensions_.at(node.b);
            if (a.known && a.dim != dimension::none && (!b.known || b.dim == dimension::none)) result = a;
            if (b.known && b.dim != dimension::none && (!a.known || a.dim == dimension::none)) result = b;
            break;
        }
        case ValueOp::div: {
            const Known a = dimensions_.at(node.a), b = dimensions_.at(node.b);
            if (a.known && (!b.known || b.dim == dimension::none)) result = a;
            if (a.known && b.known && a.dim == b.dim) result = {true, dimension::none};
            break;
        }
        case ValueOp::state: {
            const auto& variable = pool_.process(node.a).variables[node.b];
            result = {true, variable.dim};
            break;
        }
        case ValueOp::process:
            result = {true, pool_.process(node.a).dim};
            break;
        case ValueOp::empirical:
            result = {true, pool_.tables()[node.a].dim};
            break;
        default:
            result = {true, dimension::none};
    }
    return result;
}

// Whether it can be written in that dimension without a detour.
bool Expressions::fits(ValueExprId id, Dimension wanted)
{
    const Known known = dimension_of(id);
    return !known.known || known.dim == wanted;
}

Expressions::Text Expressions::tunable(std::uint32_t index, Dimension wanted)
{
    if (index < network_.tunables.size()) {
        const TunableInfo& t = network_.tunables[index];
        if (defaults_) return {exact_quantity(t.value, wanted), t.value < 0 ? unary : primary};
        return leaf(t.dim, {quoted_name(t.name), primary}, wanted);
    }
    if (index >= kFirstMeasure) {
        const MeasureInfo& m = network_.measures[index - kFirstMeasure];
        std::string names;
        const std::vector<std::uint32_t>& of = network_.measured[m.of].workloads;
        for (const std::uint32_t w : of)
            names += fmt::format("{}{}", names.empty() ? "" : ", ", quoted_name(network_.workloads[w].name));
        if (const auto& slice = network_.measured[m.of].link) {
            const LinkArray& link = network_.links[slice->row.value];
            names = link_element(link, slice->first, defaults_);  // a measure is of one
        }
        if (of.size() > 1) names = "[" + names + "]";
        if (const std::string& request = network_.measured[m.of].request; !request.empty())
            names += ", " + string_literal(request);
        std::string text = measure_text(m.kind, names, m.phase, part_text(network_, m));
        return leaf(dimension_of_measure(m.kind, m.phase), {std::move(text), primary}, wanted);
    }
    return query(network_.queries[index - network_.tunables.size()], wanted);
}

Expressions::Text Expressions::query(const PathQuery& q, Dimension wanted)
{
    if (q.of_links()) {
        std::string text = fmt::format("{}({})", path_function_name(q.function), link_of(q));
        return leaf(dimension::none, {std::move(text), primary}, wanted);
    }
    const std::string from = node(q.from), to = node(q.to);
    const std::string name(path_function_name(q.function));
    std::string between;
    for (const std::uint32_t id : q.between) between += (between.empty() ? "" : ", ") + node(id);
    std::string text = q.function == PathFunction::path  ? fmt::format("{}({}, {}, [{}])", name, from, to, between)
                       : q.function == PathFunction::via ? fmt::format("{}({}, {}, {})", name, from, to, node(q.third))
                       : q.function == PathFunction::disjoint
                           ? fmt::format("{}({}, {}, {}, {})", name, from, to, node(q.third), node(q.fourth))
                           : fmt::format("{}({}, {})", name, from, to);
    return leaf(dimension_of_answer(q.function), {std::move(text), primary}, wanted);
}

// "core, up"
std::string Expressions::link_of(const PathQuery& q) const
{
    if (q.link.count == 0) return "";
    const LinkArray& link = network_.links[q.link.row.value];
    const std::string_view direction = abi::kMeasurePhases[static_cast<std::size_t>(q.direction)];
    return link_element(link, q.link.first, defaults_) + (direction.empty() ? "" : fmt::format(", {}", direction));
}

std::string Expressions::node(std::uint32_t id) const
{
    const NodeArray& row = row_of_node(network_, id);
    return node_element(row, id - row.first_node, defaults_);
}

std::optional<Expressions::Text> Expressions::product_of(const ValueNode& n, Dimension wanted)
{
    const Known a = dimension_of(n.a), b = dimension_of(n.b);
    const bool a_plain = !a.known || a.dim == dimension::none, b_plain = !b.known || b.dim == dimension::none;
    if (wanted == dimension::none) {
        if (!a_plain || !b_plain) return std::nullopt;
        return infix("*", product, write(n.a, wanted), write(n.b, wanted));
    }
    const bool fixed_a = pool_.as_constant(n.a).has_value();
    if (b_plain && (a.known ? a.dim == wanted : !fixed_a || b.known))
        return infix("*", product, write(n.a, wanted), write(n.b, dimension::none));
    if (a_plain && (!b.known || b.dim == wanted))
        return infix("*", product, write(n.a, dimension::none), write(n.b, wanted));
    return std::nullopt;
}

std::optional<Expressions::Text> Expressions::quotient_of(const ValueNode& n, Dimension wanted)
{
    const Known a = dimension_of(n.a), b = dimension_of(n.b);
    const bool b_plain = !b.known || b.dim == dimension::none;
    if (b_plain && (!a.known || a.dim == wanted))
        return infix("/", product, write(n.a, wanted), write(n.b, dimension::none));
    if (wanted == dimension::none && b.known && (!a.known || a.dim == b.dim))
        return infix("/", product, write(n.a, b.dim), write(n.b, b.dim));
    return std::nullopt;
}

Expressions::Text Expressions::write(ValueExprId id, Dimension wanted)
{
    if (too_long()) return {};
    ++depth_;
    Text text = written(id, wanted);
    --depth_;
    return text;
}

Expressions::Text Expressions::written(ValueExprId id, Dimension wanted)
{
    const ValueNode& n = pool_.node(id);
    if (n.op == ValueOp::constant) return {exact_quantity(n.value, wanted), n.value < 0 ? unary : primary};
    if (is_truth(id))
        return leaf(dimension::none, {fmt::format("if {} then 1 else 0", truth(id).text), conditional}, wanted);
    if (pool_.is_random(id))
        if (auto text = draw(id, wanted)) return *text;
    const bool fitting = fits(id, wanted);
    switch (n.op) {
        case ValueOp::tunable:
            return tunable(n.a, wanted);
        case ValueOp::add:
        case ValueOp::sub:
            if (!fitting) break;
            return infix(sign_of(n.op), sum, write(n.a, wanted), write(n.b, wanted));
        case ValueOp::rem:
            if (!fitting) break;
            return infix("%", product, write(n.a, wanted), write(n.b, wanted));
        case ValueOp::mul:
            if (auto text = product_of(n, wanted)) return *text;
            break;
        case ValueOp::div:
            if (auto text = quotient_of(n, wanted)) return *text;
            break;
        case ValueOp::neg:
            if (!fitting) break;
            return {fmt::format("-{}", within(write(n.a, wanted), primary)), unary};
        case ValueOp::min:
        case ValueOp::max:
            if (!fitting) break;
            return {call(n.op == ValueOp::min ? "min" : "max", {write(n.a, wanted).text, write(n.b, wanted).text})};
        case ValueOp::abs:
            if (!fitting) break;
            return {call("abs", {write(n.a, wanted).text})};
        case ValueOp::select:
            if (!fitting) break;
            return {
                fmt::format("if {} then {} else {}", truth(n.a).text, write(n.b, wanted).text, write(n.c, wanted).text),
                conditional};
        case ValueOp::floor:
        case ValueOp::ceil:
        case ValueOp::round: {
            const char* name = n.op == ValueOp::floor ? "floor" : n.op == ValueOp::ceil ? "ceil" : "round";
            return leaf(dimension::none, {call(name, {write(n.a, dimension::none).text})}, wanted);
        }
        case ValueOp::power:
            return leaf(dimension::none,
                        {call("pow", {write(n.a, dimension::none).text, write(n.b, dimension::none).text})}, wanted);
        case ValueOp::sqrt:
        case ValueOp::exp:
        case ValueOp::log:
        case ValueOp::sin:
        case ValueOp::cos: {
            const char* name = n.op == ValueOp::sqrt  ? "sqrt"
                               : n.op == ValueOp::exp ? "exp"
                               : n.op == ValueOp::log ? "log"
                               : n.op == ValueOp::sin ? "sin"
                                                      : "cos";
            return leaf(dimension::none, {call(name, {write(n.a, dimension::none).text})}, wanted);
        }
        default:
            if (failure_.empty()) failure_ = "a value is computed as no expression of the language can say";
            return {};
    }
    if (wanted != dimension::none) return plain(id, wanted);
    // In canonical units, as the operation has it.
    switch (n.op) {
        case ValueOp::mul:
        case ValueOp::div:
            return infix(sign_of(n.op), product, write(n.a, wanted), write(n.b, wanted));
        default: {
            // Of one dimension, which goes last.
            const Known known = dimension_of(id);
            return leaf(known.dim, write(id, known.dim), wanted);
        }
    }
}

Expressions::Text Expressions::truth(ValueExprId id)
{
    if (too_long()) return {};
    ++depth_;
    Text text = written_truth(id);
    --depth_;
    return text;
}

Expressions::Text Expressions::written_truth(ValueExprId id)
{
    const ValueNode& n = pool_.node(id);
    if (n.op == ValueOp::constant) return {n.value != 0 ? "true" : "false"};
    if (!is_truth(id)) return infix("!=", equality, write(id, dimension::none), {"0"});
    switch (n.op) {
        case ValueOp::tunable:
            return tunable(n.a, dimension::none);
        case ValueOp::process:
            return process(n.a, dimension::none);
        case ValueOp::state:
            return {state_name(pool_.process(n.a).variables[n.b].name)};
        case ValueOp::not_:
            return {fmt::format("!{}", within(truth(n.a), primary)), unary};
        case ValueOp::and_:
            return infix("&&", both, truth(n.a), truth(n.b));
        case ValueOp::or_:
            return infix("||", either, truth(n.a), truth(n.b));
        case ValueOp::select:
            return {fmt::format("if {} then {} else {}", truth(n.a).text, truth(n.b).text, truth(n.c).text),
                    conditional};
        default:
            break;
    }
    if (n.op == ValueOp::lt && pool_.node(n.a).op == ValueOp::unit && !pool_.is_random(n.b))
        return {call("chance", {write(n.b, dimension::none).text})};
    const Level level = n.op == ValueOp::eq || n.op == ValueOp::ne ? equality : relation;
    if (level == equality && is_truth(n.a) && is_truth(n.b)) return infix(sign_of(n.op), level, truth(n.a), truth(n.b));
    const Known a = dimension_of(n.a), b = dimension_of(n.b);
    Dimension common = a.known ? a.dim : b.known ? b.dim : dimension::none;
    if (a.known && b.known && a.dim != b.dim) common = dimension::none;
    return infix(sign_of(n.op), level, write(n.a, common), write(n.b, common));
}

}  // namespace anml
