#include "lsp/completion/context.h"

#include "syntax/syntax_views.h"

namespace anml::lsp {

Context::Head Context::head_of(std::size_t bracket) const
{
    const std::size_t begin = w_.statement_of(bracket);
    Head head;
    std::size_t at = begin;
    if (w_.word(at) == "pub") ++at;
    head.first = w_.word(at);
    const auto by_id = [&](SchemaId id) { return id.valid() ? &s_.program.schema(id) : nullptr; };
    const CheckedProgram& p = s_.program;
    const std::string_view first = head.first;
    if (first == "host")
        head.schema = by_id(p.host);
    else if (first == "router")
        head.schema = by_id(p.router);
    else if (first == "switch")
        head.schema = by_id(p.switch_);
    else if (first == "endpoint")
        head.schema = by_id(p.endpoint);
    else if (first == "run")
        head.schema = by_id(p.run);
    else if (first == "addressing")
        head.schema = by_id(p.addressing);
    else if (first == "routing")
        head.schema = by_id(p.routing);
    else if (first == "route")
        head.schema = by_id(p.segment_list);
    else if (first == "link" || first == "profile" || first == "workload")
        head.schema = behind_colon(begin, bracket, first);
    else
        head.statements = first == "component" || first == "model" || first == "experiment" || first == "for" ||
                          first == "if" || first == "else";
    head.timeline = first == "at" || first == "every" || first == "from" || first == "ramp";
    return head;
}

const Schema* Context::behind_colon(std::size_t begin, std::size_t bracket, std::string_view first) const
{
    int depth = 0;
    std::size_t colon = CursorTokens::kNone, colons = 0;
    for (std::size_t i = begin; i < bracket; ++i) {
        const std::string_view word = w_.word(i);
        depth += (word == "(" || word == "[") - (word == ")" || word == "]");
        if (depth == 0 && word == ":") colon = i, ++colons;
    }
    const auto named = [&](std::size_t from) {
        std::string name;
        for (std::size_t i = from; i < bracket && (w_.word(i) == "." || w_.cls(i) == TokenClass::identifier); ++i)
            name += w_.word(i);
        return find_declaration(s_, s_.sources.main, offset_, name);
    };
    const Schema* link = s_.program.link.valid() ? &s_.program.schema(s_.program.link) : nullptr;
    if (first == "link") {
        // `link a -- b : p` has one colon, and no name.
        const bool has_profile = colons > 1 || (colons == 1 && w_.word(begin + 2) != ":" && w_.word(begin + 2) != "[");
        const Schema* schema = has_profile ? schema_of_profile(s_, named(colon + 1)) : link;
        return schema ? schema : link;
    }
    return colon == CursorTokens::kNone ? nullptr : schema_of(s_, named(colon + 1));
}

Context::Head Context::attributes_around(std::size_t bracket) const
{
    Head head = head_of(bracket);
    if (head.schema) return head;
    const std::size_t outer = w_.open_before(bracket);
    if (outer == CursorTokens::kNone || outer == 0 || w_.word(outer) != "{") return head;
    const Head around = head_of(outer);
    if (around.timeline) {
        head = {.first = around.first};
        add_subject(bracket, head);
        return head;
    }
    if (w_.word(bracket - 1) == "up" || w_.word(bracket - 1) == "down") return attributes_around(outer);
    return head;
}

// `at 5 s { uplink { rate = 1 Mbps } }`: what changes is an attribute of what stands before the brace.
void Context::add_subject(std::size_t bracket, Head& head) const
{
    head.changes = true;
    std::size_t begin = bracket;
    while (begin > 0) {
        if (w_.word(begin - 1) == "]") {
            const std::size_t open = w_.open_before(begin - 1);
            if (open == CursorTokens::kNone) return;
            begin = open;
        } else if (w_.word(begin - 1) == "." || (w_.cls(begin - 1) == TokenClass::identifier &&
                                                 (begin == bracket || w_.word(begin) == "." || w_.word(begin) == "[")))
        {
            --begin;
        } else {
            break;
        }
    }
    if (begin == bracket) return;
    const SyntaxId declared = find_declaration(s_, s_.sources.main, offset_, w_.word(begin));
    const SchemaId link = s_.program.link, workload = s_.program.workload;
    const SyntaxKind kind = declared.valid() ? s_.tree.kind(declared) : SyntaxKind::none;
    if (kind == SyntaxKind::node_decl && w_.word(begin - 1) != "--") return;
    if (kind == SyntaxKind::workload_decl) {
        const Span type = s_.tree.node(syntax::WorkloadDeclaration(s_.tree, declared).type()).span;
        head.schema = schema_of(s_, find_declaration(s_, s_.sources.main, offset_, s_.text(type)));
        if (!head.schema && workload.valid()) head.schema = &s_.program.schema(workload);
    } else if (link.valid()) {
        head.schema = &s_.program.schema(link);
    }
}

std::string Context::dotted_at(std::size_t begin) const
{
    std::string name;
    for (std::size_t i = begin; i < w_.count() && (w_.word(i) == "." || w_.cls(i) == TokenClass::identifier); ++i) {
        if (!name.empty() && w_.word(i) != "." && !name.ends_with('.')) break;
        name += w_.word(i);
    }
    return name;
}

}  // namespace anml::lsp
