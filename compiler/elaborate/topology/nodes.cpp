// Nodes: a row per declaration in an instance, however many elements it has; endpoints and what stands in for them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "elaborate/addressing/addressing.h"
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

bool mentions(const CheckedProgram& program, ExprId id, std::uint32_t slot)
{
    if (!id) return false;
    const Expr& e = program.expr(id);
    if (e.kind == ExprKind::local) return e.index == slot;
    const auto operands = program.operands_of(e);
    return std::any_of(operands.begin(), operands.end(), [&](ExprId o) { return mentions(program, o, slot); });
}

// Whether `index` or `key` decides something else than where the nodes are; or `only` that attribute.
bool differs_by_element(const CheckedProgram& program, const NodeStatement& s, std::string_view only = {})
{
    if (s.index_slot == abi::kNone && s.key_slot == abi::kNone) return false;
    const auto& attributes = program.schema(program.node_schema(s.kind)).attributes;
    return std::any_of(s.attributes.begin(), s.attributes.end(), [&](const AttributeValue& given) {
        const std::string& name = attributes[given.attribute].name;
        return (only.empty() ? name != "position" : name == only) &&
               (mentions(program, given.value, s.index_slot) || mentions(program, given.value, s.key_slot));
    });
}

// Stream ids are 32 bits, of directed links and nodes together, and each node has a handle of IPv6.
constexpr std::uint32_t kMaxNodes = abi::kIpv6Groups - abi::kIpv6Handles;

// Whether the last row, of one node, is as the others are in an array.
bool joins(Elaboration& in, NodeRowId row, const NodeArray& last)
{
    const NodeArray& array = in.network.nodes[row.value];
    return array.kind == last.kind && array.task == last.task && array.tcp == last.tcp &&
           array.processing == last.processing && array.middlebox == last.middlebox &&
           array.icmp_limits == last.icmp_limits && array.buffer == last.buffer && array.radio == last.radio &&
           in.row_pool[row.value] == in.row_pool.back() && in.row_region[row.value] == in.row_region.back() &&
           array.anycast == last.anycast && array.anycast_ipv6 == last.anycast_ipv6 &&
           array.explicit_address == last.explicit_address &&
           (!last.explicit_address || last.address == array.address + array.count) &&
           array.explicit_ipv6 == last.explicit_ipv6 && array.only_ipv6 == last.only_ipv6 &&
           (!last.explicit_ipv6 || last.ipv6 == array.ipv6 + array.count) &&
           array.position.has_value() == last.position.has_value();
}

TargetRange join_last(Elaboration& in, NodeRowId row)
{
    NodeArray& array = in.network.nodes[row.value];
    const std::optional<NodePosition> position = in.network.nodes.back().position;
    if (position && (!array.positions.empty() || *position != *array.position)) {
        if (array.positions.empty()) array.positions.assign(array.count, *array.position);
        array.positions.push_back(*position);
    }
    in.network.nodes.pop_back();
    in.row_pool.pop_back();
    in.row_region.pop_back();
    in.own_tcp.erase(static_cast<std::uint32_t>(in.network.nodes.size()));
    return {row, array.count++, 1};
}

void endpoint(Elaboration& in, const SchemaValue& attributes, NodeRowId row, const Statement& at)
{
    EndpointInfo info;
    info.name = in.network.nodes[row.value].name;
    info.doc = std::get<NodeStatement>(at.form).doc;
    info.node = row;
    info.span = at.span;
    if (!endpoint_prefixes(in, attributes, info, at)) return;
    if (const SchemaValue* service = attribute_of(in.program, attributes, "simulated").schema()) {
        if (layout_of(in, service->schema) == abi::kNone) {
            in.report(Diag::unsupported_schema, service->span,
                      fmt::format("`{}` cannot stand in for an endpoint", in.program.schema(service->schema).name))
                .help("`web.server(...)` can");
            return;
        }
        ServerInfo server;
        server.node = row;
        server.port = static_cast<std::uint32_t>(
            in.network.values.evaluate(number_of(in.program, *service, "port"), in.tunable_defaults));
        server.record = record_of(in, *service);
        if (!in.network.values.as_constant(number_of(in.program, *service, "port")))
            report_shape(in, number_of(in.program, *service, "port"), service->span, "the port of a server");
        info.server = static_cast<std::uint32_t>(in.network.servers.size());
        in.servers.emplace(row.value, info.server);
        in.network.servers.push_back(server);
    }
    in.network.endpoints.push_back(std::move(info));
}

// `made`: with the numbers of its place, and the last count of an `array`. `ahead`: elements of the declaration in rows
// before. Nothing: an error was reported.
std::optional<TargetRange> node_row(Elaboration& in, const NodeStatement& s, const Statement& at, Frame& frame,
                                    const Dimensions& made, bool array, std::uint32_t ahead)
{
    const std::string what = fmt::format("the {}", node_kind_name(s.kind));
    const auto count = static_cast<std::uint32_t>(array ? made.counts.back() : 1);
    std::vector<std::int64_t> place(made.numbers.begin() + static_cast<std::ptrdiff_t>(s.brackets.numbers.size()),
                                    made.numbers.end());
    if (array) place.push_back(0);
    const auto attributes_of = [&](std::uint32_t element) {
        if (array) place.back() = element;
        const std::span keys = std::span(s.brackets.keys).subspan(s.brackets.numbers.size());
        set_index(in, s.index_slot, s.key_slot, place, keys, frame);
        return overridden(in, s.name,
                          schema_value(in, in.program.node_schema(s.kind), s.attributes, frame, nullptr, at.span, what),
                          what);
    };
    // An element of a loop may be the first of a row or the next one of it.
    const bool element = !made.numbers.empty() && !array && s.kind != abi::NodeKind::endpoint;
    const Value* before = element ? innermost(frame.slots[s.slot], made.numbers) : nullptr;
    const NodeSet* others = before ? before->as<NodeSet>() : nullptr;
    const bool begins = element && made.numbers.back() == 0 && (!before || (others && others->empty()));
    const bool goes_on = others && others->size() == 1 && others->front().count == made.numbers.back();
    const std::span<const std::int64_t> all = made.numbers;
    const std::string name =
        in.report.path_of(bracketed(in.program, s.name, all.first(all.size() - (begins ? 1 : 0)), s.brackets.keys));
    const NodeRowId row{in.network.nodes.size()};
    const bool keyed = array && !s.brackets.keys.empty() && s.brackets.keys.back() != abi::kNone;
    const auto nobody = [&] { return claim(in, name, at.span) ? std::optional(TargetRange{row, 0, 0}) : std::nullopt; };
    if (count == 0 && keyed) return nobody();  // no key is theirs
    const auto attributes = attributes_of(0);
    if (!attributes) return std::nullopt;
    if (count == 0) return nobody();
    NodeArray& group = in.network.nodes.emplace_back();
    group.name = name;
    group.kind = s.kind;
    group.is_array = array || begins;
    // Of the last index, which is the array's own.
    if (group.is_array) group.keys = in.program.key_set(s.brackets.keys[all.size() - (begins ? 1 : 0)]);
    group.count = count;
    group.span = at.span;
    group.task = in.task;
    in.row_pool.push_back(in.pool);
    in.row_region.push_back(in.region);
    in.network.node_count += count;
    if (s.kind != abi::NodeKind::switch_ && !own_addresses(in, *attributes, s, at, group)) return std::nullopt;
    if (group.explicit_address && !differs_by_element(in.program, s, "address")) group.address += ahead;
    if (group.explicit_ipv6 && !differs_by_element(in.program, s, group.only_ipv6 ? "address" : "ipv6"))
        group.ipv6 += ahead;
    group.position = position(in, *attributes, at);
    const bool each = s.index_slot != abi::kNone || s.key_slot != abi::kNone;
    const bool placed = array && each && group.position;
    if (placed && !within_budget(in, count, at.span, "the position is worked out")) return std::nullopt;
    for (std::uint32_t i = 0; placed && i < count; ++i) {
        const auto own = attributes_of(i);
        const auto at_place = own ? position(in, *own, at) : std::nullopt;
        if (!at_place) break;
        group.positions.push_back(*at_place);
    }
    if (s.kind == abi::NodeKind::host || s.kind == abi::NodeKind::endpoint) group.tcp = tcp(in, *attributes, at);
    node_records(in, *attributes, group);
    if (goes_on && joins(in, others->front().row, group)) return join_last(in, others->front().row);
    if (!claim(in, name, at.span)) return std::nullopt;
    if (s.kind == abi::NodeKind::endpoint) endpoint(in, *attributes, row, at);
    return TargetRange{row, 0, count};
}

}  // namespace

bool claim(Elaboration& in, const std::string& name, Span span)
{
    const auto [first, inserted] = in.names.try_emplace(name, span);
    if (!inserted) {
        auto message = in.report(Diag::duplicate_name, span, fmt::format("`{}` is declared twice", name));
        if (*first != span)
            message.also(*first, "first declared here");
        else
            message.help(name.ends_with(']')
                             ? "each round needs an index of its own; in a loop in another, two: `name[i][j]`"
                             : "in a loop, number it: `name[i]`");
    }
    return inserted;
}

// A row for each but the last of several counts; endpoints are rows of their own. In a loop a row too, or another
// element of the one that the rounds before have made.
void node(Elaboration& in, const NodeStatement& s, const Statement& at, Frame& frame)
{
    Value& array = frame.slots[s.slot];
    if (s.brackets.numbers.empty()) array = {Failed{}};
    const auto given = dimensions(in, s.brackets, s.name, frame);
    if (!given) {
        array = {Failed{}};
        return;
    }
    // Elements that differ are made one by one, as by a loop, and those that come out alike are a row again.
    const bool whole =
        !given->counts.empty() && s.kind != abi::NodeKind::endpoint && !differs_by_element(in.program, s);
    const std::uint64_t room = kMaxNodes - in.network.node_count;
    for (std::size_t i = 0; i < given->counts.size(); ++i) {
        if (product(std::span(given->counts).first(i + 1), room)) continue;
        in.report(Diag::network_too_large, in.program.expr(s.brackets.counts[i]).span,
                  fmt::format("with {} elements of `{}` the network has more than {} nodes",
                              fmt::join(std::span(given->counts).first(i + 1), " times "), s.name, kMaxNodes));
        array = {Failed{}};
        return;
    }
    const auto outer = std::span(given->counts).first(given->counts.size() - (whole ? 1 : 0));
    const std::uint64_t rows = product(outer, kMaxNodes).value_or(0);
    if (!within_budget(in, rows, at.span, "an array is made of others")) return;
    Dimensions made = *given;
    if (given->numbers.empty() && !outer.empty()) array = {NodeSet{}};
    for (std::uint64_t row = 0; row < rows; ++row) {
        made.numbers = given->numbers;
        place_at(row, outer, made.numbers);
        const auto ahead = static_cast<std::uint32_t>(row * (whole ? given->counts.back() : 1));
        const auto nodes = node_row(in, s, at, frame, made, whole, ahead);
        if (!nodes) {
            array = {Failed{}};
            return;
        }
        const NodeSet set = nodes->count > 0 ? NodeSet{*nodes} : NodeSet{};
        if (made.numbers.empty())
            array = {set};
        else
            add_numbered(in.program, in.report, array, made.numbers, {set}, whole, s.name, s.brackets.keys, at.span);
    }
}

void number_nodes(Network& network)
{
    std::uint32_t next = 0;
    for (NodeArray& group : network.nodes) {
        group.first_node = next;
        next += group.count;
    }
}

const ServerInfo* server_of(Elaboration& in, NodeRowId row)
{
    const auto at = in.servers.find(row.value);
    return at != in.servers.end() ? &in.network.servers[at->second] : nullptr;
}

}  // namespace anml
