// Checks what the header of the tree promises: child counts, spans inside their parents and in order, tokens that cover
// the text up to white space.
#include <fmt/format.h>

#include "syntax/syntax_tree.h"

namespace anml {

namespace {

struct Shape {
    std::uint32_t least = 0;
    bool list = false;  // more may follow
};

// Read from the description in the table: `x`, `x?` and `name:x` are one child each, `x*` is a list.
Shape shape_of(std::string_view children)
{
    Shape shape;
    int depth = 0;
    bool word = false;
    for (std::size_t i = 0; i <= children.size(); ++i) {
        char c = i < children.size() ? children[i] : ' ';
        if (c == '(') ++depth;
        if (c == ')') --depth;
        if (c == ' ' && depth == 0) {
            if (word && children[i - 1] == '*')
                shape.list = true;
            else if (word)
                ++shape.least;
            word = false;
        } else {
            word = true;
        }
    }
    return shape;
}

const Shape& shape_of(SyntaxKind kind)
{
    static const std::vector<Shape> shapes{
#define ANML_SYNTAX(kind, children) shape_of(std::string_view(children)),
#include "syntax/syntax_kinds.def"
#undef ANML_SYNTAX
    };
    return shapes[static_cast<std::size_t>(kind)];
}

std::string verify_node(const SyntaxTree& tree, SyntaxId id)
{
    const SyntaxNode& node = tree.node(id);
    std::string name = fmt::format("node {} ({})", id.value, syntax_kind_name(node.kind));
    const Shape& shape = shape_of(node.kind);
    if (node.child_count < shape.least || (!shape.list && node.child_count > shape.least)) {
        return fmt::format("{} has {} children, not {}", name, node.child_count, shape.least);
    }
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

}  // namespace

std::string verify_syntax(const SourceSet& sources, const SyntaxTree& tree)
{
    if (tree.roots.size() != sources.files.size()) return "not every file has a root";
    for (std::size_t i = 0; i < tree.size(); ++i) {
        if (std::string broken = verify_node(tree, SyntaxId(i)); !broken.empty()) return broken;
    }
    return verify_tokens(sources, tree);
}

}  // namespace anml
