// A random expression as it is carried out: a tree, since each mention of a draw is one of its own. What is not random
// is a leaf. Code generation follows it, and the compiler draws from it where it wants a mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/values/quantity.h"

namespace anml {

struct SampleNode {
    ValueOp op{};
    // Operands are nodes of the tree. ValueOp::tunable stands for any value that is neither random nor constant: a is
    // its expression (in a plan, its abi::ValueId). empirical: a is the table. state: a is its word. process: a is what
    // it yields, b its index in `processes`.
    std::uint32_t a = 0, b = 0, c = 0;
    double value = 0;  // of a constant
};

struct SampleTree {
    // Word `first_word` is 1 once the variables, in the words behind it, have their first values.
    struct Process {
        std::uint32_t first_word = 0;
        std::vector<std::uint32_t> initial, next;  // nodes
    };
    std::vector<SampleNode> nodes;  // operands before operations
    std::vector<Process> processes;
    std::uint32_t root = 0;
    std::uint32_t words = 0;  // of state
};

// How many nodes the tree would have; `kTooManyMentions` where there are more.
inline constexpr std::size_t kTooManyMentions = 10000;
std::size_t mentions(const ValuePool& pool, ValueExprId root);

// Of an expression with fewer mentions than too many.
SampleTree make_sample_tree(const ValuePool& pool, ValueExprId root);

// One sample. `value`: of an expression that is not random. `unit`: a draw from [0, 1). `state`: `words` numbers, zeros
// before the first sample.
double draw_sample(const SampleTree& tree, const ValuePool& pool, const std::function<double(ValueExprId)>& value,
                   const std::function<double()>& unit, std::vector<double>& state);

// The mean of so many samples, which is an estimate of the distribution's.
double estimate_mean(const ValuePool& pool, ValueExprId root, const std::vector<double>& tunables);

}  // namespace anml
