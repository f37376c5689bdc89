// `nearest(nodes, node, rank)`: which of a selection of nodes is the nearest to a node by their positions, the next
// nearest, and so on. A model asks for the ranks of one node together, so that its distances are measured once, divided
// into halves, the nearer one again, and so on; a rank that is asked for is looked for in its part only.
#include <fmt/format.h>

#include <algorithm>

#include "base/position.h"
#include "elaborate/model.h"

namespace anml {
namespace {

bool same(const TargetRange& a, const TargetRange& b)
{ return a.row == b.row && a.first == b.first && a.count == b.count; }

constexpr std::size_t kSmallPart = 16;  // is put in order as a whole

using Order = std::vector<std::pair<double, std::uint32_t>>;
Order::iterator at(Order& order, std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); }

// Metres, or the square of a picture's unit.
double apart(const NodePosition& a, const NodePosition& b)
{
    if (a.geographic) return great_circle(a.y, a.x, b.y, b.x);
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

bool measure_distances(Elaboration& in, const NodeSet& nodes, const TargetRange& from, const Expr& e)
{
    const auto operands = in.program.operands_of(e);
    const auto refuse = [&](const NodeArray& node, ExprId place, std::string message) {
        in.report(Diag::invalid_value, in.program.expr(place).span, std::move(message))
            .also(node.span, "declared here")
            .help("give it one: `position = geo(latitude, longitude)`, or `position = plane(x, y)`");
        return false;
    };
    const NodeArray& here = in.network.nodes[from.row.value];
    const auto centre = here.position_of(from.first);
    if (!centre) return refuse(here, operands[1], fmt::format("`{}` has no position", here.name));
    auto& [known, centre_node, order, cuts] = in.by_distance;
    known = nodes;
    centre_node = from;
    order.clear();
    std::uint32_t index = 0;
    for (const TargetRange& range : nodes) {
        const NodeArray& group = in.network.nodes[range.row.value];
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const auto place = group.position_of(range.first + i);
            if (!place) return refuse(group, operands[0], fmt::format("`{}` has no position", group.name));
            if (place->geographic != centre->geographic)
                return refuse(
                    group, operands[0],
                    fmt::format("`{}` and `{}` are not in one plane or both on the earth", group.name, here.name));
            order.emplace_back(apart(*centre, *place), index++);
        }
    }
    cuts.assign(1, order.size());
    for (std::size_t part = order.size() / 2; part > kSmallPart; part /= 2) {
        std::nth_element(order.begin(), at(order, part), at(order, cuts.back()));
        cuts.push_back(part);
    }
    cuts.push_back(0);
    std::reverse(cuts.begin(), cuts.end());
    return true;
}

}  // namespace

Value nearest(Elaboration& in, const Expr& e, Frame& frame)
{
    const auto operands = in.program.operands_of(e);
    const Value nodes_value = evaluate(in, operands[0], frame), from_value = evaluate(in, operands[1], frame);
    const NodeSet *nodes = nodes_value.as<NodeSet>(), *from = from_value.as<NodeSet>();
    const auto rank = operands.size() > 2 ? shape(in, operands[2], frame, "a rank") : 0;
    if (!nodes || !from || from->empty() || !rank) return {Failed{}};
    auto& [known, centre, order, cuts] = in.by_distance;
    if (order.empty() || !same(centre, from->front()) ||
        !std::equal(known.begin(), known.end(), nodes->begin(), nodes->end(), same))
    {
        if (!measure_distances(in, *nodes, from->front(), e)) {
            in.by_distance = {};
            return {Failed{}};
        }
    }
    if (*rank < 0 || static_cast<std::size_t>(*rank) >= order.size())
        return failed(in.report(Diag::index_out_of_range, in.program.expr(operands[operands.size() > 2 ? 2 : 0]).span,
                                order.empty() ? "`nearest` of no nodes"
                                              : fmt::format("rank {} of {} nodes, whose last rank is {}", *rank,
                                                            order.size(), order.size() - 1)));
    const auto wanted = static_cast<std::size_t>(*rank);
    const auto behind = std::upper_bound(cuts.begin(), cuts.end(), wanted);
    const std::size_t first = *(behind - 1), last = *behind;
    if (last - first > kSmallPart) {
        std::nth_element(at(order, first), at(order, wanted), at(order, last));
        std::vector<std::size_t> more;
        if (wanted > first) more.push_back(wanted);
        if (wanted + 1 < last) more.push_back(wanted + 1);
        cuts.insert(behind, more.begin(), more.end());
    } else if (last - first > 1) {
        std::sort(at(order, first), at(order, last));
        std::vector<std::size_t> more;
        for (std::size_t cut = first + 1; cut < last; ++cut) more.push_back(cut);
        cuts.insert(behind, more.begin(), more.end());
    }
    return {Number{in.constant(order[wanted].second)}};
}

}  // namespace anml
