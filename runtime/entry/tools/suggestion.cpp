#include "entry/tools/suggestion.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/ascii.h"
#include "common/edit_distance.h"

namespace anml::rt::entry {

namespace {

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
        const std::size_t d = edit_distance(lower_case(name), lower_case(candidate)) / 2;
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
