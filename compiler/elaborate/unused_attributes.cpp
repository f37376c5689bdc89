// Attributes that are given and that nothing reads, because of what else the model says. A component may be right to
// give them, since another model would read them: so these are warnings. Attributes of a schema that no text reads at
// all are an error of the checker's.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

using Change = abi::TimelineAttribute;

bool chooses(const NodeSet& nodes, std::uint32_t row)
{
    return std::any_of(nodes.begin(), nodes.end(), [&](const TargetRange& range) { return range.row.value == row; });
}

bool is_constant(const ValuePool& values, const DistributionValue& d, double v)
{
    return d.kind == abi::DistributionKind::constant && values.as_constant(d.a) == v;
}

// The regions of nodes, for those that ask for few of them.
class RegionOf {
  public:
    explicit RegionOf(const Network& network)
    {
        for (std::uint32_t region = 0; region < network.regions.size(); ++region)
            for (const TargetRange& range : network.regions[region].nodes)
                rows_[range.row.value].push_back({range, region});
    }
    std::uint32_t operator()(std::uint32_t row, std::uint32_t element) const  // kNone: in none
    {
        const auto found = rows_.find(row);
        if (found == rows_.end()) return abi::kNone;
        for (const auto& [range, region] : found->second)
            if (element - range.first < range.count) return region;
        return abi::kNone;
    }

  private:
    std::map<std::uint32_t, std::vector<std::pair<TargetRange, std::uint32_t>>> rows_;
};

}  // namespace

void Elaborator::unused(Span span, std::string message, std::string help)
{
    report(Diag::unused_attribute, span, std::move(message)).help(std::move(help));
}

// Where a link leads from one region to another, the model's metric decides, else the region's.
void Elaborator::unused_costs()
{
    const RegionOf region_of(network_);
    const auto count = [&](const LinkGroup& link, std::uint32_t element) {
        if (link.relation != AsRelation::none) return false;
        std::uint32_t regions[2];
        for (std::size_t i = 0; i < 2; ++i)
            regions[i] = region_of(link.end[i].row.value, link.end[i].first + element * link.end[i].stride);
        const bool inside = regions[0] == regions[1] && regions[0] != abi::kNone;
        return (inside ? network_.regions[regions[0]].metric : network_.metric) == RouteMetric::cost;
    };
    const auto refuse = [&](Span span, const LinkGroup& link, std::string what) {
        const bool policy = link.relation != AsRelation::none;
        report(Diag::unused_cost, span,
               what + (policy ? "policy decides between autonomous systems" : "routes do not count costs"))
            .help(policy ? "leave the cost out" : "write `routing { metric = cost }`");
    };
    for (const TimelineInfo& t : network_.timeline) {
        if (t.attribute != Change::cost) continue;
        const auto counts = [&](const LinkSlice& slice) {
            for (std::uint32_t i = 0; i < slice.count; ++i)
                if (count(network_.links[slice.row.value], slice.first + i)) return true;
            return false;
        };
        if (t.links.empty() || std::any_of(t.links.begin(), t.links.end(), counts)) continue;
        path_ = t.instance;
        refuse(t.span, network_.links[t.links.front().row.value], "");
    }
    path_.clear();
    for (const LinkGroup& link : network_.links) {
        if (link.cost[0] == 1 && link.cost[1] == 1) continue;
        bool counts = false;
        for (std::uint32_t i = 0; i < link.count && !counts; ++i) counts = count(link, i);
        if (!counts) refuse(link.span, link, fmt::format("the link `{}` has a cost, but ", link.name));
    }
}

// A region's metric decides over the links between its nodes: some instance, or the named region, has to have one.
void Elaborator::unused_metrics()
{
    struct Region {
        std::uint32_t number = 0;
        bool links = false;
    };
    const auto key = [](Span span) { return std::pair(span.file.value, span.begin); };
    std::map<decltype(key({})), Region> regions;  // by where the metric is given
    for (std::uint32_t i = 0; i < network_.regions.size(); ++i)
        if (const Span at = network_.regions[i].metric_at; at.valid()) regions.try_emplace(key(at), Region{i});
    if (regions.empty()) return;
    const RegionOf region_of(network_);
    for (const LinkGroup& link : network_.links) {
        if (link.relation != AsRelation::none) continue;
        const auto end = [&](std::size_t side, std::uint32_t element) {
            return region_of(link.end[side].row.value, link.end[side].first + element * link.end[side].stride);
        };
        for (std::uint32_t i = 0; i < link.count; ++i) {
            const std::uint32_t region = end(0, i);
            if (region == abi::kNone || !network_.regions[region].metric_at.valid() || region != end(1, i)) continue;
            regions.find(key(network_.regions[region].metric_at))->second.links = true;
        }
    }
    for (const auto& [place, region] : regions) {
        if (region.links) continue;
        const RoutingRegion& first = network_.regions[region.number];
        unused(first.metric_at,
               fmt::format("no link joins two nodes of the region{}, so that its metric counts nothing",
                           first.name.empty() ? "" : fmt::format(" `{}`", first.name)),
               "between regions the model's metric counts; `multipath` holds for single nodes, too");
    }
}

// What is said of jitter and of packets held back, where the link has none, now or later.
void Elaborator::unused_impairments()
{
    if (held_back_.empty() && network_.impairments.empty() && resting_.empty()) return;
    const auto changes = [&](std::uint32_t row, std::uint32_t direction, Change attribute) {
        return std::any_of(network_.timeline.begin(), network_.timeline.end(), [&](const TimelineInfo& t) {
            return t.attribute == attribute && (t.directions >> direction & 1) &&
                   std::any_of(t.links.begin(), t.links.end(),
                               [&](const LinkSlice& slice) { return slice.row.value == row; });
        });
    };
    for (std::uint32_t row = 0; row < network_.links.size(); ++row) {
        const LinkGroup& link = network_.links[row];
        // Of either direction: whether it says so, and whether that is read.
        bool passes = false, passing_read = false, holds = false, holding_read = false;
        for (std::uint32_t direction = 0; direction < (link.one_way ? 1u : 2u); ++direction) {
            const auto rests = resting_.find({row, direction});
            if (rests == resting_.end() && link.impairment[direction] == abi::kNone) continue;
            const ImpairmentInfo& info =
                rests != resting_.end() ? rests->second : network_.impairments[link.impairment[direction]];
            passes |= network_.values.as_constant(info.in_order) == 0.0;
            passing_read |= !is_constant(network_.values, info.jitter, 0) || changes(row, direction, Change::jitter);
            holds |= held_back_.contains({row, direction});
            holding_read |= !is_constant(network_.values, info.reorder, 0) || changes(row, direction, Change::reorder);
        }
        if (passes && !passing_read)
            unused(link.span,
                   fmt::format("the link `{}` lets packets pass each other with `in_order`, but has no `jitter`",
                               link.name),
                   "`reorder` holds packets back whatever `in_order` says");
        if (holds && !holding_read)
            unused(link.span, fmt::format("the link `{}` has a `reorder_delay`, but no `reorder`", link.name),
                   "`reorder` is the probability that a packet is held back for so long");
    }
}

void Elaborator::unused_of_workload(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info)
{
    ValuePool& values = network_.values;
    const bool one_peer = info.peers.size() == 1 && info.peers[0].count == 1;
    if (attribute_of(value, "pairing").as<EnumValue>() && one_peer && info.pairing != abi::Pairing::in_order)
        unused(place_of(s, "pairing", info.span), "`pairing` chooses among several nodes, and `to` is a single one",
               "leave it out: all send to that one");
    if (info.begin_with != abi::FirstDocument::any && info.documents.size() == 1)
        unused(place_of(s, "begin_with", info.span), "`begin_with` chooses a place in a list, and there is one document",
               "leave it out: all ask for that one");
    if (info.kind != abi::WorkloadKind::bulk || !is_constant(values, info.amount, 0)) return;
    const auto never = [&](std::string_view name) {
        unused(place_of(s, name, info.span), fmt::format("`{}` counts after a transfer, and these never end", name),
               "give them a `size`");
    };
    if (values.as_constant(info.transfers) != 0.0) never("transfers");
    if (!is_constant(values, info.think, 0)) never("think");
}

void Elaborator::unused_of_tcp(const SchemaValue& tcp, const SchemaValue& defaults)
{
    constexpr double kUnscaled = 65535;
    const auto buffer = network_.values.as_constant(number_of(tcp, "receive_buffer"));
    if (network_.values.as_constant(number_of(tcp, "window_scaling")) != 0.0 || !buffer || *buffer <= kUnscaled) return;
    if (buffer == network_.values.as_constant(number_of(defaults, "receive_buffer"))) return;  // mostly not given
    unused(tcp.span,
           fmt::format("of a `receive_buffer` of {} no more than 65535 B count",
                       format_quantity(*buffer, dimension::size)),
           "without `window_scaling = true` a window has 16 bits (RFC 7323)");
}

// What TCP uses where both sides offer it. A tunable may switch it on; of an endpoint without a simulated server only a
// real host is there.
void Elaborator::unused_tcp_options(std::uint32_t row, Span place)
{
    using Option = ValueExprId TcpInfo::*;
    constexpr std::pair<std::string_view, Option> kOptions[] = {
        {"window_scaling", &TcpInfo::window_scaling}, {"sack", &TcpInfo::sack}, {"timestamps", &TcpInfo::timestamps}};
    const auto offers = [&](std::uint32_t node, Option option) {
        return network_.values.as_constant(network_.tcps[network_.nodes[node].tcp].*option) != 0.0;
    };
    const auto serves = [&](std::uint32_t node) {
        return network_.nodes[node].kind != abi::NodeKind::endpoint ||
               std::any_of(network_.servers.begin(), network_.servers.end(),
                           [&](const ServerInfo& s) { return s.node.value == node; });
    };
    std::string alone;
    const NodeGroup* partner = nullptr;
    for (const auto& [name, option] : kOptions) {
        if (!offers(row, option)) continue;
        const auto acts = [&](const NodeSet& partners) {
            return std::any_of(partners.begin(), partners.end(), [&](const TargetRange& range) {
                partner = &network_.nodes[range.row.value];
                return offers(range.row.value, option) || !serves(range.row.value);
            });
        };
        const auto both = [&](const WorkloadInfo& w) {
            return abi::over_tcp(w.kind) &&
                   ((chooses(w.targets, row) && acts(w.peers)) || (chooses(w.peers, row) && acts(w.targets)));
        };
        if (std::any_of(network_.workloads.begin(), network_.workloads.end(), both)) continue;
        alone += fmt::format("{}`{}`", alone.empty() ? "" : ", ", name);
    }
    if (alone.empty()) return;
    const bool real = partner->kind == abi::NodeKind::endpoint;
    unused(
        place,
        fmt::format("`{}` offers {}, and no host that it has connections with does", network_.nodes[row].name, alone),
        fmt::format("TCP uses what both sides offer: give `{}` such a `tcp` too{}", partner->name,
                    real ? "; a real host in its place brings its own" : ""));
}

void Elaborator::find_unused_attributes()
{
    unused_costs();
    unused_metrics();
    unused_impairments();
    const auto connected = [&](std::uint32_t row) {
        return std::any_of(network_.workloads.begin(), network_.workloads.end(),
                           [&](const WorkloadInfo& w) { return abi::is_web(w.kind) && chooses(w.peers, row); });
    };
    for (const ServerInfo& server : network_.servers) {
        const NodeGroup& node = network_.nodes[server.node.value];
        if (connected(server.node.value)) continue;
        unused(node.span, fmt::format("no client connects to the simulated server of `{}`", node.name),
               "a workload of `web.ClosedLoop` or `web.OpenLoop` does, with it as `server`");
    }
    for (const auto& [row, place] : own_tcp_) {
        const bool speaks =
            std::any_of(network_.workloads.begin(), network_.workloads.end(), [&](const WorkloadInfo& w) {
                return abi::over_tcp(w.kind) && (chooses(w.targets, row) || chooses(w.peers, row));
            });
        if (speaks) {
            unused_tcp_options(row, place);
            continue;
        }
        const NodeGroup& node = network_.nodes[row];
        report(Diag::unused_attribute, node.span,
               fmt::format("`{}` has settings of TCP, and no workload uses TCP there", node.name))
            .also(place, "the settings");
    }
    if (gateway_at_.valid() && network_.endpoints.empty())
        unused(gateway_at_, "the `gateway` is for real hosts, and there is no endpoint for one", "leave it out");
}

}  // namespace anml
