#include "common/array_name.h"

namespace anml {

std::string without_indices(std::string_view name)
{
    std::string out;
    for (std::size_t at = 0; at < name.size(); ++at) {
        out += name[at];
        const std::size_t end = name.find_first_not_of("0123456789", at + 1);
        if (name[at] != '[' || end == at + 1 || end == std::string::npos || name[end] != ']') continue;
        out += '*';
        at = end - 1;
    }
    return out;
}

}  // namespace anml
