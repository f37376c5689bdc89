// Random processes: variables with their first values and what follows, and what is drawn.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::process_signature(ProcessId id)
{
    const SyntaxId syntax = process_syntax_[id.value];
    enter(syntax);
    const syntax::ProcessDeclaration process(tree_, syntax);
    auto parameters = signature(process.parameters(), false);
    const Type type = type_of_name(process.type(), syntax_flag::random);
    program_.processes[id.value].parameters = std::move(parameters);
    program_.processes[id.value].type = type;
}

void Checker::process_values(ProcessId id)
{
    const SyntaxId syntax = process_syntax_[id.value];
    enter(syntax);
    maker_ = {SymbolKind::process, id.value};
    scopes_.emplace_back();
    std::vector<Parameter> parameters = program_.processes[id.value].parameters;
    const syntax::ProcessDeclaration process(tree_, syntax);
    parameter_values(process.parameters(), parameters);
    program_.processes[id.value].parameters = std::move(parameters);

    // Variables begin without knowing each other, and follow from all of them.
    std::vector<Process::Variable> variables;
    std::vector<syntax::StateDeclaration> declarations;
    SyntaxId yield;
    for (const SyntaxId item : process.items()) {
        if (tree_.kind(item) == SyntaxKind::yield_stmt) {
            if (yield) {
                diagnostics_.report(Diag::repeated_statement, tree_.node(item).token, "a process has one `yield`")
                    .also(tree_.node(yield).token, "the first");
            } else {
                yield = item;
            }
            continue;
        }
        if (tree_.is_hole(item)) continue;
        Process::Variable v;
        const syntax::StateDeclaration state(tree_, item);
        v.name = text(state.name());
        v.span = span(state.name());
        v.type = type_of_name(state.type(), syntax_flag::random);
        v.initial = value(state.initial(), v.type, fmt::format("`{}`", v.name));
        variables.push_back(std::move(v));
        declarations.push_back(state);
    }
    for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i].slot = declare_local(declarations[i].name(), variables[i].type);
    for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i].next = value(declarations[i].next(), variables[i].type, fmt::format("`{}`", variables[i].name));
    if (yield) {
        const Type type = program_.processes[id.value].type;
        program_.processes[id.value].yield = value(syntax::YieldStatement(tree_, yield).value(), type, "`yield`");
    } else {
        const Span name = program_.processes[id.value].span;
        diagnostics_
            .report(Diag::missing_yield, name, fmt::format("the process `{}` yields nothing", sources_.text(name)))
            .help("add `yield` and an expression: what it draws each time");
    }
    scopes_.pop_back();
    maker_.reset();
    program_.processes[id.value].variables = std::move(variables);
    program_.processes[id.value].slot_count = slots_;
}

}  // namespace anml
