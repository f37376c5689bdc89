// Parameters of components, models and profiles: types first, so that calls can be checked, then ranges and defaults.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

// A component that stands as a type where none can be passed.
void Checker::refuse_component(Type& type, Span place)
{
    if (type.kind != TypeKind::component) return;
    diagnostics_.report(Diag::type_mismatch, place, "a component can be passed to a component only");
    type = {};
}

std::vector<SyntaxId> Checker::parameters_in(SyntaxId list) const
{
    std::vector<SyntaxId> result;
    for (SyntaxId id : syntax::ParameterList(tree_, list).parameters())
        if (!tree_.is_hole(id)) result.push_back(id);
    return result;
}

std::vector<Parameter> Checker::signature(SyntaxId list, bool of_model, bool of_component, bool of_function)
{
    std::vector<Parameter> result;
    for (SyntaxId id : parameters_in(list)) {
        const syntax::ValueDeclaration declared(tree_, id);
        const SyntaxId identifier = declared.name(), type_syntax = declared.type();
        declares(identifier);
        Parameter p;
        p.name = text(identifier);
        p.doc = doc(id);
        p.span = span(identifier);
        if (of_function && tree_.node(type_syntax).flags & syntax_flag::like) {
            p.like = like(type_syntax, result);
            if (p.like != abi::kNone) p.type = {.kind = TypeKind::number, .any = true};
            p.type.list = tree_.node(id).flags & syntax_flag::list;
            p.type.random = tree_.node(id).flags & syntax_flag::random;
        } else {
            p.type = type_of_name(type_syntax, tree_.node(id).flags, of_function);
            if (p.type.any) p.like = static_cast<std::uint32_t>(result.size());
        }
        if (!of_component) refuse_component(p.type, span(type_syntax));
        p.required = !declared.has_preset();
        p.tunable = tree_.node(id).flags & syntax_flag::tunable;
        if (p.tunable && !of_model) {
            diagnostics_
                .report(Diag::misplaced_tunable, p.span,
                        fmt::format("`{}` is tunable, but does not belong to a model", p.name))
                .help("declare the tunable in the model and pass it on");
            p.tunable = false;
        }
        const bool number =
            (p.type.kind == TypeKind::number || p.type.kind == TypeKind::integer) && !p.type.random && !p.type.list;
        if (p.tunable && p.type.kind != TypeKind::error && !number) {
            diagnostics_.report(Diag::misplaced_tunable, span(type_syntax),
                                fmt::format("only a number or quantity can be tunable, found {}", a_named(p.type)));
            p.tunable = false;
        }
        p.slot = static_cast<std::uint32_t>(result.size());
        result.push_back(std::move(p));
    }
    return result;
}

void Checker::parameter_values(SyntaxId list, std::vector<Parameter>& parameters)
{
    const auto declarations = parameters_in(list);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Parameter& p = parameters[i];
        const syntax::ValueDeclaration declared(tree_, declarations[i]);
        p.range = limits(declarations[i], p.type, p.name);
        if (declared.has_preset()) {
            p.fallback = value(declared.preset(), p.type, fmt::format("`{}`", p.name));
            check_range(p.fallback, p.range, p.type, p.name, p.span);
        }
        const std::uint32_t slot = declare_local(declared.name(), p.type);
        p.slot = slot;
    }
}

ValueRange Checker::range(SyntaxId id, const Type& type, std::string_view name)
{
    ValueRange result;
    if (tree_.kind(id) != SyntaxKind::range) return result;  // absent, or a hole
    if (type.kind == TypeKind::error) return result;
    if (type.dim.open != Dimension{}.open) {
        diagnostics_.report(Diag::type_mismatch, span(id), "a quantity of whatever dimension has no range");
        return result;
    }
    if ((type.kind != TypeKind::number && type.kind != TypeKind::integer) || type.list) {
        diagnostics_.report(Diag::type_mismatch, span(id), fmt::format("{} has no range", a_named(type)));
        return result;
    }
    Type bound = type;
    bound.random = false;
    const std::string what = fmt::format("the range of `{}`", name);
    const syntax::Range written(tree_, id);
    result.low = value(written.low(), bound, what);
    result.high = value(written.high(), bound, what);
    result.half_open = tree_.node(id).flags & syntax_flag::half_open;
    const auto low = constant(result.low), high = constant(result.high);
    if (low && high && (*low > *high || (result.half_open && *low == *high))) {
        diagnostics_.report(Diag::out_of_range, span(id), fmt::format("{} is empty", what));
        return {};  // no default lies in it: one cause
    }
    return result;
}

void Checker::check_range(ExprId value, const Limits& range, const Type& type, std::string_view name, Span declared)
{
    check_limits(value, range, name, declared);
    const auto v = constant(value), low = constant(range.low), high = constant(range.high);
    if (!v || !low || !high) return;
    if (*v >= *low && (range.half_open ? *v < *high : *v <= *high)) return;
    auto report = diagnostics_.report(
        Diag::out_of_range, program_.expr(value).span,
        fmt::format("`{}` is {}, outside {} {} {}", name, format_quantity(*v, type.dim),
                    format_quantity(*low, type.dim), range.half_open ? "..<" : "..",
                    format_quantity(*high, type.dim)));
    report.also(declared, "its range is declared here");
    const Expr& e = program_.expr(value);
    if (type.dim == dimension::none && *high == 1 && *v > 1 && *v <= 100 && e.kind == ExprKind::number &&
        !sources_.text(e.span).ends_with("%"))
        report.help(fmt::format("of a hundred parts: `{} %`", sources_.text(e.span))).fix(e.span.behind(), " %");
}

}  // namespace anml
