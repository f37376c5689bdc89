// A file as a flat list of words and of places where a line may break: what the layout makes and the printer reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anml {

struct LayoutEvent {
    enum class Kind : std::uint8_t {
        text,
        comment,         // behind the last word of a line; does not count towards the line's width
        line,            // a blank, or a new line where its group is broken
        soft,            // nothing, or a new line
        item,            // `, `, or a new line: between items that the author put on lines of their own
        fill,            // the same, but a new line only where the next item, up to `end_fill`, does not fit
        end_fill,        //
        hard,            // a new line, also for every group around it
        blank,           // a new line and an empty one
        trailing_comma,  // a comma where its group is broken
        cell,            // a blank; where its group is broken, also the end of a column
        begin_group,     // all of it in one line, or broken
        end_group,
        begin_indent,  // amount: columns
        end_indent,
    };
    Kind kind{};
    std::uint8_t amount =
        0;  // begin_indent; cell: 0, or by how much a line is indented that begins with what would not fit
    std::uint8_t form = 0;      // cell: only cells of one form are aligned with each other
    std::uint8_t column = 0;    // cell: which column of the form ends here
    std::uint32_t partner = 0;  // begin_group, fill: the event that ends it
    bool broken = false;        // begin_group, fill: contains a hard line
    std::string text;
};

// A line with the places where its columns end, before they are aligned.
struct FormattedLine {
    struct Cell {
        std::uint8_t form = 0, column = 0;
        std::size_t at = 0;  // byte of `text` at which the next column begins
    };
    std::size_t indent = 0;
    std::string text;  // without the indentation
    std::string comment;
    std::vector<Cell> cells;
    bool verbatim = false;  // inside a comment of several lines: no indentation
};

std::size_t text_width(std::string_view text);  // in code points

std::vector<FormattedLine> break_lines(const std::vector<LayoutEvent>& events);
// Pads columns and comments, and joins the lines.
std::string align_columns(std::vector<FormattedLine> lines);

}  // namespace anml
