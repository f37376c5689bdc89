// What stands between brackets. A list that fits stays on a line, unless a new line follows its opening bracket in the
// source: that is how the author asks for a broken one.
#include "format/layout.h"

namespace anml {

void empty_list(Layout& in)
{
    in.word();
    if (in.breaks_ahead()) {
        in.begin_indent(kInside);
        in.hard_gap(Edge::last);
    } else {
        in.no_gap();
    }
    in.word();
}

// A comma before the comments that stand between it and the item. A documentation comment stays before it, since behind
// it it would document the next item.
void print_comma(Layout& in)
{
    if (in.documentation_ahead()) {
        in.no_gap();
        in.word();
    } else {
        in.add(Kind::text, ",");
        ++in.at;
    }
}

// Of a list whose items have lines: only documentation behind it keeps it. Whether there is some.
bool skip_comma(Layout& in)
{
    const bool documented = in.documentation_ahead();
    documented ? print_comma(in) : void(++in.at);
    return documented;
}

void close_list(Layout& in, bool broken, Kind gap)
{
    broken ? in.hard_gap(Edge::last) : in.close_gap(gap);
    in.word();
    in.end_group();
}

void comma_list(Layout& in, std::span<const SyntaxId> items, Item item)
{
    if (items.empty()) return empty_list(in);
    in.begin_group();
    in.word();
    in.begin_indent(kInside);
    bool broken = in.line_ends_here() || in.breaks_ahead();
    broken ? in.hard_gap(Edge::first) : in.gap(Kind::soft);
    for (std::size_t i = 0; i < items.size(); ++i) {
        item(in, items[i]);
        if (i + 1 == items.size()) break;
        print_comma(in);
        broken || in.breaks_ahead() ? in.hard_gap(Edge::between) : in.gap(Kind::line);
    }
    in.add(Kind::trailing_comma);
    if (in.next_is(",")) ++in.at;
    close_list(in, broken || in.breaks_ahead(), Kind::soft);
}

void item_lines(Layout& in, std::span<const SyntaxId> items, Item item)
{
    if (items.empty()) return empty_list(in);
    in.word();
    in.begin_indent(kInside);
    in.hard_gap(Edge::first);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) in.hard_gap(Edge::between);
        item(in, items[i]);
    }
    in.hard_gap(Edge::last);
    in.word();
}

void line_list(Layout& in, std::span<const SyntaxId> items, Item item)
{
    if (items.empty()) return empty_list(in);
    in.begin_group();
    in.word();
    in.begin_indent(kInside);
    bool broken = in.line_ends_here() || in.breaks_ahead();
    broken ? in.hard_gap(Edge::first) : in.gap(Kind::line);
    item(in, items[0]);
    for (SyntaxId id : items.subspan(1)) {
        bool comments = in.next_is(",") && skip_comma(in);
        comments = comments || !in.comments_ahead().empty();
        if (comments || (broken && in.line_ends_here())) {
            // Comments between items need to know on whose line they are, so these begin lines of their own.
            in.hard_gap(Edge::between);
            item(in, id);
        } else if (in.line_ends_here()) {
            in.add(Kind::item);
            item(in, id);
        } else {
            in.add(Kind::fill);
            item(in, id);
            in.add(Kind::end_fill);
        }
    }
    if (in.next_is(",")) ++in.at;
    close_list(in, broken || in.breaks_ahead(), Kind::line);
}

}  // namespace anml
