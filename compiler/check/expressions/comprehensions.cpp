// Comprehensions: a value for each element of lists, ranges and selections.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

ExprId Checker::comprehension(SyntaxId id, const Type* wanted)
{
    const syntax::Comprehension written(tree_, id);
    const std::uint32_t outer = bound_;
    scopes_.emplace_back();
    Comprehension result;
    std::vector<ExprId> operands(1);
    for (const SyntaxId clause : written.clauses())
        if (!tree_.is_hole(clause)) for_clause(clause, result, operands);
    Type element = wanted_element(wanted);
    const bool known = element.kind != TypeKind::error;
    operands[0] = expression(written.element(), known ? &element : nullptr);
    scopes_.pop_back();
    bound_ = outer;
    const Type found = program_.expr(operands[0]).type;
    if (found.list && found.kind != TypeKind::error) {
        diagnostics_
            .report(Diag::type_mismatch, span(written.element()),
                    fmt::format("a list cannot hold lists, found {}", a_named(found)))
            .help("elements of two lists have a `for` each: `[a * b for a in list for b in other]`");
        return error(span(id));
    }
    if (!known) element = found;
    if (!known && found.kind == TypeKind::node) element = {.kind = TypeKind::node, .ref = found.ref, .many = true};
    operands[0] = require_type(operands[0], element, "the list");
    // Of nodes a selection, as with nodes in brackets.
    if (element.kind != TypeKind::node && element.kind != TypeKind::error) element.list = true;
    program_.comprehensions.push_back(std::move(result));
    return add(ExprKind::comprehension, element, span(id),
               static_cast<std::uint32_t>(program_.comprehensions.size() - 1), 0, std::move(operands));
}

void Checker::for_clause(SyntaxId id, Comprehension& out, std::vector<ExprId>& operands)
{
    const syntax::ForClause written(tree_, id);
    const SyntaxId over = written.over();
    const Type integer{.kind = TypeKind::integer};
    const bool is_range = tree_.kind(over) == SyntaxKind::range;
    Type element = integer;
    ExprId first, high;
    if (is_range) {
        const syntax::Range range(tree_, over);
        first = value(range.low(), integer, "a range");
        high = value(range.high(), integer, "a range");
    } else {
        first = expression(over);
        element = element_of(first, true);
    }
    if (written.has_counter()) bind(written.counter(), number_type(first));
    bind(written.name(), element);
    ExprId condition;
    if (written.has_condition())
        condition = value(written.condition(), {.kind = TypeKind::boolean}, "the condition of a comprehension");
    operands.insert(operands.end(), {first, high, condition});
    out.clauses.push_back({written.has_counter(), is_range && (tree_.node(over).flags & syntax_flag::half_open)});
}

// What further statements declare stays unknown: the name ends with the comprehension.
void Checker::bind(SyntaxId identifier, Type type)
{
    const std::uint32_t index = bound_++;
    const std::string name{text(identifier)};
    if (name.empty()) return;  // a hole
    declares(identifier);
    declarable(identifier);  // where it isn't, it is meant inside all the same
    scopes_.back().try_emplace(name, Symbol{SymbolKind::local, index, span(identifier), type, true});
}

// `range(3)` and the like, which Python has.
bool Checker::report_python(SyntaxId callee, SyntaxId arguments)
{
    const std::string_view name = text(callee);
    const auto given = syntax::ArgumentList(tree_, arguments).arguments();
    const auto written = [&](std::size_t i, std::string_view otherwise) {
        return i < given.size() ? text(given[i]) : otherwise;
    };
    const auto report = [&](std::string help) {
        diagnostics_.report(Diag::unknown_name, span(callee), fmt::format("unknown name `{}`", name))
            .help(std::move(help));
        return true;
    };
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
