// Whether two texts are the same program: words, comments, tree and documentation, apart from commas and white space.
#include <fmt/format.h>

#include <algorithm>

#include "format/format.h"
#include "format/layout.h"

namespace anml {

namespace {

struct Program {
    const SourceSet& sources;
    const SyntaxTree& tree;
};

// Without blanks before a unit, and at the ends of a comment's lines.
std::string squeeze(const Program& program, const Token& token)
{
    bool comment = token.cls == TokenClass::comment || token.cls == TokenClass::doc_comment;
    std::string_view text = program.sources.text(token.span);
    std::string out;
    if (token.cls == TokenClass::literal && text[0] != '"') {
        for (char c : text)
            if (c != ' ' && c != '\t') out += c;
        return out;
    }
    if (!comment) return std::string(text);
    return without_ends_of_lines(text);
}

std::vector<std::string> texts(const Program& program, bool comments)
{
    std::vector<std::string> out;
    for (std::size_t i = 0; i < program.tree.tokens.size(); ++i) {
        const Token token = program.tree.tokens[i];
        bool comment = token.cls == TokenClass::comment || token.cls == TokenClass::doc_comment;
        if (comment != comments || program.sources.text(token.span) == ",") continue;
        out.push_back(squeeze(program, token));
    }
    return out;
}

std::string compare_nodes(const Program& a, SyntaxId x, const Program& b, SyntaxId y)
{
    const SyntaxNode m = a.tree.node(x), n = b.tree.node(y);
    if (m.kind != n.kind || m.flags != n.flags || m.child_count != n.child_count) {
        return fmt::format("a {} became a {}", syntax_kind_name(m.kind), syntax_kind_name(n.kind));
    }
    if (doc_text(a.sources, a.tree, x) != doc_text(b.sources, b.tree, y))
        return fmt::format("the documentation of a {} changed", syntax_kind_name(m.kind));
    const auto mine = a.tree.children_of(x), other = b.tree.children_of(y);
    for (std::size_t i = 0; i < mine.size(); ++i) {
        std::string different = compare_nodes(a, mine[i], b, other[i]);
        if (!different.empty()) return different;
    }
    return {};
}

}  // namespace

std::string compare_programs(const SourceSet& sources_a, const SyntaxTree& tree_a, const SourceSet& sources_b,
                             const SyntaxTree& tree_b)
{
    Program a{sources_a, tree_a}, b{sources_b, tree_b};
    for (bool comments : {false, true}) {
        std::vector<std::string> before = texts(a, comments), after = texts(b, comments);
        for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
            if (i < before.size() && i < after.size() && before[i] == after[i]) continue;
            return fmt::format("`{}` became `{}`", i < before.size() ? before[i] : "",
                               i < after.size() ? after[i] : "");
        }
    }
    return compare_nodes(a, tree_a.roots[0], b, tree_b.roots[0]);
}

}  // namespace anml
