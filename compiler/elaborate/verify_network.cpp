// What every network fulfils: dense ids in row order, ends and targets inside their rows, values inside the pool.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/network.h"

namespace anml {
namespace {

// Those of a list stand before the record that has it.
template <class IsValue>
bool is_of(const RecordValue& value, abi::FieldKind kind, std::size_t record, IsValue&& is_value)
{
    if (const auto* list = std::get_if<RecordList>(&value))
        return kind == abi::FieldKind::records &&
               std::all_of(list->begin(), list->end(), [&](std::uint32_t index) { return index < record; });
    if (const auto* drawn = std::get_if<DistributionValue>(&value))
        return abi::is_random(kind) && is_value(drawn->a) && is_value(drawn->b);
    if (const auto* number = std::get_if<ValueExprId>(&value)) return abi::is_number(kind) && is_value(*number);
    if (std::holds_alternative<RecordRanges>(value)) return abi::is_addresses(kind);
    if (std::holds_alternative<RecordFile>(value)) return abi::is_file(kind);
    if (std::holds_alternative<std::string>(value)) return abi::is_text(kind);
    return std::holds_alternative<RecordChoice>(value) ? kind == abi::FieldKind::choice : abi::is_optional(kind);
}

}  // namespace

std::string verify_network(const Network& n)
{
    const auto is_value = [&](ValueExprId id) { return id < n.values.nodes().size(); };
    const auto outside = [](const auto& range, const auto& rows) {
        return range.row.value >= rows.size() || range.first + std::uint64_t{range.count} > rows[range.row.value].count;
    };
    const auto is_record = [&](std::uint32_t index, abi::RecordSchema schema) {
        return index < n.records.size() && is_a(n.records[index], schema);
    };
    std::uint64_t next = 0;
    for (const NodeArray& g : n.nodes) {
        if (g.first_node != next) return fmt::format("{}: first node {}, not {}", g.name, g.first_node, next);
        if (g.count == 0 || (!g.is_array && g.count != 1)) return fmt::format("{}: {} elements", g.name, g.count);
        if ((g.kind == abi::NodeKind::switch_) != (g.address == 0))
            return fmt::format("{}: address {:#x}", g.name, g.address);
        if (g.only_ipv6 && (!g.has_ipv6 || g.address != abi::kIpv6Handles + g.first_node))
            return fmt::format("{}: IPv6 alone, and the handle {:#x}", g.name, g.address);
        const bool has_tcp = g.kind == abi::NodeKind::host || g.kind == abi::NodeKind::endpoint;
        if (has_tcp ? !is_record(g.tcp, abi::RecordSchema::tcp) : g.tcp != abi::kNone)
            return fmt::format("{}: TCP {}", g.name, g.tcp);
        const auto none_or = [&](std::uint32_t index, bool fits) { return index == abi::kNone || fits; };
        if (!none_or(g.processing, is_record(g.processing, abi::RecordSchema::processing)) ||
            !none_or(g.icmp_limits, is_record(g.icmp_limits, abi::RecordSchema::icmp_limits)) ||
            !none_or(g.buffer, is_record(g.buffer, abi::RecordSchema::buffer)) ||
            !none_or(g.radio,
                     is_record(g.radio, abi::RecordSchema::wifi) || is_record(g.radio, abi::RecordSchema::cellular)) ||
            !none_or(g.middlebox, g.middlebox < n.records.size() && g.kind == abi::NodeKind::router))
            return fmt::format("{}: no such record", g.name);
        next += g.count;
    }
    if (next != n.node_count) return fmt::format("{} nodes counted, {} stated", next, n.node_count);
    next = 0;
    for (const LinkArray& l : n.links) {
        if (l.first_link != next) return fmt::format("{}: first link {}, not {}", l.name, l.first_link, next);
        if (l.count == 0 || (!l.is_array && l.count != 1)) return fmt::format("{}: {} elements", l.name, l.count);
        for (const LinkEnd& end : l.end) {
            if (end.row.value >= n.nodes.size()) return fmt::format("{}: no row {}", l.name, end.row.value);
            if (end.stride > 1 || end.first + std::uint64_t{end.stride} * (l.count - 1) >= n.nodes[end.row.value].count)
                return fmt::format("{}: an end outside its row", l.name);
        }
        for (int i = 0; i < 2; ++i) {
            if (l.trace[i] != abi::kNone && l.trace[i] >= n.traces.size())
                return fmt::format("{}: no trace {}", l.name, l.trace[i]);
            if (l.discipline[i] != abi::kNone && l.discipline[i] >= n.records.size())
                return fmt::format("{}: no record {}", l.name, l.discipline[i]);
            if (l.impairment[i] != abi::kNone && !is_record(l.impairment[i], abi::RecordSchema::impairment))
                return fmt::format("{}: no impairments {}", l.name, l.impairment[i]);
            if (!is_value(l.rate[i]) || !is_value(l.delay[i]) || !is_value(l.queue[i]) || !is_value(l.queue_packets[i]))
                return fmt::format("{}: no such value", l.name);
        }
        if (!is_value(l.mtu) || !is_value(l.overhead)) return fmt::format("{}: no such value", l.name);
        next += 2 * std::uint64_t{l.count};
    }
    for (const RecordInfo& record : n.records) {
        if (record.layout >= abi::kRecordLayouts ||
            record.values.size() != abi::record_layout(record.layout).fields.size())
            return "a record without layout";
        for (const RecordValue& value : record.values)
            if (const auto* ranges = std::get_if<RecordRanges>(&value))
                for (const RecordRange& range : *ranges)
                    if (range.first > range.last ||
                        (range.row != abi::kNone &&
                         (range.row >= n.nodes.size() || range.last >= n.nodes[range.row].count)))
                        return "a record with addresses of no node";
        for (std::size_t i = 0; i < record.values.size(); ++i)
            if (!is_of(record.values[i], abi::record_layout(record.layout).fields[i].kind,
                       static_cast<std::size_t>(&record - n.records.data()), is_value))
                return "a record without value";
    }
    if (next != n.directed_links) return fmt::format("{} directed links counted, {} stated", next, n.directed_links);
    std::vector<std::vector<TargetRange>> regional(n.nodes.size());
    for (const RoutingRegion& r : n.regions) {
        for (const TargetRange& t : r.nodes) {
            if (t.count == 0 || outside(t, n.nodes)) return fmt::format("region {}: nodes outside their row", r.name);
            regional[t.row.value].push_back(t);
        }
    }
    for (std::vector<TargetRange>& ranges : regional) {
        std::sort(ranges.begin(), ranges.end(),
                  [](const TargetRange& a, const TargetRange& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < ranges.size(); ++i)
            if (ranges[i - 1].first + ranges[i - 1].count > ranges[i].first) return "a node is in two regions";
    }
    for (const ServerInfo& s : n.servers)
        if (s.node.value >= n.nodes.size() || s.record >= n.records.size()) return "a server without node or record";
    for (const EndpointInfo& e : n.endpoints) {
        if (e.node.value >= n.nodes.size() || n.nodes[e.node.value].kind != abi::NodeKind::endpoint)
            return fmt::format("{}: not an endpoint", e.name);
        if (e.server != abi::kNone && e.server >= n.servers.size()) return fmt::format("{}: no such server", e.name);
        for (const EndpointPrefix& p : e.prefixes)
            if (p.length == 0 || p.length > 32 || (p.last() & p.first()) != p.first() || p.last() > 0xffffffff)
                return fmt::format("{}: a broken prefix", e.name);
    }
    if ((n.endpoints.empty() || n.ipv6_alone) != (n.gateway == 0))
        return "the gateway and the endpoints do not go together";
    for (const WorkloadInfo& w : n.workloads) {
        for (const auto* nodes : {&w.targets, &w.peers})
            for (const TargetRange& t : *nodes)
                if (outside(t, n.nodes)) return fmt::format("{}: a target or peer outside its row", w.name);
        if (w.peers.empty()) return fmt::format("{}: no peers", w.name);
        if (!is_value(w.start_spread)) return fmt::format("{}: no such value", w.name);
        if (w.record >= n.records.size()) return fmt::format("{}: no record {}", w.name, w.record);
        for (const DocumentInfo& d : w.documents)
            if (d.record != abi::kNone && d.record >= n.records.size())
                return fmt::format("{}: no record {}", w.name, d.record);
            else if (d.file != abi::kNone && d.file >= n.files.size())
                return fmt::format("{}: no file {}", w.name, d.file);
    }
    for (const StaticRoute& r : n.static_routes)
        if (r.source >= n.node_count || r.via >= n.node_count || r.first > r.last)
            return "a static route outside the network";
    for (const SegmentRoute& r : n.segment_routes) {
        if (r.to.source >= n.node_count || r.to.first > r.to.last || r.segments.empty())
            return "a route by segments outside the network, or without any";
        for (const Segment& segment : r.segments)
            if (segment.node >= n.node_count || (segment.link != abi::kNone && segment.link >= n.directed_links))
                return "a segment outside the network";
    }
    for (const TimelineInfo& t : n.timeline) {
        for (const ValueExprId v : {t.first, t.last, t.step, t.value, t.value_to})
            if (!is_value(v)) return fmt::format("{}: no such value", t.subject);
        for (const LinkSlice& l : t.links)
            if (outside(l, n.links)) return fmt::format("{}: a link outside its row", t.subject);
        for (const TargetRange& r : t.nodes)
            if (outside(r, n.nodes)) return fmt::format("{}: a node outside its row", t.subject);
        for (const std::uint32_t w : t.workloads)
            if (w >= n.workloads.size()) return fmt::format("{}: no such workload", t.subject);
    }
    for (const LabelInfo& l : n.labels) {
        for (const TargetRange& r : l.nodes)
            if (outside(r, n.nodes)) return fmt::format("label {}: a node outside its row", l.key);
        for (const LinkSlice& r : l.links)
            if (outside(r, n.links)) return fmt::format("label {}: a link outside its row", l.key);
        for (const std::uint32_t w : l.workloads)
            if (w >= n.workloads.size()) return fmt::format("label {}: no such workload", l.key);
    }
    for (const PathQuery& q : n.queries)
        if (q.of_links() ? q.link.count != 0 && q.link.row.value >= n.links.size()
                         : std::max({q.from, q.to, q.third, q.fourth}) >= n.node_count)
            return "a query outside the network";
    for (const RequirementInfo& r : n.requirements)
        if (!is_value(r.holds)) return "a requirement without value";
    for (const ValueNode& v : n.values.nodes())
        if (v.op == ValueOp::tunable && v.a >= n.tunables.size() + n.queries.size() &&
            (v.a < kFirstMeasure || v.a - kFirstMeasure >= n.measures.size()))
            return fmt::format("no tunable {}", v.a);
    for (const MeasureInfo& m : n.measures)
        if (m.of >= n.measured.size()) return "a measure of nothing";
    for (const MeasuredWorkloads& m : n.measured)
        if (m.link) {
            if (m.link->row.value >= n.links.size() || m.link->first >= n.links[m.link->row.value].count)
                return fmt::format("{}: measured of a link outside its row", m.name);
        } else if (m.workloads.empty() || m.workloads.back() >= n.workloads.size() ||
                   !std::is_sorted(m.workloads.begin(), m.workloads.end()))
            return fmt::format("{}: measured of no workloads", m.name);
    return "";
}

}  // namespace anml
