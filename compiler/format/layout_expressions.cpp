// Names and expressions.
#include "format/layout.h"

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
    for (std::size_t i = 0; i < tree_.node(id).child_count; ++i) {
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
            expression(tree_.child(id, 0));
            no_gap();
            glued_words(1);
            word();
            break;
        case SyntaxKind::subscript: {
            expression(tree_.child(id, 0));
            no_gap();
            glued_words(1);
            SyntaxId index = tree_.child(id, 1);
            tree_.kind(index) == SyntaxKind::range ? range(index) : expression(index);
            no_gap();
            word();
            break;
        }
        case SyntaxKind::call:
            expression(tree_.child(id, 0));
            no_gap();
            call_arguments(tree_.child(id, 1));
            break;
        case SyntaxKind::unary:
            glued_words(1);
            expression(tree_.child(id, 0));
            break;
        case SyntaxKind::binary:
            begin_group();
            chain(id);
            end_group();
            break;
        case SyntaxKind::conditional:
            begin_group();
            words(1);
            expression(tree_.child(id, 0));
            begin_indent(kContinued);
            for (std::size_t branch : {1, 2}) {
                gap(Kind::line);
                words(1);
                expression(tree_.child(id, branch));
            }
            end_indent();
            end_group();
            break;
        case SyntaxKind::list:
            comma_list(tree_.children_of(id), &Layout::expression);
            break;
        default:  // one word
            word();
            break;
    }
}

// Operators of one precedence break together.
void Layout::chain(SyntaxId id)
{
    SyntaxId left = tree_.child(id, 0);
    std::string_view operation = sources_.text(tree_.node(id).token);
    bool same = tree_.kind(left) == SyntaxKind::binary && tree_.node(left).span.begin == tree_.node(id).span.begin &&
                precedence(sources_.text(tree_.node(left).token)) == precedence(operation);
    same ? chain(left) : expression(left);
    begin_indent(kContinued);
    gap(Kind::line);
    words(1);
    expression(tree_.child(id, 1));
    end_indent();
}

// `1..8` between whole numbers, `1 ms .. 8 ms` and `0 ..< n` otherwise.
void Layout::range(SyntaxId id)
{
    SyntaxId low = tree_.child(id, 0), high = tree_.child(id, 1);
    bool tight = tree_.kind(low) == SyntaxKind::literal_integer && tree_.kind(high) == SyntaxKind::literal_integer &&
                 !(tree_.node(id).flags & syntax_flag::half_open);
    expression(low);
    tight ? no_gap() : space();
    word();
    tight ? no_gap() : space();
    expression(high);
}

void Layout::argument(SyntaxId id)
{
    if (!tree_.is_none(tree_.child(id, 0))) {
        words(2);
    }
    expression(tree_.child(id, 1));
}

void Layout::count(SyntaxId id)
{
    if (tree_.is_none(id)) return;
    no_gap();
    glued_words(1);
    expression(id);
    no_gap();
    word();
}

}  // namespace anml
