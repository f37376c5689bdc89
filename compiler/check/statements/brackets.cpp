// What stands in brackets behind the name that a node, an instance or a workload declares: in a loop which element of
// an array the round makes, and how many elements there are.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// Whether it may come out different in each round of the loops around it.
bool changes_in_loop(const CheckerScope& scope, const CheckedProgram& program, ExprId id)
{
    if (!id) return false;
    const Expr& e = program.expr(id);
    if (e.kind == ExprKind::local)
        return e.index >= scope.loop_slot &&
               std::none_of(scope.outside_loops.begin(), scope.outside_loops.end(),
                            [&](const auto& slots) { return e.index >= slots.first && e.index < slots.second; });
    const auto operands = program.operands_of(e);
    return std::any_of(operands.begin(), operands.end(),
                       [&](ExprId operand) { return changes_in_loop(scope, program, operand); });
}

// `D / 1 ms`: a quotient that a tunable stands in, at its left; null: another expression.
const Parameter* tunable_number(const Checking& in, SyntaxId id)
{
    if (in.tree.kind(id) != SyntaxKind::binary || !in.component.valid()) return nullptr;
    if (in.sources.text(in.tree.node(id).token) != "/") return nullptr;
    id = syntax::Binary(in.tree, id).left();
    const Symbol* symbol = in.tree.kind(id) == SyntaxKind::name ? find(in, in.text(id)) : nullptr;
    if (!symbol || symbol->kind != SymbolKind::local) return nullptr;
    for (const Parameter& p : in.program.component(in.component).parameters)
        if (p.tunable && !p.defined && p.slot == symbol->index && p.name == in.text(id)) return &p;
    return nullptr;
}

}  // namespace

// One number for each loop at most, as long as they change; what follows are counts.
Brackets brackets(Checking& in, SyntaxId id, SyntaxId identifier)
{
    Brackets result;
    if (in.tree.is_none(id)) return result;
    const std::string what = fmt::format("the {} of `{}`", in.loops > 0 ? "index" : "count", in.text(identifier));
    for (const SyntaxId written : syntax::Brackets(in.tree, id).numbers()) {
        if (const Parameter* tunable = tunable_number(in, written)) {
            in.report(Diag::shape_depends_on_tunable, in.span(written),
                      fmt::format("{} depends on the tunable `{}`", what, tunable->name))
                .also(tunable->span, "declared tunable here")
                .help("how many there are is known when compiling: leave `tunable` out, or write a number");
            result.counts.push_back(in.error(in.span(written)));
            result.keys.push_back(abi::kNone);
            continue;
        }
        const ExprId number = bracket(in, written, what, result.keys);
        const bool unknown = in.program.expr(number).kind == ExprKind::error;
        const bool index = result.counts.empty() && result.numbers.size() < in.loops &&
                           (unknown || changes_in_loop(in, in.program, number));
        (index ? result.numbers : result.counts).push_back(number);
        if (const Expr& e = in.program.expr(number); !index && e.type.kind == TypeKind::string && !e.type.list)
            in.report(Diag::misplaced_statement, e.span,
                      "one key stands in a loop, where each round makes the element that has it")
                .help(fmt::format("what is declared for all keys has the table in brackets: `{}[rows]`",
                                  in.text(identifier)));
    }
    return result;
}

// A node or an instance. In a loop it is an element of an array, which other statements may have elements of, too.
std::uint32_t declare_part(Checking& in, SyntaxId identifier, Type type, const Brackets& brackets)
{
    const std::string name{in.text(identifier)};
    const Span place = in.span(identifier);
    if (brackets.numbers.empty()) {
        if (in.loops > 0 && !name.empty()) {
            in.report(Diag::misplaced_statement, place,
                      fmt::format("each round of the loop would make `{}` again", name))
                .help(numbering(in, name));
            type = {};  // that it is chosen from is no second mistake
        }
        const std::uint32_t slot = declare_local(in, identifier, type, true);
        in.members.push_back({name, slot, type, place});
        return slot;
    }
    const auto known =
        std::find_if(in.numbered.begin(), in.numbered.end(), [&](const Member& m) { return m.name == name; });
    if (known == in.numbered.end() || name.empty()) {
        const std::uint32_t slot = declare_local(in, identifier, type, true);
        in.members.push_back({name, slot, type, place});
        in.numbered.push_back(in.members.back());
        return slot;
    }
    in.means(identifier, known->span);
    for (Level& level : in.levels) level.names.erase(name);
    if (known->type != type)
        in.report(Diag::duplicate_name, place,
                  fmt::format("`{}` is {} here and {} elsewhere", name, in.a_named(type), in.a_named(known->type)))
            .also(known->span, "first declared here");
    return known->slot;
}

// How what a loop makes is told apart.
std::string numbering(const CheckerScope& scope, std::string_view name)
{
    return scope.loop_number.empty()
               ? fmt::format("let the loop number its rounds, `for i, {} in ...`, and write `{}[i]`", scope.loop_name,
                             name)
               : fmt::format("number it: `{}[{}]`", name, scope.loop_number);
}

}  // namespace anml
