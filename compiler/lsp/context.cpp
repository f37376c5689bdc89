#include "lsp/context.h"

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
    return head;
}

const Schema* Context::behind_colon(std::size_t begin, std::size_t bracket, std::string_view first) const
{
    int depth = 0;
    std::size_t colon = Words::kNone, colons = 0;
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
    return colon == Words::kNone ? nullptr : schema_of(s_, named(colon + 1));
}

Context::Head Context::attributes_around(std::size_t bracket) const
{
    Head head = head_of(bracket);
    if (!head.schema && (w_.word(bracket - 1) == "up" || w_.word(bracket - 1) == "down"))
        if (const std::size_t outer = w_.open_before(bracket); outer != Words::kNone && w_.word(outer) == "{")
            return head_of(outer);
    return head;
}

const Type* Context::wanted_type() const
{
    if (w_.last() != "=" || w_.count() < 2) return nullptr;
    const std::size_t bracket = w_.open_before(w_.count());
    if (bracket == Words::kNone || bracket == 0 || w_.word(bracket) != "{") return nullptr;
    const Schema* schema = attributes_around(bracket).schema;
    if (!schema) return nullptr;
    for (const Attribute& attribute : schema->attributes)
        if (attribute.name == unquoted(w_.last(1))) return &attribute.type;
    return nullptr;
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
