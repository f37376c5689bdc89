// Where nodes are, and how far apart.
#include <fmt/format.h>

#include "base/position.h"
#include "elaborate/schemas/schema_values.h"

namespace anml {

std::optional<NodePosition> position(Elaboration& in, const SchemaValue& node_attributes, const Statement& at)
{
    const SchemaValue* value = attribute_of(in.program, node_attributes, "position").schema();
    if (!value) return std::nullopt;
    NodePosition result;
    result.geographic = in.program.derives(value->schema, in.program.find_schema("std.prelude.Geographic"));
    if (!result.geographic && !in.program.derives(value->schema, in.program.find_schema("std.prelude.Planar"))) {
        in.report(Diag::unsupported_schema, value->span,
                  fmt::format("`{}` says no place", in.program.schema(value->schema).name))
            .help("`geo(latitude, longitude)` and `plane(x, y)` do");
        return std::nullopt;
    }
    const std::pair<const char*, double*> parts[] = {{result.geographic ? "longitude" : "x", &result.x},
                                                     {result.geographic ? "latitude" : "y", &result.y}};
    for (const auto& [name, out] : parts) {
        const ValueExprId number = number_of(in.program, *value, name);
        if (const auto constant = in.network.values.as_constant(number))
            *out = *constant;
        else
            report_shape(in, number, at.span, "the position of a node");
    }
    return result;
}

Value distance(Elaboration& in, const Expr& e, Frame& frame)
{
    std::optional<NodePosition> places[2];
    const auto operands = in.program.operands_of(e);
    for (std::size_t i = 0; i < 2; ++i) {
        const Value v = evaluate(in, operands[i], frame);
        const NodeSet* nodes = v.as<NodeSet>();
        if (!nodes || nodes->empty()) return {Failed{}};
        const NodeArray& node = in.network.nodes[nodes->front().row.value];
        places[i] = node.position_of(nodes->front().first);
        if (places[i] && places[i]->geographic) continue;
        return failed(in.report(Diag::invalid_value, in.program.expr(operands[i]).span,
                                fmt::format("`{}` has no place on the earth", node.element_name(nodes->front().first)))
                          .also(node.span, "declared here")
                          .help("give it one: `position = geo(latitude, longitude)`"));
    }
    return {Number{in.constant(great_circle(places[0]->y, places[0]->x, places[1]->y, places[1]->x))}};
}

}  // namespace anml
