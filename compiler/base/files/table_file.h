// A table from another program, as `table` declares it: named columns, rows of cells, and where each stands in its
// file.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace anml {

struct TableCell {
    std::uint32_t begin = 0, end = 0;  // in the file
    std::string text;                  // "": it says nothing
    bool nested = false;               // a list or an object, which holds more than a value
};

struct TableColumn {
    std::string name;
    std::string unit;  // of its numbers: "ms" of `delay [ms]`
    Span span;
};

struct TableRow {
    Span span;
    std::vector<TableCell> cells;  // by column; fewer where the others say nothing
};

struct TableFile {
    Span declared;  // where the text names the file
    FileId file;
    std::vector<TableColumn> columns;
    std::vector<TableRow> rows;
};

}  // namespace anml
