// Attributes that are given and that nothing reads, because of what else the model says. A component may be right to
// give them, since another model would read them: so these are warnings. Attributes of a schema that no text reads at
// all are an error of the checker's.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"
#include "runtime/abi/records.h"

namespace anml {
namespace {

// Whether it would be on the air if it were not wired.
bool wire_at_radio(const Network& network, LinkArray link)
{
    link.wired = false;
    return on_air(network, link);
}

using Change = abi::TimelineAttribute;
constexpr Change kJitter = abi::impairment_attribute("jitter"), kReorder = abi::impairment_attribute("reorder");

// The regions of nodes, for those that ask for few of them.
class RegionOf {
  public:
    explicit RegionOf(const Network& network)
    {
        for (std::uint32_t region = 0; region < network.regions.size(); ++region)
            for (const TargetRange& range : network.regions[region].nodes)
                regions_.add(range.row.value, range.first, range.count, region);
    }
    std::uint32_t operator()(const LinkEnd& end, std::uint32_t element) const  // kNone: in none
    {
        std::uint32_t found = abi::kNone;
        regions_.find(end.row.value, end.first + element * end.stride, [&](std::uint32_t region) { found = region; });
        return found;
    }

  private:
    RangeIndex<std::uint32_t> regions_;
};

// Where a link leads from one region to another, the model's metric decides, else the region's.
void unused_costs(const Network& network, ReportOnce& report)
{
    const RegionOf region_of(network);
    const auto count = [&](const LinkArray& link, std::uint32_t element) {
        if (link.relation != AsRelation::none) return false;
        const std::uint32_t regions[] = {region_of(link.end[0], element), region_of(link.end[1], element)};
        const bool inside = regions[0] == regions[1] && regions[0] != abi::kNone;
        return (inside ? network.regions[regions[0]].metric : network.metric) == RouteMetric::cost;
    };
    const auto refuse = [&](Span span, const LinkArray& link, std::string what) {
        const bool policy = link.relation != AsRelation::none;
        const std::uint32_t region = region_of(link.end[0], 0);
        auto said = report(Diag::unused_cost, span,
                           what + (policy ? "policy decides between autonomous systems" : "routes do not count costs"));
        if (policy)
            said.help("leave the cost out");
        else if (region != abi::kNone && region == region_of(link.end[1], 0))
            said.help("give its region the `metric` that counts them: `cost`");
        else
            said.help("write `routing { metric = cost }`").fix(routing_with(network, "metric = cost"));
    };
    std::map<std::uint32_t, std::vector<std::uint32_t>> counting;  // elements of link rows, once they are asked for
    const auto counts = [&](const LinkSlice& slice) {
        const LinkArray& link = network.links[slice.row.value];
        const auto [at, fresh] = counting.try_emplace(slice.row.value);
        std::vector<std::uint32_t>& elements = at->second;
        for (std::uint32_t i = 0; fresh && i < link.count; ++i)
            if (count(link, i)) elements.push_back(i);
        const auto next = std::lower_bound(elements.begin(), elements.end(), slice.first);
        return next != elements.end() && *next - slice.first < slice.count;
    };
    for (const TimelineInfo& t : network.timeline) {
        if (t.attribute != Change::cost) continue;
        if (t.links.empty() || std::any_of(t.links.begin(), t.links.end(), counts)) continue;
        report.path = t.instance;
        refuse(t.span, network.links[t.links.front().row.value], "");
    }
    report.path.clear();
    for (std::uint32_t row = 0; row < network.links.size(); ++row) {
        const LinkArray& link = network.links[row];
        if (link.cost[0] == 1 && link.cost[1] == 1) continue;
        bool counted = false;
        for (std::uint32_t i = 0; i < link.count && !counted; ++i) counted = count(link, i);
        if (!counted) refuse(link.span, link, fmt::format("the link `{}` has a cost, but ", link.name));
    }
}

// A region's metric decides over the links between its nodes: some instance, or the named region, has to have one.
void unused_metrics(const Network& network, ReportOnce& report)
{
    struct Region {
        std::uint32_t number = 0;
        bool links = false;
    };
    const auto key = [](Span span) { return std::pair(span.file.value, span.begin); };
    std::map<decltype(key({})), Region> regions;  // by where the metric is given
    for (std::uint32_t i = 0; i < network.regions.size(); ++i)
        if (const Span at = network.regions[i].metric_at; at.valid()) regions.try_emplace(key(at), Region{i});
    if (regions.empty()) return;
    const RegionOf region_of(network);
    for (const LinkArray& link : network.links) {
        if (link.relation != AsRelation::none) continue;
        for (std::uint32_t i = 0; i < link.count; ++i) {
            const std::uint32_t region = region_of(link.end[0], i);
            if (region == abi::kNone || !network.regions[region].metric_at.valid()) continue;
            if (region != region_of(link.end[1], i)) continue;
            regions.find(key(network.regions[region].metric_at))->second.links = true;
        }
    }
    for (const auto& [place, region] : regions) {
        if (region.links) continue;
        const RoutingRegion& first = network.regions[region.number];
        unused(report, first.metric_at,
               fmt::format("no link joins two nodes of the region{}, so that its metric counts nothing",
                           first.name.empty() ? "" : fmt::format(" `{}`", first.name)),
               "between regions the model's metric counts; `multipath` holds for single nodes, too");
    }
}

// A link's weight counts where its sender spreads flows over equally short ways.
void unused_weights(const Network& network, ReportOnce& report)
{
    const RegionOf region_of(network);
    for (const LinkArray& link : network.links) {
        const NodeArray* sender = nullptr;
        bool counted = false, of_region = false;
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            if (link.ecmp_weight[direction] == 1 || (link.one_way && direction == 1)) continue;
            if (!sender) sender = &network.nodes[link.end[direction].row.value];
            for (std::uint32_t i = 0; i < link.count && !counted; ++i) {
                const std::uint32_t region = region_of(link.end[direction], i);
                of_region = of_region || region != abi::kNone;
                counted = region == abi::kNone ? network.multipath : network.regions[region].multipath;
            }
        }
        if (!sender || counted) continue;
        auto said =
            report(Diag::unused_attribute, link.span,
                   fmt::format(
                       "the link `{}` has an `ecmp_weight`, but `{}`, which sends on it, takes one way for all packets",
                       link.name, sender->name));
        said.help("write `routing { multipath = ecmp }`");
        if (!of_region) said.fix(routing_with(network, "multipath = ecmp"));
    }
}

// What is said of jitter and of packets held back, where the link has none, now or later.
void unused_impairments(Elaboration& in)
{
    std::set<std::tuple<std::uint32_t, std::uint32_t, Change>> changed;  // link rows, directions
    for (const TimelineInfo& t : in.network.timeline) {
        if (t.attribute != kJitter && t.attribute != kReorder) continue;
        for (const LinkSlice& slice : t.links)
            for (const std::uint32_t direction : {0u, 1u})
                if (t.directions >> direction & 1) changed.emplace(slice.row.value, direction, t.attribute);
    }
    const auto changes = [&](std::uint32_t row, std::uint32_t direction, Change attribute) {
        return changed.contains({row, direction, attribute});
    };
    for (std::uint32_t row = 0; row < in.network.links.size(); ++row) {
        const LinkArray& link = in.network.links[row];
        // Of either direction: whether it says so, and whether that is read.
        bool passes = false, passing_read = false, holds = false, holding_read = false;
        for (std::uint32_t direction = 0; direction < (link.one_way ? 1u : 2u); ++direction) {
            const auto rests = in.resting.find({row, direction});
            if (rests == in.resting.end() && link.impairment[direction] == abi::kNone) continue;
            const RecordInfo& info =
                rests != in.resting.end() ? rests->second : in.network.records[link.impairment[direction]];
            passes |= in.network.values.as_constant(record_number(info, "in_order")) == 0.0;
            const auto drawn = [&](std::string_view name) {
                return !is_constant(in.network.values, record_draw(info, name), 0);
            };
            passing_read |= drawn("jitter") || changes(row, direction, kJitter);
            holds |= in.held_back.contains({row, direction});
            holding_read |= drawn("reorder") || changes(row, direction, kReorder);
        }
        if (passes && !passing_read)
            unused(in.report, link.span,
                   fmt::format("the link `{}` lets packets pass each other with `in_order`, but has no `jitter`",
                               link.name),
                   "`reorder` holds packets back whatever `in_order` says");
        if (holds && !holding_read)
            unused(in.report, link.span,
                   fmt::format("the link `{}` has a `reorder_delay`, but no `reorder`", link.name),
                   "`reorder` is the probability that a packet is held back for so long");
    }
}

// A host by an access point is a station, whether it was meant to be or not; and there may be none.
void unused_radios(const Network& network, ReportOnce& report)
{
    std::set<std::uint32_t> used;  // rows of nodes
    for (const LinkArray& link : network.links) {
        if (link.wired && !wire_at_radio(network, link))
            unused(report, link.span, fmt::format("link `{}` is `wired`, and could be nothing else", link.name),
                   "a link of a host to a switch or router with a `radio` is on the air, unless it is `wired`");
        if (!on_air(network, link)) continue;
        for (const LinkEnd& end : link.end) used.insert(end.row.value);
        if (network.values.as_constant(link.overhead) != 0.0) continue;
        report(Diag::wire_on_air, link.span,
               fmt::format("link `{}` has a host on one side and an access point on the other: it is on the air",
                           link.name))
            .help(
                "a cable is `wired = true`; a station's link has the overhead of each packet on the air: "
                "`wifi.air(rate)`, `cellular.air(rate)`");
    }
    for (std::uint32_t row = 0; row < network.nodes.size(); ++row) {
        const NodeArray& node = network.nodes[row];
        if (node.radio != abi::kNone && !used.contains(row))
            unused(
                report, node.span, fmt::format("no station is on the air of `{}`", node.name),
                "stations are hosts; a link to an endpoint, a switch or a router is a wire, and one that is `wired`");
    }
}

}  // namespace

Edit routing_with(const Network& network, std::string_view attribute)
{
    if (network.routing_at.valid()) return {network.routing_at, std::string(attribute), EditAt::setting};
    return {network.declared, fmt::format("routing {{ {} }}", attribute), EditAt::block_end};
}

void unused(ReportOnce& report, Span span, std::string message, std::string help)
{ report(Diag::unused_attribute, span, std::move(message)).help(std::move(help)); }

// The remedy is to leave it out, and the value stands there.
void unused_value(ReportOnce& report, Span value, std::string message, std::string why)
{
    report(Diag::unused_attribute, value, std::move(message))
        .help("leave it out" + std::move(why))
        .fix(Edit{value, "", EditAt::attribute});
}

void unused_of_workload(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info)
{
    ValuePool& values = in.network.values;
    const bool one_peer = info.peers.size() == 1 && info.peers[0].count == 1;
    const bool flows = is_a(in.network.records[info.record], abi::RecordSchema::flows);
    const bool says = flows ? place_of(in.program, s, "pairing", {}) != Span{} : info.pairing != abi::Pairing::in_order;
    if (attribute_of(in.program, value, "pairing").as<EnumValue>() && one_peer && says)
        unused_value(in.report, place_of(in.program, s, "pairing", info.span),
                     "`pairing` chooses among several nodes, and `to` is a single one", ": all send to that one");
    if (is_a(in.network.records[info.record], abi::RecordSchema::background)) {
        const RecordInfo& fluid = in.network.records[info.record];
        const auto given = [&](std::string_view name) { return place_of(in.program, s, name, {}) != Span{}; };
        const auto off = [&](std::string_view name) { return values.as_constant(record_number(fluid, name)) == 0.0; };
        if (given("fill") && off("elastic"))
            unused(in.report, place_of(in.program, s, "fill", info.span),
                   "`fill` bounds elastic flows, and these are not",
                   "`elastic = true` has them share what links have left");
        if (given("step") && off("burst"))
            unused(in.report, place_of(in.program, s, "step", info.span),
                   "`step` is when flows come and go, and these send all the time", "give them a `burst`");
    }
    const auto* begin_with = attribute_of(in.program, value, "begin_with").as<EnumValue>();
    const auto in_turn = [&](const DocumentInfo& documents) {
        if (documents.count < 2 || documents.file == abi::kNone || documents.record == abi::kNone) return false;
        const auto* order = std::get_if<RecordChoice>(find_value(in.network.records[documents.record], "order"));
        return order && order->ordinal == static_cast<std::uint32_t>(abi::record::list::ListOrder::in_turn);
    };
    const auto written = [&](const DocumentInfo& documents) {
        return documents.file != abi::kNone && in.network.files[documents.file]->documents.front().request.has_value();
    };
    if (!info.documents.empty() && std::ranges::all_of(info.documents, written))
        for (const std::string_view name : {"method", "body"}) {
            const Value& said = attribute_of(in.program, value, name);
            const auto* method = said.as<EnumValue>();
            if (method ? method->ordinal != 0
                       : !said.absent() && values.as_constant(number_of(in.program, value, name)) != 0.0)
                unused(in.report, place_of(in.program, s, name, info.span),
                       fmt::format("`{}` says nothing of requests that a file writes out", name), "leave it out");
        }
    if (begin_with && begin_with->ordinal != 0 && info.documents.size() - info.parts == 1 &&
        !std::ranges::any_of(info.documents, in_turn))
        unused_value(in.report, place_of(in.program, s, "begin_with", info.span),
                     "`begin_with` chooses a place in a list, and there is one document", ": all ask for that one");
    for (const DocumentInfo& documents : info.documents)
        if (documents.record != abi::kNone && is_a(in.network.records[documents.record], abi::RecordSchema::prowgen) &&
            !is_constant(values, documents.choice, 1))
            unused(in.report, place_of(in.program, s, "documents", info.span),
                   "`choice` says nothing of the documents of a `web.ProWGen`",
                   "leave it out: its `slope` says which are asked for");
    for (const DocumentInfo& documents : info.documents)
        if (documents.record != abi::kNone && is_a(in.network.records[documents.record], abi::RecordSchema::list) &&
            !is_constant(values, documents.choice, 1))
            unused(in.report, place_of(in.program, s, "documents", info.span),
                   "`choice` says nothing of the documents of a `web.DocumentList`",
                   "leave it out: its `order` says which are asked for");
    if (info.traits.load != Load::greedy || values.as_constant(info.traits.request) != 0.0) return;
    const auto never = [&](std::string_view name) {
        unused(in.report, place_of(in.program, s, name, info.span),
               fmt::format("`{}` counts after a transfer, and these never end", name), "give them a `size`");
    };
    for (const std::string_view name : {"transfers", "think"}) {
        const Value& counts = attribute_of(in.program, value, name);
        if (!counts.absent() && !is_constant(values, distribution_of(in.network.values, in.program, value, name), 0))
            never(name);
    }
}

void find_unused_attributes(Elaboration& in)
{
    unused_costs(in.network, in.report);
    unused_weights(in.network, in.report);
    unused_metrics(in.network, in.report);
    unused_impairments(in);
    unused_radios(in.network, in.report);
    std::set<std::uint32_t> connected;  // rows of nodes
    for (const WorkloadInfo& w : in.network.workloads)
        if (w.traits.asks_server())
            for (const TargetRange& range : who_answers(in.network, w.peers)) connected.insert(range.row.value);
    for (const ServerInfo& server : in.network.servers) {
        const NodeArray& node = in.network.nodes[server.node.value];
        const RecordInfo& record = in.network.records[server.record];
        if (const RecordValue* scheme = find_value(record, "scheme"); scheme && find_value(record, "handshake"))
            if (std::get<RecordChoice>(*scheme).ordinal == 0 &&
                !is_constant(in.network.values, record_draw(record, "handshake"), 0))
                unused(in.report, node.span,
                       fmt::format("a `handshake` is a part of TLS, which the simulated server of `{}` does not speak",
                                   node.name),
                       "`scheme = https` has it speak TLS");
        if (connected.contains(server.node.value)) continue;
        unused(in.report, node.span, fmt::format("no client connects to the simulated server of `{}`", node.name),
               "a workload of `web.ClosedLoop` or `web.OpenLoop` does, with it as `server`");
    }
    unused_tcp(in);
    if (in.gateway_at.valid() && in.network.endpoints.empty())
        unused_value(in.report, in.gateway_at, "the `gateway` is for real hosts, and there is no endpoint for one", "");
}

}  // namespace anml
