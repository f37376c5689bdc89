// Pure functions of the file level: signatures first, then bodies, those that they call first.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {

void function_signature(Checking& in, FunctionId id)
{
    const SyntaxId syntax = in.function_syntax[id.value];
    enter(in, syntax);
    const syntax::FunctionDeclaration written(in.tree, syntax);
    auto parameters = signature(in, written.parameters(), false, false, true);
    const SyntaxId result = written.type();
    Type type;
    std::uint32_t like_parameter = abi::kNone;
    if (in.tree.node(result).flags & syntax_flag::like) {
        like_parameter = like(in, result, parameters);
        if (like_parameter != abi::kNone) type = {.kind = TypeKind::number, .any = true};
        type.list = in.tree.node(syntax).flags & syntax_flag::list;
        type.random = in.tree.node(syntax).flags & syntax_flag::random;
    } else if (in.text(result) == "quantity" && !parameters.empty()) {
        in.report(Diag::type_mismatch, in.span(result), "nothing says which dimension this quantity has")
            .help(fmt::format("that of a parameter is written `like {}`", parameters.front().name))
            .fix(in.span(result), fmt::format("like {}", parameters.front().name));
    } else {
        type = type_of_name(in, result, in.tree.node(syntax).flags);
    }
    Function& function = in.program.functions[id.value];
    function.parameters = std::move(parameters);
    function.type = type;
    function.like = like_parameter;
    open_dimensions(in, id);
}

void function_body(Checking& in, FunctionId id)
{
    if (in.function_progress[id.value] != Progress::untouched) return;
    const auto declared = in.declared_as.find(id.value);
    if (declared != in.declared_as.end() && in.failed_functions.contains(declared->second)) return;
    const NestedDeclaration nested(in, in.program.function(id).span);
    if (!nested.fits()) return;
    in.function_progress[id.value] = Progress::active;
    const std::size_t errors = in.diagnostics.errors();
    CheckerScope saved = std::move(static_cast<CheckerScope&>(in));
    const SyntaxId syntax = in.function_syntax[id.value];
    enter(in, syntax);
    in.maker = {SymbolKind::function, id.value};
    in.in_require = true;  // whether the call stands there is checked with the call
    in.scopes.emplace_back();
    Function checked = in.program.function(id);  // a copy: what it calls may grow the program
    if (checked.generic) give_dimensions(checked, opened(checked));
    const syntax::FunctionDeclaration written(in.tree, syntax);
    parameter_values(in, written.parameters(), checked.parameters);
    const ExprId body = value(in, written.value(), checked.type, fmt::format("`{}`", checked.name));
    Function& function = in.program.functions[id.value];
    for (std::size_t i = 0; i < checked.parameters.size(); ++i) {
        const Type type = function.parameters[i].type;
        function.parameters[i] = std::move(checked.parameters[i]);
        function.parameters[i].type = type;
    }
    function.body = body;
    function.slot_count = in.slots;
    function.asks_paths = in.asks_paths;
    function.asks_measures = in.asks_measures;
    static_cast<CheckerScope&>(in) = std::move(saved);
    in.function_progress[id.value] = Progress::done;
    if (in.diagnostics.errors() > errors) in.failed_functions.insert(id.value);
}

ExprId function_call(Checking& in, SyntaxId id, FunctionId function_id, SyntaxId argument_list)
{
    const SyntaxId callee = syntax::Call(in.tree, id).callee();
    in.use(SymbolKind::function, function_id.value, in.span(callee));
    function_body(in, function_id);
    const Function declared = in.program.function(function_id);  // a copy: arguments may grow the program
    auto given = arguments(in, argument_list, declared.parameters, in.span(callee), in.text(callee), declared.span);
    const auto called = declared.generic ? called_with(in, function_id, given, in.span(callee)) : function_id;
    if (!called) return in.error(in.span(id));
    if (called != function_id) {
        in.use(SymbolKind::function, called->value, in.span(callee));
        function_body(in, *called);
    }
    Function function = in.program.function(*called);
    if (function.generic) give_dimensions(function, opened(function));  // within itself
    if (function.asks_paths && !in.in_require)
        in.report(Diag::misplaced_path_function, in.span(callee),
                  fmt::format("`{}` asks for paths and stands outside `require`", function.name))
            .also(function.span, "declared here")
            .help(
                "routes exist once the network is complete: only a `require` of a model or component can ask for them");
    else if (function.asks_measures && (!in.in_require || in.in_moment))
        in.report(Diag::misplaced_measure, in.span(callee),
                  fmt::format("`{}` asks for measures and stands {}", function.name,
                              in.in_moment ? "in a `require` of a moment" : "outside `require`"))
            .also(function.span, "declared here")
            .help("it is known when the run ends: only a `require` of a model or component can ask for it");
    in.asks_paths = in.asks_paths || function.asks_paths;
    in.asks_measures = in.asks_measures || function.asks_measures;
    return in.add(ExprKind::function, function.type, in.span(id), called->value, 0, std::move(given));
}

// Of a link by itself, which needs no routes.
ExprId link_bdp(Checking& in, SyntaxId id, ExprId link)
{
    const Expr of = in.program.expr(link);
    if (of.type.kind != TypeKind::link || of.type.array || of.type.many) {
        auto report = in.report(of.type.array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                                fmt::format("`bdp` wants a link, or two nodes, found {}", in.a_named(of.type)));
        if (of.type.array)
            report.help(fmt::format("choose one: `{}[0]`", in.sources.text(of.span)))
                .fix_when_asked({of.span.behind(), "[0]"});
        return in.error(in.span(id));
    }
    return in.call(Builtin::bdp, {.kind = TypeKind::number, .dim = dimension::size}, in.span(id), {link});
}

}  // namespace anml
