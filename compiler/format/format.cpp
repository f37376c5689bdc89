// Words and places to break, then lines, then columns.
#include "format/format.h"

#include "format/layout.h"
#include "format/layout_event.h"

namespace anml {

std::string format_file(const SourceSet& sources, const SyntaxTree& tree, FileId file)
{
    return align_columns(break_lines(Layout(sources, tree, file).run()));
}

}  // namespace anml
