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
    auto parameters = signature(written.parameters(), false, false, true);
    const SyntaxId result = written.type();
    Type type;
    std::uint32_t like_parameter = abi::kNone;
    if (tree_.node(result).flags & syntax_flag::like) {
        like_parameter = like(result, parameters);
        if (like_parameter != abi::kNone) type = {.kind = TypeKind::number, .any = true};
        type.list = tree_.node(syntax).flags & syntax_flag::list;
        type.random = tree_.node(syntax).flags & syntax_flag::random;
    } else if (text(result) == "quantity" && !parameters.empty()) {
        diagnostics_.report(Diag::type_mismatch, span(result), "nothing says which dimension this quantity has")
            .help(fmt::format("that of a parameter is written `like {}`", parameters.front().name))
            .fix(span(result), fmt::format("like {}", parameters.front().name));
    } else {
        type = type_of_name(result, tree_.node(syntax).flags);
    }
    Function& function = program_.functions[id.value];
    function.parameters = std::move(parameters);
    function.type = type;
    function.like = like_parameter;
    open_dimensions(id);
}

void Checker::function_body(FunctionId id)
{
    if (function_progress_[id.value] != Progress::untouched) return;
    const auto declared = declared_as_.find(id.value);
    if (declared != declared_as_.end() && failed_functions_.contains(declared->second)) return;
    const Nested nested(*this, program_.function(id).span);
    if (!nested.fits()) return;
    function_progress_[id.value] = Progress::active;
    const std::size_t errors = diagnostics_.errors();
    CheckerScope saved = std::move(static_cast<CheckerScope&>(*this));
    const SyntaxId syntax = function_syntax_[id.value];
    enter(syntax);
    maker_ = {SymbolKind::function, id.value};
    in_require_ = true;  // whether the call stands there is checked with the call
    scopes_.emplace_back();
    Function checked = program_.function(id);  // a copy: what it calls may grow the program
    if (checked.generic) give_dimensions(checked, opened(checked));
    const syntax::FunctionDeclaration written(tree_, syntax);
    parameter_values(written.parameters(), checked.parameters);
    const ExprId body = value(written.value(), checked.type, fmt::format("`{}`", checked.name));
    Function& function = program_.functions[id.value];
    for (std::size_t i = 0; i < checked.parameters.size(); ++i) {
        const Type type = function.parameters[i].type;
        function.parameters[i] = std::move(checked.parameters[i]);
        function.parameters[i].type = type;
    }
    function.body = body;
    function.slot_count = slots_;
    function.asks_paths = asks_paths_;
    function.asks_measures = asks_measures_;
    static_cast<CheckerScope&>(*this) = std::move(saved);
    function_progress_[id.value] = Progress::done;
    if (diagnostics_.errors() > errors) failed_functions_.insert(id.value);
}

ExprId Checker::function_call(SyntaxId id, FunctionId function_id, SyntaxId argument_list)
{
    const SyntaxId callee = syntax::Call(tree_, id).callee();
    use(SymbolKind::function, function_id.value, span(callee));
    function_body(function_id);
    const Function declared = program_.function(function_id);  // a copy: arguments may grow the program
    auto given = arguments(argument_list, declared.parameters, span(callee), text(callee), declared.span);
    const auto called = declared.generic ? called_with(function_id, given, span(callee)) : function_id;
    if (!called) return error(span(id));
    if (called != function_id) {
        use(SymbolKind::function, called->value, span(callee));
        function_body(*called);
    }
    Function function = program_.function(*called);
    if (function.generic) give_dimensions(function, opened(function));  // within itself
    if (function.asks_paths && !in_require_)
        diagnostics_
            .report(Diag::misplaced_path_function, span(callee),
                    fmt::format("`{}` asks for paths and stands outside `require`", function.name))
            .also(function.span, "declared here")
            .help(
                "routes exist once the network is complete: only a `require` of a model or component can ask for them");
    else if (function.asks_measures && (!in_require_ || in_moment_))
        diagnostics_
            .report(Diag::misplaced_measure, span(callee),
                    fmt::format("`{}` asks for measures and stands {}", function.name,
                                in_moment_ ? "in a `require` of a moment" : "outside `require`"))
            .also(function.span, "declared here")
            .help("it is known when the run ends: only a `require` of a model or component can ask for it");
    asks_paths_ = asks_paths_ || function.asks_paths;
    asks_measures_ = asks_measures_ || function.asks_measures;
    return add(ExprKind::function, function.type, span(id), called->value, 0, std::move(given));
}

// Of a link by itself, which needs no routes.
ExprId Checker::link_bdp(SyntaxId id, ExprId link)
{
    const Expr of = program_.expr(link);
    if (of.type.kind != TypeKind::link || of.type.array || of.type.many) {
        auto report = diagnostics_.report(of.type.array ? Diag::invalid_selection : Diag::type_mismatch, of.span,
                                          fmt::format("`bdp` wants a link, or two nodes, found {}", a_named(of.type)));
        if (of.type.array)
            report.help(fmt::format("choose one: `{}[0]`", sources_.text(of.span)))
                .fix_when_asked({of.span.behind(), "[0]"});
        return error(span(id));
    }
    return add(ExprKind::call, {.kind = TypeKind::number, .dim = dimension::size}, span(id),
               static_cast<std::uint32_t>(Builtin::bdp), 0, {link});
}

}  // namespace anml
