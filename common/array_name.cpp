#include "common/array_name.h"

namespace anml {

std::string without_indices(std::string_view name)
{
    std::string out;
    for (std::size_t at = 0; at < name.size(); ++at) {
        out += name[at];
        std::size_t end = at + 1;
        while (end < name.size() && stands_in_brackets(name[end])) ++end;
        if (name[at] != '[' || end == at + 1 || end == name.size() || name[end] != ']') continue;
        out += '*';
        at = end - 1;
    }
    return out;
}

}  // namespace anml
