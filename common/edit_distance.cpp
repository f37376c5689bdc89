#include "common/edit_distance.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "common/ascii.h"

namespace anml {

std::size_t edit_distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = 2 * j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = 2 * i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t replace = a[i - 1] == b[j - 1] ? 0 : to_lower(a[i - 1]) == to_lower(b[j - 1]) ? 1 : 2;
            row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 2);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

}  // namespace anml
