// What stands at a place: as it is declared, its type and value, where it comes from, and what the network makes of it.
#include <fmt/format.h>

#include "check/names/language_words.h"
#include "lsp/capabilities.h"
#include "lsp/features/describe.h"
#include "syntax/file_doc.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

class Hover {
  public:
    Hover(const Cursor& cursor, bool markdown)
        : document_(cursor.document), snapshot_(cursor.snapshot), markdown_(markdown)
    {
    }

    std::string text(TokenId at)
    {
        const Token token = snapshot_.tree.tokens[at.value];
        if (token.cls == TokenClass::identifier)
            name(at, token);
        else if (token.cls == TokenClass::literal)
            literal(token);
        else if (token.cls == TokenClass::keyword)
            paragraph(about_word(snapshot_, snapshot_.text(token.span)));
        facts(token.span);
        return out_;
    }

  private:
    void paragraph(const std::string& text)
    {
        if (text.empty()) return;
        if (!out_.empty()) out_ += "\n\n";
        out_ += text;
    }

    void code(const std::string& text)
    {
        if (!text.empty()) paragraph(markdown_ ? fmt::format("```anml\n{}\n```", text) : text);
    }

    void name(TokenId at, const Token& token)
    {
        const TokenId declaration = snapshot_.declarations.of(at);
        if (!declaration) return builtin(token);
        const Span declared = snapshot_.tree.tokens[declaration.value].span;
        const SyntaxId id = snapshot_.declared_by(declared);
        if (const SyntaxId import = id.valid() ? SyntaxId{} : import_around(declared); import.valid())
            return module(import);
        if (!id.valid()) return;
        code(header_of(snapshot_, id));
        paragraph(documentation_of(snapshot_, id));
        std::vector<std::string> said;
        if (const ExprId here = expression_at(snapshot_, token.span);
            here && snapshot_.program.expr(here).span == token.span)
            said.push_back("type: " + type_name(snapshot_.program, snapshot_.program.expr(here).type));
        const ExprId value = defined_as(snapshot_, id);
        if (value && said.empty())
            said.push_back("type: " + type_name(snapshot_.program, snapshot_.program.expr(value).type));
        if (const std::string shown = shown_value(snapshot_, value); !shown.empty())
            said.push_back(fmt::format("value: {}{}", shown,
                                       snapshot_.tree.kind(id) == SyntaxKind::parameter_decl ? ", by default" : ""));
        if (const std::string origin = origin_of(snapshot_, declared.file); !origin.empty())
            said.push_back("of " + origin);
        paragraph(fmt::format("{}", fmt::join(said, "; ")));
        if (declared != token.span) facts(declared);
    }

    // What `///` says of the file is about its module.
    void module(SyntaxId import)
    {
        code(std::string(snapshot_.text(snapshot_.tree.node(import).span)));
        const syntax::ImportDeclaration declared(snapshot_.tree, import);
        if (snapshot_.tree.is_hole(declared.path())) return;
        std::string path;
        for (const SyntaxId part : snapshot_.tree.children_of(declared.path()))
            path += (path.empty() ? "" : ".") + std::string(unquoted(snapshot_.text(snapshot_.tree.node(part).span)));
        const auto found = snapshot_.sources.imported(snapshot_.tree.node(import).span.file, path);
        if (!found || !found->file.valid() || found->file.value >= snapshot_.tree.roots.size()) return;
        paragraph(file_doc(snapshot_.sources, snapshot_.tree, found->file));
        if (const std::string origin = origin_of(snapshot_, found->file); !origin.empty()) paragraph("of " + origin);
    }

    SyntaxId import_around(Span span) const
    {
        for (SyntaxId id = snapshot_.innermost(span.file, span.begin, span.end); id.valid(); id = snapshot_.parent(id))
            if (snapshot_.tree.kind(id) == SyntaxKind::import_decl) return id;
        return {};
    }

    void builtin(const Token& token)
    {
        if (const SyntaxId import = import_around(token.span); import.valid()) return module(import);
        const auto known = find_builtin(snapshot_.text(token.span));
        if (!known) return;
        code(std::string(builtin_usage(*known).substr(0, builtin_usage(*known).find('`'))));
        paragraph(about_builtin(*known));
    }

    void literal(const Token& token)
    {
        const auto quantity = parse_quantity(snapshot_.text(token.span));
        if (!quantity) return;
        const ExprId here = expression_at(snapshot_, token.span);
        if (quantity->dim == dimension::none) {
            if (here) paragraph(type_name(snapshot_.program, snapshot_.program.expr(here).type));
            return;
        }
        paragraph(fmt::format("{}: {}", dimension_name(quantity->dim), exact_quantity(quantity->value, quantity->dim)));
    }

    void facts(Span span)
    {
        if (document_.facts_of != document_.version) return;
        const auto found = document_.facts.find({span.file.value, span.begin});
        if (found != document_.facts.end()) paragraph(found->second.hover);
    }

    const Document& document_;
    const Snapshot& snapshot_;
    bool markdown_;
    std::string out_;
};

}  // namespace

json hover(Workspace& workspace, const json& params)
{
    const Cursor cursor = workspace.cursor(params);
    const TokenId at = cursor.snapshot.token_at(cursor.file, cursor.offset);
    if (!at) return nullptr;
    const std::string text = Hover(cursor, workspace.client.markdown).text(at);
    if (text.empty()) return nullptr;
    json result = {{"contents", {{"kind", workspace.client.markdown ? "markdown" : "plaintext"}, {"value", text}}}};
    const Span span = cursor.snapshot.tree.tokens[at.value].span;
    if (!cursor.document.stale)
        result["range"] = cursor.snapshot.positions(cursor.file).range_json(span.begin, span.end);
    return result;
}

}  // namespace anml::lsp
