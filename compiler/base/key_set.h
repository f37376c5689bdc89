// Keys of a collection's elements: of a table's rows, and of what is declared for each of them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "common/array_name.h"

namespace anml {

// A key in names, which take `.` for a part and brackets for an element: "St_ Louis".
std::string key_in_names(std::string_view key);

class KeySet {
  public:
    explicit KeySet(std::string of) : of_(std::move(of)) {}
    // The place of one that is there already, or is written alike in names; else nothing, and it is the last one now.
    std::optional<std::uint32_t> add(std::string_view key);
    std::optional<std::uint32_t> find(std::string_view key) const
    {
        const auto at = places_.find(key);
        return at == places_.end() ? std::nullopt : std::optional(at->second);
    }
    const std::string& operator[](std::size_t place) const { return keys_[place]; }
    std::size_t size() const { return keys_.size(); }
    const std::string& of() const { return of_; }  // "the table `pops`"
    std::vector<std::string_view> all() const { return {keys_.begin(), keys_.end()}; }

  private:
    std::string of_;
    std::deque<std::string> keys_;  // where they are doesn't change
    std::unordered_map<std::string_view, std::uint32_t> places_;
    std::unordered_map<std::string, std::uint32_t> written_;  // of those that are written otherwise in names
};

// Which key was meant at `place`: a literal is replaced.
void suggest_key(Diagnostics::Builder& report, std::string_view key, const KeySet& keys, Span place);
// "pc[3]", "core[Oslo]"; `keys`: null where it has none.
std::string element_of_array(std::string_view array, const KeySet* keys, std::int64_t element);
// "[3]", "[3 .. 5]", "[Oslo .. Rome]"
std::string elements_of_array(const KeySet* keys, std::uint32_t first, std::uint32_t count,
                              std::string_view range = " .. ");

}  // namespace anml
