// Comprehensions: clause in clause, as loops are; each round is a step of those that a model may make.
#include <fmt/format.h>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// One run of one array stays that: what is made of it is an array, too. Otherwise each node is by itself, as in a list.
NodeSet joined(const std::vector<Value>& chosen)
{
    NodeSet result;
    for (const Value& value : chosen)
        if (const NodeSet* nodes = value.as<NodeSet>()) result.insert(result.end(), nodes->begin(), nodes->end());
    if (result.empty()) return result;
    TargetRange whole = result[0];
    for (std::size_t i = 1; i < result.size(); ++i) {
        if (result[i].row != whole.row || result[i].first != whole.first + whole.count) return result;
        whole.count += result[i].count;
    }
    return {whole};
}

bool clause(Elaboration& in, const Expr& e, std::size_t index, Frame& frame, std::vector<Value>& out);

bool clause_round(Elaboration& in, const Expr& e, std::size_t index, Value number, Value element, Frame& frame,
                  std::vector<Value>& out)
{
    if (++in.steps > kMaxSteps) {
        if (in.steps == kMaxSteps + 1)
            in.report(Diag::network_too_large, e.span,
                      fmt::format("the model makes more than {} statements and rounds", kMaxSteps));
        return false;
    }
    const bool counted = in.program.comprehensions[e.index].clauses[index].counted;
    if (counted) in.bound.push_back(std::move(number));
    in.bound.push_back(std::move(element));
    bool goes_on = true, taken = true;
    if (const ExprId condition = in.program.operands_of(e)[3 + 3 * index]) {
        const auto holds = shape(in, condition, frame, "the condition of a comprehension");
        goes_on = holds.has_value();
        taken = goes_on && *holds != 0;
    }
    ++in.depth;
    if (taken) goes_on = clause(in, e, index + 1, frame, out);
    --in.depth;
    in.bound.resize(in.bound.size() - (counted ? 2 : 1));
    return goes_on;
}

// False: an error was reported.
bool clause(Elaboration& in, const Expr& e, std::size_t index, Frame& frame, std::vector<Value>& out)
{
    const Comprehension& written = in.program.comprehensions[e.index];
    const auto operands = in.program.operands_of(e);
    if (index == written.clauses.size()) {
        out.push_back(evaluate(in, operands[0], frame));
        if (out.back().absent())
            in.report(Diag::absent_name, in.program.expr(operands[0]).span, "this optional attribute is not set");
        return !out.back().failed() && !out.back().absent();
    }
    if (in.depth >= kDeepestExpression) {
        in.report(Diag::nesting_too_deep, e.span,
                  fmt::format("expressions and the parts of comprehensions stand in each other more than {} deep",
                              kDeepestExpression));
        return false;
    }
    const ExprId first = operands[1 + 3 * index], last = operands[2 + 3 * index];
    const Span place = in.program.expr(first).span;
    if (last) {
        const auto low = shape(in, first, frame, "a range"), high = shape(in, last, frame, "a range");
        if (!low || !high) return false;
        const std::int64_t end = written.clauses[index].half_open ? *high : *high + 1;
        if (end > *low && !within_budget(in, static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(*low), place,
                                         "the comprehension runs"))
            return false;
        for (std::int64_t i = *low; i < end; ++i)
            if (!clause_round(in, e, index, number_or_key(in.network.values, nullptr, i - *low),
                              number_or_key(in.network.values, nullptr, i), frame, out))
                return false;
        return true;
    }
    const Value over = evaluate(in, first, frame);
    if (over.absent()) in.report(Diag::absent_name, place, "this optional attribute is not set");
    if (over.failed() || over.absent()) return false;
    if (!within_budget(in, count_of(over), place, "the comprehension runs")) return false;
    std::int64_t number = 0;
    const auto keys = keys_in(in.program, over, in.program.expr(first).type);
    for (Value& element : elements(over))
        if (!clause_round(in, e, index, number_or_key(in.network.values, keys.get(), number++), std::move(element),
                          frame, out))
            return false;
    return true;
}

}  // namespace

Value comprehension(Elaboration& in, const Expr& e, Frame& frame)
{
    std::vector<Value> out;
    if (!clause(in, e, 0, frame, out)) return {Failed{}};
    if (e.type.kind == TypeKind::node) return {joined(out)};
    return {std::make_shared<const ListValue>(std::move(out))};
}

}  // namespace anml
