// Finding an embedded file.
#include "graph/embedded_files.h"

namespace anml {

std::string_view embedded_file(std::string_view name)
{
    for (const EmbeddedFile& file : embedded_files())
        if (file.name == name) return file.text;
    return {};
}

}  // namespace anml
