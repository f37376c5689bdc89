// Parses a text without files: the shared part of the syntax tests.
#pragma once

#include <fmt/format.h>

#include <string>

#include "source/render.h"
#include "syntax/syntax_tree.h"
#include "syntax/syntax_views.h"

namespace anml::testing {

struct Parsed {
    SourceSet sources;
    Diagnostics diagnostics;
    std::optional<SyntaxTree> tree;

    // "1:2 message" for each diagnostic, sorted by place, joined by newlines.
    std::string errors() const
    {
        std::string brief = render_diagnostics(diagnostics, sources, ErrorFormat::brief, false), out;
        for (std::size_t at = 0; at < brief.size();) {
            std::size_t end = brief.find('\n', at);
            std::string line = brief.substr(at, end - at);
            line = line.substr(line.find(':') + 1);  // without the file
            const std::size_t error = line.find(": error");
            if (error != line.npos) line.erase(error, 7);  // "3:5: message [name]"; warnings say what they are
            out += (out.empty() ? "" : "\n") + line;
            at = end + 1;
        }
        return out;
    }

    // The tree as `(kind child child)`, names and literals as their text, `_` for what is absent.
    std::string shape(SyntaxId id) const
    {
        const SyntaxNode& node = tree->node(id);
        if (node.kind == SyntaxKind::none) return "_";
        if (node.child_count == 0 && node.span.begin != node.span.end && sources.text(node.span)[0] != '{' &&
            sources.text(node.span)[0] != '(' && sources.text(node.span)[0] != '[')
        {
            std::string text(sources.text(node.span));
            bool plain = node.kind == SyntaxKind::identifier || node.kind == SyntaxKind::literal_integer ||
                         node.kind == SyntaxKind::wildcard || node.kind == SyntaxKind::self;
            return plain ? text : fmt::format("{}<{}>", syntax_kind_name(node.kind), text);
        }
        if (node.kind == SyntaxKind::name) return shape(syntax::Name(*tree, id).identifier());
        if (node.kind == SyntaxKind::dotted_name) return std::string(sources.text(node.span));
        std::string out = fmt::format("({}", syntax_kind_name(node.kind));
        if (node.kind == SyntaxKind::binary || node.kind == SyntaxKind::unary)
            out = fmt::format("({}", sources.text(node.token));
        if (node.flags) out += fmt::format("!{}", node.flags);
        for (SyntaxId child : tree->children_of(id)) out += " " + shape(child);
        return out + ")";
    }
    std::string shape() const
    {
        std::string out;
        for (SyntaxId declaration : tree->children_of(tree->roots[0]))
            out += (out.empty() ? "" : "\n") + shape(declaration);
        return out;
    }
};

inline Parsed parse_text(std::string text)
{
    Parsed parsed;
    parsed.sources.add("t.anml", std::move(text), "");
    parsed.tree = parse(parsed.sources, parsed.diagnostics).if_whole();
    return parsed;
}

// The statements of the first component.
inline std::span<const SyntaxId> first_body(const SyntaxTree& tree)
{
    const SyntaxId component = syntax::File(tree, tree.roots[0]).declarations()[0];
    return syntax::Block(tree, syntax::ComponentDeclaration(tree, component).body()).statements();
}

// The shape of one statement in a component.
inline std::string statement_shape(const std::string& statement)
{
    Parsed parsed = parse_text("component T {\n" + statement + "\n}\n");
    if (!parsed.tree) return parsed.errors();
    if (std::string broken = verify_syntax(parsed.sources, *parsed.tree); !broken.empty()) return broken;
    std::string out;
    for (SyntaxId id : first_body(*parsed.tree)) {
        out += (out.empty() ? "" : "\n") + parsed.shape(id);
    }
    return out;
}

inline std::string expression_shape(const std::string& expression)
{
    std::string shape = statement_shape("let x = " + expression);
    std::string prefix = "(let_stmt x ";
    if (!shape.starts_with(prefix)) return shape;
    return shape.substr(prefix.size(), shape.size() - prefix.size() - 1);
}

}  // namespace anml::testing
