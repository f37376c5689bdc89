// Functions that take quantities of any dimension: `function twice(x: quantity): like x = 2 * x`.
//
// The body is checked once as it was declared, for dimensions that are left open: what holds for these holds for all.
// For the dimensions of each call there is an instance besides, since units of products and quotients depend on them.
#include <fmt/format.h>

#include "check/expressions/expressions.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

std::vector<std::int8_t> exponents_of(const std::vector<Dimension>& by_parameter)
{
    std::vector<std::int8_t> result;
    for (const Dimension& d : by_parameter) {
        result.insert(result.end(), {d.time, d.size, d.length});
        result.insert(result.end(), d.open.begin(), d.open.end());
    }
    return result;
}

FunctionId instance_of(Checking& in, FunctionId id, const std::vector<Dimension>& by_parameter)
{
    const auto [known, fresh] = in.function_instances.try_emplace({id.value, exponents_of(by_parameter)});
    if (!fresh) return known->second;
    const FunctionId instance{in.program.functions.size()};
    known->second = instance;
    in.declared_as[instance.value] = id.value;
    Function function = in.program.function(id);
    give_dimensions(function, by_parameter);
    in.program.functions.push_back(std::move(function));
    in.function_syntax.push_back(in.function_syntax[id.value]);
    in.function_progress.push_back(Progress::untouched);
    return instance;
}

}  // namespace

// The parameter that `like x` names; kNone, and an error, where it has no open dimension.
std::uint32_t like(Checking& in, SyntaxId type, const std::vector<Parameter>& parameters)
{
    const auto parts = syntax::DottedName(in.tree, type).parts();
    if (parts.empty() || in.tree.is_hole(parts[0])) return abi::kNone;
    const std::string_view name = in.text(parts[0]);
    for (const Parameter& p : parameters) {
        if (p.name != name) continue;
        in.means(parts[0], p.span);
        if (p.like != abi::kNone) return p.like;
        if (p.type.kind == TypeKind::error) return abi::kNone;
        in.report(Diag::type_mismatch, in.span(type),
                  fmt::format("`{}` is {}, and `like` names a parameter of type `quantity`", name, in.a_named(p.type)))
            .also(p.span, "declared here")
            .help(fmt::format("write `{}` itself", in.named(p.type)))
            .fix(in.span(type), in.named(p.type));
        return abi::kNone;
    }
    auto report =
        in.report(Diag::unknown_name, in.span(parts[0]), fmt::format("no parameter before is called `{}`", name));
    if (!in.diagnostics.suggests()) return abi::kNone;
    std::vector<std::string_view> candidates;
    for (const Parameter& p : parameters) candidates.push_back(p.name);
    if (const auto similar = similar_name(name, candidates); !similar.empty())
        report.suggest(in.span(parts[0]), similar, quoted_name(similar));
    return abi::kNone;
}

// A dimension of its own for each parameter of type `quantity`.
std::vector<Dimension> opened(const Function& function)
{
    std::vector<Dimension> result(function.parameters.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < result.size(); ++i)
        if (function.parameters[i].like == i && next < result[i].open.size()) result[i].open[next++] = 1;
    return result;
}

void open_dimensions(Checking& in, FunctionId id)
{
    Function& function = in.program.functions[id.value];
    std::size_t count = 0;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        if (function.parameters[i].like != i) continue;
        function.generic = true;
        if (++count == Dimension{}.open.size() + 1)
            in.report(Diag::type_mismatch, function.parameters[i].span,
                      fmt::format("a function has at most {} parameters of type `quantity`", count - 1))
                .help("one that has the dimension of another is `like` it");
    }
    if (function.generic) in.function_instances[{id.value, exponents_of(opened(function))}] = id;
}

void give_dimensions(Function& function, const std::vector<Dimension>& by_parameter)
{
    const auto give = [&](Type& type, std::uint32_t like) {
        if (like == abi::kNone) return;
        type.any = false;
        type.dim = by_parameter[like];
    };
    for (Parameter& p : function.parameters) give(p.type, p.like);
    give(function.type, function.like);
    function.generic = false;
}

std::optional<FunctionId> called_with(Checking& in, FunctionId id, std::vector<ExprId>& given, Span callee)
{
    Function function = in.program.function(id);
    std::vector<Dimension> dimensions(given.size());
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (function.parameters[i].like != i) continue;
        if (!given[i] || in.program.expr(given[i]).type.kind == TypeKind::error) return std::nullopt;
        dimensions[i] = in.program.expr(given[i]).type.dim;
    }
    Function wanted = function;
    give_dimensions(wanted, dimensions);
    bool fits = true;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const Parameter& p = wanted.parameters[i];
        if (p.like == abi::kNone || p.like == i || !given[i]) continue;
        const std::string what = fmt::format("`{}`, like `{}`,", p.name, wanted.parameters[p.like].name);
        given[i] = require_type(in, given[i], p.type, what);
        fits = fits && in.program.expr(given[i]).type.kind != TypeKind::error;
    }
    if (!fits || in.failed_functions.contains(id.value)) return std::nullopt;
    // Within itself it is meant as it was declared: of others there could be ever more.
    if (in.function_progress[id.value] == Progress::active && dimensions != opened(function)) {
        in.report(Diag::type_mismatch, callee,
                  fmt::format("`{}` calls itself with other dimensions than it was called with", function.name))
            .also(function.span, "declared here");
        return std::nullopt;
    }
    return instance_of(in, id, dimensions);
}

}  // namespace anml
