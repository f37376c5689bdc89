// Tables as spreadsheets write them (RFC 4180): a header, then a line per row. Quoted cells may hold separators, line
// ends and doubled quotes. Empty lines and those that begin with `#` say nothing.
#include <fmt/format.h>

#include "common/ascii.h"
#include "import/tables/read_table.h"

namespace anml {
namespace {

class CsvReader {
  public:
    CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {}

    // The cells of the next line that has some; none at the end, or with an error.
    std::vector<TableCell> line()
    {
        while (at_ < text_.size()) {
            const std::size_t end = std::min(text_.find('\n', at_), text_.size());
            const std::string_view whole = trimmed(text_.substr(at_, end - at_));
            if (!whole.empty() && whole.front() != '#') break;
            at_ = end + 1;
        }
        std::vector<TableCell> cells;
        if (at_ >= text_.size()) return cells;
        for (;;) {
            cells.push_back(cell());
            if (!error.message.empty()) return {};
            if (at_ >= text_.size() || text_[at_++] == '\n') return cells;
        }
    }

    TableError error;

  private:
    // Up to the separator or the line's end behind it.
    TableCell cell()
    {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (at_ < text_.size() && text_[at_] == '"') return quoted();
        std::size_t end = at_;
        while (end < text_.size() && text_[end] != separator_ && text_[end] != '\n') ++end;
        const std::string_view shown = trimmed(text_.substr(at_, end - at_));
        TableCell result;
        result.begin = static_cast<std::uint32_t>(shown.empty() ? at_ : at_ + text_.substr(at_).find(shown));
        result.end = static_cast<std::uint32_t>(result.begin + shown.size());
        result.text = shown;
        at_ = end;
        return result;
    }

    TableCell quoted()
    {
        TableCell result;
        result.begin = static_cast<std::uint32_t>(at_);
        for (++at_;; ++at_) {
            if (at_ >= text_.size()) {
                error = {"this quote is never closed", "", result.begin, result.begin + std::size_t{1}};
                return result;
            }
            if (text_[at_] == '"' && text_.substr(at_ + 1).starts_with('"'))
                ++at_;
            else if (text_[at_] == '"')
                break;
            result.text += text_[at_];
        }
        result.end = static_cast<std::uint32_t>(++at_);
        while (at_ < text_.size() && text_[at_] != separator_ &&
               std::string_view(" \t\r").find(text_[at_]) != std::string_view::npos)
            ++at_;
        if (at_ < text_.size() && text_[at_] != separator_ && text_[at_] != '\n')
            error = {"text behind a quoted cell", "a quote inside of one is written twice: `\"a \"\"b\"\"\"`", at_,
                     at_ + 1};
        return result;
    }

    std::string_view text_;
    char separator_;
    std::size_t at_ = 0;
};

}  // namespace

TableError read_csv(std::string_view text, char separator, FileId file, TableFile& table)
{
    // Where the comma is the decimal sign, semicolons separate.
    std::string_view rest = text, first;
    while (!rest.empty() && (first.empty() || first.front() == '#')) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        first = trimmed(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (separator == ',' && first.find(',') == std::string_view::npos && first.find(';') != std::string_view::npos)
        separator = ';';
    CsvReader reader(text, separator);
    for (const TableCell& cell : reader.line()) {
        const std::size_t known = table.columns.size();
        const Span span{file, cell.begin, cell.end};
        if (cell.text.empty()) return {"a column without a name", "", cell.begin, cell.begin + std::size_t{1}};
        if (column_named(table, cell.text, span) < known)
            return {fmt::format("there are two columns `{}`", table.columns[column_named(table, cell.text, span)].name),
                    "", cell.begin, cell.end};
    }
    if (table.columns.empty() && reader.error.message.empty())
        return {"the table has no header", "its first line names the columns", 0, 0};
    for (;;) {
        TableRow row;
        row.cells = reader.line();
        if (row.cells.empty()) return reader.error;
        row.span = {file, row.cells.front().begin, row.cells.back().end};
        if (row.cells.size() != table.columns.size())
            return {fmt::format("this row has {} cell{}, the header {}", row.cells.size(),
                                row.cells.size() == 1 ? "" : "s", table.columns.size()),
                    row.cells.size() == table.columns.size() + 1 && row.cells.back().text.empty()
                        ? fmt::format("leave the `{}` at its end out", separator)
                    : row.cells.size() > table.columns.size()
                        ? "a cell with a comma in it stands in quotes"
                        : fmt::format("of an empty cell its `{}` stays", separator),
                    row.span.begin, row.span.end};
        table.rows.push_back(std::move(row));
    }
}

}  // namespace anml
