#include "entry/tools/suggestion.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/ascii.h"

namespace anml::rt::entry {

namespace {

// Levenshtein distance, case ignored.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            std::size_t changed = diagonal + (to_lower(a[i - 1]) == to_lower(b[j - 1]) ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

bool begins_with(std::string_view text, std::string_view beginning)
{
    return !beginning.empty() && text.size() > beginning.size() &&
           lower_case(text.substr(0, beginning.size())) == lower_case(beginning);
}

}  // namespace

std::string suggestion(std::string_view name, std::span<const std::string> known)
{
    constexpr std::size_t kListed = 8;
    const std::string* best = nullptr;
    for (const std::string& candidate : known) {
        if (begins_with(candidate, name)) return fmt::format("; did you mean `{}`?", candidate);
    }
    std::size_t least = std::max<std::size_t>(1, (name.size() + 1) / 3) + 1;
    for (const std::string& candidate : known) {
        std::size_t d = distance(name, candidate);
        if (d < least && d < std::max(name.size(), candidate.size())) {
            least = d;
            best = &candidate;
        }
    }
    if (best) return fmt::format("; did you mean `{}`?", *best);
    if (known.empty()) return "";
    std::string list;
    for (std::size_t i = 0; i < std::min(known.size(), kListed); ++i) {
        list += fmt::format("{}`{}`", i == 0 ? "" : ", ", known[i]);
    }
    if (known.size() == 1) return fmt::format("; there is only {}", list);
    return fmt::format("; there are {}{}", list, known.size() > kListed ? ", ..." : "");
}

}  // namespace anml::rt::entry
