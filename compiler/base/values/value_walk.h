// The parts of an expression, each once, operands before operations. Without recursion, since an expression may be as
// deep as a path through the network is long, and shared parts may be met on very many ways.
#pragma once

#include <algorithm>
#include <vector>

#include "base/values/quantity.h"

namespace anml {

template <class Each>
void each_operand(const ValuePool& pool, ValueExprId id, const Each& each)
{
    const ValueNode& n = pool.node(id);
    const ValueExprId operands[] = {n.a, n.b, n.c};
    const int count = operand_count(n.op);
    for (int i = 0; i < count; ++i) each(operands[i]);
}

// The same, and of a process what it is made of.
template <class Each>
void each_part(const ValuePool& pool, ValueExprId id, const Each& each)
{
    each_operand(pool, id, each);
    if (pool.node(id).op != ValueOp::process) return;
    const RandomProcess& process = pool.process(pool.node(id).a);
    for (const RandomProcess::Variable& v : process.variables) each(v.initial), each(v.next);
    each(process.yield);
}

// Calls `visit` for the root and its parts, the left ones first, except for what `known` says there is no need: a visit
// has to make it so. `parts(id, each)`: one of the above.
template <class Parts, class Known, class Visit>
void visit_parts_first(ValueExprId root, const Parts& parts, const Known& known, const Visit& visit)
{
    std::vector<ValueExprId> open{root};
    while (!open.empty()) {
        const ValueExprId id = open.back();
        if (known(id)) {
            open.pop_back();
            continue;
        }
        const auto before = static_cast<std::ptrdiff_t>(open.size());
        parts(id, [&](ValueExprId part) {
            if (!known(part)) open.push_back(part);
        });
        if (static_cast<std::ptrdiff_t>(open.size()) != before) {
            std::reverse(open.begin() + before, open.end());
            continue;
        }
        open.pop_back();
        visit(id);
    }
}

template <class Known, class Visit>
void visit_operands_first(const ValuePool& pool, ValueExprId root, const Known& known, const Visit& visit)
{
    visit_parts_first(root, [&](ValueExprId id, const auto& each) { each_operand(pool, id, each); }, known, visit);
}

}  // namespace anml
