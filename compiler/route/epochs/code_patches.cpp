#include "route/epochs/code_patches.h"

namespace anml {

std::pair<std::uint32_t, bool> CodePatches::add(CodePatch&& patch)
{
    std::size_t hash = patch.column;
    for (const auto& [vertex, code] : patch.codes) {
        hash = (hash ^ (std::uint64_t{vertex} << 32 | code)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    const auto [begin, end] = known_.equal_range(hash);
    for (auto at = begin; at != end; ++at)
        if (patches_[at->second] == patch) return {at->second, false};
    const auto number = static_cast<std::uint32_t>(patches_.size());
    patches_.push_back(std::move(patch));
    known_.emplace(hash, number);
    return {number, true};
}

}  // namespace anml
