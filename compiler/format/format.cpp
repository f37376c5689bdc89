// Words and places to break, then lines, then columns.
#include "format/format.h"

#include <stdexcept>
#include <utility>

#include "format/layout.h"
#include "format/layout_event.h"

namespace anml {

std::string format_file(const SourceSet& sources, const SyntaxTree& tree, FileId file)
{
    return align_columns(break_lines(layout_events(sources, tree, file)));
}

std::optional<std::string> formatted_program(std::string text)
{
    SourceSet written;
    const FileId id = written.add("written.anml", std::move(text), "");
    Diagnostics unexpected;
    const auto tree = parse(written, unexpected).if_whole();
    if (!tree && unexpected.list().front().diag == Diag::nesting_too_deep) return std::nullopt;
    if (!tree) throw std::logic_error("a program that anmlc wrote has errors: " + unexpected.list().front().message);
    return format_file(written, *tree, id);
}

}  // namespace anml
