#include "analysis/analyze/places.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/network_queries.h"

namespace anml {

Places::Places(const Network& network, const RouteTables& routes, Between between, const std::vector<char>& apart,
               NetworkMoment* moment)
    : network_(network), routes_(routes), apart_(apart), graph_(network), between_(between)
{
    add_places(between);
    add_slots(moment);
}

bool Places::grouped(std::uint32_t vertex) const
{
    const RouteVertex& v = graph_.vertices()[vertex];
    return !v.transit && v.count > 1 && (apart_.empty() || !apart_[v.row.value]);
}

void Places::add_places(Between between)
{
    for (std::uint32_t v = 0; v < graph_.vertices().size(); ++v) {
        const RouteVertex& vertex = graph_.vertices()[v];
        first_place_.push_back(static_cast<std::uint32_t>(places_.size()));
        if (grouped(v)) {
            places_.push_back({vertex.row, vertex.first, vertex.count, false, false});
            continue;
        }
        for (std::uint32_t i = 0; i < vertex.count; ++i)
            places_.push_back({vertex.row, vertex.first + i, 1, vertex.transit, false});
    }
    first_place_.push_back(static_cast<std::uint32_t>(places_.size()));
    if (between == Between::hosts &&
        std::all_of(places_.begin(), places_.end(), [](const Place& place) { return place.transit; }))
        between_ = Between::routers;
    for (std::uint32_t p = 0; p < places_.size(); ++p) {
        Place& place = places_[p];
        if (network_.nodes[place.row.value].address == 0) continue;  // a switch
        place.terminal = between_ == Between::all || place.transit == (between_ == Between::routers);
        if (place.terminal) terminals_.push_back(p);
    }
}

void Places::add_slots(NetworkMoment* moment)
{
    const std::vector<double> tunables = default_tunables(network_);
    for (std::uint32_t e = 0; e < graph_.edges().size(); ++e) {
        const RouteEdge& edge = graph_.edges()[e];
        if (edge.closed) continue;  // nothing goes that way
        const std::uint32_t from = graph_.source(e);
        const std::uint32_t run = std::max(graph_.vertices()[from].count, graph_.vertices()[edge.to].count);
        const bool one_slot = grouped(from) || grouped(edge.to);
        const bool down = moment && moment->down(edge.lowest);
        edges_[edge.lowest % 2].push_back({edge.lowest, edge.to,
                                           down ? kNone : static_cast<std::uint32_t>(slots_.size()), one_slot,
                                           !grouped(edge.to) && graph_.vertices()[edge.to].count > 1});
        if (down) continue;
        const LinkArray& link = network_.links[edge.lane / 2];
        Slot slot;
        slot.rate = network_.values.evaluate(link.rate[edge.lane % 2], tunables);
        slot.delay = network_.values.evaluate(link.delay[edge.lane % 2], tunables);
        for (std::uint32_t i = 0; i < (one_slot ? 1 : run); ++i) {
            slot.link = edge.lowest + 2 * i;
            if (moment && moment->touches(edge.lane / 2)) {
                slot.rate = moment->rate(slot.link);
                slot.delay = moment->delay(slot.link);
            }
            slot.count = one_slot ? run : 1;
            slot.from = first_place_[from] + (one_slot || graph_.vertices()[from].count == 1 ? 0 : i);
            slot.to = first_place_[edge.to] + (one_slot || graph_.vertices()[edge.to].count == 1 ? 0 : i);
            slots_.push_back(slot);
        }
    }
    for (std::vector<Edge>& edges : edges_)
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.lowest < b.lowest; });
}

std::uint32_t Places::address(std::uint32_t place) const
{
    return network_.nodes[places_[place].row.value].address + places_[place].element;
}

std::uint32_t Places::place_of(NodeRowId row, std::uint32_t element) const
{
    const std::uint32_t v = graph_.vertex_at(row, element);
    return first_place_[v] + (grouped(v) ? 0 : element - graph_.vertices()[v].first);
}

void Places::next_hops(std::uint32_t place, std::uint32_t element, std::uint32_t address, std::vector<Hop>& hops) const
{
    const RowTable& where = routes_.table_of_row[places_[place].row.value];
    const abi::Forwarding forwarding = routes_.forwarding();
    const abi::NextHop* hop = abi::next_hop(forwarding, routes_.tables[where.table + element * where.stride], address);
    for (std::uint32_t path = 0; hop && path < hop->paths; ++path) {
        const std::uint32_t link = abi::link_of(forwarding, *hop, address, element, path);
        const std::vector<Edge>& edges = edges_[link % 2];
        const auto after = std::upper_bound(edges.begin(), edges.end(), link,
                                            [](std::uint32_t id, const Edge& edge) { return id < edge.lowest; });
        const Edge& edge = *(after - 1);
        if (edge.slot == kNone) continue;  // what is sent there is lost
        const std::uint32_t offset = (link - edge.lowest) / 2;
        hops.push_back({edge.slot + (edge.one_slot ? 0 : offset), first_place_[edge.to] + (edge.to_run ? offset : 0)});
    }
}

std::string Places::name(std::uint32_t place) const
{
    const Place& p = places_[place];
    const NodeArray& row = network_.nodes[p.row.value];
    if (!row.is_array) return row.name;
    return row.name + elements_of_array(row.keys.get(), p.element, p.count, "..");
}

std::string Places::link_name(std::uint32_t slot) const
{
    const Slot& s = slots_[slot];
    const LinkArray& row = network_.links[link_row_of(network_, s.link)];
    const std::uint32_t element = (s.link - row.first_link) / 2;
    if (!row.is_array) return row.name;
    return row.name + elements_of_array(row.keys.get(), element, s.count, "..");
}

}  // namespace anml
