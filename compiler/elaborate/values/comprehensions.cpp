// Comprehensions: clause in clause, as loops are; each round is a step of those that a model may make.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

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

}  // namespace

Value Elaborator::comprehension(const Expr& e, Frame& frame)
{
    std::vector<Value> out;
    if (!clause(e, 0, frame, out)) return {Failed{}};
    if (e.type.kind == TypeKind::node) return {joined(out)};
    return {std::make_shared<const ListValue>(std::move(out))};
}

// False: an error was reported.
bool Elaborator::clause(const Expr& e, std::size_t index, Frame& frame, std::vector<Value>& out)
{
    const Comprehension& written = program_.comprehensions[e.index];
    const auto operands = program_.operands_of(e);
    if (index == written.clauses.size()) {
        out.push_back(evaluate(operands[0], frame));
        if (out.back().absent())
            report(Diag::absent_name, program_.expr(operands[0]).span, "this optional attribute is not set");
        return !out.back().failed() && !out.back().absent();
    }
    if (depth_ >= kDeepestExpression) {
        report(Diag::nesting_too_deep, e.span,
               fmt::format("expressions and the parts of comprehensions stand in each other more than {} deep",
                           kDeepestExpression));
        return false;
    }
    const ExprId first = operands[1 + 3 * index], last = operands[2 + 3 * index];
    const Span place = program_.expr(first).span;
    if (last) {
        const auto low = shape(first, frame, "a range"), high = shape(last, frame, "a range");
        if (!low || !high) return false;
        const std::int64_t end = written.clauses[index].half_open ? *high : *high + 1;
        if (end > *low && !within_budget(static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(*low), place,
                                         "the comprehension runs"))
            return false;
        for (std::int64_t i = *low; i < end; ++i)
            if (!round(e, index, number_or_key(nullptr, i - *low), number_or_key(nullptr, i), frame, out)) return false;
        return true;
    }
    const Value over = evaluate(first, frame);
    if (over.absent()) report(Diag::absent_name, place, "this optional attribute is not set");
    if (over.failed() || over.absent()) return false;
    if (!within_budget(count_of(over), place, "the comprehension runs")) return false;
    std::int64_t number = 0;
    const auto keys = keys_in(over, program_.expr(first).type);
    for (Value& element : elements(over))
        if (!round(e, index, number_or_key(keys.get(), number++), std::move(element), frame, out)) return false;
    return true;
}

bool Elaborator::round(const Expr& e, std::size_t index, Value number, Value element, Frame& frame,
                       std::vector<Value>& out)
{
    if (++steps_ > kMaxSteps) {
        if (steps_ == kMaxSteps + 1)
            report(Diag::network_too_large, e.span,
                   fmt::format("the model makes more than {} statements and rounds", kMaxSteps));
        return false;
    }
    const bool counted = program_.comprehensions[e.index].clauses[index].counted;
    if (counted) bound_.push_back(std::move(number));
    bound_.push_back(std::move(element));
    bool goes_on = true, taken = true;
    if (const ExprId condition = program_.operands_of(e)[3 + 3 * index]) {
        const auto holds = shape(condition, frame, "the condition of a comprehension");
        goes_on = holds.has_value();
        taken = goes_on && *holds != 0;
    }
    ++depth_;
    if (taken) goes_on = clause(e, index + 1, frame, out);
    --depth_;
    bound_.resize(bound_.size() - (counted ? 2 : 1));
    return goes_on;
}

}  // namespace anml
