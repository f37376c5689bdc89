// What syntax_kinds.def says of each kind's children, as data.
#pragma once

#include <span>
#include <string_view>

#include "syntax/syntax_tree.h"

namespace anml::syntax {

class KindSet {
  public:
    constexpr explicit KindSet(SyntaxKind kind) { bits_[place(kind)] = bit(kind); }
    constexpr bool contains(SyntaxKind kind) const { return bits_[place(kind)] & bit(kind); }
    friend constexpr KindSet operator|(KindSet a, KindSet b)
    {
        for (std::size_t i = 0; i < kWords; ++i) a.bits_[i] |= b.bits_[i];
        return a;
    }

  private:
    static constexpr std::size_t kWords = 2;
    static constexpr std::size_t place(SyntaxKind kind) { return static_cast<std::size_t>(kind) / 64; }
    static constexpr std::uint64_t bit(SyntaxKind kind) { return std::uint64_t{1} << static_cast<unsigned>(kind) % 64; }
    std::uint64_t bits_[kWords] = {};
};

enum class Cardinality : std::uint8_t { one, optional, many };

struct Child {
    std::string_view name;
    Cardinality cardinality{};
    KindSet kinds;  // where it is optional besides `none`
};

// In order; only the last may be many, which are the node's children from there on.
std::span<const Child> children_of(SyntaxKind kind);

}  // namespace anml::syntax
