// Packing the nodes.
#include "syntax/syntax_tree.h"

#include <algorithm>

namespace anml {

SyntaxId SyntaxTree::add(SyntaxKind kind, std::uint8_t flags, Span span, Span token, std::span<const SyntaxId> children)
{
    Packed p;
    p.kind = kind;
    p.flags = flags;
    p.begin = span.begin;
    p.end = span.end;
    if (token == span) {
        p.token_length = kWhole;
    } else if (token.valid()) {
        // A keyword or an operator; a longer word in its place is an error.
        p.token = token.begin;
        p.token_length = static_cast<std::uint16_t>(std::min<std::uint32_t>(token.end - token.begin, kWhole - 1));
    }
    p.first_child = static_cast<std::uint32_t>(children_.size());
    children_.insert(children_.end(), children.begin(), children.end());
    files_.add(nodes_.size(), span.file);
    nodes_.push_back(p);
    return SyntaxId(nodes_.size() - 1);
}

void SyntaxTree::document(SyntaxId id, TokenId doc)
{
    nodes_[id.value].flags |= kDocumented;
    const auto place = std::lower_bound(docs_.begin(), docs_.end(), std::pair(id, TokenId(0)));
    docs_.insert(place, {id, doc});
}

TokenId SyntaxTree::doc(SyntaxId id) const
{
    return std::lower_bound(docs_.begin(), docs_.end(), std::pair(id, TokenId(0)))->second;
}

void SyntaxTree::reserve(std::size_t nodes)
{
    nodes_.reserve(nodes);
    children_.reserve(nodes);
}

void SyntaxTree::truncate(std::size_t nodes)
{
    if (nodes == nodes_.size()) return;
    children_.resize(nodes_[nodes].first_child);
    nodes_.resize(nodes);
    while (!docs_.empty() && docs_.back().first.value >= nodes) docs_.pop_back();
}

bool SyntaxTree::has_holes() const
{
    return std::any_of(nodes_.begin(), nodes_.end(), [](const Packed& p) { return p.kind == SyntaxKind::hole; });
}

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
