// Names and expressions.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

int precedence(std::string_view operation)
{
    if (operation == "||") return 1;
    if (operation == "&&") return 2;
    if (operation == "==" || operation == "!=") return 3;
    if (operation[0] == '<' || operation[0] == '>') return 4;
    return operation == "*" || operation == "/" || operation == "%" ? 6 : 5;
}

// Where it doesn't fit, its element, each `for` and each `if` have a line.
void comprehension(Layout& in, SyntaxId id)
{
    const syntax::Comprehension written(in.tree, id);
    in.begin_group();
    in.word();
    in.begin_indent(kInside);
    const bool broken = in.line_ends_here() || in.breaks_ahead();
    broken ? in.hard_gap(Edge::first) : in.gap(Kind::soft);
    expression(in, written.element());
    for (const SyntaxId clause_id : written.clauses()) {
        const syntax::ForClause clause(in.tree, clause_id);
        in.gap(Kind::line);
        in.words(1);
        if (clause.has_counter()) {
            in.word();
            in.no_gap();
            in.words(1);  // the comma
        }
        in.words(2);
        expression(in, clause.over());
        if (!clause.has_condition()) continue;
        in.gap(Kind::line);
        in.words(1);
        expression(in, clause.condition());
    }
    close_list(in, broken || in.breaks_ahead(), Kind::soft);
}

// Operators of one precedence break together.
void chain(Layout& in, SyntaxId id)
{
    const syntax::Binary binary(in.tree, id);
    const SyntaxId left = binary.left();
    std::string_view operation = in.sources.text(in.tree.node(id).token);
    bool same = in.tree.kind(left) == SyntaxKind::binary &&
                in.tree.node(left).span.begin == in.tree.node(id).span.begin &&
                precedence(in.sources.text(in.tree.node(left).token)) == precedence(operation);
    same ? chain(in, left) : expression(in, left);
    in.begin_indent(kContinued);
    in.gap(Kind::line);
    in.words(1);
    expression(in, binary.right());
    in.end_indent();
}

void expression_node(Layout& in, SyntaxId id)
{
    switch (in.tree.kind(id)) {
        case SyntaxKind::member:
            expression(in, syntax::Member(in.tree, id).object());
            in.no_gap();
            in.glued_words(1);
            in.word();
            break;
        case SyntaxKind::subscript: {
            const syntax::Subscript subscript(in.tree, id);
            expression(in, subscript.object());
            in.no_gap();
            in.glued_words(1);
            expression(in, subscript.index());
            in.no_gap();
            in.word();
            break;
        }
        case SyntaxKind::call:
            expression(in, syntax::Call(in.tree, id).callee());
            in.no_gap();
            call_arguments(in, syntax::Call(in.tree, id).arguments());
            break;
        case SyntaxKind::unary:
            in.glued_words(1);
            expression(in, syntax::Unary(in.tree, id).operand());
            break;
        case SyntaxKind::binary:
            in.begin_group();
            chain(in, id);
            in.end_group();
            break;
        case SyntaxKind::conditional: {
            const syntax::Conditional conditional(in.tree, id);
            in.begin_group();
            in.words(1);
            expression(in, conditional.condition());
            in.begin_indent(kContinued);
            for (const SyntaxId branch : {conditional.then(), conditional.otherwise()}) {
                in.gap(Kind::line);
                in.words(1);
                expression(in, branch);
            }
            in.end_indent();
            in.end_group();
            break;
        }
        case SyntaxKind::list:
            comma_list(in, syntax::List(in.tree, id).elements(), expression);
            break;
        case SyntaxKind::adapted: {
            const syntax::Adapted adapted(in.tree, id);
            expression(in, adapted.profile());
            in.space();
            attribute_lines(in, adapted.attributes());
            break;
        }
        case SyntaxKind::comprehension:
            comprehension(in, id);
            break;
        default:  // one word
            in.word();
            break;
    }
}

void argument(Layout& in, SyntaxId id)
{
    const syntax::Argument argument(in.tree, id);
    if (argument.has_name()) in.words(2);
    expression(in, argument.value());
}

}  // namespace

void dotted_name(Layout& in, SyntaxId id)
{
    for (std::size_t i = 0; i < syntax::DottedName(in.tree, id).parts().size(); ++i) {
        if (i > 0) {
            in.no_gap();
            in.glued_words(1);
        }
        in.word();
    }
}

// With the parentheses around it. A range, `1 ms .. 8 ms`, has none: those before it are its lower bound's.
void expression(Layout& in, SyntaxId id)
{
    if (in.tree.kind(id) == SyntaxKind::range) {
        const syntax::Range range(in.tree, id);
        expression(in, range.low());
        in.space();
        in.words(1);
        return expression(in, range.high());
    }
    std::size_t open = 0;
    while (in.token(in.at).span.begin < in.tree.node(id).span.begin) {
        in.glued_words(1);
        ++open;
    }
    expression_node(in, id);
    for (; open > 0; --open) {
        in.no_gap();
        in.word();
    }
}

void call_arguments(Layout& in, SyntaxId id)
{
    comma_list(in, syntax::ArgumentList(in.tree, id).arguments(), argument);
}

void brackets(Layout& in, SyntaxId id)
{
    if (in.tree.is_none(id)) return;
    for (const SyntaxId number : syntax::Brackets(in.tree, id).numbers()) {
        in.no_gap();
        in.glued_words(1);
        expression(in, number);
        in.no_gap();
        in.word();
    }
}

}  // namespace anml
