// Blocks of attributes against the schema of the construct that they belong to. A link's may hold two blocks more, `up`
// and `down`, for one direction each.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/foreign_words.h"
#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// What a link has one of, whichever way its packets go.
bool is_symmetric(std::string_view attribute)
{
    return attribute == "mtu" || attribute == "overhead" || attribute == "relation" || attribute == "wired" ||
           attribute == "transparent";
}

std::string_view without_std(std::string_view full_name)
{
    return full_name.starts_with("std.") ? full_name.substr(4) : full_name;
}

std::string_view name_of(LinkDirection direction) { return direction == LinkDirection::up ? "up" : "down"; }

}  // namespace

struct Checker::Block {
    const Schema& schema;
    std::string_view what;
    bool of_link = false;
    std::vector<std::array<Span, 3>> given = {};  // by attribute and direction: the names
    std::vector<AttributeValue> values = {};
    std::string_view foreign = {};  // what helps with one of another tool, which perhaps says what is missing
};

std::vector<AttributeValue> Checker::attributes(SyntaxId block, SchemaId schema_id, bool complete, Span construct,
                                                std::string_view what)
{
    Block out{program_.schema(schema_id), what, program_.derives(schema_id, program_.link)};
    out.given.resize(out.schema.attributes.size());
    const SchemaId outer = self_;
    const std::size_t errors = diagnostics_.errors();
    self_ = schema_id;
    if (!tree_.is_none(block)) attribute_entries(block, out, LinkDirection::both);
    self_ = outer;
    for (std::size_t i = 0; i < out.given.size(); ++i) {
        const auto& [up, down, both] = out.given[i];
        if (!up.valid() || !down.valid() || !both.valid()) continue;
        diagnostics_
            .report(
                Diag::duplicate_attribute, both,
                fmt::format("`{}` is given for both directions, and for each of them", out.schema.attributes[i].name))
            .also(up, "given for `up` here")
            .also(down, "given for `down` here");
    }
    if (complete) {
        // Of a misspelt one nobody knows which it was, where nobody looked.
        if ((diagnostics_.suggests() || diagnostics_.errors() == errors) && out.foreign.empty())
            report_missing(out, construct);
        if (!find_attribute_cycle(out, LinkDirection::up, construct) && out.of_link)
            find_attribute_cycle(out, LinkDirection::down, construct);
    }
    return std::move(out.values);
}

void Checker::attribute_entries(SyntaxId block, Block& out, LinkDirection direction)
{
    for (SyntaxId entry : syntax::AttributeBlock(tree_, block).attributes()) {
        if (tree_.is_hole(entry)) continue;
        const syntax::Attribute attribute(tree_, entry);
        if (tree_.kind(attribute.value()) != SyntaxKind::attribute_block) {
            attribute_entry(entry, out, direction);
            continue;
        }
        const SyntaxId name = attribute.name();
        const bool up = text(name) == "up", down = text(name) == "down";
        if (out.of_link && direction == LinkDirection::both && (up || down)) {
            attribute_entries(attribute.value(), out, up ? LinkDirection::up : LinkDirection::down);
            continue;
        }
        auto report = diagnostics_.report(Diag::unknown_attribute, span(name),
                                          direction != LinkDirection::both ? "a direction has no directions"
                                          : out.of_link ? fmt::format("a link has no direction `{}`", text(name))
                                                        : fmt::format("{} has no block `{}`", out.what, text(name)));
        if (out.of_link)
            report.help("`up { ... }` runs from the left end to the right, `down { ... }` back");
        else if (const std::string_view meant = foreign_node_help(text(name)); !meant.empty())
            report.help(std::string(meant));
        else
            report.help(fmt::format("a value is given with `=`: `{} = ...`", text(name)));
        for (std::size_t i = 0; i < out.given.size(); ++i)
            if (out.schema.attributes[i].name == text(name)) out.given[i][2] = span(name);  // not missing besides
    }
}

// A schema that extends it and declares the attribute; nullptr: there is none.
const Schema* Checker::extension_with(const Schema& base, std::string_view attribute) const
{
    for (SchemaId id{0}; id.value < program_.schemas.size(); ++id.value) {
        const Schema& schema = program_.schema(id);
        const bool extends = schema.base && &schema != &base &&
                             program_.derives(id, SchemaId{static_cast<std::size_t>(&base - program_.schemas.data())});
        if (extends && std::any_of(schema.attributes.begin(), schema.attributes.end(),
                                   [&](const Attribute& a) { return a.name == attribute; }))
            return &schema;
    }
    return nullptr;
}

// "`web.Calls` has", "`host`, `endpoint` have": workloads or nodes beside `schema` with an attribute of that name.
std::string Checker::others_with(SchemaId schema, std::string_view name) const
{
    std::string found;
    std::size_t count = 0;
    const auto take = [&](SchemaId other, std::string_view shown) {
        if (other == schema || !has_attribute(other.value, name)) return;
        found += fmt::format("{}`{}`", count++ == 0 ? "" : ", ", shown);
    };
    if (schema && program_.derives(schema, program_.workload)) {
        for (std::size_t i = 0; i < program_.schemas.size() && count < 3; ++i)
            if (program_.derives(SchemaId(i), program_.workload))
                take(SchemaId(i), without_std(program_.schemas[i].full_name));
    } else if (schema == program_.router || schema == program_.switch_ || schema == program_.host ||
               schema == program_.endpoint)
    {
        take(program_.host, "host");
        take(program_.router, "router");
        take(program_.switch_, "switch");
        take(program_.endpoint, "endpoint");
    }
    return count == 0 ? "" : fmt::format("{} {}", found, count == 1 ? "has" : "have");
}

bool Checker::has_attribute(std::uint32_t schema, std::string_view name) const
{
    const std::vector<Attribute>& all = program_.schemas[schema].attributes;
    return std::any_of(all.begin(), all.end(), [&](const Attribute& a) { return a.name == name; });
}

void Checker::attribute_entry(SyntaxId entry, Block& out, LinkDirection direction)
{
    const syntax::Attribute written(tree_, entry);
    const SyntaxId name = written.name(), value_syntax = written.value();
    const std::vector<Attribute>& declared = out.schema.attributes;
    std::size_t index = 0;
    while (index < declared.size() && declared[index].name != text(name)) ++index;
    if (index == declared.size()) {
        if (!out.foreign.empty() &&
            (out.of_link ? foreign_link_help(text(name)) : foreign_load_help(text(name))) == out.foreign)
            return;
        auto report = diagnostics_.report(Diag::unknown_attribute, span(name),
                                          fmt::format("{} has no attribute `{}`", out.what, text(name)));
        if (!diagnostics_.suggests()) {
            expression(value_syntax);
            return;
        }
        std::vector<std::string_view> candidates;
        std::string names;
        for (const Attribute& a : declared) {
            candidates.push_back(a.name);
            names += fmt::format("{}`{}`", names.empty() ? "" : ", ", a.name);
        }
        // Whom a workload talks to has two names.
        const std::string_view role = text(name) == "server" ? "to" : text(name) == "to" ? "server" : "";
        const bool other_role = std::find(candidates.begin(), candidates.end(), role) != candidates.end();
        const bool of_workload = program_.derives(program_.find_schema(out.schema.full_name), program_.workload);
        const bool timeline = of_workload &&
                              (text(name) == "active" || text(name) == "load");
        const bool offers = std::find(candidates.begin(), candidates.end(), "offered") != candidates.end();
        // What belongs to a value of one of the attributes: `congestion` of a node's `tcp`.
        const auto holder = std::find_if(declared.begin(), declared.end(), [&](const Attribute& a) {
            return a.type.kind == TypeKind::schema && !a.type.list && has_attribute(a.type.ref, text(name));
        });
        const SchemaId schema = program_.find_schema(out.schema.full_name);
        const bool node = schema == program_.host || schema == program_.router || schema == program_.switch_ ||
                          schema == program_.endpoint;
        // What stands behind a word of another tool is of that tool, too.
        if (const std::string_view meant = node          ? foreign_node_help(text(name))
                                           : out.of_link ? foreign_link_help(text(name))
                                                         : "";
            !meant.empty())
        {
            report.help(std::string(meant));
            out.foreign = meant;
            return;
        }
        if (node && has_attribute(program_.link.value, text(name))) {
            report.help(fmt::format("links have it: `link a -- b {{ {} = {} }}`", text(name), text(value_syntax)));
            expression(value_syntax);
            return;
        }
        if (holder != declared.end()) {
            const std::string_view schema = program_.schemas[holder->type.ref].name;
            report.help(
                fmt::format("it is an attribute of `{0}`: `profile mine : {0} {{ {1} = {2} }}`, and here "
                            "`{3} = mine`",
                            schema, text(name), text(value_syntax), holder->name));
            return;
        }
        if (timeline && offers && text(name) == "load") {
            report.help("`offered` says it, as payload per second of all hosts together: `offered = 30 % * 640 Gbps`");
        } else if (timeline) {
            report.help(fmt::format("the timeline says it: `at 0 s {{ w {{ {} = ... }} }}`", text(name)));
        } else if (const std::string_view meant = foreign_load_help(text(name)); !meant.empty() && of_workload) {
            report.help(std::string(meant));
            out.foreign = meant;
        } else if (const auto meant = other_role ? role : meant_name(text(name), candidates); !meant.empty()) {
            report.suggest(span(name), meant, quoted_name(meant));
            for (std::size_t i = 0; i < declared.size(); ++i)  // not missing besides
                if (declared[i].name == meant) out.given[i][2] = span(name);
        } else if (const Schema* other = extension_with(out.schema, text(name))) {
            report.help(fmt::format("`{}` has it, and here only a `{}` is known", other->name, out.schema.name));
        } else if (const std::string others = others_with(schema, text(name)); !others.empty()) {
            report.help(fmt::format("{} it", others));
        } else if (!names.empty())
            report.help(fmt::format("it has {}", names));
        const bool word = tree_.kind(value_syntax) == SyntaxKind::name;  // of what there is not: `protocol = ospf`
        if (!word || find(text(value_syntax)) || links_.contains(text(value_syntax))) expression(value_syntax);
        return;
    }
    const Attribute& attribute = declared[index];
    means(name, attribute.span);
    Span& given = out.given[index][static_cast<std::size_t>(direction)];
    if (given.valid()) {
        diagnostics_.report(Diag::duplicate_attribute, span(name), fmt::format("`{}` is given twice", attribute.name))
            .also(given, "first given here");
        return;
    }
    given = span(name);
    if (direction != LinkDirection::both && is_symmetric(attribute.name))
        diagnostics_
            .report(Diag::symmetric_attribute, span(name),
                    fmt::format("`{}` is the same in both directions", attribute.name))
            .help(fmt::format("give it outside `{} {{ ... }}`", name_of(direction)));
    const ExprId v = value(value_syntax, attribute.type, fmt::format("`{}`", attribute.name));
    check_range(v, attribute.range, attribute.type, attribute.name, attribute.span);
    out.values.push_back({static_cast<std::uint32_t>(index), v, span(name), direction, program_.asks_self(v)});
}

void Checker::report_missing(const Block& block, Span construct)
{
    for (std::size_t i = 0; i < block.given.size(); ++i) {
        const Attribute& attribute = block.schema.attributes[i];
        const auto& [up, down, both] = block.given[i];
        if (!attribute.required || both.valid() || (up.valid() && down.valid())) continue;
        const std::string where = !up.valid() && !down.valid() ? "" : up.valid() ? " for `down`" : " for `up`";
        auto report = diagnostics_.report(Diag::missing_attribute, construct,
                                          fmt::format("{} needs `{}`{}", block.what, attribute.name, where));
        report.also(attribute.span, "declared here, without a default");
        if (attribute.type.kind == TypeKind::schema && program_.schema(SchemaId{attribute.type.ref}).name == "Document")
            report.help(fmt::format("what is asked for is said so: `{} = web.fixed(10 KB)`", attribute.name));
    }
}

// Attributes that an expression asks for whatever they are: what only one of two branches needs may never be asked for.
void Checker::own_attributes_of(ExprId id, std::vector<std::uint32_t>& out) const
{
    if (!id) return;
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::own_attribute) out.push_back(e.index);
    const auto operands = program_.operands_of(e);
    const auto op = static_cast<ValueOp>(e.index);
    const bool first_only =
        e.kind == ExprKind::conditional || (e.kind == ExprKind::binary && (op == ValueOp::and_ || op == ValueOp::or_));
    if (e.kind == ExprKind::comprehension) {  // the first list: the rest may be asked for nothing
        for (const ExprId part : operands.subspan(1, 2)) own_attributes_of(part, out);
        return;
    }
    for (std::size_t i = 0; i < (first_only ? 1 : operands.size()); ++i) own_attributes_of(operands[i], out);
}

// Of a profile that is used elaboration would say it; this is for those that are not, and for components without
// instances.
bool Checker::find_attribute_cycle(const Block& block, LinkDirection direction, Span construct)
{
    if (std::none_of(block.values.begin(), block.values.end(), [](const AttributeValue& v) { return v.asks_self; }) &&
        std::none_of(block.schema.attributes.begin(), block.schema.attributes.end(),
                     [](const Attribute& a) { return a.fallback_asks_self; }))
        return false;
    std::vector<Progress> progress(block.given.size(), Progress::untouched);
    // Depth is bounded by the number of attributes.
    const auto visit = [&](const auto& self, std::uint32_t index) -> bool {
        const Attribute& attribute = block.schema.attributes[index];
        ExprId value = attribute.fallback;
        Span place = construct;
        for (const AttributeValue& v : block.values) {
            if (v.attribute != index || (v.direction != LinkDirection::both && v.direction != direction)) continue;
            value = v.value;
            place = v.span;
            if (v.direction == direction) break;
        }
        if (progress[index] == Progress::active) {
            diagnostics_
                .report(Diag::attribute_cycle, place, fmt::format("`{}` is computed from itself", attribute.name))
                .also(attribute.span, "declared here");
            return true;
        }
        if (progress[index] == Progress::done) return false;
        progress[index] = Progress::active;
        std::vector<std::uint32_t> asked;
        own_attributes_of(value, asked);
        for (const std::uint32_t other : asked)
            if (self(self, other)) return true;
        progress[index] = Progress::done;
        return false;
    };
    for (std::uint32_t i = 0; i < block.given.size(); ++i)
        if (visit(visit, i)) return true;
    return false;
}

}  // namespace anml
