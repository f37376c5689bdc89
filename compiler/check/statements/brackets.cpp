// What stands in brackets behind the name that a node, an instance or a workload declares: in a loop which element of
// an array the round makes, and how many elements there are.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

// Whether it may come out different in each round of the loops around it.
bool Checker::changes_in_loop(ExprId id) const
{
    if (!id) return false;
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::local)
        return e.index >= loop_slot_ &&
               std::none_of(outside_loops_.begin(), outside_loops_.end(), [&](const auto& slots) {
                   return e.index >= slots.first && e.index < slots.second;
               });
    const auto operands = program_.operands_of(e);
    return std::any_of(operands.begin(), operands.end(), [this](ExprId operand) { return changes_in_loop(operand); });
}

// `D / 1 ms`: a quotient that a tunable stands in, at its left; null: another expression.
const Parameter* Checker::tunable_number(SyntaxId id) const
{
    if (tree_.kind(id) != SyntaxKind::binary || !component_.valid()) return nullptr;
    if (sources_.text(tree_.node(id).token) != "/") return nullptr;
    id = syntax::Binary(tree_, id).left();
    const Symbol* symbol = tree_.kind(id) == SyntaxKind::name ? find(text(id)) : nullptr;
    if (!symbol || symbol->kind != SymbolKind::local) return nullptr;
    for (const Parameter& p : program_.component(component_).parameters)
        if (p.tunable && !p.defined && p.slot == symbol->index && p.name == text(id)) return &p;
    return nullptr;
}

// One number for each loop at most, as long as they change; what follows are counts.
Brackets Checker::brackets(SyntaxId id, SyntaxId identifier)
{
    Brackets result;
    if (tree_.is_none(id)) return result;
    const std::string what = fmt::format("the {} of `{}`", loops_ > 0 ? "index" : "count", text(identifier));
    for (const SyntaxId written : syntax::Brackets(tree_, id).numbers()) {
        if (const Parameter* tunable = tunable_number(written)) {
            diagnostics_
                .report(Diag::shape_depends_on_tunable, span(written),
                        fmt::format("{} depends on the tunable `{}`", what, tunable->name))
                .also(tunable->span, "declared tunable here")
                .help("how many there are is known when compiling: leave `tunable` out, or write a number");
            result.counts.push_back(error(span(written)));
            result.keys.push_back(abi::kNone);
            continue;
        }
        const ExprId number = bracket(written, what, result.keys);
        const bool unknown = program_.expr(number).kind == ExprKind::error;
        const bool index =
            result.counts.empty() && result.numbers.size() < loops_ && (unknown || changes_in_loop(number));
        (index ? result.numbers : result.counts).push_back(number);
        if (const Expr& e = program_.expr(number); !index && e.type.kind == TypeKind::string && !e.type.list)
            diagnostics_
                .report(Diag::misplaced_statement, e.span,
                        "one key stands in a loop, where each round makes the element that has it")
                .help(fmt::format("what is declared for all keys has the table in brackets: `{}[rows]`",
                                  text(identifier)));
    }
    return result;
}

// A node or an instance. In a loop it is an element of an array, which other statements may have elements of, too.
std::uint32_t Checker::declare_part(SyntaxId identifier, Type type, const Brackets& brackets)
{
    const std::string name{text(identifier)};
    const Span place = span(identifier);
    if (brackets.numbers.empty()) {
        if (loops_ > 0 && !name.empty()) {
            diagnostics_
                .report(Diag::misplaced_statement, place,
                        fmt::format("each round of the loop would make `{}` again", name))
                .help(numbering(name));
            type = {};  // that it is chosen from is no second mistake
        }
        const std::uint32_t slot = declare_local(identifier, type, true);
        members_.push_back({name, slot, type, place});
        return slot;
    }
    const auto known =
        std::find_if(numbered_.begin(), numbered_.end(), [&](const Member& m) { return m.name == name; });
    if (known == numbered_.end() || name.empty()) {
        const std::uint32_t slot = declare_local(identifier, type, true);
        members_.push_back({name, slot, type, place});
        numbered_.push_back(members_.back());
        return slot;
    }
    means(identifier, known->span);
    for (Level& level : levels_) level.names.erase(name);
    if (known->type != type)
        diagnostics_
            .report(Diag::duplicate_name, place,
                    fmt::format("`{}` is {} here and {} elsewhere", name, a_named(type), a_named(known->type)))
            .also(known->span, "first declared here");
    return known->slot;
}

// How what a loop makes is told apart.
std::string Checker::numbering(std::string_view name) const
{
    return loop_number_.empty()
               ? fmt::format("let the loop number its rounds, `for i, {} in ...`, and write `{}[i]`", loop_name_, name)
               : fmt::format("number it: `{}[{}]`", name, loop_number_);
}

}  // namespace anml
