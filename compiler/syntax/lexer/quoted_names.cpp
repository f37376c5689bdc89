// Names that are no words, which stand between backquotes. The grammar's QUOTED_NAME says what they may be.
#include <algorithm>

#include "base/key_set.h"
#include "common/ascii.h"
#include "syntax/syntax_tree.h"

namespace anml {

bool is_plain_name(std::string_view name)
{
    return !name.empty() && begins_word(name.front()) && std::all_of(name.begin(), name.end(), in_word) &&
           !is_keyword(name);
}

bool is_quotable_name(std::string_view name)
{
    if (name.empty() || !begins_word(name.front())) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (in_word(name[i]) || name[i] == '.' || name[i] == '#' || name[i] == '-') continue;
        if (name[i] != '[') return false;
        const std::size_t first = ++i;
        while (i < name.size() && stands_in_brackets(name[i])) ++i;
        if (i == first || i == name.size() || name[i] != ']') return false;
    }
    return true;
}

std::string quoted_name(std::string_view name)
{
    return is_plain_name(name) ? std::string(name) : '`' + std::string(name) + '`';
}

}  // namespace anml
