// Comprehensions: a value for each element of lists, ranges and selections.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// What further statements declare stays unknown: the name ends with the comprehension.
void bind(Checking& in, SyntaxId identifier, Type type)
{
    const std::uint32_t index = in.bound++;
    const std::string name{in.text(identifier)};
    if (name.empty()) return;  // a hole
    in.declares(identifier);
    declarable(in, identifier);  // where it isn't, it is meant inside all the same
    in.scopes.back().try_emplace(name, Symbol{SymbolKind::local, index, in.span(identifier), type, true});
}

void for_clause(Checking& in, SyntaxId id, Comprehension& out, std::vector<ExprId>& operands)
{
    const syntax::ForClause written(in.tree, id);
    const SyntaxId over = written.over();
    const Type integer{.kind = TypeKind::integer};
    const bool is_range = in.tree.kind(over) == SyntaxKind::range;
    Type element = integer;
    ExprId first, high;
    if (is_range) {
        const syntax::Range range(in.tree, over);
        first = value(in, range.low(), integer, "a range");
        high = value(in, range.high(), integer, "a range");
    } else {
        first = expression(in, over);
        element = element_of(in, in.program, in.diagnostics, first, true);
    }
    if (written.has_counter()) bind(in, written.counter(), number_type(in.program, first));
    bind(in, written.name(), element);
    ExprId condition;
    if (written.has_condition())
        condition = value(in, written.condition(), {.kind = TypeKind::boolean}, "the condition of a comprehension");
    operands.insert(operands.end(), {first, high, condition});
    out.clauses.push_back({written.has_counter(), is_range && (in.tree.node(over).flags & syntax_flag::half_open)});
}

}  // namespace

ExprId comprehension(Checking& in, SyntaxId id, const Type* wanted)
{
    const syntax::Comprehension written(in.tree, id);
    const std::uint32_t outer = in.bound;
    in.scopes.emplace_back();
    Comprehension result;
    std::vector<ExprId> operands(1);
    for (const SyntaxId clause : written.clauses())
        if (!in.tree.is_hole(clause)) for_clause(in, clause, result, operands);
    Type element = wanted_element(wanted);
    const bool known = element.kind != TypeKind::error;
    operands[0] = expression(in, written.element(), known ? &element : nullptr);
    in.scopes.pop_back();
    in.bound = outer;
    const Type found = in.program.expr(operands[0]).type;
    if (found.list && found.kind != TypeKind::error) {
        in.report(Diag::type_mismatch, in.span(written.element()),
                  fmt::format("a list cannot hold lists, found {}", in.a_named(found)))
            .help("elements of two lists have a `for` each: `[a * b for a in list for b in other]`");
        return in.error(in.span(id));
    }
    if (!known) element = found;
    if (!known && found.kind == TypeKind::node) element = {.kind = TypeKind::node, .ref = found.ref, .many = true};
    operands[0] = require_type(in, operands[0], element, "the list");
    // Of nodes a selection, as with nodes in brackets.
    if (element.kind != TypeKind::node && element.kind != TypeKind::error) element.list = true;
    in.program.comprehensions.push_back(std::move(result));
    return in.add(ExprKind::comprehension, element, in.span(id),
                  static_cast<std::uint32_t>(in.program.comprehensions.size() - 1), 0, std::move(operands));
}

// `range(3)` and the like, which Python has.
bool report_python(const SourceText& source, Diagnostics& diagnostics, SyntaxId callee, SyntaxId arguments)
{
    const std::string_view name = source.text(callee);
    const auto given = syntax::ArgumentList(source.tree, arguments).arguments();
    const auto written = [&](std::size_t i, std::string_view otherwise) {
        return i < given.size() ? source.text(given[i]) : otherwise;
    };
    const auto report = [&](std::string help) {
        diagnostics.report(Diag::unknown_name, source.span(callee), fmt::format("unknown name `{}`", name))
            .help(std::move(help));
        return true;
    };
    if (name == "range" && given.size() == 3)
        return report(fmt::format("a range has no steps; a list is written `[{0} + {1} * i for i in 0 ..< n]`",
                                  written(0, ""), written(2, "")));
    if (name == "range")
        return report(given.size() > 1 ? fmt::format("a range is written `{} ..< {}`", written(0, ""), written(1, ""))
                                       : fmt::format("a range is written `0 ..< {}`", written(0, "n")));
    if (name == "enumerate")
        return report(fmt::format("the number of the element comes first: `for i, x in {}`", written(0, "list")));
    if (name == "zip")
        return report(fmt::format("the number of an element finds the other: `for i, x in {}`, then `{}[i]`",
                                  written(0, "list"), written(1, "other")));
    return false;
}

}  // namespace anml
