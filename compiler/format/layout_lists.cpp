// What stands between brackets. A list that fits stays on a line, unless a new line follows its opening bracket in the
// source: that is how the author asks for a broken one.
#include "format/layout.h"

namespace anml {

void Layout::empty_list()
{
    word();
    if (breaks_inside(comments_ahead())) {
        begin_indent(kInside);
        hard_gap(Edge::last);
    } else {
        no_gap();
    }
    word();
}

// A comma before the comments that stand between it and the item. A documentation comment stays before it, since behind
// it it would document the next item.
void Layout::print_comma()
{
    bool documented = false;
    for (std::size_t i : comments_ahead()) documented |= tree_.tokens[i].cls == TokenClass::doc_comment;
    if (documented) {
        no_gap();
        word();
    } else {
        add(Kind::text, ",");
        ++at_;
    }
}

void Layout::comma_list(std::span<const SyntaxId> items, Item item)
{
    if (items.empty()) return empty_list();
    begin_group();
    word();
    begin_indent(kInside);
    bool broken = line_ends_here() || breaks_inside(comments_ahead());
    broken ? hard_gap(Edge::first) : gap(Kind::soft);
    for (std::size_t i = 0; i < items.size(); ++i) {
        (this->*item)(items[i]);
        if (i + 1 == items.size()) break;
        print_comma();
        broken || breaks_inside(comments_ahead()) ? hard_gap(Edge::between) : gap(Kind::line);
    }
    add(Kind::trailing_comma);
    if (next_is(",")) ++at_;
    if (broken || breaks_inside(comments_ahead())) {
        hard_gap(Edge::last);
    } else {
        close_gap(Kind::soft);
    }
    word();
    end_group();
}

void Layout::item_lines(std::span<const SyntaxId> items, Item item)
{
    if (items.empty()) return empty_list();
    word();
    begin_indent(kInside);
    hard_gap(Edge::first);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) hard_gap(Edge::between);
        (this->*item)(items[i]);
    }
    hard_gap(Edge::last);
    word();
}

void Layout::line_list(std::span<const SyntaxId> items, Item item)
{
    if (items.empty()) return empty_list();
    begin_group();
    word();
    begin_indent(kInside);
    bool broken = line_ends_here() || breaks_inside(comments_ahead());
    broken ? hard_gap(Edge::first) : gap(Kind::line);
    (this->*item)(items[0]);
    for (SyntaxId id : items.subspan(1)) {
        bool comments = false;
        if (next_is(",")) {
            for (std::size_t i : comments_ahead()) comments |= tree_.tokens[i].cls == TokenClass::doc_comment;
            comments ? print_comma() : void(++at_);
        }
        comments = comments || !comments_ahead().empty();
        if (comments || (broken && line_ends_here())) {
            // Comments between items need to know on whose line they are, so these begin lines of their own.
            hard_gap(Edge::between);
            (this->*item)(id);
        } else if (line_ends_here()) {
            add(Kind::item);
            (this->*item)(id);
        } else {
            add(Kind::fill);
            (this->*item)(id);
            add(Kind::end_fill);
        }
    }
    if (next_is(",")) ++at_;
    if (broken || breaks_inside(comments_ahead())) {
        hard_gap(Edge::last);
    } else {
        close_gap(Kind::line);
    }
    word();
    end_group();
}

}  // namespace anml
