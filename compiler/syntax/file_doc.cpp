// The top of a file: documentation of all of it, and of its first declaration.
#include "syntax/file_doc.h"

#include <algorithm>

#include "syntax/syntax_views.h"

namespace anml {

TokenId behind_empty_line(const SourceSet& sources, const SyntaxTree& tree, TokenId first)
{
    const FileId file = tree.tokens.file(first.value);
    for (std::uint32_t at = first.value; at + 1 < tree.tokens.size(); ++at) {
        if (tree.tokens.cls(at) != TokenClass::doc_comment || tree.tokens.file(at + 1) != file) break;
        const std::string_view gap = sources.text({file, tree.tokens.end_of(at), tree.tokens.begin_of(at + 1)});
        if (std::count(gap.begin(), gap.end(), '\n') > 1) return TokenId(at + 1);
    }
    return {};
}

std::string file_doc(const SourceSet& sources, const SyntaxTree& tree, FileId file)
{
    const SyntaxId root = tree.roots[file.value];
    const auto declarations = syntax::File(tree, root).declarations();
    if (!declarations.empty()) {
        const SyntaxKind first = tree.kind(declarations[0]);
        if (first == SyntaxKind::edition_decl || first == SyntaxKind::import_decl)
            return doc_text(sources, tree, declarations[0]);
    }
    const TokenId begin = tree.node(root).doc;
    const TokenId end = begin ? behind_empty_line(sources, tree, begin) : TokenId{};
    if (!end) return {};
    const std::string all = doc_text(sources, tree, root);
    std::size_t length = 0;
    for (std::uint32_t at = begin.value; at < end.value; ++at)
        length = std::min(all.find('\n', length), all.size()) + 1;
    return all.substr(0, length - 1);
}

}  // namespace anml
