// Processes: each that an expression uses becomes a declaration of its own, with the tunables that it depends on as
// parameters.
#include <fmt/format.h>

#include <algorithm>

#include "base/values/value_walk.h"
#include "printer/expressions.h"
#include "printer/names.h"

namespace anml {

namespace {

std::string type_of(Dimension d, bool truth) { return truth ? "bool" : dimension_name(d); }

}  // namespace

void Expressions::tunables_of(ValueExprId root, std::set<std::uint32_t>& found, std::set<ValueExprId>& seen) const
{
    const auto parts = [&](ValueExprId id, const auto& each) { each_part(pool_, id, each); };
    const auto known = [&](ValueExprId id) { return seen.contains(id); };
    visit_parts_first(root, parts, known, [&](ValueExprId id) {
        seen.insert(id);
        if (pool_.node(id).op == ValueOp::tunable && !defaults_) found.insert(pool_.node(id).a);
    });
}

// Tunables become parameters by their names, which variables then must not have.
std::string Expressions::state_name(const std::string& name) const
{
    const bool taken = !defaults_ && std::any_of(network_.tunables.begin(), network_.tunables.end(),
                                                 [&](const TunableInfo& t) { return t.name == name; });
    return taken ? name + "_state" : name;
}

const Expressions::ProcessText& Expressions::process_text(std::uint32_t index)
{
    if (const auto known = processes_.find(index); known != processes_.end()) return known->second;
    const RandomProcess& p = pool_.process(index);
    ProcessText text;
    text.name = names_.make(p.name);
    std::set<std::uint32_t> tunables;
    std::set<ValueExprId> seen;
    for (const RandomProcess::Variable& v : p.variables) {
        tunables_of(v.initial, tunables, seen);
        tunables_of(v.next, tunables, seen);
    }
    tunables_of(p.yield, tunables, seen);
    text.tunables.assign(tunables.begin(), tunables.end());
    std::string parameters;
    for (const std::uint32_t t : text.tunables) {
        const TunableInfo& info = network_.tunables[t];
        parameters += fmt::format("{}{}: {}", parameters.empty() ? "" : ", ", info.name,
                                  info.integer ? "int" : dimension_name(info.dim));
    }
    std::string out = fmt::format("process {}{} : {} {{\n", text.name,
                                  parameters.empty() ? "" : fmt::format("({})", parameters), type_of(p.dim, p.truth));
    const auto value = [&](ValueExprId id, Dimension d, bool truth) { return truth ? condition(id) : number(id, d); };
    for (const RandomProcess::Variable& v : p.variables)
        out += fmt::format("state {}: {} = {} then {}\n", state_name(v.name), type_of(v.dim, v.truth),
                           value(v.initial, v.dim, v.truth), value(v.next, v.dim, v.truth));
    out += fmt::format("yield {}\n}}\n\n", value(p.yield, p.dim, p.truth));
    declared_ += out;
    return processes_.emplace(index, std::move(text)).first->second;
}

Expressions::Text Expressions::process(std::uint32_t index, Dimension wanted)
{
    const ProcessText& text = process_text(index);
    std::vector<std::string> arguments;
    for (const std::uint32_t t : text.tunables) arguments.push_back(network_.tunables[t].name);
    std::string call = arguments.empty() ? text.name : fmt::format("{}({})", text.name, fmt::join(arguments, ", "));
    return leaf(pool_.process(index).dim, {std::move(call)}, wanted);
}

std::string Expressions::declarations() { return std::move(declared_); }

}  // namespace anml
