// Blocks of attributes against the schema of the construct that they belong to. A link's may hold two blocks more, `up`
// and `down`, for one direction each.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/foreign_words.h"
#include "base/record_fields.h"
#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

std::string_view without_std(std::string_view full_name)
{
    return full_name.starts_with("std.") ? full_name.substr(4) : full_name;
}

std::string_view name_of(LinkDirection direction) { return direction == LinkDirection::up ? "up" : "down"; }

struct GivenAttributes {
    const Schema& schema;
    std::string_view what;
    bool of_link = false;
    std::vector<std::array<Span, 3>> given = {};  // by attribute and direction: the names
    std::vector<AttributeValue> values = {};
    bool other_kind = false;        // one was given that constructs of another kind have
    std::string_view foreign = {};  // what helps with one of another tool, which perhaps says what is missing
};

// A schema that extends it and declares the attribute; nullptr: there is none.
const Schema* extension_with(const CheckedProgram& program, const Schema& base, std::string_view attribute)
{
    for (SchemaId id{0}; id.value < program.schemas.size(); ++id.value) {
        const Schema& schema = program.schema(id);
        const bool extends = schema.base && &schema != &base &&
                             program.derives(id, SchemaId{static_cast<std::size_t>(&base - program.schemas.data())});
        if (extends && std::any_of(schema.attributes.begin(), schema.attributes.end(),
                                   [&](const Attribute& a) { return a.name == attribute; }))
            return &schema;
    }
    return nullptr;
}

// "`web.Calls` has", "`host`, `endpoint` have": workloads or nodes beside `schema` with an attribute of that name.
std::string others_with(const CheckedProgram& program, SchemaId schema, std::string_view name)
{
    std::string found;
    std::size_t count = 0;
    const auto take = [&](SchemaId other, std::string_view shown) {
        if (other == schema || !has_attribute(program, other.value, name)) return;
        found += fmt::format("{}`{}`", count++ == 0 ? "" : ", ", shown);
    };
    if (schema && program.derives(schema, program.workload)) {
        for (std::size_t i = 0; i < program.schemas.size() && count < 3; ++i)
            if (program.derives(SchemaId(i), program.workload))
                take(SchemaId(i), without_std(program.schemas[i].full_name));
    } else if (schema == program.router || schema == program.switch_ || schema == program.host ||
               schema == program.endpoint)
    {
        take(program.host, "host");
        take(program.router, "router");
        take(program.switch_, "switch");
        take(program.endpoint, "endpoint");
    }
    return count == 0 ? "" : fmt::format("{} {}", found, count == 1 ? "has" : "have");
}

void attribute_entry(Checking& in, SyntaxId entry, GivenAttributes& out, LinkDirection direction)
{
    const syntax::Attribute written(in.tree, entry);
    const SyntaxId name = written.name(), value_syntax = written.value();
    const std::vector<Attribute>& declared = out.schema.attributes;
    std::size_t index = 0;
    while (index < declared.size() && declared[index].name != in.text(name)) ++index;
    if (index == declared.size()) {
        const SchemaId kind = in.program.find_schema(out.schema.full_name);
        if (out.other_kind && !others_with(in.program, kind, in.text(name)).empty()) return;
        if (!out.foreign.empty() &&
            (out.of_link ? foreign_link_help(in.text(name)) : foreign_load_help(in.text(name))) == out.foreign)
            return;
        auto report = in.report(Diag::unknown_attribute, in.span(name),
                                fmt::format("{} has no attribute `{}`", out.what, in.text(name)));
        if (!in.diagnostics.suggests()) {
            expression(in, value_syntax);
            return;
        }
        std::vector<std::string_view> candidates;
        std::string names;
        for (const Attribute& a : declared) {
            candidates.push_back(a.name);
            names += fmt::format("{}`{}`", names.empty() ? "" : ", ", a.name);
        }
        // Whom a workload talks to has two names.
        const std::string_view role = in.text(name) == "server" ? "to" : in.text(name) == "to" ? "server" : "";
        const bool other_role = std::find(candidates.begin(), candidates.end(), role) != candidates.end();
        const bool of_workload = in.program.derives(in.program.find_schema(out.schema.full_name), in.program.workload);
        const Symbol* const target = in.text(name) == "target" ? find(in, in.text(value_syntax)) : nullptr;
        if (target && target->type.kind == TypeKind::node && of_workload) {  // `target = shop`
            const std::string_view meant =
                std::ranges::find(candidates, "server") != candidates.end() ? "server" : "to";
            report.suggest(in.span(name), meant);
            for (std::size_t i = 0; i < declared.size(); ++i)
                if (declared[i].name == meant) out.given[i][2] = in.span(name);
            expression(in, value_syntax);
            return;
        }
        const bool timeline = of_workload && (in.text(name) == "active" || in.text(name) == "load");
        const bool offers = std::find(candidates.begin(), candidates.end(), "offered") != candidates.end();
        // What belongs to a value of one of the attributes: `congestion` of a node's `tcp`.
        const auto holder = std::find_if(declared.begin(), declared.end(), [&](const Attribute& a) {
            return a.type.kind == TypeKind::schema && !a.type.list &&
                   has_attribute(in.program, a.type.ref, in.text(name));
        });
        const SchemaId schema = in.program.find_schema(out.schema.full_name);
        const bool node = schema == in.program.host || schema == in.program.router || schema == in.program.switch_ ||
                          schema == in.program.endpoint;
        for (const std::string_view option : {"seed", "threads", "results", "pace"})
            if (out.what == "`run`" && in.text(name) == option) {
                report.help(fmt::format("each run may have another: `./emulator simulate --{} ...`", option));
                expression(in, value_syntax);
                return;
            }
        // What stands behind a word of another tool is of that tool, too.
        if (const std::string_view meant = node          ? foreign_node_help(in.text(name))
                                           : out.of_link ? foreign_link_help(in.text(name))
                                                         : "";
            !meant.empty())
        {
            report.help(std::string(meant));
            out.foreign = meant;
            return;
        }
        if (node && has_attribute(in.program, in.program.link.value, in.text(name))) {
            report.help(
                fmt::format("links have it: `link a -- b {{ {} = {} }}`", in.text(name), in.text(value_syntax)));
            expression(in, value_syntax);
            return;
        }
        if (holder != declared.end()) {
            const std::string_view schema = in.program.schemas[holder->type.ref].name;
            report.help(
                fmt::format("it is an attribute of `{0}`: `profile mine : {0} {{ {1} = {2} }}`, and here "
                            "`{3} = mine`",
                            schema, in.text(name), in.text(value_syntax), holder->name));
            return;
        }
        if (const std::string_view meant = foreign_setting_help(out.schema.name, in.text(name)); !meant.empty()) {
            report.help(std::string(meant));
        } else if (timeline && offers && in.text(name) == "load") {
            report.help("`offered` says it, as payload per second of all hosts together: `offered = 30 % * 640 Gbps`");
        } else if (timeline) {
            report.help(fmt::format("the timeline says it: `at 0 s {{ w {{ {} = ... }} }}`", in.text(name)));
        } else if (const std::string_view meant = foreign_load_help(in.text(name)); !meant.empty() && of_workload) {
            report.help(std::string(meant));
            out.foreign = meant;
        } else if (const auto meant = other_role ? role : meant_name(in.text(name), candidates); !meant.empty()) {
            report.suggest(in.span(name), meant, quoted_name(meant));
            for (std::size_t i = 0; i < declared.size(); ++i)  // not missing besides
                if (declared[i].name == meant) out.given[i][2] = in.span(name);
        } else if (const Schema* other = extension_with(in.program, out.schema, in.text(name))) {
            report.help(fmt::format("`{}` has it, and here only a `{}` is known", other->name, out.schema.name));
        } else if (const std::string others = others_with(in.program, schema, in.text(name)); !others.empty()) {
            report.help(fmt::format("{} it", others));
            out.other_kind = true;
        } else if (!names.empty())
            report.help(fmt::format("it has {}", names));
        const bool word = in.tree.kind(value_syntax) == SyntaxKind::name;  // of what there is not: `protocol = ospf`
        if (!word || find(in, in.text(value_syntax)) || in.links.contains(in.text(value_syntax)))
            expression(in, value_syntax);
        const Span of = in.span(value_syntax);  // `module = [ospf, bgp]`
        in.diagnostics.drop_if([&](const Diagnostic& d) {
            return (d.diag == Diag::unknown_name || d.diag == Diag::unknown_unit) && d.span.file == of.file &&
                   of.begin <= d.span.begin && d.span.end <= of.end;
        });
        return;
    }
    const Attribute& attribute = declared[index];
    in.means(name, attribute.span);
    Span& given = out.given[index][static_cast<std::size_t>(direction)];
    if (given.valid()) {
        in.report(Diag::duplicate_attribute, in.span(name), fmt::format("`{}` is given twice", attribute.name))
            .also(given, "first given here");
        return;
    }
    given = in.span(name);
    if (direction != LinkDirection::both && is_of_both_directions(attribute.name))
        in.report(Diag::symmetric_attribute, in.span(name),
                  fmt::format("`{}` is the same in both directions", attribute.name))
            .help(fmt::format("give it outside `{} {{ ... }}`", name_of(direction)));
    const ExprId v = value(in, value_syntax, attribute.type, fmt::format("`{}`", attribute.name));
    check_range(in, in.program, in.diagnostics, v, attribute.range, attribute.type, attribute.name, attribute.span);
    out.values.push_back({static_cast<std::uint32_t>(index), v, in.span(name), direction, in.program.asks_self(v)});
}

void attribute_entries(Checking& in, SyntaxId block, GivenAttributes& out, LinkDirection direction)
{
    for (SyntaxId entry : syntax::AttributeBlock(in.tree, block).attributes()) {
        if (in.tree.is_hole(entry)) continue;
        const syntax::Attribute attribute(in.tree, entry);
        if (in.tree.kind(attribute.value()) != SyntaxKind::attribute_block) {
            attribute_entry(in, entry, out, direction);
            continue;
        }
        const SyntaxId name = attribute.name();
        const bool up = in.text(name) == "up", down = in.text(name) == "down";
        if (out.of_link && direction == LinkDirection::both && (up || down)) {
            attribute_entries(in, attribute.value(), out, up ? LinkDirection::up : LinkDirection::down);
            continue;
        }
        auto report = in.report(Diag::unknown_attribute, in.span(name),
                                direction != LinkDirection::both ? "a direction has no directions"
                                : out.of_link ? fmt::format("a link has no direction `{}`", in.text(name))
                                              : fmt::format("{} has no block `{}`", out.what, in.text(name)));
        if (out.of_link)
            report.help("`up { ... }` runs from the left end to the right, `down { ... }` back");
        else if (const std::string_view meant = foreign_node_help(in.text(name)); !meant.empty())
            report.help(std::string(meant));
        else
            report.help(fmt::format("a value is given with `=`: `{} = ...`", in.text(name)));
        for (std::size_t i = 0; i < out.given.size(); ++i)
            if (out.schema.attributes[i].name == in.text(name)) out.given[i][2] = in.span(name);  // not missing besides
    }
}

void report_missing(const CheckedProgram& program, Diagnostics& diagnostics, const GivenAttributes& block,
                    Span construct)
{
    for (std::size_t i = 0; i < block.given.size(); ++i) {
        const Attribute& attribute = block.schema.attributes[i];
        const auto& [up, down, both] = block.given[i];
        if (!attribute.required || both.valid() || (up.valid() && down.valid())) continue;
        const std::string where = !up.valid() && !down.valid() ? "" : up.valid() ? " for `down`" : " for `up`";
        auto report = diagnostics.report(Diag::missing_attribute, construct,
                                         fmt::format("{} needs `{}`{}", block.what, attribute.name, where));
        report.also(attribute.span, "declared here, without a default");
        if (attribute.name == "rate" && block.what == "the link" && where.empty())
            report.help("how fast it is says a profile, `: ether.fast`, or `{ rate = 100 Mbps }`");
        if (attribute.name == "interval" && attribute.type.random)
            report.help("how often each begins is said so: `interval = exponential(1 s)`");
        if (attribute.type.kind == TypeKind::node)
            report.help(
                attribute.name == "server"
                    ? "who answers is said so: `server = site`, and `endpoint site { simulated = web.server() }`"
                    : fmt::format("who it is about is said so: `{} = b`, and `host b`", attribute.name));
        if (attribute.type.kind == TypeKind::schema && program.schema(SchemaId{attribute.type.ref}).name == "Document")
            report.help(fmt::format("what is asked for is said so: `{} = web.fixed(10 KB)`", attribute.name));
    }
}

// Attributes that an expression asks for whatever they are: what only one of two branches needs may never be asked for.
void own_attributes_of(const CheckedProgram& program, ExprId id, std::vector<std::uint32_t>& out)
{
    if (!id) return;
    const Expr& e = program.expr(id);
    if (e.kind == ExprKind::own_attribute) out.push_back(e.index);
    const auto operands = program.operands_of(e);
    const auto op = static_cast<ValueOp>(e.index);
    const bool first_only =
        e.kind == ExprKind::conditional || (e.kind == ExprKind::binary && (op == ValueOp::and_ || op == ValueOp::or_));
    if (e.kind == ExprKind::comprehension) {  // the first list: the rest may be asked for nothing
        for (const ExprId part : operands.subspan(1, 2)) own_attributes_of(program, part, out);
        return;
    }
    for (std::size_t i = 0; i < (first_only ? 1 : operands.size()); ++i) own_attributes_of(program, operands[i], out);
}

// Of a profile that is used elaboration would say it; this is for those that are not, and for components without
// instances.
bool find_attribute_cycle(const CheckedProgram& program, Diagnostics& diagnostics, const GivenAttributes& block,
                          LinkDirection direction, Span construct)
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
            diagnostics
                .report(Diag::attribute_cycle, place, fmt::format("`{}` is computed from itself", attribute.name))
                .also(attribute.span, "declared here");
            return true;
        }
        if (progress[index] == Progress::done) return false;
        progress[index] = Progress::active;
        std::vector<std::uint32_t> asked;
        own_attributes_of(program, value, asked);
        for (const std::uint32_t other : asked)
            if (self(self, other)) return true;
        progress[index] = Progress::done;
        return false;
    };
    for (std::uint32_t i = 0; i < block.given.size(); ++i)
        if (visit(visit, i)) return true;
    return false;
}

}  // namespace

std::vector<AttributeValue> attributes(Checking& in, SyntaxId block, SchemaId schema_id, bool complete, Span construct,
                                       std::string_view what)
{
    GivenAttributes out{in.program.schema(schema_id), what, in.program.derives(schema_id, in.program.link)};
    out.given.resize(out.schema.attributes.size());
    const SchemaId outer = in.self;
    const std::size_t errors = in.diagnostics.errors();
    in.self = schema_id;
    if (!in.tree.is_none(block)) attribute_entries(in, block, out, LinkDirection::both);
    in.self = outer;
    for (std::size_t i = 0; i < out.given.size(); ++i) {
        const auto& [up, down, both] = out.given[i];
        if (!up.valid() || !down.valid() || !both.valid()) continue;
        in.report(Diag::duplicate_attribute, both,
                  fmt::format("`{}` is given for both directions, and for each of them", out.schema.attributes[i].name))
            .also(up, "given for `up` here")
            .also(down, "given for `down` here");
    }
    if (complete) {
        // Of a misspelt one nobody knows which it was, where nobody looked.
        if ((in.diagnostics.suggests() || in.diagnostics.errors() == errors) && out.foreign.empty())
            report_missing(in.program, in.diagnostics, out, construct);
        if (!find_attribute_cycle(in.program, in.diagnostics, out, LinkDirection::up, construct) && out.of_link)
            find_attribute_cycle(in.program, in.diagnostics, out, LinkDirection::down, construct);
    }
    return std::move(out.values);
}

bool has_attribute(const CheckedProgram& program, std::uint32_t schema, std::string_view name)
{
    const std::vector<Attribute>& all = program.schemas[schema].attributes;
    return std::any_of(all.begin(), all.end(), [&](const Attribute& a) { return a.name == name; });
}

}  // namespace anml
