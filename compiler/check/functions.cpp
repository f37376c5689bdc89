// Pure functions of the file level: signatures first, then bodies, those that they call first.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::function_signature(FunctionId id)
{
    const SyntaxId syntax = function_syntax_[id.value];
    enter(syntax);
    const syntax::FunctionDeclaration written(tree_, syntax);
    auto parameters = signature(written.parameters(), false);
    const Type type = type_of_name(written.type(), tree_.node(syntax).flags);
    program_.functions[id.value].parameters = std::move(parameters);
    program_.functions[id.value].type = type;
}

void Checker::function_body(FunctionId id)
{
    Progress& progress = function_progress_[id.value];
    if (progress != Progress::untouched) return;
    const Nested nested(*this, program_.function(id).span);
    if (!nested.fits()) return;
    progress = Progress::active;
    Place saved = std::move(static_cast<Place&>(*this));
    const SyntaxId syntax = function_syntax_[id.value];
    enter(syntax);
    maker_ = {SymbolKind::function, id.value};
    in_require_ = true;  // whether the call stands there is checked with the call
    scopes_.emplace_back();
    std::vector<Parameter> parameters = program_.function(id).parameters;
    const syntax::FunctionDeclaration written(tree_, syntax);
    parameter_values(written.parameters(), parameters);
    const ExprId body =
        value(written.value(), program_.function(id).type, fmt::format("`{}`", program_.function(id).name));
    Function& function = program_.functions[id.value];
    function.parameters = std::move(parameters);
    function.body = body;
    function.slot_count = slots_;
    function.asks_paths = asks_paths_;
    static_cast<Place&>(*this) = std::move(saved);
    progress = Progress::done;
}

ExprId Checker::function_call(SyntaxId id, FunctionId function_id, SyntaxId argument_list)
{
    const SyntaxId callee = syntax::Call(tree_, id).callee();
    use(SymbolKind::function, function_id.value, span(callee));
    function_body(function_id);
    const Function function = program_.function(function_id);  // a copy: arguments may grow the program
    if (function.asks_paths && !in_require_)
        diagnostics_
            .report(Diag::misplaced_path_function, span(callee),
                    fmt::format("`{}` asks for paths and stands outside `require`", function.name))
            .also(function.span, "declared here")
            .help(
                "routes exist once the network is complete: only a `require` of a model or component can ask for them");
    asks_paths_ = asks_paths_ || function.asks_paths;
    auto given = arguments(argument_list, function.parameters, span(callee), text(callee), function.span);
    return add(ExprKind::function, function.type, span(id), function_id.value, 0, std::move(given));
}

// Of a link by itself, which needs no routes.
ExprId Checker::link_bdp(SyntaxId id, ExprId link)
{
    const Expr of = program_.expr(link);
    if (of.type.kind != TypeKind::link || of.type.array || of.type.many || of.type.ref > 0) {
        auto report = diagnostics_.report(of.type.array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                                          fmt::format("`bdp` wants a link, or two nodes, found {}", a_named(of.type)));
        if (of.type.array) report.help(fmt::format("choose one: `{}[0]`", sources_.text(of.span)));
        return error(span(id));
    }
    return add(ExprKind::call, {.kind = TypeKind::number, .dim = dimension::size}, span(id),
               static_cast<std::uint32_t>(Builtin::bdp), 0, {link});
}

}  // namespace anml
