// Random processes: variables with their first values and what follows, and what is drawn.
#include <fmt/format.h>

#include "check/checker.h"

namespace anml {

void Checker::process_signature(ProcessId id)
{
    const SyntaxId syntax = process_syntax_[id.value];
    enter(syntax);
    auto parameters = signature(tree_.child(syntax, 1), false);
    const SyntaxId type_syntax = tree_.child(syntax, 2);
    const Type type = type_of_name(type_syntax, syntax_flag::random);
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
    parameter_values(tree_.child(syntax, 1), parameters);
    program_.processes[id.value].parameters = std::move(parameters);

    // Variables begin without knowing each other, and follow from all of them.
    std::vector<Process::Variable> variables;
    std::vector<SyntaxId> declarations;
    SyntaxId yield;
    for (const SyntaxId item : tree_.children_of(syntax).subspan(3)) {
        if (tree_.kind(item) == SyntaxKind::yield_stmt) {
            if (yield) {
                diagnostics_.report(Diag::repeated_statement, tree_.node(item).token, "a process has one `yield`")
                    .also(tree_.node(yield).token, "the first");
            } else {
                yield = item;
            }
            continue;
        }
        Process::Variable v;
        v.name = text(tree_.child(item, 0));
        v.span = span(tree_.child(item, 0));
        v.type = type_of_name(tree_.child(item, 1), syntax_flag::random);
        v.initial = value(tree_.child(item, 2), v.type, fmt::format("`{}`", v.name));
        variables.push_back(std::move(v));
        declarations.push_back(item);
    }
    for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i].slot = declare_local(tree_.child(declarations[i], 0), variables[i].type);
    for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i].next =
            value(tree_.child(declarations[i], 3), variables[i].type, fmt::format("`{}`", variables[i].name));
    if (yield) {
        const Type type = program_.processes[id.value].type;
        program_.processes[id.value].yield = value(tree_.child(yield, 0), type, "`yield`");
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
