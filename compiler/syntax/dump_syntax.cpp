// --emit=ast: the tree, indented, one node per line; nodes without children with their text.
#include <fmt/format.h>

#include "syntax/syntax_tree.h"

namespace anml {

namespace {

struct Dump {
    const SourceSet& sources;
    const SyntaxTree& tree;
    std::string out;

    void line(SyntaxId id, std::size_t depth)
    {
        const SyntaxNode& node = tree.node(id);
        out.append(2 * depth, ' ');
        out += syntax_kind_name(node.kind);
        if (node.kind != SyntaxKind::none) {
            if (node.child_count == 0 || node.kind == SyntaxKind::dotted_name) {
                fmt::format_to(std::back_inserter(out), " {}", sources.text(node.span));
            } else if (node.token.valid()) {
                fmt::format_to(std::back_inserter(out), " `{}`", sources.text(node.token));
            }
        }
        auto flag = [&](std::uint8_t bit, std::string_view name) {
            if (node.flags & bit) fmt::format_to(std::back_inserter(out), " {}", name);
        };
        const bool value = node.kind == SyntaxKind::parameter_decl || node.kind == SyntaxKind::attribute_decl;
        flag(syntax_flag::tunable, value ? "tunable" : "pub");
        flag(syntax_flag::directed, "directed");
        flag(syntax_flag::half_open, "half_open");
        flag(syntax_flag::random, "random");
        flag(syntax_flag::optional, "optional");
        flag(syntax_flag::list, "list");
        Position at = sources.position(node.span.file, node.span.begin);
        fmt::format_to(std::back_inserter(out), " @{}:{}", at.line, at.column);
        if (node.doc) {
            std::string doc = doc_text(sources, tree, id);
            fmt::format_to(std::back_inserter(out), " /// {}", doc.substr(0, doc.find('\n')));
        }
        out += '\n';
        if (node.kind == SyntaxKind::dotted_name) return;
        for (SyntaxId child : tree.children_of(id)) line(child, depth + 1);
    }
};

}  // namespace

std::string dump_syntax(const SourceSet& sources, const SyntaxTree& tree)
{
    // The standard library is not what one asks to see.
    Dump dump{sources, tree, {}};
    for (std::size_t i = 0; i < tree.roots.size(); ++i) {
        const SourceFile& file = sources.files[i];
        if (file.path.starts_with("<std>/") || !file.value_of.empty()) continue;
        fmt::format_to(std::back_inserter(dump.out), "{}:\n", file.path);
        dump.line(tree.roots[i], 0);
    }
    return std::move(dump.out);
}

}  // namespace anml
