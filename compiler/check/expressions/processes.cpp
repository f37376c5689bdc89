// Random processes: variables with their first values and what follows, and what is drawn.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {

void process_signature(Checking& in, ProcessId id)
{
    const SyntaxId syntax = in.process_syntax[id.value];
    enter(in, syntax);
    const syntax::ProcessDeclaration process(in.tree, syntax);
    auto parameters = signature(in, process.parameters(), false);
    const Type type = type_of_name(in, process.type(), syntax_flag::random);
    in.program.processes[id.value].parameters = std::move(parameters);
    in.program.processes[id.value].type = type;
}

void process_values(Checking& in, ProcessId id)
{
    const SyntaxId syntax = in.process_syntax[id.value];
    enter(in, syntax);
    in.maker = {SymbolKind::process, id.value};
    in.scopes.emplace_back();
    std::vector<Parameter> parameters = in.program.processes[id.value].parameters;
    const syntax::ProcessDeclaration process(in.tree, syntax);
    parameter_values(in, process.parameters(), parameters);
    in.program.processes[id.value].parameters = std::move(parameters);

    // Variables begin without knowing each other, and follow from all of them.
    std::vector<Process::Variable> variables;
    std::vector<syntax::StateDeclaration> declarations;
    SyntaxId yield;
    for (const SyntaxId item : process.items()) {
        if (in.tree.kind(item) == SyntaxKind::yield_stmt) {
            if (yield) {
                in.report(Diag::repeated_statement, in.tree.node(item).token, "a process has one `yield`")
                    .also(in.tree.node(yield).token, "the first");
            } else {
                yield = item;
            }
            continue;
        }
        if (in.tree.is_hole(item)) continue;
        Process::Variable v;
        const syntax::StateDeclaration state(in.tree, item);
        v.name = in.text(state.name());
        v.span = in.span(state.name());
        v.type = type_of_name(in, state.type(), syntax_flag::random);
        v.initial = value(in, state.initial(), v.type, fmt::format("`{}`", v.name));
        variables.push_back(std::move(v));
        declarations.push_back(state);
    }
    for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i].slot = declare_local(in, declarations[i].name(), variables[i].type);
    for (std::size_t i = 0; i < variables.size(); ++i)
        variables[i].next =
            value(in, declarations[i].next(), variables[i].type, fmt::format("`{}`", variables[i].name));
    if (yield) {
        const Type type = in.program.processes[id.value].type;
        in.program.processes[id.value].yield =
            value(in, syntax::YieldStatement(in.tree, yield).value(), type, "`yield`");
    } else {
        const Span name = in.program.processes[id.value].span;
        in.report(Diag::missing_yield, name, fmt::format("the process `{}` yields nothing", in.sources.text(name)))
            .help("add `yield` and an expression: what it draws each time");
    }
    in.scopes.pop_back();
    in.maker.reset();
    in.program.processes[id.value].variables = std::move(variables);
    in.program.processes[id.value].slot_count = in.slots;
}

}  // namespace anml
