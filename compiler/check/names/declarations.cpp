// Places in the text become tokens.
#include "check/names/declarations.h"

#include <tuple>

namespace anml {

TokenId token_at(const SyntaxTree& tree, FileId file, std::uint32_t begin)
{
    std::size_t low = 0, high = tree.tokens.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (std::tuple(tree.tokens.file(middle), tree.tokens.begin_of(middle)) < std::tuple(file, begin))
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < tree.tokens.size() && tree.tokens.file(low) == file && tree.tokens.begin_of(low) == begin;
    return found ? TokenId(low) : TokenId{};
}

void Declarations::finish(const SourceSet& sources, const SyntaxTree& tree)
{
    by_name_.assign(tree.tokens.size(), {});
    for (const Note& note : notes_) {
        if (!note.name.valid() || !note.declaration.valid() || note.name.begin == note.name.end) continue;
        // What is there without being declared, such as `index`, was given the place of what it belongs to.
        if (unquoted(sources.text(note.name)) != unquoted(sources.text(note.declaration))) continue;
        const TokenId name = token_at(tree, note.name.file, note.name.begin);
        const TokenId declaration = token_at(tree, note.declaration.file, note.declaration.begin);
        if (name && declaration) by_name_[name.value] = declaration;
    }
    notes_ = {};
    // One that is a repetition means the first.
    for (TokenId& declaration : by_name_)
        for (int step = 0; step < 100 && declaration && of(declaration) && of(declaration) != declaration; ++step)
            declaration = of(declaration);
}

std::vector<TokenId> Declarations::names_of(TokenId declaration) const
{
    std::vector<TokenId> names;
    for (std::size_t i = 0; i < by_name_.size(); ++i)
        if (by_name_[i] == declaration) names.emplace_back(i);
    return names;
}

}  // namespace anml
