// The image's values: each expression that a row refers to gets a ValueId, equal expressions the same one. The pool
// keeps only what they need.
#pragma once

#include <unordered_map>
#include <vector>

#include "base/quantity.h"
#include "runtime/abi/image.h"

namespace anml {

class ValueTable {
  public:
    explicit ValueTable(const ValuePool& source) : source_(source) {}

    abi::ValueId add(ValueExprId expression)
    {
        const ValueExprId copy = copy_of(expression);
        const auto [at, fresh] = ids_.try_emplace(copy, static_cast<abi::ValueId>(values_.size()));
        if (fresh) values_.push_back(copy);
        return at->second;
    }
    abi::ValueId add_constant(double value)
    {
        const ValueExprId copy = expressions_.constant(value);
        const auto [at, fresh] = ids_.try_emplace(copy, static_cast<abi::ValueId>(values_.size()));
        if (fresh) values_.push_back(copy);
        return at->second;
    }
    ValuePool take_expressions() { return std::move(expressions_); }
    std::vector<ValueExprId> take_values() { return std::move(values_); }

  private:
    ValueExprId copy_of(ValueExprId expression)
    {
        const auto known = copies_.find(expression);
        if (known != copies_.end()) return known->second;
        const ValueNode node = source_.node(expression);
        ValueExprId operands[3] = {node.a, node.b, node.c};
        for (int i = 0; i < operand_count(node.op); ++i) operands[i] = copy_of(operands[i]);
        const ValueExprId copy = node.op == ValueOp::constant ? expressions_.constant(node.value)
                                 : node.op == ValueOp::tunable
                                     ? expressions_.tunable(node.a)
                                     : expressions_.make(node.op, operands[0], operands[1], operands[2]);
        copies_.emplace(expression, copy);
        return copy;
    }

    const ValuePool& source_;
    ValuePool expressions_;
    std::unordered_map<ValueExprId, ValueExprId> copies_;
    std::unordered_map<ValueExprId, abi::ValueId> ids_;
    std::vector<ValueExprId> values_;
};

}  // namespace anml
