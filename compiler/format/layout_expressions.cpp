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

}  // namespace

void Layout::dotted_name(SyntaxId id)
{
    for (std::size_t i = 0; i < syntax::DottedName(tree_, id).parts().size(); ++i) {
        if (i > 0) {
            no_gap();
            glued_words(1);
        }
        word();
    }
}

// With the parentheses around it.
void Layout::expression(SyntaxId id)
{
    std::size_t open = 0;
    while (token(at_).span.begin < tree_.node(id).span.begin) {
        glued_words(1);
        ++open;
    }
    expression_node(id);
    for (; open > 0; --open) {
        no_gap();
        word();
    }
}

void Layout::expression_node(SyntaxId id)
{
    switch (tree_.kind(id)) {
        case SyntaxKind::member:
            expression(syntax::Member(tree_, id).object());
            no_gap();
            glued_words(1);
            word();
            break;
        case SyntaxKind::subscript: {
            const syntax::Subscript subscript(tree_, id);
            expression(subscript.object());
            no_gap();
            glued_words(1);
            const SyntaxId index = subscript.index();
            tree_.kind(index) == SyntaxKind::range ? range(index) : expression(index);
            no_gap();
            word();
            break;
        }
        case SyntaxKind::call:
            expression(syntax::Call(tree_, id).callee());
            no_gap();
            call_arguments(syntax::Call(tree_, id).arguments());
            break;
        case SyntaxKind::unary:
            glued_words(1);
            expression(syntax::Unary(tree_, id).operand());
            break;
        case SyntaxKind::binary:
            begin_group();
            chain(id);
            end_group();
            break;
        case SyntaxKind::conditional: {
            const syntax::Conditional conditional(tree_, id);
            begin_group();
            words(1);
            expression(conditional.condition());
            begin_indent(kContinued);
            for (const SyntaxId branch : {conditional.then(), conditional.otherwise()}) {
                gap(Kind::line);
                words(1);
                expression(branch);
            }
            end_indent();
            end_group();
            break;
        }
        case SyntaxKind::list:
            comma_list(syntax::List(tree_, id).elements(), &Layout::expression);
            break;
        case SyntaxKind::adapted: {
            const syntax::Adapted adapted(tree_, id);
            expression(adapted.profile());
            space();
            line_list(syntax::AttributeBlock(tree_, adapted.attributes()).attributes(), &Layout::attribute);
            break;
        }
        case SyntaxKind::comprehension:
            comprehension(id);
            break;
        default:  // one word
            word();
            break;
    }
}

// Where it doesn't fit, its element, each `for` and each `if` have a line.
void Layout::comprehension(SyntaxId id)
{
    const syntax::Comprehension written(tree_, id);
    begin_group();
    word();
    begin_indent(kInside);
    const bool broken = line_ends_here() || breaks_inside(comments_ahead());
    broken ? hard_gap(Edge::first) : gap(Kind::soft);
    expression(written.element());
    for (const SyntaxId clause_id : written.clauses()) {
        const syntax::ForClause clause(tree_, clause_id);
        gap(Kind::line);
        words(1);
        if (clause.has_counter()) {
            word();
            no_gap();
            words(1);  // the comma
        }
        words(2);
        tree_.kind(clause.over()) == SyntaxKind::range ? range(clause.over()) : expression(clause.over());
        if (!clause.has_condition()) continue;
        gap(Kind::line);
        words(1);
        expression(clause.condition());
    }
    if (broken || breaks_inside(comments_ahead())) {
        hard_gap(Edge::last);
    } else {
        close_gap(Kind::soft);
    }
    word();
    end_group();
}

// Operators of one precedence break together.
void Layout::chain(SyntaxId id)
{
    const syntax::Binary binary(tree_, id);
    const SyntaxId left = binary.left();
    std::string_view operation = sources_.text(tree_.node(id).token);
    bool same = tree_.kind(left) == SyntaxKind::binary && tree_.node(left).span.begin == tree_.node(id).span.begin &&
                precedence(sources_.text(tree_.node(left).token)) == precedence(operation);
    same ? chain(left) : expression(left);
    begin_indent(kContinued);
    gap(Kind::line);
    words(1);
    expression(binary.right());
    end_indent();
}

// `1 .. 8`, `1 ms .. 8 ms`, `0 ..< n`.
void Layout::range(SyntaxId id)
{
    const syntax::Range range(tree_, id);
    expression(range.low());
    space();
    word();
    space();
    expression(range.high());
}

void Layout::call_arguments(SyntaxId id) { comma_list(syntax::ArgumentList(tree_, id).arguments(), &Layout::argument); }

void Layout::argument(SyntaxId id)
{
    const syntax::Argument argument(tree_, id);
    if (argument.has_name()) {
        words(2);
    }
    expression(argument.value());
}

void Layout::brackets(SyntaxId id)
{
    if (tree_.is_none(id)) return;
    for (const SyntaxId number : syntax::Brackets(tree_, id).numbers()) {
        no_gap();
        glued_words(1);
        expression(number);
        no_gap();
        word();
    }
}

}  // namespace anml
