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

}  // namespace anml
