#include "base/key_set.h"

#include <fmt/format.h>

#include "base/string_literal.h"

namespace anml {

std::string key_in_names(std::string_view key)
{
    std::string out{key};
    for (char& c : out)
        if (!stands_in_brackets(c)) c = '_';
    return out;
}

std::optional<std::uint32_t> KeySet::add(std::string_view key)
{
    const auto place = static_cast<std::uint32_t>(keys_.size());
    if (const auto same = find(key)) return same;
    std::string written = key_in_names(key);
    if (const auto same = find(written)) return same;
    if (const auto same = written_.find(written); same != written_.end()) return same->second;
    if (written != key) written_.emplace(std::move(written), place);
    places_.emplace(keys_.emplace_back(key), place);
    return std::nullopt;
}

void suggest_key(Diagnostics::Builder& report, std::string_view key, const KeySet& keys, Span place)
{
    constexpr std::size_t kMostKeys = 5;
    if (const std::string_view similar = similar_name(key, keys.all()); !similar.empty()) {
        report.suggest(place, similar, string_literal(similar));
        return;
    }
    std::string some;
    for (std::size_t i = 0; i < keys.size() && i < kMostKeys; ++i)
        some += fmt::format("{}{}", i > 0 ? ", " : "", string_literal(keys[i]));
    if (keys.size() > kMostKeys) some += fmt::format(" and {} more", keys.size() - kMostKeys);
    report.help(some.empty() ? "there are none" : fmt::format("its keys are {}", some));
}

std::string element_of_array(std::string_view array, const KeySet* keys, std::int64_t element)
{
    std::string name{array};
    name += '[';
    name += keys ? key_in_names((*keys)[static_cast<std::size_t>(element)]) : std::to_string(element);
    name += ']';
    return name;
}

std::string elements_of_array(const KeySet* keys, std::uint32_t first, std::uint32_t count, std::string_view range)
{
    std::string text = element_of_array("", keys, first);
    if (count == 1) return text;
    text.pop_back();
    return text.append(range).append(element_of_array("", keys, first + count - 1).substr(1));
}

}  // namespace anml
