#include "graph/writers/embedded_files.h"

namespace anml {

std::string_view embedded_file(std::string_view name) { return find_file(embedded_files(), name); }

}  // namespace anml
