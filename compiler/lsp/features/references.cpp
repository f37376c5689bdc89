#include "lsp/features/references.h"

#include <set>

namespace anml::lsp {

std::string key_of(const SourceFile& file) { return file.path.starts_with("<") ? file.path : path_key(file.path); }

Declared declared_at(const Snapshot& snapshot, TokenId declaration)
{
    const Span span = snapshot.tree.tokens[declaration.value].span;
    return {key_of(snapshot.sources.file(span.file)), span.begin};
}

TokenId find_in(const Snapshot& snapshot, const Declared& declared)
{
    for (FileId file{0}; file.value < snapshot.sources.files.size(); ++file.value) {
        if (key_of(snapshot.sources.file(file)) != declared.key) continue;
        const TokenId at = anml::token_at(snapshot.tree, file, declared.begin);
        if (at && snapshot.declarations.of(at) == at) return at;
    }
    return {};
}

void each_name(Workspace& workspace, const Snapshot& first, TokenId declaration,
               const std::function<void(const Snapshot& snapshot, Span place, bool declares)>& each)
{
    const Declared declared = declared_at(first, declaration);
    std::set<std::pair<std::string, std::uint32_t>> seen;
    const auto visit = [&](const Snapshot& snapshot) {
        const TokenId here = find_in(snapshot, declared);
        if (!here) return;
        for (const TokenId name : snapshot.declarations.names_of(here)) {
            const Span place = snapshot.tree.tokens[name.value].span;
            if (seen.emplace(key_of(snapshot.sources.file(place.file)), place.begin).second)
                each(snapshot, place, name == here);
        }
    };
    visit(first);
    const std::string word(unquoted(first.text(first.tree.tokens[declaration.value].span)));
    for (const auto& other : workspace.others_with(word, declared.key)) visit(*other);
}

}  // namespace anml::lsp
