// Aligns the columns of consecutive lines of one form, then the comments behind consecutive lines.
//
// As in a tab writer, a column is as wide as its widest cell in an unbroken run of lines that have it; lines of another
// form or indentation, comments and empty lines end the run. A run that would grow longer than the line's width is left
// unaligned: what is aligned depends on the text alone and never on earlier padding, so a second pass changes nothing.
#include <algorithm>

#include "format/format.h"
#include "format/layout_event.h"

namespace anml {

namespace {

constexpr std::size_t kCommentGap = 2;  // columns before a comment that ends a line

std::size_t line_width(const FormattedLine& line) { return line.indent + text_width(line.text); }

// The cell that ends column `column`, where the line has one and the same columns before it as `like` has.
std::size_t cell_of(const FormattedLine& line, const FormattedLine& like, std::uint8_t column)
{
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
        if (line.cells[i].column == column) return i;
        if (i >= like.cells.size() || like.cells[i].column != line.cells[i].column) break;
    }
    return line.cells.size();
}

bool alike(const FormattedLine& a, const FormattedLine& b)
{
    return !a.verbatim && !b.verbatim && a.indent == b.indent && !a.cells.empty() && !b.cells.empty() &&
           a.cells[0].form == b.cells[0].form;
}

// A line that holds several items of a form has no columns; cells of a form inside another's line count for nothing.
void drop_inner_cells(FormattedLine& line)
{
    if (line.cells.empty()) return;
    std::vector<FormattedLine::Cell> kept;
    for (const FormattedLine::Cell& cell : line.cells) {
        if (cell.form != line.cells[0].form) continue;
        if (!kept.empty() && cell.column <= kept.back().column) {
            kept.clear();
            break;
        }
        kept.push_back(cell);
    }
    line.cells = std::move(kept);
}

void pad(FormattedLine& line, std::size_t cell, std::size_t blanks)
{
    line.text.insert(line.cells[cell].at, blanks, ' ');
    for (std::size_t i = cell; i < line.cells.size(); ++i) line.cells[i].at += blanks;
}

void align_run(std::vector<FormattedLine>& lines, std::size_t first, std::size_t last, std::uint8_t column)
{
    std::size_t widest = 0;
    auto width_before = [&](const FormattedLine& line) {
        return text_width(std::string_view(line.text).substr(0, line.cells[cell_of(line, lines[first], column)].at));
    };
    for (std::size_t i = first; i < last; ++i) widest = std::max(widest, width_before(lines[i]));
    for (std::size_t i = first; i < last; ++i) {
        if (line_width(lines[i]) + widest - width_before(lines[i]) > kLineWidth) return;
    }
    for (std::size_t i = first; i < last; ++i) {
        pad(lines[i], cell_of(lines[i], lines[first], column), widest - width_before(lines[i]));
    }
}

void align_cells(std::vector<FormattedLine>& lines, std::size_t first, std::size_t last)
{
    std::uint8_t columns = 0;
    for (std::size_t i = first; i < last; ++i)
        for (const FormattedLine::Cell& cell : lines[i].cells)
            columns = std::max<std::uint8_t>(columns, cell.column + 1);
    for (std::uint8_t column = 0; column < columns; ++column) {
        for (std::size_t from = first, to; from < last; from = to) {
            to = from + 1;
            if (cell_of(lines[from], lines[from], column) == lines[from].cells.size()) continue;
            while (to < last && cell_of(lines[to], lines[from], column) < lines[to].cells.size() &&
                   cell_of(lines[from], lines[to], column) < lines[from].cells.size())
            {
                ++to;
            }
            align_run(lines, from, to, column);
        }
    }
}

void align_comments(std::vector<FormattedLine>& lines)
{
    for (std::size_t first = 0, last; first < lines.size(); first = last) {
        last = first + 1;
        if (lines[first].comment.empty()) continue;
        std::size_t widest = line_width(lines[first]);
        for (; last < lines.size() && !lines[last].comment.empty() && lines[last].indent == lines[first].indent; ++last)
            widest = std::max(widest, line_width(lines[last]));
        for (std::size_t i = first; i < last; ++i) {
            lines[i].text.append(widest - line_width(lines[i]) + kCommentGap, ' ');
            lines[i].text += lines[i].comment;
        }
    }
}

}  // namespace

std::string align_columns(std::vector<FormattedLine> lines)
{
    for (FormattedLine& line : lines) drop_inner_cells(line);
    for (std::size_t first = 0, last; first < lines.size(); first = last) {
        last = first + 1;
        while (last < lines.size() && alike(lines[first], lines[last])) ++last;
        if (!lines[first].cells.empty()) align_cells(lines, first, last);
    }
    align_comments(lines);
    std::string out;
    for (const FormattedLine& line : lines) {
        if (!line.text.empty() && !line.verbatim) out.append(line.indent, ' ');
        out += line.text;
        out += '\n';
    }
    return out;
}

}  // namespace anml
