// What stands at a place: as it is declared, its type and value, where it comes from, and what the network makes of it.
#include <fmt/format.h>

#include "lsp/capabilities.h"
#include "lsp/describe.h"

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
        if (!id.valid()) return module(declared);
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
    void module(Span declared)
    {
        const SyntaxId around = snapshot_.innermost(declared.file, declared.begin, declared.end);
        for (SyntaxId id = around; id.valid(); id = snapshot_.parent(id))
            if (snapshot_.tree.kind(id) == SyntaxKind::import_decl)
                return code(std::string(snapshot_.text(snapshot_.tree.node(id).span)));
    }

    void builtin(const Token& token)
    {
        const auto known = find_builtin(snapshot_.text(token.span));
        if (known) paragraph(fmt::format("`{}`, a function of the language", builtin_usage(*known)));
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
    const Span span = cursor.snapshot.tree.tokens[at.value].span;
    return {{"contents", {{"kind", workspace.client.markdown ? "markdown" : "plaintext"}, {"value", text}}},
            {"range", cursor.snapshot.positions(cursor.file).range_json(span.begin, span.end)}};
}

}  // namespace anml::lsp
