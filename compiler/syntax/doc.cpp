// Documentation comments, and the names of node kinds.
#include "syntax/syntax_tree.h"

namespace anml {

std::string_view syntax_kind_name(SyntaxKind kind)
{
    constexpr std::string_view kNames[] = {
#define ANML_SYNTAX(kind, View, children) #kind,
#define ANML_SYNTAX_LIKE(kind, other) #kind,
#define ANML_SYNTAX_LEAF(kind) #kind,
#include "syntax/syntax_kinds.def"
    };
    return kNames[static_cast<std::size_t>(kind)];
}

std::string doc_text(const SourceSet& sources, const SyntaxTree& tree, SyntaxId id)
{
    std::string text;
    TokenId at = tree.node(id).doc;
    if (!at) return text;
    FileId file = tree.tokens[at.value].span.file;
    for (std::size_t i = at.value; i < tree.tokens.size(); ++i) {
        const Token& token = tree.tokens[i];
        if (token.cls != TokenClass::doc_comment || token.span.file != file) break;
        std::string_view line = sources.text(token.span).substr(3);
        if (line.starts_with(' ')) line.remove_prefix(1);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
        if (i != at.value) text += '\n';
        text += line;
    }
    return text;
}

}  // namespace anml
