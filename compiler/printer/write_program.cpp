// The whole: imports, processes, the model's tunables and body, and the attributes that all parts write.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "format/format.h"
#include "printer/printer.h"
#include "printer/program_writer.h"

namespace anml {

std::optional<std::string> print_program(const CheckedProgram& program, const Network& network,
                                         const std::string& folder, Diagnostics& diagnostics)
{
    ProgramWriter writer(program, network, folder);
    std::string text = writer.run();
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
    : program_(program), network_(network), values_(network, names_, folder, defaults)
{
    take_names();
}

// Those that must mean what they mean already.
void ProgramWriter::take_names()
{
    names_.take(network_.model_name);
    for (const TunableInfo& t : network_.tunables) names_.take(t.name);
    for (const NodeArray& row : network_.nodes) names_.take(row.name);
}

std::string ProgramWriter::module(std::string_view name)
{
    const auto known = modules_.find(name);
    if (known != modules_.end()) return known->second;
    return modules_.emplace(name, names_.make(name)).first->second;
}

std::string ProgramWriter::run()
{
    general();
    addresses();
    nodes();
    regions();
    links();
    static_routes();
    segment_routes();
    workloads();
    labels();
    timeline();
    requirements();
    run_statement();

    std::string text = imports();
    text += values_.declarations() + schema_declarations_;
    text += doc_comment(network_.model_doc);
    return fmt::format("{}model {}{} {{\n{}}}\n", text, network_.model_name, parameters(), out_);
}

void ProgramWriter::run_statement()
{
    AttributeList run;
    add_number(run, "std.prelude.Run", "duration", network_.duration, dimension::time);
    add_number(run, "std.prelude.Run", "warmup", network_.warmup, dimension::time);
    out_ += fmt::format("\nrun{}\n", run.braces());
}

std::string ProgramWriter::imports() const
{
    std::string text;
    for (const auto& [name, alias] : modules_)
        text += fmt::format("import std.{}{}\n", name, name == alias ? "" : " as " + alias);
    return text.empty() ? text : text + "\n";
}

std::string ProgramWriter::parameters()
{
    if (network_.tunables.empty()) return "";
    std::string text = "(\n";
    for (const TunableInfo& t : network_.tunables) {
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
void ProgramWriter::add_times(std::int64_t follow_delays, const Convergence& convergence, AttributeList& list)
{
    for (const auto& [name, time] :
         {std::pair("follow_delays", follow_delays), std::pair("detection", convergence.detection),
          std::pair("flooding", convergence.flooding), std::pair("computation", convergence.computation)})
        if (time != 0) list.add(name, exact_quantity(static_cast<double>(time), dimension::time));
}

void ProgramWriter::general()
{
    AttributeList routing;
    if (network_.metric != RouteMetric::delay) routing.add("metric", route_metric_name(network_.metric));
    if (network_.multipath) routing.add("multipath", "ecmp");
    add_times(network_.follow_delays, network_.convergence, routing);
    if (!routing.empty()) out_ += fmt::format("routing{}\n", routing.braces());
}

// Each by the nodes that it has come to, in a routing statement with a name.
void ProgramWriter::regions()
{
    if (!network_.regions.empty()) out_ += "\n";
    for (const RoutingRegion& region : network_.regions) {
        if (region.nodes.empty()) continue;
        AttributeList list;
        list.add("metric", route_metric_name(region.metric));
        if (region.multipath) list.add("multipath", "ecmp");
        add_times(region.follow_delays, region.convergence, list);
        const std::string name = region.name.empty() ? names_.make("region") : quoted_name(region.name);
        out_ += fmt::format("routing {} on {}{}\n", name, node_selection(network_, region.nodes), list.braces());
    }
}

// What the schema says, where that is a plain number or text, or `if self.x == y then` one `else` the other, of a
// choice of the record.
const Expr* ProgramWriter::default_of(std::string_view name, std::string_view attribute, const RecordInfo* record) const
{
    const Schema& schema = program_.schema(program_.find_schema(name));
    const auto found = std::find_if(schema.attributes.begin(), schema.attributes.end(),
                                    [&](const Attribute& a) { return a.name == attribute; });
    if (found == schema.attributes.end() || !found->fallback) return nullptr;
    const Expr& e = program_.expr(found->fallback);
    if (e.kind != ExprKind::conditional) return &e;
    const auto branches = program_.operands_of(e);
    const Expr& test = program_.expr(branches[0]);
    if (!record || test.kind != ExprKind::binary || static_cast<ValueOp>(test.index) != ValueOp::eq) return nullptr;
    const auto sides = program_.operands_of(test);
    const Expr &own = program_.expr(sides[0]), &value = program_.expr(sides[1]);
    if (own.kind != ExprKind::own_attribute || value.kind != ExprKind::enum_value) return nullptr;
    const abi::RecordLayout layout = abi::record_layout(record->layout);
    const abi::RecordField* field = abi::find_field(layout, schema.attributes[own.index].name);
    const auto* choice = field ? std::get_if<RecordChoice>(&record->values[field - layout.fields.data()]) : nullptr;
    return choice ? &program_.expr(branches[choice->ordinal == value.index ? 1 : 2]) : nullptr;
}

std::optional<double> ProgramWriter::default_number(std::string_view schema, std::string_view attribute,
                                                    const RecordInfo* record) const
{
    const Expr* e = default_of(schema, attribute, record);
    if (e && e->kind == ExprKind::number) return e->value;
    if (e && e->kind == ExprKind::enum_value) return e->index;
    return std::nullopt;
}

std::optional<std::string> ProgramWriter::default_text(std::string_view schema, std::string_view attribute) const
{
    const Expr* e = default_of(schema, attribute, nullptr);
    return e && e->kind == ExprKind::string ? std::optional(program_.strings[e->index]) : std::nullopt;
}

std::string ProgramWriter::schema_name(std::string_view full)
{
    constexpr std::string_view kPrelude = "std.prelude.";  // whose names need no prefix
    if (full.starts_with(kPrelude)) return std::string(full.substr(kPrelude.size()));
    const std::size_t begin = full.find('.') + 1, dot = full.rfind('.');
    return module(full.substr(begin, dot - begin)) + std::string(full.substr(dot));
}

bool ProgramWriter::has_attribute(std::string_view schema, std::string_view name) const
{
    const auto& attributes = program_.schema(program_.find_schema(schema)).attributes;
    return std::any_of(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == name; });
}

std::string ProgramWriter::choice_name(std::string_view schema, std::string_view attribute, std::uint32_t ordinal) const
{
    for (const Attribute& a : program_.schema(program_.find_schema(schema)).attributes)
        if (a.name == attribute) return program_.enums[a.type.ref].values[ordinal];
    return "";
}

void ProgramWriter::add_number(AttributeList& list, std::string_view schema, std::string_view name, ValueExprId value,
                               Dimension d)
{
    const auto fixed = network_.values.as_constant(value);
    if (!fixed || fixed != default_number(schema, name)) list.add(name, values_.number(value, d));
}

void ProgramWriter::add_drawn(AttributeList& list, std::string_view schema, std::string_view name,
                              const DistributionValue& value, Dimension d)
{
    if (value.kind == abi::DistributionKind::constant) return add_number(list, schema, name, value.a, d);
    list.add(name, values_.drawn(value, d));
}

}  // namespace anml
