// Checks what the header of the tree promises: children as syntax_kinds.def lists them, spans inside their parents and
// in order, tokens that cover the text up to white space, holes only where there was an error.
#include <fmt/format.h>

#include <algorithm>

#include "syntax/syntax_shapes.h"

namespace anml {

namespace {

// Children that may be there in that order, each of a kind that can stand there.
std::string verify_children(const SyntaxTree& tree, SyntaxId id)
{
    const std::span<const SyntaxId> found = tree.children_of(id);
    const std::span<const syntax::Child> wanted = syntax::children_of(tree.kind(id));
    const bool list = !wanted.empty() && wanted.back().cardinality == syntax::Cardinality::many;
    const std::size_t least = wanted.size() - list;
    if (found.size() < least || (!list && found.size() > least))
        return fmt::format("has {} children, not {}", found.size(), least);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const syntax::Child& child = wanted[std::min(i, wanted.size() - 1)];
        const SyntaxKind kind = tree.kind(found[i]);
        const bool absent = kind == SyntaxKind::none && child.cardinality == syntax::Cardinality::optional;
        if (!absent && kind != SyntaxKind::hole && !child.kinds.contains(kind))
            return fmt::format("has a {} as its `{}`", syntax_kind_name(kind), child.name);
    }
    return {};
}

std::string verify_node(const SyntaxTree& tree, SyntaxId id)
{
    const SyntaxNode& node = tree.node(id);
    std::string name = fmt::format("node {} ({})", id.value, syntax_kind_name(node.kind));
    if (const std::string broken = verify_children(tree, id); !broken.empty()) return name + " " + broken;
    if (!node.span.valid() || node.span.begin > node.span.end) return name + " has no span";
    std::uint32_t from = node.span.begin;
    for (SyntaxId child : tree.children_of(id)) {
        if (child.value >= id.value) return name + " comes before its child";
        const Span& span = tree.node(child).span;
        if (span.file != node.span.file || span.begin < from || span.end > node.span.end) {
            return fmt::format("{}: the span of child {} is not inside it, or not in order", name, child.value);
        }
        from = span.end;
    }
    return {};
}

std::string verify_tokens(const SourceSet& sources, const SyntaxTree& tree)
{
    std::size_t next = 0;
    for (std::size_t i = 0; i < sources.files.size(); ++i) {
        if (sources.files[i].foreign) continue;  // it has no tokens
        std::string_view text = sources.files[i].text;
        auto blank = [&](std::uint32_t from, std::uint32_t to) {
            return text.substr(from, to - from).find_first_not_of(" \t\r\n") == std::string_view::npos;
        };
        std::uint32_t at = 0;
        for (; next < tree.tokens.size() && tree.tokens[next].span.file == FileId(i); ++next) {
            const Span& span = tree.tokens[next].span;
            if (span.begin < at || span.end <= span.begin || span.end > text.size()) {
                return fmt::format("token {} is not in order", next);
            }
            if (!blank(at, span.begin)) return fmt::format("text before token {} is covered by no token", next);
            at = span.end;
        }
        if (!blank(at, static_cast<std::uint32_t>(text.size()))) return "the end of a file is covered by no token";
    }
    return next == tree.tokens.size() ? std::string{} : "tokens of an unknown file";
}

std::string verify_skipped(const SyntaxTree& tree)
{
    for (const SyntaxId id : tree.skipped) {
        const Span span = tree.node(id).span;
        if (!tree.is_hole(id) || span.begin == span.end)
            return fmt::format("node {} ({}) is among the skipped words", id.value, syntax_kind_name(tree.kind(id)));
    }
    return {};
}

}  // namespace

std::string verify_syntax(const SourceSet& sources, const SyntaxTree& tree, Holes holes)
{
    if (holes == Holes::none && tree.has_holes()) return "a text without errors has a hole";
    if (std::string broken = verify_skipped(tree); !broken.empty()) return broken;
    if (tree.roots.size() != sources.files.size()) return "not every file has a root";
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (std::string broken = verify_node(tree, SyntaxId(i)); !broken.empty()) return broken;
    }
    return verify_tokens(sources, tree);
}

}  // namespace anml
