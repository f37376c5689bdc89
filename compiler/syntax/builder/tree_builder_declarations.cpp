// Declarations: what stands at the top of a file.
#include <fmt/format.h>

#include <tuple>

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"
#include "syntax/file_doc.h"

namespace anml {

namespace {

SyntaxKind component_kind(const void* model, const void* experiment)
{
    return model ? SyntaxKind::model_decl : experiment ? SyntaxKind::experiment_decl : SyntaxKind::component_decl;
}

// At the top of the file what an empty line ends is about the file.
void document_declaration(TreeBuilder& in, SyntaxId id, std::uint32_t word)
{
    TokenId first = doc_before(in.tree.tokens, in.file, word);
    if (!first) return;
    const SyntaxKind kind = in.tree.kind(id);
    if (word == 0 && kind != SyntaxKind::edition_decl && kind != SyntaxKind::import_decl) {
        const std::string_view before = in.sources.text({in.file.file, 0, in.tree.tokens.begin_of(first.value)});
        const std::size_t ink = before.find_first_not_of(" \t\r\n");
        const bool heads_file = ink == before.npos || before[ink] == '/';  // else a part that is parsed by itself
        const TokenId behind = heads_file ? behind_empty_line(in.sources, in.tree, first) : TokenId{};
        if (behind) first = behind;
    }
    if (in.tree.tokens.cls(first.value) == TokenClass::doc_comment) in.tree.document(id, first);
}

// The same node with one word more. Imports and editions are about the file itself.
SyntaxId hand_out(TreeBuilder& in, SyntaxId id, AnmlParser::Whole_declarationContext* context)
{
    const SyntaxNode node = in.tree.node(id);
    const auto parts = in.tree.children_of(id);
    const std::vector<SyntaxId> children(parts.begin(), parts.end());
    const Span pub = in.span(context->PUB());
    in.tree.truncate(id.value);
    id = in.tree.add(node.kind, node.flags, {node.span.file, pub.begin, node.span.end}, node.token, children);
    const bool import = node.kind == SyntaxKind::import_decl;
    if (!import && node.kind != SyntaxKind::edition_decl) {
        in.tree.mark(id, syntax_flag::pub);
        return id;
    }
    in.diagnostics
        .report(Diag::syntax_error, pub,
                fmt::format("`pub` stands before a declaration, and {} is none", import ? "an import" : "the edition"))
        .help(import ? "who imports this module and needs the other one imports it, too" : "remove `pub`")
        .fix({pub.file, pub.begin, node.span.begin}, "");
    return id;
}

SyntaxId edition(TreeBuilder& in, AnmlParser::Edition_declContext* context)
{
    Span number = in.span(context->INTEGER());
    SyntaxId value = in.word(SyntaxKind::literal_integer, number);
    return in.make(SyntaxKind::edition_decl, context, context->EDITION(), {value});
}

SyntaxId import(TreeBuilder& in, AnmlParser::Import_declContext* context)
{
    SyntaxId name = dotted_name(in, context->dotted_name());
    SyntaxId alias = identifier(in, context->identifier(), in.after(context));
    return in.make(SyntaxKind::import_decl, context, context->IMPORT(), {name, alias});
}

// `trait transport = udp`: what stands before the name is no attribute.
SyntaxId trait(TreeBuilder& in, AnmlParser::Attribute_declContext* context)
{
    const Span word = in.span(context->identifier(0));
    const Span named = in.span(context->identifier(1));
    if (in.sources.text(word) != "trait")
        in.diagnostics.report(
            Diag::syntax_error, named,
            fmt::format("expected `:` after the attribute's name, found `{}`", in.sources.text(named)));
    SyntaxId name = identifier(in, context->identifier(1));
    SyntaxId value = expression(in, context->expression());
    return in.make(SyntaxKind::trait_decl, context, word, {name, value});
}

// Kinds of nodes are keywords, and types too.
SyntaxId type_name(TreeBuilder& in, AnmlParser::Type_nameContext* context)
{
    if (context->dotted_name()) return dotted_name(in, context->dotted_name());
    SyntaxId word = in.word(SyntaxKind::identifier, context);
    return in.make(SyntaxKind::dotted_name, context, {}, {word});
}

SyntaxId cardinality(TreeBuilder& in, AnmlParser::List_markContext* context, Span absent)
{
    if (!context || context->expression().empty())
        return in.none(context ? in.span(context->LBRACK()).behind() : absent);
    return bounds(in, context);
}

SyntaxId pattern(TreeBuilder& in, AnmlParser::MatchingContext* context, Span absent)
{
    if (!context) return in.none(absent);
    return in.word(SyntaxKind::literal_string, in.span(context->STRING()));
}

SyntaxId attribute_decl(TreeBuilder& in, AnmlParser::Attribute_declContext* context)
{
    auto* type_context = context->type_name();
    auto* mark = context->list_mark();
    auto* pattern_context = context->matching();
    SyntaxId name = identifier(in, context->identifier(0));
    SyntaxId type = type_name(in, type_context);
    SyntaxId number = cardinality(in, mark, in.after(type_context));
    const std::uint32_t last = in.last_word(mark ? static_cast<TreeBuilder::Context*>(mark) : type_context);
    const bool optional = last + 1 < in.file.words.size() && in.token(last + 1).type == AnmlLexer::QUESTION;
    const Span type_end = in.token(optional ? last + 1 : last).span.behind();
    SyntaxId wanted = pattern(in, pattern_context, type_end);
    SyntaxId bounds = range(in, context->range(), pattern_context ? in.after(pattern_context) : type_end);
    SyntaxId value = optional_expression(in, context->expression(), in.after(context));
    std::uint8_t flags = (in.follows_random(type_context) ? syntax_flag::random : 0) | (mark ? syntax_flag::list : 0) |
                         (in.begins(type_context, AnmlLexer::COMPONENT) ? syntax_flag::component : 0) |
                         (optional ? syntax_flag::optional : 0);
    return in.make(SyntaxKind::attribute_decl, context, {}, {name, type, number, wanted, bounds, value}, flags);
}

SyntaxId schema_item(TreeBuilder& in, AnmlParser::Schema_itemContext* context)
{
    if (auto* requirement = context->require_stmt()) return require(in, requirement);
    auto* declared = context->attribute_decl();
    if (!declared) return in.word(SyntaxKind::extra_item, context);
    const bool is_trait = !declared->type_name();
    SyntaxId id = is_trait ? trait(in, declared) : attribute_decl(in, declared);
    auto* note = context->annotation();
    if (!note) return id;
    SyntaxId noted = annotation(in, note);
    if (!is_trait) return in.make(SyntaxKind::annotated, context, note->AT(), {noted, id});
    in.diagnostics.report(Diag::syntax_error, in.span(note->AT()),
                          "an annotation stands before an attribute, not a trait");
    return id;
}

SyntaxId schema(TreeBuilder& in, AnmlParser::Schema_declContext* context)
{
    std::vector<SyntaxId> children;
    children.push_back(identifier(in, context->identifier()));
    children.push_back(dotted_name(in, context->dotted_name(), in.after(context->identifier())));
    bool first = true;
    for (AnmlParser::Schema_itemContext* item : context->schema_item()) {
        if (!first) in.separated(in.first_word(item), "attributes");
        first = false;
        children.push_back(schema_item(in, item));
        in.document(children.back(), item);
    }
    return in.make(SyntaxKind::schema_decl, context, context->SCHEMA(), children);
}

// `like x`.
SyntaxId type_like(TreeBuilder& in, AnmlParser::Type_nameContext* context, AnmlParser::LikeContext* like)
{
    if (!like) return type_name(in, context);
    const std::string_view word = in.sources.text(in.span(context));
    if (word != "like") {
        const std::string_view other = in.sources.text(in.span(like));
        in.diagnostics.report(Diag::syntax_error, in.span(like), fmt::format("unexpected `{}` after `{}`", other, word))
            .help(fmt::format("a quantity of the dimension of a parameter is `like {}`", other));
        return type_name(in, context);
    }
    Span place = in.span(context);
    place.end = in.span(like).end;
    return in.make(SyntaxKind::dotted_name, place, {}, {identifier(in, like->identifier())}, syntax_flag::like);
}

SyntaxId parameter(TreeBuilder& in, AnmlParser::ParameterContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId type = type_like(in, context->type_name(), context->like());
    const Span name_end = in.tree.node(type).span.behind();
    SyntaxId number = cardinality(in, context->list_mark(), name_end);
    Span type_end = context->list_mark() ? in.after(context->list_mark()) : name_end;
    SyntaxId wanted = pattern(in, context->matching(), type_end);
    SyntaxId bounds = range(in, context->range(), context->matching() ? in.after(context->matching()) : type_end);
    SyntaxId value = optional_expression(in, context->expression(), in.after(context));
    const bool tunable = in.begins(context, AnmlLexer::TUNABLE);
    std::uint8_t flags = (tunable ? syntax_flag::tunable : 0) |
                         (in.follows_random(context->type_name()) ? syntax_flag::random : 0) |
                         (context->list_mark() ? syntax_flag::list : 0) |
                         (in.begins(context->type_name(), AnmlLexer::COMPONENT) ? syntax_flag::component : 0);
    const Span word = tunable ? in.token(in.first_word(context)).span : Span{};
    SyntaxId id =
        in.make(SyntaxKind::parameter_decl, context, word, {name, type, number, wanted, bounds, value}, flags);
    in.document(id, context);
    return id;
}

SyntaxId parameter_list(TreeBuilder& in, AnmlParser::Parameter_listContext* context, Span absent)
{
    if (!context) return in.none(absent);
    return in.make(SyntaxKind::parameter_list, context, context->LPAREN(), each(in, context->parameter(), parameter));
}

SyntaxId function(TreeBuilder& in, AnmlParser::Function_declContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId parameters = parameter_list(in, context->parameter_list(), {});
    SyntaxId type = type_like(in, context->type_name(), context->like());
    SyntaxId value = expression(in, context->expression());
    std::uint8_t flags = (context->RANDOM() ? syntax_flag::random : 0) | (context->LBRACK() ? syntax_flag::list : 0);
    return in.make(SyntaxKind::function_decl, context, context->FUNCTION(), {name, parameters, type, value}, flags);
}

SyntaxId enumeration(TreeBuilder& in, AnmlParser::Enum_declContext* context)
{
    std::vector<SyntaxId> children;
    for (AnmlParser::IdentifierContext* item : context->identifier()) {
        if (children.size() > 1) in.separated(in.first_word(item), "the values of an enum");
        children.push_back(identifier(in, item));
        if (children.size() > 1) in.document(children.back(), item);
    }
    return in.make(SyntaxKind::enum_decl, context, context->ENUM(), children);
}

SyntaxId process(TreeBuilder& in, AnmlParser::Process_declContext* context)
{
    std::vector<SyntaxId> children;
    children.push_back(identifier(in, context->identifier()));
    children.push_back(parameter_list(in, context->parameter_list(), in.after(context->identifier())));
    children.push_back(dotted_name(in, context->dotted_name()));
    for (AnmlParser::Process_itemContext* item : context->process_item()) {
        if (auto* state = item->state_decl()) {
            SyntaxId name = identifier(in, state->identifier());
            SyntaxId type = dotted_name(in, state->dotted_name());
            SyntaxId initial = expression(in, state->expression(0)), next = expression(in, state->expression(1));
            children.push_back(in.make(SyntaxKind::state_decl, item, state->STATE(), {name, type, initial, next}));
        } else {
            auto* yield = item->yield_stmt();
            SyntaxId value = expression(in, yield->expression());
            children.push_back(in.make(SyntaxKind::yield_stmt, item, yield->YIELD(), {value}));
        }
        in.document(children.back(), item);
    }
    return in.make(SyntaxKind::process_decl, context, context->PROCESS(), children);
}

SyntaxId table(TreeBuilder& in, AnmlParser::Table_declContext* context)
{
    SyntaxId name = identifier(in, context->identifier(0));
    const Span text = in.span(context->STRING());
    SyntaxId file = in.word(SyntaxKind::literal_string, text);
    SyntaxId schema = dotted_name(in, context->dotted_name());
    SyntaxId key = in.none(in.after(context));
    if (context->identifier().size() > 1) {
        key = identifier(in, context->identifier(2));
        if (const Span by = in.span(context->identifier(1)); in.sources.text(by) != "by")
            in.diagnostics
                .report(Diag::syntax_error, by, "`by` and the attribute that is the key stand behind a table's schema")
                .help("write `table name(\"file\") : Schema by attribute`");
    }
    return in.make(SyntaxKind::table_decl, context, context->TABLE(), {name, file, schema, key});
}

SyntaxId graph(TreeBuilder& in, AnmlParser::Graph_declContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    const Span text = in.span(context->STRING());
    SyntaxId file = in.word(SyntaxKind::literal_string, text);
    const Span close = in.span(context->RPAREN());
    SyntaxId attributes = attribute_block(in, context->attribute_block(), {close.file, close.end, close.end});
    return in.make(SyntaxKind::graph_decl, context, context->GRAPH(), {name, file, attributes});
}

// With its arguments.
std::pair<SyntaxId, SyntaxId> base_of(TreeBuilder& in, AnmlParser::BaseContext* context, Span absent)
{
    if (!context) {
        SyntaxId base = in.none(absent);
        return {base, in.none(absent)};
    }
    SyntaxId base = dotted_name(in, context->dotted_name());
    return {base, argument_list(in, context->argument_list(), in.after(context))};
}

SyntaxId component(TreeBuilder& in, AnmlParser::Component_declContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId parameters = parameter_list(in, context->parameter_list(), in.after(context->identifier()));
    Span head_end = context->parameter_list() ? in.after(context->parameter_list()) : in.after(context->identifier());
    const auto [base, arguments] = base_of(in, context->base(), head_end);
    SyntaxId body = block(in, context->block());
    const Span keyword = in.token(in.first_word(context)).span;
    const SyntaxKind kind = component_kind(context->MODEL(), context->EXPERIMENT());
    return in.make(kind, context, keyword, {name, parameters, base, arguments, body});
}

SyntaxId declaration(TreeBuilder& in, AnmlParser::DeclarationContext* context)
{
    SyntaxId id;
    if (auto* edition_decl = context->edition_decl())
        id = edition(in, edition_decl);
    else if (auto* import_decl = context->import_decl())
        id = import(in, import_decl);
    else if (auto* schema_decl = context->schema_decl())
        id = schema(in, schema_decl);
    else if (auto* enum_decl = context->enum_decl())
        id = enumeration(in, enum_decl);
    else if (auto* profile_decl = context->profile_decl())
        id = profile(in, profile_decl);
    else if (auto* process_decl = context->process_decl())
        id = process(in, process_decl);
    else if (auto* graph_decl = context->graph_decl())
        id = graph(in, graph_decl);
    else if (auto* table_decl = context->table_decl())
        id = table(in, table_decl);
    else if (auto* function_decl = context->function_decl())
        id = function(in, function_decl);
    else
        id = component(in, context->component_decl());
    return id;
}

}  // namespace

SyntaxId whole_declaration(TreeBuilder& in, AnmlParser::Whole_declarationContext* context)
{
    SyntaxId id = declaration(in, context->declaration());
    if (in.begins(context, AnmlLexer::PUB)) id = hand_out(in, id, context);
    document_declaration(in, id, in.first_word(context));
    return id;
}

SyntaxId profile(TreeBuilder& in, AnmlParser::Profile_declContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId parameters = parameter_list(in, context->parameter_list(), in.after(context->identifier()));
    SyntaxId type = dotted_name(in, context->dotted_name());
    SyntaxId arguments = argument_list(in, context->argument_list(), in.after(context->dotted_name()));
    SyntaxId attributes = attribute_block(in, context->attribute_block());
    return in.make(SyntaxKind::profile_decl, context, context->PROFILE(),
                   {name, parameters, type, arguments, attributes});
}

BodyHead body_head(TreeBuilder& in, AnmlParser::Body_headContext* context)
{
    BodyHead head;
    head.kind = component_kind(context->MODEL(), context->EXPERIMENT());
    head.name = identifier(in, context->identifier());
    head.parameters = parameter_list(in, context->parameter_list(), in.after(context->identifier()));
    Span head_end = context->parameter_list() ? in.after(context->parameter_list()) : in.after(context->identifier());
    std::tie(head.base, head.base_arguments) = base_of(in, context->base(), head_end);
    head.first = in.first_word(context);
    head.pub = context->PUB() != nullptr;
    head.open = in.first_word_of_chunk + static_cast<std::uint32_t>(context->LBRACE()->getSymbol()->getTokenIndex());
    return head;
}

SyntaxId finish_body(TreeBuilder& in, const BodyHead& head, const std::vector<SyntaxId>& statements,
                     std::uint32_t close)
{
    Span keyword = in.token(head.first + head.pub).span, open = in.token(head.open).span, end = in.token(close).span;
    SyntaxId body = in.make(SyntaxKind::block, {in.file.file, open.begin, end.end}, open, statements);
    SyntaxId id = in.make(head.kind, {in.file.file, in.token(head.first).span.begin, end.end}, keyword,
                          {head.name, head.parameters, head.base, head.base_arguments, body});
    if (head.pub) in.tree.mark(id, syntax_flag::pub);
    document_declaration(in, id, head.first);
    return id;
}

}  // namespace anml
