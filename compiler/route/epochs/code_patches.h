// A column's new codes, from an epoch on. Equal ones are kept once: epochs share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace anml {

struct CodePatch {
    std::uint32_t column = 0;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> codes{};  // by vertex of the core
    friend bool operator==(const CodePatch&, const CodePatch&) = default;
};

class CodePatches {
  public:
    // Its number, and whether it is new.
    std::pair<std::uint32_t, bool> add(CodePatch&& patch);
    const std::vector<CodePatch>& list() const { return patches_; }

  private:
    std::vector<CodePatch> patches_;
    std::unordered_multimap<std::size_t, std::uint32_t> known_;  // by their hashes
};

}  // namespace anml
