// From ANTLR's contexts to our flat nodes. The one place that knows both; each function makes one kind of node.
#pragma once

#include <string>

#include "AnmlParser.h"
#include "syntax/lexer/file_tokens.h"

namespace anml {

class TreeBuilder {
  public:
    TreeBuilder(SyntaxTree& tree, const SourceSet& sources, const FileTokens& file, Diagnostics& diagnostics)
        : tree_(tree), sources_(sources), file_(file), diagnostics_(diagnostics)
    {
    }

    using Parser = grammar::AnmlParser;
    using Context = antlr4::ParserRuleContext;

    // Words of the contexts that follow count from `first`.
    void begin_chunk(std::uint32_t first)
    {
        first_word_ = first;
        too_deep_ = false;
    }

    SyntaxId whole_declaration(Parser::Whole_declarationContext* context);
    SyntaxId statement(Parser::StatementContext* context);
    // A component or model whose body was parsed on its own; `close` is the word of its `}`.
    struct Head {
        SyntaxKind kind{};
        SyntaxId name, parameters, base, base_arguments;
        std::uint32_t first = 0, open = 0;  // words
        bool pub = false;                   // which is the first word
    };
    Head head(Parser::Body_headContext* context);
    SyntaxId finish_body(const Head& head, const std::vector<SyntaxId>& statements, std::uint32_t close);
    SyntaxId value(Parser::ValueContext* context) { return expression(context->expression()); }
    SyntaxId file_node(const std::vector<SyntaxId>& declarations);

  private:
    SyntaxId declaration(Parser::DeclarationContext* context);
    // declarations
    SyntaxId edition(Parser::Edition_declContext* context);
    SyntaxId import(Parser::Import_declContext* context);
    SyntaxId schema(Parser::Schema_declContext* context);
    SyntaxId schema_item(Parser::Schema_itemContext* context);
    SyntaxId trait(Parser::Attribute_declContext* context);
    SyntaxId attribute_decl(Parser::Attribute_declContext* context);
    SyntaxId enumeration(Parser::Enum_declContext* context);
    SyntaxId profile(Parser::Profile_declContext* context);
    SyntaxId process(Parser::Process_declContext* context);
    SyntaxId graph(Parser::Graph_declContext* context);
    SyntaxId function(Parser::Function_declContext* context);
    SyntaxId component(Parser::Component_declContext* context);
    std::pair<SyntaxId, SyntaxId> base_of(Parser::BaseContext* context, Span absent);  // with its arguments
    SyntaxId type_name(Parser::Type_nameContext* context);
    SyntaxId type_like(Parser::Type_nameContext* context, Parser::LikeContext* like);
    SyntaxId cardinality(Parser::List_markContext* context, Span absent);
    SyntaxId pattern(Parser::MatchingContext* context, Span absent);
    SyntaxId parameter_list(Parser::Parameter_listContext* context, Span absent);
    SyntaxId parameter(Parser::ParameterContext* context);
    // statements
    SyntaxId annotation(Parser::AnnotationContext* context);
    SyntaxId block(Parser::BlockContext* context);
    SyntaxId table(Parser::Table_declContext* context);
    SyntaxId node_decl(Parser::Node_declContext* context);
    SyntaxId brackets(Parser::BracketsContext* context, Span absent);
    SyntaxId instance(Parser::Instance_declContext* context);
    SyntaxId port(Parser::Instance_declContext* context);
    SyntaxId factor(Parser::Instance_declContext* context);
    SyntaxId override(Parser::Override_stmtContext* context);
    SyntaxId link(Parser::Link_declContext* context);
    SyntaxId if_stmt(Parser::If_stmtContext* context);
    SyntaxId for_stmt(Parser::For_stmtContext* context);
    SyntaxId require(Parser::Require_stmtContext* context);
    // the timeline, static routes
    SyntaxId timeline_statement(Parser::StatementContext* context);  // invalid: it is none
    SyntaxId timeline_block(Parser::Timeline_blockContext* context);
    SyntaxId subject(Parser::SubjectContext* context);
    SyntaxId timeline_item(Parser::Timeline_itemContext* context);
    SyntaxId ramp_block(Parser::Ramp_blockContext* context);
    SyntaxId ramp_item(Parser::Ramp_itemContext* context);
    SyntaxId ramp_values(Parser::Ramp_valuesContext* context);
    SyntaxId route(Parser::Route_stmtContext* context);
    void expect_word(Parser::IdentifierContext* context, std::string_view word, std::string_view form);
    SyntaxId attribute_block(Parser::Attribute_blockContext* context, Span absent);
    // names and expressions
    SyntaxId identifier(Parser::IdentifierContext* context, Span absent);
    SyntaxId dotted_name(Parser::Dotted_nameContext* context, Span absent);
    SyntaxId range(Parser::RangeContext* context, Span absent);
    SyntaxId optional_expression(Parser::ExpressionContext* context, Span absent);
    SyntaxId expression(Parser::ExpressionContext* context);
    SyntaxId expression_node(Parser::ExpressionContext* context);
    SyntaxId for_clause(Parser::For_clauseContext* context);
    SyntaxId binary(Parser::BinaryContext* context);
    SyntaxId literal(Parser::LiteralContext* context);
    SyntaxId index(Parser::IndexContext* context);
    SyntaxId argument_list(Parser::Argument_listContext* context, Span absent);
    SyntaxId argument(Parser::ArgumentContext* context);
    SyntaxId link_name(Parser::ExpressionContext* context, SyntaxId& numbers);

    // making nodes
    SyntaxId make(SyntaxKind kind, Span span, Span token, std::initializer_list<SyntaxId> children = {},
                  std::uint8_t flags = 0);
    SyntaxId make(SyntaxKind kind, Span span, Span token, const std::vector<SyntaxId>& children,
                  std::uint8_t flags = 0);
    SyntaxId add(SyntaxKind kind, Span span, Span token, std::span<const SyntaxId> children, std::uint8_t flags);
    SyntaxId none(Span place) { return make(SyntaxKind::none, place, {}); }
    void document(SyntaxId id, Context* context) { document(id, first_word(context)); }
    void document(SyntaxId id, std::uint32_t word) { anml::document(tree_, file_, id, word); }
    void document_declaration(SyntaxId id, std::uint32_t word);
    SyntaxId hand_out(SyntaxId id, Parser::Whole_declarationContext* context);

    // places
    std::uint32_t first_word(Context* context) const;
    std::uint32_t last_word(Context* context) const;
    // By the words: contexts find their parts by casts of each.
    bool begins(Context* context, std::uint16_t type) const { return token(first_word(context)).type == type; }
    bool follows_random(Context* context) const;
    Token token(std::uint32_t word) const { return tree_.tokens[file_.words[word].token]; }
    Span span(Context* context) const;
    Span span(antlr4::tree::TerminalNode* terminal) const;
    Span after(Context* context) const;  // the empty place behind it
    static Span at_end(Span span) { return {span.file, span.end, span.end}; }

    // Items of a block have a comma or a line's end between them.
    void separated(std::uint32_t first, const char* what);
    void report_unseparated(std::uint32_t word);
    Span unseparated_;  // what was reported last

    SyntaxTree& tree_;
    const SourceSet& sources_;
    const FileTokens& file_;
    Diagnostics& diagnostics_;
    std::uint32_t first_word_ = 0;
    std::uint32_t depth_ = 0;
    bool too_deep_ = false;
};

}  // namespace anml
