// Finds the modules that a text imports, before it is parsed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

struct ImportLine {
    std::string module;       // "std.ether"
    std::uint32_t begin = 0;  // bytes of the module's name
    std::uint32_t end = 0;
};

// `import` is a keyword, so wherever it stands outside comments and strings it begins an import; one that is malformed
// is left to the parser.
std::vector<ImportLine> scan_imports(std::string_view text);

}  // namespace anml
