// Parameters of components, models and profiles: types first, so that calls can be checked, then ranges and defaults.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// Without holes.
std::vector<SyntaxId> parameters_in(const SyntaxTree& tree, SyntaxId list)
{
    std::vector<SyntaxId> result;
    for (SyntaxId id : syntax::ParameterList(tree, list).parameters())
        if (!tree.is_hole(id)) result.push_back(id);
    return result;
}

}  // namespace

// A component that stands as a type where none can be passed.
void refuse_component(Diagnostics& diagnostics, Type& type, Span place)
{
    if (type.kind != TypeKind::component) return;
    diagnostics.report(Diag::type_mismatch, place, "a component can be passed to a component only");
    type = {};
}

std::vector<Parameter> signature(Checking& in, SyntaxId list, bool of_model, bool of_component, bool of_function)
{
    std::vector<Parameter> result;
    for (SyntaxId id : parameters_in(in.tree, list)) {
        const syntax::ValueDeclaration declared(in.tree, id);
        const SyntaxId identifier = declared.name(), type_syntax = declared.type();
        in.declares(identifier);
        Parameter p;
        p.name = in.text(identifier);
        p.doc = in.doc(id);
        p.span = in.span(identifier);
        if (of_function && in.tree.node(type_syntax).flags & syntax_flag::like) {
            p.like = like(in, type_syntax, result);
            if (p.like != abi::kNone) p.type = {.kind = TypeKind::number, .any = true};
            p.type.list = in.tree.node(id).flags & syntax_flag::list;
            p.type.random = in.tree.node(id).flags & syntax_flag::random;
        } else {
            p.type = type_of_name(in, type_syntax, in.tree.node(id).flags, of_function);
            if (p.type.any) p.like = static_cast<std::uint32_t>(result.size());
        }
        if (!of_component) refuse_component(in.diagnostics, p.type, in.span(type_syntax));
        p.required = !declared.has_preset();
        p.tunable = in.tree.node(id).flags & syntax_flag::tunable;
        if (p.tunable && !of_model) {
            in.report(Diag::misplaced_tunable, p.span,
                      fmt::format("`{}` is tunable, but does not belong to a model", p.name))
                .help("declare the tunable in the model and pass it on");
            p.tunable = false;
        }
        const bool number = is_numeric(p.type) && !p.type.random && !p.type.list;
        if (p.tunable && p.type.kind != TypeKind::error && !number) {
            in.report(Diag::misplaced_tunable, in.span(type_syntax),
                      fmt::format("only a number or quantity can be tunable, found {}", in.a_named(p.type)));
            p.tunable = false;
        }
        p.slot = static_cast<std::uint32_t>(result.size());
        result.push_back(std::move(p));
    }
    return result;
}

void parameter_values(Checking& in, SyntaxId list, std::vector<Parameter>& parameters)
{
    const auto declarations = parameters_in(in.tree, list);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        Parameter& p = parameters[i];
        const syntax::ValueDeclaration declared(in.tree, declarations[i]);
        p.range = limits(in, declarations[i], p.type, p.name);
        if (declared.has_preset()) {
            p.fallback = value(in, declared.preset(), p.type, fmt::format("`{}`", p.name));
            check_range(in, in.program, in.diagnostics, p.fallback, p.range, p.type, p.name, p.span);
        }
        const std::uint32_t slot = declare_local(in, declared.name(), p.type);
        p.slot = slot;
    }
}

ValueRange range(Checking& in, SyntaxId id, const Type& type, std::string_view name)
{
    ValueRange result;
    if (in.tree.kind(id) != SyntaxKind::range) return result;  // absent, or a hole
    if (type.kind == TypeKind::error) return result;
    if (type.dim.open != Dimension{}.open) {
        in.report(Diag::type_mismatch, in.span(id), "a quantity of whatever dimension has no range");
        return result;
    }
    if ((type.kind != TypeKind::number && type.kind != TypeKind::integer) || type.list) {
        in.report(Diag::type_mismatch, in.span(id), fmt::format("{} has no range", in.a_named(type)));
        return result;
    }
    Type bound = type;
    bound.random = false;
    const std::string what = fmt::format("the range of `{}`", name);
    const syntax::Range written(in.tree, id);
    result.low = value(in, written.low(), bound, what);
    result.high = value(in, written.high(), bound, what);
    result.half_open = in.tree.node(id).flags & syntax_flag::half_open;
    const auto low = constant(in.program, result.low), high = constant(in.program, result.high);
    if (low && high && (*low > *high || (result.half_open && *low == *high))) {
        auto report = in.report(Diag::out_of_range, in.span(id), fmt::format("{} is empty", what));
        const std::string_view low_text = in.text(written.low()), high_text = in.text(written.high());
        if (*low > *high)
            report.help(fmt::format("the lower end comes first: `{} .. {}`", high_text, low_text))
                .fix(in.span(id), fmt::format("{} .. {}", high_text, low_text));
        return {};  // no default lies in it: one cause
    }
    return result;
}

void check_range(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ExprId value,
                 const Limits& range, const Type& type, std::string_view name, Span declared)
{
    check_limits(program, diagnostics, value, range, name, declared);
    const auto v = constant(program, value), low = constant(program, range.low), high = constant(program, range.high);
    if (low && high &&
        !diagnostics.list().empty())  // `mtu = 1500`: of the quantities that are proposed one is in range
        diagnostics.amend(diagnostics.list().size() - 1)
            .keep_if(program.expr(value).span, [&](std::string_view written) {
                const auto q = parse_quantity(written);
                return !q || (*low <= q->value && q->value <= *high);
            });
    if (!v || !low || !high) return;
    if (*v >= *low && (range.half_open ? *v < *high : *v <= *high)) return;
    auto report = diagnostics.report(
        Diag::out_of_range, program.expr(value).span,
        fmt::format("`{}` is {}, outside {} {} {}", name, format_quantity(*v, type.dim),
                    format_quantity(*low, type.dim), range.half_open ? "..<" : "..", format_quantity(*high, type.dim)));
    report.also(declared, "its range is declared here");
    if (name == "dscp" && *v > 63 && *v <= 252 && static_cast<int>(*v) % 4 == 0)
        report.help(fmt::format("the byte of TOS has two bits more: `{}` of DSCP", static_cast<int>(*v) / 4))
            .fix(program.expr(value).span, fmt::to_string(static_cast<int>(*v) / 4));
    if (name == "delay" && *v < 0)
        report.help("a delay that varies has its least value, and besides `jitter = uniform(0 ms, 5 ms)`");
    const Expr& e = program.expr(value);
    if (type.dim == dimension::none && *high == 1 && *v > 1 && *v <= 100 && e.kind == ExprKind::number &&
        !source.sources.text(e.span).ends_with("%"))
        report.help(fmt::format("of a hundred parts: `{} %`", source.sources.text(e.span))).fix(e.span.behind(), " %");
}

}  // namespace anml
