// The image's values: each expression that a row refers to gets a ValueId, equal expressions the same one. The pool
// keeps only what they need.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/values/value_walk.h"
#include "runtime/abi/image.h"

namespace anml {

class ValueTable {
  public:
    explicit ValueTable(const ValuePool& source) : source_(source) {}

    abi::ValueId add(ValueExprId expression) { return number(copy_of(expression)); }
    abi::ValueId add_constant(double value) { return number(expressions_.constant(value)); }
    // So much more than it.
    abi::ValueId add_sum(ValueExprId expression, double more)
    {
        return number(expressions_.make(ValueOp::add, copy_of(expression), expressions_.constant(more)));
    }
    ValuePool take_expressions() { return std::move(expressions_); }
    std::vector<ValueExprId> take_values() { return std::move(values_); }

  private:
    abi::ValueId number(ValueExprId copy)
    {
        const auto [at, fresh] = ids_.try_emplace(copy, static_cast<abi::ValueId>(values_.size()));
        if (fresh) values_.push_back(copy);
        return at->second;
    }

    ValueExprId copy_of(ValueExprId expression)
    {
        const auto known = [&](ValueExprId id) { return copies_.contains(id); };
        visit_operands_first(source_, expression, known, [&](ValueExprId id) {
            const ValueNode& node = source_.node(id);
            const int count = operand_count(node.op);
            const auto operand = [&](int i, ValueExprId part) { return i < count ? copies_.at(part) : part; };
            copies_.emplace(
                id, node.op == ValueOp::constant ? expressions_.constant(node.value)
                    : node.op == ValueOp::tunable
                        ? expressions_.tunable(node.a)
                        : expressions_.make(node.op, operand(0, node.a), operand(1, node.b), operand(2, node.c)));
        });
        return copies_.at(expression);
    }

    const ValuePool& source_;
    ValuePool expressions_;
    std::unordered_map<ValueExprId, ValueExprId> copies_;
    std::unordered_map<ValueExprId, abi::ValueId> ids_;
    std::vector<ValueExprId> values_;
};

}  // namespace anml
