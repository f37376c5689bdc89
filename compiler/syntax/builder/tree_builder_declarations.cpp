// Declarations: what stands at the top of a file.
#include <fmt/format.h>

#include <tuple>

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"
#include "syntax/file_doc.h"

namespace anml {

SyntaxId TreeBuilder::whole_declaration(Parser::Whole_declarationContext* context)
{
    SyntaxId id = declaration(context->declaration());
    if (begins(context, AnmlLexer::PUB)) id = hand_out(id, context);
    document_declaration(id, first_word(context));
    return id;
}

// The same node with one word more. Imports and editions are about the file itself.
SyntaxId TreeBuilder::hand_out(SyntaxId id, Parser::Whole_declarationContext* context)
{
    const SyntaxNode node = tree_.node(id);
    const auto parts = tree_.children_of(id);
    const std::vector<SyntaxId> children(parts.begin(), parts.end());
    const Span pub = span(context->PUB());
    tree_.truncate(id.value);
    id = tree_.add(node.kind, node.flags, {node.span.file, pub.begin, node.span.end}, node.token, children);
    const bool import = node.kind == SyntaxKind::import_decl;
    if (!import && node.kind != SyntaxKind::edition_decl) {
        tree_.mark(id, syntax_flag::pub);
        return id;
    }
    diagnostics_
        .report(Diag::syntax_error, pub,
                fmt::format("`pub` stands before a declaration, and {} is none", import ? "an import" : "the edition"))
        .help(import ? "who imports this module and needs the other one imports it, too" : "remove `pub`")
        .fix({pub.file, pub.begin, node.span.begin}, "");
    return id;
}

SyntaxId TreeBuilder::declaration(Parser::DeclarationContext* context)
{
    SyntaxId id;
    if (auto* edition_decl = context->edition_decl())
        id = edition(edition_decl);
    else if (auto* import_decl = context->import_decl())
        id = import(import_decl);
    else if (auto* schema_decl = context->schema_decl())
        id = schema(schema_decl);
    else if (auto* enum_decl = context->enum_decl())
        id = enumeration(enum_decl);
    else if (auto* profile_decl = context->profile_decl())
        id = profile(profile_decl);
    else if (auto* process_decl = context->process_decl())
        id = process(process_decl);
    else if (auto* graph_decl = context->graph_decl())
        id = graph(graph_decl);
    else if (auto* table_decl = context->table_decl())
        id = table(table_decl);
    else if (auto* function_decl = context->function_decl())
        id = function(function_decl);
    else
        id = component(context->component_decl());
    return id;
}

SyntaxId TreeBuilder::edition(Parser::Edition_declContext* context)
{
    Span number = span(context->INTEGER());
    SyntaxId value = make(SyntaxKind::literal_integer, number, number);
    return make(SyntaxKind::edition_decl, span(context), span(context->EDITION()), {value});
}

SyntaxId TreeBuilder::import(Parser::Import_declContext* context)
{
    SyntaxId name = dotted_name(context->dotted_name(), {});
    SyntaxId alias = identifier(context->identifier(), after(context));
    return make(SyntaxKind::import_decl, span(context), span(context->IMPORT()), {name, alias});
}

SyntaxId TreeBuilder::schema(Parser::Schema_declContext* context)
{
    std::vector<SyntaxId> children;
    children.push_back(identifier(context->identifier(), {}));
    children.push_back(dotted_name(context->dotted_name(), after(context->identifier())));
    bool first = true;
    for (Parser::Schema_itemContext* item : context->schema_item()) {
        if (!first) separated(first_word(item), "attributes");
        first = false;
        children.push_back(schema_item(item));
        document(children.back(), item);
    }
    return make(SyntaxKind::schema_decl, span(context), span(context->SCHEMA()), children);
}

SyntaxId TreeBuilder::schema_item(Parser::Schema_itemContext* context)
{
    if (auto* requirement = context->require_stmt()) return require(requirement);
    auto* declared = context->attribute_decl();
    if (!declared) return make(SyntaxKind::extra_item, span(context), span(context));
    const bool is_trait = !declared->type_name();
    SyntaxId id = is_trait ? trait(declared) : attribute_decl(declared);
    auto* note = context->annotation();
    if (!note) return id;
    SyntaxId noted = annotation(note);
    if (!is_trait) return make(SyntaxKind::annotated, span(context), span(note->AT()), {noted, id});
    diagnostics_.report(Diag::syntax_error, span(note->AT()), "an annotation stands before an attribute, not a trait");
    return id;
}

// `trait transport = udp`: what stands before the name is no attribute.
SyntaxId TreeBuilder::trait(Parser::Attribute_declContext* context)
{
    const Span word = span(context->identifier(0));
    const Span named = span(context->identifier(1));
    if (sources_.text(word) != "trait")
        diagnostics_.report(Diag::syntax_error, named,
                            fmt::format("expected `:` after the attribute's name, found `{}`", sources_.text(named)));
    SyntaxId name = identifier(context->identifier(1), {});
    SyntaxId value = expression(context->expression());
    return make(SyntaxKind::trait_decl, span(context), word, {name, value});
}

SyntaxId TreeBuilder::attribute_decl(Parser::Attribute_declContext* context)
{
    auto* type_context = context->type_name();
    auto* mark = context->list_mark();
    auto* pattern_context = context->matching();
    SyntaxId name = identifier(context->identifier(0), {});
    SyntaxId type = type_name(type_context);
    SyntaxId number = cardinality(mark, after(type_context));
    const std::uint32_t last = last_word(mark ? static_cast<Context*>(mark) : type_context);
    const bool optional = last + 1 < file_.words.size() && token(last + 1).type == AnmlLexer::QUESTION;
    const Span type_end = at_end(token(optional ? last + 1 : last).span);
    SyntaxId wanted = pattern(pattern_context, type_end);
    SyntaxId bounds = range(context->range(), pattern_context ? after(pattern_context) : type_end);
    SyntaxId value = optional_expression(context->expression(), after(context));
    std::uint8_t flags = (follows_random(type_context) ? syntax_flag::random : 0) | (mark ? syntax_flag::list : 0) |
                         (begins(type_context, AnmlLexer::COMPONENT) ? syntax_flag::component : 0) |
                         (optional ? syntax_flag::optional : 0);
    return make(SyntaxKind::attribute_decl, span(context), {}, {name, type, number, wanted, bounds, value}, flags);
}

// Kinds of nodes are keywords, and types too.
SyntaxId TreeBuilder::type_name(Parser::Type_nameContext* context)
{
    if (context->dotted_name()) return dotted_name(context->dotted_name(), {});
    SyntaxId word = make(SyntaxKind::identifier, span(context), span(context));
    return make(SyntaxKind::dotted_name, span(context), {}, {word});
}

// `like x`.
SyntaxId TreeBuilder::type_like(Parser::Type_nameContext* context, Parser::LikeContext* like)
{
    if (!like) return type_name(context);
    const std::string_view word = sources_.text(span(context));
    if (word != "like") {
        const std::string_view other = sources_.text(span(like));
        diagnostics_.report(Diag::syntax_error, span(like), fmt::format("unexpected `{}` after `{}`", other, word))
            .help(fmt::format("a quantity of the dimension of a parameter is `like {}`", other));
        return type_name(context);
    }
    Span place = span(context);
    place.end = span(like).end;
    return make(SyntaxKind::dotted_name, place, {}, {identifier(like->identifier(), {})}, syntax_flag::like);
}

SyntaxId TreeBuilder::cardinality(Parser::List_markContext* context, Span absent)
{
    if (!context || context->expression().empty()) return none(context ? at_end(span(context->LBRACK())) : absent);
    SyntaxId low = expression(context->expression(0));
    antlr4::tree::TerminalNode* dots = context->HALF_OPEN() ? context->HALF_OPEN() : context->RANGE();
    if (!dots) return low;
    SyntaxId high = expression(context->expression(1));
    Span place = tree_.node(low).span;
    place.end = tree_.node(high).span.end;
    return make(SyntaxKind::range, place, span(dots), {low, high}, context->HALF_OPEN() ? syntax_flag::half_open : 0);
}

SyntaxId TreeBuilder::pattern(Parser::MatchingContext* context, Span absent)
{
    if (!context) return none(absent);
    return make(SyntaxKind::literal_string, span(context->STRING()), span(context->STRING()));
}

SyntaxId TreeBuilder::function(Parser::Function_declContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId parameters = parameter_list(context->parameter_list(), {});
    SyntaxId type = type_like(context->type_name(), context->like());
    SyntaxId value = expression(context->expression());
    std::uint8_t flags = (context->RANDOM() ? syntax_flag::random : 0) | (context->LBRACK() ? syntax_flag::list : 0);
    return make(SyntaxKind::function_decl, span(context), span(context->FUNCTION()), {name, parameters, type, value},
                flags);
}

SyntaxId TreeBuilder::enumeration(Parser::Enum_declContext* context)
{
    std::vector<SyntaxId> children;
    for (Parser::IdentifierContext* item : context->identifier()) {
        if (children.size() > 1) separated(first_word(item), "the values of an enum");
        children.push_back(identifier(item, {}));
        if (children.size() > 1) document(children.back(), item);
    }
    return make(SyntaxKind::enum_decl, span(context), span(context->ENUM()), children);
}

SyntaxId TreeBuilder::profile(Parser::Profile_declContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId parameters = parameter_list(context->parameter_list(), after(context->identifier()));
    SyntaxId type = dotted_name(context->dotted_name(), {});
    SyntaxId arguments = argument_list(context->argument_list(), after(context->dotted_name()));
    SyntaxId attributes = attribute_block(context->attribute_block(), {});
    return make(SyntaxKind::profile_decl, span(context), span(context->PROFILE()),
                {name, parameters, type, arguments, attributes});
}

SyntaxId TreeBuilder::process(Parser::Process_declContext* context)
{
    std::vector<SyntaxId> children;
    children.push_back(identifier(context->identifier(), {}));
    children.push_back(parameter_list(context->parameter_list(), after(context->identifier())));
    children.push_back(dotted_name(context->dotted_name(), {}));
    for (Parser::Process_itemContext* item : context->process_item()) {
        if (auto* state = item->state_decl()) {
            SyntaxId name = identifier(state->identifier(), {});
            SyntaxId type = dotted_name(state->dotted_name(), {});
            SyntaxId initial = expression(state->expression(0)), next = expression(state->expression(1));
            children.push_back(
                make(SyntaxKind::state_decl, span(item), span(state->STATE()), {name, type, initial, next}));
        } else {
            auto* yield = item->yield_stmt();
            SyntaxId value = expression(yield->expression());
            children.push_back(make(SyntaxKind::yield_stmt, span(item), span(yield->YIELD()), {value}));
        }
        document(children.back(), item);
    }
    return make(SyntaxKind::process_decl, span(context), span(context->PROCESS()), children);
}

SyntaxId TreeBuilder::table(Parser::Table_declContext* context)
{
    SyntaxId name = identifier(context->identifier(0), {});
    const Span text = span(context->STRING());
    SyntaxId file = make(SyntaxKind::literal_string, text, text);
    SyntaxId schema = dotted_name(context->dotted_name(), {});
    SyntaxId key = none(after(context));
    if (context->identifier().size() > 1) {
        key = identifier(context->identifier(2), {});
        if (const Span by = span(context->identifier(1)); sources_.text(by) != "by")
            diagnostics_
                .report(Diag::syntax_error, by, "`by` and the attribute that is the key stand behind a table's schema")
                .help("write `table name(\"file\") : Schema by attribute`");
    }
    return make(SyntaxKind::table_decl, span(context), span(context->TABLE()), {name, file, schema, key});
}

SyntaxId TreeBuilder::graph(Parser::Graph_declContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    const Span text = span(context->STRING());
    SyntaxId file = make(SyntaxKind::literal_string, text, text);
    const Span close = span(context->RPAREN());
    SyntaxId attributes = attribute_block(context->attribute_block(), {close.file, close.end, close.end});
    return make(SyntaxKind::graph_decl, span(context), span(context->GRAPH()), {name, file, attributes});
}

static SyntaxKind component_kind(const void* model, const void* experiment)
{
    return model ? SyntaxKind::model_decl : experiment ? SyntaxKind::experiment_decl : SyntaxKind::component_decl;
}

SyntaxId TreeBuilder::component(Parser::Component_declContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId parameters = parameter_list(context->parameter_list(), after(context->identifier()));
    Span head_end = context->parameter_list() ? after(context->parameter_list()) : after(context->identifier());
    const auto [base, arguments] = base_of(context->base(), head_end);
    SyntaxId body = block(context->block());
    const Span keyword = token(first_word(context)).span;
    const SyntaxKind kind = component_kind(context->MODEL(), context->EXPERIMENT());
    return make(kind, span(context), keyword, {name, parameters, base, arguments, body});
}

std::pair<SyntaxId, SyntaxId> TreeBuilder::base_of(Parser::BaseContext* context, Span absent)
{
    if (!context) {
        SyntaxId base = none(absent);
        return {base, none(absent)};
    }
    SyntaxId base = dotted_name(context->dotted_name(), {});
    return {base, argument_list(context->argument_list(), after(context))};
}

TreeBuilder::Head TreeBuilder::head(Parser::Body_headContext* context)
{
    Head head;
    head.kind = component_kind(context->MODEL(), context->EXPERIMENT());
    head.name = identifier(context->identifier(), {});
    head.parameters = parameter_list(context->parameter_list(), after(context->identifier()));
    Span head_end = context->parameter_list() ? after(context->parameter_list()) : after(context->identifier());
    std::tie(head.base, head.base_arguments) = base_of(context->base(), head_end);
    head.first = first_word(context);
    head.pub = context->PUB() != nullptr;
    head.open = first_word_ + static_cast<std::uint32_t>(context->LBRACE()->getSymbol()->getTokenIndex());
    return head;
}

SyntaxId TreeBuilder::finish_body(const Head& head, const std::vector<SyntaxId>& statements, std::uint32_t close)
{
    Span keyword = token(head.first + head.pub).span, open = token(head.open).span, end = token(close).span;
    SyntaxId body = make(SyntaxKind::block, {file_.file, open.begin, end.end}, open, statements);
    SyntaxId id = make(head.kind, {file_.file, token(head.first).span.begin, end.end}, keyword,
                       {head.name, head.parameters, head.base, head.base_arguments, body});
    if (head.pub) tree_.mark(id, syntax_flag::pub);
    document_declaration(id, head.first);
    return id;
}

// At the top of the file what an empty line ends is about the file.
void TreeBuilder::document_declaration(SyntaxId id, std::uint32_t word)
{
    TokenId first = doc_before(tree_.tokens, file_, word);
    if (!first) return;
    const SyntaxKind kind = tree_.kind(id);
    if (word == 0 && kind != SyntaxKind::edition_decl && kind != SyntaxKind::import_decl) {
        const std::string_view before = sources_.text({file_.file, 0, tree_.tokens.begin_of(first.value)});
        const std::size_t ink = before.find_first_not_of(" \t\r\n");
        const bool heads_file = ink == before.npos || before[ink] == '/';  // else a part that is parsed by itself
        const TokenId behind = heads_file ? behind_empty_line(sources_, tree_, first) : TokenId{};
        if (behind) first = behind;
    }
    if (tree_.tokens.cls(first.value) == TokenClass::doc_comment) tree_.document(id, first);
}

SyntaxId TreeBuilder::parameter_list(Parser::Parameter_listContext* context, Span absent)
{
    if (!context) return none(absent);
    std::vector<SyntaxId> parameters;
    for (Parser::ParameterContext* item : context->parameter()) parameters.push_back(parameter(item));
    return make(SyntaxKind::parameter_list, span(context), span(context->LPAREN()), parameters);
}

SyntaxId TreeBuilder::parameter(Parser::ParameterContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId type = type_like(context->type_name(), context->like());
    const Span name_end = at_end(tree_.node(type).span);
    SyntaxId number = cardinality(context->list_mark(), name_end);
    Span type_end = context->list_mark() ? after(context->list_mark()) : name_end;
    SyntaxId wanted = pattern(context->matching(), type_end);
    SyntaxId bounds = range(context->range(), context->matching() ? after(context->matching()) : type_end);
    SyntaxId value = optional_expression(context->expression(), after(context));
    const bool tunable = begins(context, AnmlLexer::TUNABLE);
    std::uint8_t flags = (tunable ? syntax_flag::tunable : 0) |
                         (follows_random(context->type_name()) ? syntax_flag::random : 0) |
                         (context->list_mark() ? syntax_flag::list : 0) |
                         (begins(context->type_name(), AnmlLexer::COMPONENT) ? syntax_flag::component : 0);
    const Span word = tunable ? token(first_word(context)).span : Span{};
    SyntaxId id =
        make(SyntaxKind::parameter_decl, span(context), word, {name, type, number, wanted, bounds, value}, flags);
    document(id, context);
    return id;
}

}  // namespace anml
