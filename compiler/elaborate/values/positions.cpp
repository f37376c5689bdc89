// Where nodes are, and how far apart.
#include <fmt/format.h>

#include "base/position.h"
#include "elaborate/elaborator.h"

namespace anml {

std::optional<NodePosition> Elaborator::position(const SchemaValue& node_attributes, const Statement& at)
{
    const SchemaValue* value = attribute_of(node_attributes, "position").schema();
    if (!value) return std::nullopt;
    NodePosition result;
    result.geographic = program_.derives(value->schema, program_.find_schema("std.prelude.Geographic"));
    if (!result.geographic && !program_.derives(value->schema, program_.find_schema("std.prelude.Planar"))) {
        report(Diag::unsupported_schema, value->span,
               fmt::format("`{}` says no place", program_.schema(value->schema).name))
            .help("`geo(latitude, longitude)` and `plane(x, y)` do");
        return std::nullopt;
    }
    const std::pair<const char*, double*> parts[] = {{result.geographic ? "longitude" : "x", &result.x},
                                                     {result.geographic ? "latitude" : "y", &result.y}};
    for (const auto& [name, out] : parts) {
        const ValueExprId number = number_of(*value, name);
        if (const auto constant = network_.values.as_constant(number))
            *out = *constant;
        else
            report_shape(number, at.span, "the position of a node");
    }
    return result;
}

Value Elaborator::distance(const Expr& e, Frame& frame)
{
    std::optional<NodePosition> places[2];
    const auto operands = program_.operands_of(e);
    for (std::size_t i = 0; i < 2; ++i) {
        const Value v = evaluate(operands[i], frame);
        const NodeSet* nodes = v.as<NodeSet>();
        if (!nodes || nodes->empty()) return {Failed{}};
        const NodeArray& node = network_.nodes[nodes->front().row.value];
        places[i] = node.position_of(nodes->front().first);
        if (places[i] && places[i]->geographic) continue;
        report(Diag::invalid_value, program_.expr(operands[i]).span,
               fmt::format("`{}` has no place on the earth", node.element_name(nodes->front().first)))
            .also(node.span, "declared here")
            .help("give it one: `position = geo(latitude, longitude)`");
        return {Failed{}};
    }
    return {Number{constant(great_circle(places[0]->y, places[0]->x, places[1]->y, places[1]->x))}};
}

}  // namespace anml
