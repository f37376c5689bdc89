// The whole: imports, processes, the model's tunables and body, and the attributes that all parts write.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/format.h"
#include "printer/printer.h"
#include "printer/program_writer.h"

namespace anml {

namespace {

std::string parameters(const Network& network)
{
    if (network.tunables.empty()) return "";
    std::string text = "(\n";
    for (const TunableInfo& t : network.tunables) {
        const std::string range =
            std::isfinite(t.minimum) && std::isfinite(t.maximum)
                ? fmt::format(" in {} .. {}", exact_quantity(t.minimum, t.dim), exact_quantity(t.maximum, t.dim))
                : "";
        text += fmt::format("{}tunable {}: {}{} = {},\n", doc_comment(t.doc), t.name,
                            t.integer ? "int" : dimension_name(t.dim), range, exact_quantity(t.value, t.dim));
    }
    return text + ")";
}

// The times of a model's or a region's routing.
void add_times(std::int64_t follow_delays, const Convergence& convergence, AttributeList& list)
{
    for (const auto& [name, time] :
         {std::pair("follow_delays", follow_delays), std::pair("detection", convergence.detection),
          std::pair("flooding", convergence.flooding), std::pair("computation", convergence.computation)})
        if (time != 0) list.add(name, exact_quantity(static_cast<double>(time), dimension::time));
}

// What the schema says, where that is a plain number or text, or `if self.x == y then` one `else` the other, of a
// choice of the record.
const Expr* default_of(const CheckedProgram& program, std::string_view name, std::string_view attribute,
                       const RecordInfo* record)
{
    const Schema& schema = program.schema(program.find_schema(name));
    const auto found = std::find_if(schema.attributes.begin(), schema.attributes.end(),
                                    [&](const Attribute& a) { return a.name == attribute; });
    if (found == schema.attributes.end() || !found->fallback) return nullptr;
    const Expr& e = program.expr(found->fallback);
    if (e.kind != ExprKind::conditional) return &e;
    const auto branches = program.operands_of(e);
    const Expr& test = program.expr(branches[0]);
    if (!record || test.kind != ExprKind::binary || static_cast<ValueOp>(test.index) != ValueOp::eq) return nullptr;
    const auto sides = program.operands_of(test);
    const Expr &own = program.expr(sides[0]), &value = program.expr(sides[1]);
    if (own.kind != ExprKind::own_attribute || value.kind != ExprKind::enum_value) return nullptr;
    const abi::RecordLayout layout = abi::record_layout(record->layout);
    const abi::RecordField* field = abi::find_field(layout, schema.attributes[own.index].name);
    const auto* choice = field ? std::get_if<RecordChoice>(&record->values[field - layout.fields.data()]) : nullptr;
    return choice ? &program.expr(branches[choice->ordinal == value.index ? 1 : 2]) : nullptr;
}

std::string whole_program(ProgramWriter& in)
{
    general(in);
    addresses(in);
    nodes(in);
    regions(in);
    links(in);
    static_routes(in);
    segment_routes(in);
    workloads(in);
    labels(in);
    timeline(in);
    requirements(in);
    run_statement(in);

    std::string text = imports(in);
    text += in.values.declarations() + in.schema_declarations;
    text += doc_comment(in.network.model_doc);
    return fmt::format("{}model {}{} {{\n{}}}\n", text, in.network.model_name, parameters(in.network), in.out);
}

}  // namespace

std::optional<std::string> print_program(const CheckedProgram& program, const Network& network,
                                         const std::string& folder, Diagnostics& diagnostics)
{
    ProgramWriter writer(program, network, folder);
    std::string text = whole_program(writer);
    std::string failure = writer.failure();
    if (failure.empty()) {
        if (auto formatted = formatted_program(std::move(text))) return formatted;
        failure = kNestedTooDeep;
    }
    diagnostics
        .report(Diag::inexpressible, {},
                fmt::format("the expansion of `{}` cannot be written as a program", network.model_name))
        .note(std::move(failure));
    return std::nullopt;
}

void AttributeList::add(std::string_view name, std::string_view value)
{
    text_ += fmt::format("{}{} = {}", text_.empty() ? "" : ", ", name, value);
}

void AttributeList::block(std::string_view name, const AttributeList& inner)
{
    if (!inner.empty()) text_ += fmt::format("{}{} {{ {} }}", text_.empty() ? "" : ", ", name, inner.text());
}

std::string AttributeList::braces() const { return text_.empty() ? "" : fmt::format(" {{ {} }}", text_); }

ProgramWriter::ProgramWriter(const CheckedProgram& program, const Network& network, const std::string& folder,
                             bool defaults)
    : program(program), network(network), of_graph(defaults), values(network, names, folder, defaults)
{
    // Those that must mean what they mean already.
    names.take(network.model_name);
    for (const TunableInfo& t : network.tunables) names.take(t.name);
    for (const NodeArray& row : network.nodes) names.take(row.name);
}

std::string module(ProgramWriter& in, std::string_view name)
{
    const auto known = in.modules.find(name);
    if (known != in.modules.end()) return known->second;
    return in.modules.emplace(name, in.names.make(name)).first->second;
}

void run_statement(ProgramWriter& in)
{
    AttributeList run;
    add_number(in, run, "std.prelude.Run", "duration", in.network.duration, dimension::time);
    add_number(in, run, "std.prelude.Run", "warmup", in.network.warmup, dimension::time);
    in.out += fmt::format("\nrun{}\n", run.braces());
}

std::string imports(const ProgramWriter& in)
{
    std::string text;
    for (const auto& [name, alias] : in.modules)
        text += fmt::format("import std.{}{}\n", name, name == alias ? "" : " as " + alias);
    return text.empty() ? text : text + "\n";
}

void general(ProgramWriter& in)
{
    AttributeList routing;
    if (in.network.metric != RouteMetric::delay) routing.add("metric", route_metric_name(in.network.metric));
    if (in.network.multipath) routing.add("multipath", "ecmp");
    add_times(in.network.follow_delays, in.network.convergence, routing);
    if (!routing.empty()) in.out += fmt::format("routing{}\n", routing.braces());
}

// Each by the nodes that it has come to, in a routing statement with a name.
void regions(ProgramWriter& in)
{
    if (!in.network.regions.empty()) in.out += "\n";
    for (const RoutingRegion& region : in.network.regions) {
        if (region.nodes.empty()) continue;
        AttributeList list;
        list.add("metric", route_metric_name(region.metric));
        if (region.multipath) list.add("multipath", "ecmp");
        add_times(region.follow_delays, region.convergence, list);
        const std::string name = region.name.empty() ? in.names.make("region") : quoted_name(region.name);
        in.out += fmt::format("routing {} on {}{}\n", name, in.selection(region.nodes), list.braces());
    }
}

std::optional<double> default_number(const CheckedProgram& program, std::string_view schema, std::string_view attribute,
                                     const RecordInfo* record)
{
    const Expr* e = default_of(program, schema, attribute, record);
    if (e && e->kind == ExprKind::number) return e->value;
    if (e && e->kind == ExprKind::enum_value) return e->index;
    return std::nullopt;
}

std::optional<std::string> default_text(const CheckedProgram& program, std::string_view schema,
                                        std::string_view attribute)
{
    const Expr* e = default_of(program, schema, attribute, nullptr);
    return e && e->kind == ExprKind::string ? std::optional(program.strings[e->index]) : std::nullopt;
}

std::string schema_name(ProgramWriter& in, std::string_view full)
{
    constexpr std::string_view kPrelude = "std.prelude.";  // whose names need no prefix
    if (full.starts_with(kPrelude)) return std::string(full.substr(kPrelude.size()));
    const std::size_t begin = full.find('.') + 1, dot = full.rfind('.');
    return module(in, full.substr(begin, dot - begin)) + std::string(full.substr(dot));
}

bool has_attribute(const CheckedProgram& program, std::string_view schema, std::string_view name)
{
    const auto& attributes = program.schema(program.find_schema(schema)).attributes;
    return std::any_of(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
}

std::string choice_name(const CheckedProgram& program, std::string_view schema, std::string_view attribute,
                        std::uint32_t ordinal)
{
    for (const Attribute& a : program.schema(program.find_schema(schema)).attributes)
        if (a.name == attribute) return program.enums[a.type.ref].values[ordinal];
    return "";
}

void add_number(ProgramWriter& in, AttributeList& list, std::string_view schema, std::string_view name,
                ValueExprId value, Dimension d)
{
    const auto fixed = in.network.values.as_constant(value);
    if (!fixed || fixed != default_number(in.program, schema, name)) list.add(name, in.values.number(value, d));
}

void add_drawn(ProgramWriter& in, AttributeList& list, std::string_view schema, std::string_view name,
               const DistributionValue& value, Dimension d)
{
    if (value.kind == abi::DistributionKind::constant) return add_number(in, list, schema, name, value.a, d);
    list.add(name, in.values.drawn(value, d));
}

}  // namespace anml
