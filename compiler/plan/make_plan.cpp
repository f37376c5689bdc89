// Turns the network, its routes and what is left of its requirements into the image's rows, one table after the other.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analysis/network_queries.h"
#include "analysis/traffic/expected_traffic.h"
#include "analysis/traffic/report_groups.h"
#include "elaborate/topology/label_table.h"
#include "plan/plan.h"
#include "plan/value_table.h"

namespace anml {
namespace {

// The image's strings: each once, NUL-terminated, "" at offset 0.
class StringPool {
  public:
    StringPool() { intern(""); }

    abi::StringRef intern(std::string_view text)
    {
        // A NUL would end the string early in the emulator; what follows it could never be read.
        return intern_bytes(text.substr(0, text.find('\0')));
    }
    // Whoever reads it knows how long it is.
    abi::StringRef intern_bytes(std::string_view text)
    {
        const auto [at, fresh] = offsets_.try_emplace(std::string(text), static_cast<abi::StringRef>(bytes_.size()));
        if (fresh) (bytes_ += text) += '\0';
        return at->second;
    }
    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
    std::unordered_map<std::string, abi::StringRef> offsets_;
};

template <class Rows>
std::uint32_t count_of(const Rows& rows)
{
    return static_cast<std::uint32_t>(rows.size());
}

abi::Unit unit_of(const ParameterInfo& parameter)
{
    if (parameter.integer) return abi::Unit::integer;
    if (parameter.dim == dimension::time) return abi::Unit::time;
    if (parameter.dim == dimension::size) return abi::Unit::size;
    if (parameter.dim == dimension::rate) return abi::Unit::rate;
    if (parameter.dim == dimension::length) return abi::Unit::length;
    return abi::Unit::none;
}

// The addresses of a record's ranges, which may overlap, sorted and disjoint: of nodes those of both families. An
// endpoint has its subnets' besides. Prefixes of IPv6 behind them (abi::AddressRange).
std::vector<std::uint32_t> address_words(const Network& network, const RecordRanges& ranges)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (const RecordRange& range : ranges) {
        if (range.is_prefix()) continue;
        const std::uint32_t base = range.row == abi::kNone ? 0 : network.nodes[range.row].address;
        all.emplace_back(base + range.first, base + range.last);
        if (range.row == abi::kNone) continue;
        if (const std::uint32_t shared = network.nodes[range.row].anycast) all.emplace_back(shared, shared);
        if (const NodeArray& node = network.nodes[range.row]; node.has_ipv6) {
            const std::uint32_t handles = abi::kIpv6Handles + node.first_node;
            all.emplace_back(handles + range.first, handles + range.last);
        }
        for (const EndpointInfo& endpoint : network.endpoints)
            for (const EndpointPrefix& p : endpoint.prefixes)
                if (endpoint.node.value == range.row)
                    all.emplace_back(static_cast<std::uint32_t>(p.first()), static_cast<std::uint32_t>(p.last()));
    }
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> words;
    for (const auto& [first, last] : all) {
        if (!words.empty() && first <= words.back())
            words.back() = std::max(words.back(), last);
        else
            words.insert(words.end(), {first, last});
    }
    for (const RecordRange& range : ranges) {
        if (!range.is_prefix()) continue;
        words.insert(words.end(), {range.length + 1, 0});
        for (int shift = 96; shift >= 0; shift -= 32) words.push_back(static_cast<std::uint32_t>(range.bits >> shift));
    }
    return words;
}

class PlanBuilder {
  public:
    explicit PlanBuilder(const PlanInputs& inputs)
        : inputs_(inputs), network_(inputs.network), values_(inputs.requirements.values)
    {
    }

    Plan build()
    {
        add_nodes();
        add_links();
        add_traces();
        add_files();
        add_records();
        add_routes();
        add_servers();
        add_workloads();
        add_parameters();
        add_requirements();
        add_labels();
        add_tasks();
        add_timeline();
        add_epochs();
        auto& read = plan_.sampler_values;
        std::sort(read.begin(), read.end());
        read.erase(std::unique(read.begin(), read.end()), read.end());
        fill_header();
        plan_.strings = strings_.take();
        plan_.header.string_bytes = count_of(plan_.strings);
        plan_.expressions = values_.take_expressions();
        plan_.values = values_.take_values();
        plan_.header.value_count = count_of(plan_.values);
        return std::move(plan_);
    }

  private:
    std::uint32_t first_node(NodeRowId row) const { return network_.nodes[row.value].first_node; }

    abi::Distribution distribution(const DistributionValue& value)
    {
        if (value.kind == abi::DistributionKind::computed) {
            const auto [at, fresh] = samplers_.try_emplace(value.a, count_of(plan_.samplers));
            if (fresh) plan_.samplers.push_back(sampler(value.a));
            return {value.kind, at->second, plan_.samplers[at->second].words};
        }
        const bool two = value.kind == abi::DistributionKind::uniform;
        return {value.kind, values_.add(value.a), two ? values_.add(value.b) : abi::kNone};
    }

    // The tree of a random expression, with its parameters in the value table.
    SampleTree sampler(ValueExprId expression)
    {
        const ValuePool& pool = inputs_.requirements.values;
        SampleTree tree = make_sample_tree(pool, expression);
        for (SampleNode& node : tree.nodes) {
            if (node.op == ValueOp::tunable) {
                node.a = values_.add(node.a);
                plan_.sampler_values.push_back(node.a);
            }
            if (node.op != ValueOp::empirical) continue;
            const EmpiricalTable& table = pool.tables()[node.a];
            const auto known = std::find(plan_.samples.begin(), plan_.samples.end(), table);
            node.a = static_cast<std::uint32_t>(known - plan_.samples.begin());
            if (known == plan_.samples.end()) plan_.samples.push_back(table);
        }
        return tree;
    }

    // Those of all arrays with the same keys are there once.
    std::uint32_t keys(const std::shared_ptr<const KeySet>& set, std::uint32_t count)
    {
        if (!set || count == 0) return abi::kNone;
        const auto [known, fresh] = keys_.try_emplace(set.get(), count_of(plan_.keys));
        if (fresh)
            for (std::size_t i = 0; i < set->size(); ++i)
                plan_.keys.push_back(strings_.intern(key_in_names((*set)[i])));
        return known->second;
    }

    void add_nodes()
    {
        for (std::size_t row = 0; row < network_.nodes.size(); ++row) {
            const NodeArray& node = network_.nodes[row];
            const RowTable& table = inputs_.routes.table_of_row[row];
            plan_.node_rows.push_back({strings_.intern(node.name),
                                       node.kind,
                                       node.count,
                                       node.is_array ? 1u : 0u,
                                       node.first_node,
                                       node.address,
                                       table.table,
                                       abi::kNone,
                                       table.stride,
                                       node.tcp,
                                       node.processing,
                                       node.middlebox,
                                       node.icmp_limits,
                                       node.buffer,
                                       node.radio,
                                       {}});
            plan_.node_rows.back().anycast = node.anycast;
            plan_.node_rows.back().keys = keys(node.keys, node.count);
            for (int word = 0; word < 4; ++word) {
                abi::NodeRow& made = plan_.node_rows.back();
                made.ipv6[word] = static_cast<std::uint32_t>(node.ipv6 >> (96 - 32 * word));
                made.anycast_ipv6[word] = static_cast<std::uint32_t>(node.anycast_ipv6 >> (96 - 32 * word));
            }
        }
        if (network_.endpoints.empty()) return;  // never live
        const std::vector<Flow> flows = find_flows(network_, inputs_.routes);
        const ExpectedTraffic traffic = expect_rates(network_, flows, default_tunables(network_));
        plan_.header.expected_hops = traffic.hops;
        for (std::uint32_t i = 0; i < network_.endpoints.size(); ++i) {
            const EndpointInfo& endpoint = network_.endpoints[i];
            plan_.node_rows[endpoint.node.value].endpoint = i;
            const abi::Slice prefixes{count_of(plan_.endpoint_prefixes), count_of(endpoint.prefixes)};
            for (const EndpointPrefix& p : endpoint.prefixes)
                plan_.endpoint_prefixes.push_back({p.bits, p.length, p.kind});
            plan_.endpoints.push_back({strings_.intern(endpoint.name), strings_.intern(endpoint.doc),
                                       first_node(endpoint.node), endpoint.server, traffic.at[i],
                                       network_.nodes[endpoint.node.value].explicit_address ? 1u : 0u, prefixes});
        }
    }

    void add_links()
    {
        for (const LinkArray& link : network_.links) {
            abi::LinkRow row{};
            row.name = strings_.intern(link.name);
            row.count = link.count;
            row.is_array = link.is_array ? 1 : 0;
            row.keys = keys(link.keys, link.count);
            row.first_link = link.first_link;
            row.one_way = link.one_way ? 1 : 0;
            row.wired = link.wired ? 1 : 0;
            row.transparent = link.transparent ? 1 : 0;
            for (int side = 0; side < 2; ++side) {
                row.node[side] = first_node(link.end[side].row) + link.end[side].first;
                row.stride[side] = link.end[side].stride;
                row.rate[side] = values_.add(link.rate[side]);
                row.delay[side] = values_.add(link.delay[side]);
                row.queue[side] = values_.add(link.queue[side]);
                row.queue_packets[side] = values_.add(link.queue_packets[side]);
                row.impairment[side] = link.impairment[side];
                row.trace[side] = link.trace[side];
                row.discipline[side] = link.discipline[side];
            }
            row.mtu = values_.add(link.mtu);
            row.overhead = values_.add(link.overhead);
            plan_.link_rows.push_back(row);
        }
    }

    void add_records()
    {
        for (const RecordInfo& record : network_.records) {
            std::vector<abi::Slice> lists;  // which stand before the record's own words
            for (const RecordValue& v : record.values) {
                std::vector<std::uint32_t> words;
                if (const auto* list = std::get_if<RecordList>(&v))
                    words = *list;
                else if (const auto* ranges = std::get_if<RecordRanges>(&v))
                    words = address_words(network_, *ranges);
                else
                    continue;
                lists.push_back({count_of(plan_.record_words), count_of(words)});
                plan_.record_words.insert(plan_.record_words.end(), words.begin(), words.end());
            }
            abi::RecordRow row{record.layout, {count_of(plan_.record_words), 0}};
            auto next_list = lists.begin();
            for (const RecordValue& v : record.values) {
                if (const auto* number = std::get_if<ValueExprId>(&v)) {
                    plan_.record_words.push_back(values_.add(*number));
                } else if (const auto* choice = std::get_if<RecordChoice>(&v)) {
                    plan_.record_words.push_back(choice->ordinal);
                } else if (const auto* drawn = std::get_if<DistributionValue>(&v)) {
                    const abi::Distribution d = distribution(*drawn);
                    plan_.record_words.insert(plan_.record_words.end(), {static_cast<std::uint32_t>(d.kind), d.a, d.b});
                } else if (std::holds_alternative<RecordList>(v) || std::holds_alternative<RecordRanges>(v)) {
                    plan_.record_words.insert(plan_.record_words.end(), {next_list->first, next_list->count});
                    ++next_list;
                } else if (const auto* text = std::get_if<std::string>(&v)) {
                    plan_.record_words.push_back(strings_.intern(*text));
                } else if (const auto* file = std::get_if<RecordFile>(&v)) {
                    plan_.record_words.push_back(file->index);
                } else {
                    plan_.record_words.push_back(abi::kNone);
                }
            }
            row.words.count = count_of(plan_.record_words) - row.words.first;
            plan_.records.push_back(row);
        }
    }

    void add_traces()
    {
        for (const TraceInfo& trace : network_.traces) {
            const std::vector<std::uint32_t>& times = *trace.opportunities;
            plan_.traces.push_back({strings_.intern(trace.name), {count_of(plan_.opportunities), count_of(times)}});
            plan_.opportunities.insert(plan_.opportunities.end(), times.begin(), times.end());
        }
    }

    void add_files()
    {
        for (const auto& file : network_.files) {
            plan_.files.push_back({strings_.intern(file->name),
                                   {count_of(plan_.file_documents), count_of(file->documents)},
                                   {count_of(plan_.arrivals), count_of(file->arrivals)},
                                   file->clients,
                                   static_cast<std::uint32_t>(file->skipped)});
            for (const FileDocument& d : file->documents) {
                plan_.file_documents.push_back({d.size, d.weight, strings_.intern(d.path), d.status, d.method,
                                                d.sha256 ? count_of(plan_.hashes) : abi::kNone,
                                                d.request ? count_of(plan_.requests) : abi::kNone});
                const auto if_any = [&](const std::string& text) {
                    return text.empty() ? abi::kNone : strings_.intern(text);
                };
                if (const auto& r = d.request)
                    plan_.requests.push_back({strings_.intern(r->name), if_any(r->authority),
                                              strings_.intern(r->fields), strings_.intern_bytes(r->body),
                                              count_of(r->body), r->grpc,
                                              if_any(r->script), if_any(r->rows),
                                              if_any(r->group), r->think.has_value(), r->think ? r->think->first : 0,
                                              r->think ? r->think->second : 0, if_any(r->origin), 0});
                plan_.requests_hash |= d.request && d.request->hashes;
                if (!d.sha256) continue;
                abi::Sha256& hash = plan_.hashes.emplace_back();
                std::copy(d.sha256->begin(), d.sha256->end(), hash.bytes);
            }
            for (const FileArrival& a : file->arrivals) plan_.arrivals.push_back({a.at, a.client, a.document});
        }
    }

    void add_routes()
    {
        plan_.tables = inputs_.routes.tables;
        plan_.ranges = inputs_.routes.ranges;
        plan_.hops = inputs_.routes.hops;
        plan_.columns = inputs_.routes.columns;
        plan_.codes = inputs_.routes.codes;
        plan_.alternatives = inputs_.routes.alternatives;
        plan_.segments = inputs_.routes.segments;
        plan_.steering = inputs_.routes.steering;
    }

    void add_servers()
    {
        for (const ServerInfo& server : network_.servers)
            plan_.servers.push_back({first_node(server.node), server.port, server.record});
    }

    abi::Slice add_nodes(const std::vector<TargetRange>& nodes)
    {
        const abi::Slice slice{count_of(plan_.targets), count_of(nodes)};
        for (const TargetRange& range : nodes)
            plan_.targets.push_back({first_node(range.row) + range.first, range.count});
        return slice;
    }

    static std::uint32_t protocol_of(Transport transport)
    {
        constexpr std::uint32_t kIcmp = 1, kTcp = 6, kUdp = 17;  // IANA's numbers
        return transport == Transport::tcp ? kTcp : transport == Transport::udp ? kUdp : kIcmp;
    }

    void add_workloads()
    {
        for (const WorkloadInfo& workload : network_.workloads) {
            abi::WorkloadRow row{};
            row.name = strings_.intern(workload.name);
            row.targets = add_nodes(workload.targets);
            row.peers = add_nodes(workload.peers);
            row.pairing = workload.pairing;
            row.port = workload.port;
            row.transport = protocol_of(workload.traits.transport);
            row.receives = workload.port != 0 && workload.documents.empty();
            row.documents = {count_of(plan_.documents), count_of(workload.documents)};
            row.parts = workload.parts;
            for (const DocumentInfo& document : workload.documents) {
                plan_.documents.push_back({strings_.intern(document.path), document.count, document.set ? 1u : 0u,
                                           document.seed, distribution(document.size), distribution(document.choice),
                                           document.record, document.file});
            }
            row.start_spread = values_.add(workload.start_spread);
            row.start = workload.start;
            row.record = workload.record;
            row.traffic_class = workload.dscp << 2;
            row.ipv6 = workload.ipv6 ? 1 : 0;
            plan_.workloads.push_back(row);
        }
    }

    void add_parameters()
    {
        for (const ParameterInfo& p : network_.parameters) {
            plan_.parameters.push_back({strings_.intern(p.name), strings_.intern(p.doc), unit_of(p), p.tunable, p.value,
                                        p.minimum, p.maximum, p.word ? strings_.intern(*p.word) : abi::kNone, 0});
        }
    }

    void add_requirements()
    {
        for (const RequirementInfo& requirement : inputs_.requirements.residual)
            plan_.requirements.push_back({values_.add(requirement.holds), strings_.intern(requirement.message),
                                          strings_.intern(place_of(requirement.span))});
        for (const Threshold& t : inputs_.requirements.thresholds) {
            const RequirementInfo& required = t.requirement;
            plan_.thresholds.push_back({values_.add(required.holds),
                                        strings_.intern(required.text),
                                        strings_.intern(required.message),
                                        strings_.intern(place_of(required.span)),
                                        {count_of(plan_.measures), count_of(t.measures)}});
            for (std::size_t i = 0; i < t.measures.size(); ++i) add_measure(t.measures[i], t.bounds[i]);
        }
        if (!network_.experiment) return;
        std::set<MeasureInfo> asked;
        for (const Threshold& t : inputs_.requirements.thresholds) asked.insert(t.measures.begin(), t.measures.end());
        for (const MeasureInfo& m : network_.measures)
            if (!asked.contains(m)) add_measure(m, {});
    }

    void add_measure(const MeasureInfo& m, const MeasureBounds& bounds)
    {
        const auto bound = [&](const MeasureBounds::Bound& b) {
            return abi::MeasureBound{b.value ? values_.add(*b.value) : abi::kNone, b.inclusive ? 1u : 0u};
        };
        const MeasuredWorkloads& of = network_.measured[m.of];
        const std::uint32_t count = of.link ? 1 : count_of(of.workloads);
        const auto [at, fresh] = measured_.try_emplace(m.of, abi::Slice{count_of(plan_.measured), count});
        if (fresh && of.link)
            plan_.measured.push_back(network_.links[of.link->row.value].first_link + 2 * of.link->first);
        else if (fresh)
            plan_.measured.insert(plan_.measured.end(), of.workloads.begin(), of.workloads.end());
        const auto moment = [&](const std::optional<ValueExprId>& of) { return of ? values_.add(*of) : abi::kNone; };
        plan_.measures.push_back({m.kind, m.phase, strings_.intern(of.name), at->second,
                                  of.request.empty() ? abi::kNone : strings_.intern(of.request), moment(m.from),
                                  moment(m.until), bound(bounds.above), bound(bounds.below)});
    }

    void add_labels()
    {
        if (const Labels names(network_, "name"); !names.empty()) {
            for (std::size_t row = 0; row < network_.nodes.size(); ++row)
                for (const LabelRun& run : names.of_nodes(row))
                    add_name(plan_.node_names, network_.nodes[row].first_node + run.first, run);
            for (std::size_t row = 0; row < network_.links.size(); ++row)
                for (const LabelRun& run : names.of_links(row))
                    add_name(plan_.link_names, network_.links[row].first_link + 2 * run.first, run);
        }
        const auto by_first = [](const abi::NameRow& a, const abi::NameRow& b) { return a.first < b.first; };
        std::sort(plan_.node_names.begin(), plan_.node_names.end(), by_first);
        std::sort(plan_.link_names.begin(), plan_.link_names.end(), by_first);
        std::vector<std::pair<std::string_view, Labels>> keys;
        for (const std::string_view key : label_keys(network_)) keys.emplace_back(key, Labels(network_, key));
        for (std::uint32_t w = 0; w < network_.workloads.size(); ++w)
            for (const auto& [key, labels] : keys)
                if (const std::string_view value = labels.of_workload(w); !value.empty())
                    plan_.workload_labels.push_back({w, strings_.intern(key), strings_.intern(value)});
        for (const ReportInfo& report : network_.reports) add_report(report);
    }

    void add_name(std::vector<abi::NameRow>& names, std::uint32_t first, const LabelRun& run)
    {
        if (!run.value.empty() && run.count > 0) names.push_back({first, run.count, strings_.intern(run.value)});
    }

    void add_report(const ReportInfo& report)
    {
        const ReportGroups made = report_groups(network_, report);
        abi::ReportRow row{{count_of(plan_.report_words), count_of(report.keys)}, {}, {}};
        for (const std::string& key : report.keys) plan_.report_words.push_back(strings_.intern(key));
        row.labels = {count_of(plan_.report_words), count_of(report.keys) * count_of(made.groups)};
        for (const std::vector<std::string>& labels : made.groups)
            for (std::size_t k = 0; k < report.keys.size(); ++k)
                plan_.report_words.push_back(strings_.intern(labels.empty() ? "" : labels[k]));
        row.hosts = {count_of(plan_.report_slices), count_of(made.hosts)};
        for (const auto& hosts : made.hosts) {
            plan_.report_slices.push_back({count_of(plan_.report_hosts), count_of(hosts)});
            for (const ReportGroups::Hosts& h : hosts) plan_.report_hosts.push_back({h.first_node, h.count, h.group});
        }
        plan_.reports.push_back(row);
    }

    std::string place_of(Span span) const
    {
        if (!span.valid()) return "";
        const Position at = inputs_.sources.position(span.file, span.begin);
        return fmt::format("{}:{}:{}", inputs_.sources.file(span.file).path, at.line, at.column);
    }

    // By node id; neighbours in the same task are one row.
    void add_tasks()
    {
        std::vector<abi::TaskRow> rows;
        for (std::uint32_t task = 0; task < inputs_.tasks.tasks.size(); ++task) {
            const double weight = std::clamp(inputs_.tasks.tasks[task].weight, 1.0, 0x1p31);
            for (const TargetRange& range : inputs_.tasks.tasks[task].nodes)
                rows.push_back(
                    {first_node(range.row) + range.first, range.count, task, static_cast<std::uint32_t>(weight)});
        }
        std::sort(rows.begin(), rows.end(),
                  [](const abi::TaskRow& a, const abi::TaskRow& b) { return a.first_node < b.first_node; });
        for (const abi::TaskRow& row : rows) {
            if (!plan_.task_rows.empty() && plan_.task_rows.back().task == row.task) {
                plan_.task_rows.back().count += row.count;
            } else {
                plan_.task_rows.push_back(row);
            }
        }
    }

    // The rows of links that end at each row of nodes, and by which end.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> links_by_row() const
    {
        std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> result(network_.nodes.size());
        for (std::uint32_t row = 0; row < network_.links.size(); ++row)
            for (std::uint32_t side = 0; side < 2; ++side)
                result[network_.links[row].end[side].row.value].emplace_back(row, side);
        return result;
    }

    // A node goes down with all of its links.
    void add_links_of(const TargetRange& nodes)
    {
        if (links_of_.empty()) links_of_ = links_by_row();
        for (const auto& [row, side] : links_of_[nodes.row.value]) {
            const LinkArray& link = network_.links[row];
            const LinkEnd& end = link.end[side];
            const std::uint64_t last = std::uint64_t{nodes.first} + nodes.count;
            std::uint32_t first = 0, count = link.count;
            if (end.stride == 0) {
                if (end.first < nodes.first || end.first >= last) continue;
            } else {
                first = end.first < nodes.first ? nodes.first - end.first : 0;
                if (first >= link.count || end.first + first >= last) continue;
                count = static_cast<std::uint32_t>(std::min<std::uint64_t>(link.count, last - end.first)) - first;
            }
            plan_.timeline_targets.push_back({link.first_link + 2 * first, count,
                                              side == 0 ? abi::TimelineCause::end_a : abi::TimelineCause::end_b, 3});
        }
    }

    void add_timeline()
    {
        for (const TimelineInfo& t : network_.timeline) {
            abi::TimelineRow row{};
            row.subject = strings_.intern(t.subject);
            row.attribute = t.attribute;
            row.form = t.form;
            row.targets.first = count_of(plan_.timeline_targets);
            for (const LinkSlice& links : t.links)
                plan_.timeline_targets.push_back({network_.links[links.row.value].first_link + 2 * links.first,
                                                  links.count, abi::TimelineCause::itself, t.directions});
            for (const TargetRange& nodes : t.nodes) add_links_of(nodes);
            for (const std::uint32_t workload : t.workloads)
                plan_.timeline_targets.push_back({workload, 1, abi::TimelineCause::itself, 3});
            row.targets.count = count_of(plan_.timeline_targets) - row.targets.first;
            row.first = values_.add(t.first);
            row.last = values_.add(t.last);
            row.step = values_.add(t.step);
            row.value = values_.add(t.value);
            row.value_to = values_.add(t.value_to);
            if (abi::is_impairment(t.attribute) && t.form != abi::TimelineForm::ramp) row.draw = distribution(t.draw);
            plan_.timeline.push_back(row);
        }
    }

    void add_epochs()
    {
        for (const RouteEpoch& epoch : inputs_.routes.epochs) {
            // Links go down and come up by themselves.
            if (!epoch.links.empty() && epoch.changes.empty() && epoch.columns.empty()) continue;
            const abi::ValueId time = !epoch.moment      ? values_.add_constant(epoch.time)
                                      : epoch.later != 0 ? values_.add_sum(*epoch.moment, epoch.later)
                                                         : values_.add(*epoch.moment);
            plan_.epochs.push_back({time,
                                    {count_of(plan_.table_changes), count_of(epoch.changes)},
                                    {count_of(plan_.column_changes), count_of(epoch.columns)}});
            plan_.table_changes.insert(plan_.table_changes.end(), epoch.changes.begin(), epoch.changes.end());
            plan_.column_changes.insert(plan_.column_changes.end(), epoch.columns.begin(), epoch.columns.end());
        }
        plan_.code_changes = inputs_.routes.code_changes;
    }

    void fill_header()
    {
        abi::Image& h = plan_.header;
        h.magic = abi::kMagic;
        h.version = abi::kVersion;
        h.model_name = strings_.intern(network_.model_name);
        h.model_doc = strings_.intern(network_.model_doc);
        h.source_file =
            strings_.intern(inputs_.sources.files.empty() ? "" : inputs_.sources.file(inputs_.sources.main).path);
        h.compiler = strings_.intern("anmlc " ANML_VERSION);
        h.nodes = network_.node_count;
        h.directed_links = network_.directed_links;
        h.pool_first = network_.pool_first;
        h.pool_length = network_.pool_length;
        h.gateway = network_.gateway;
        h.duration = values_.add(network_.duration);
        h.warmup = values_.add(network_.warmup);
        h.tunable_count = count_of(network_.tunables);
        h.task_count = count_of(inputs_.tasks.tasks);
        h.sampler_count = count_of(plan_.samplers);
#define ANML_TABLE(row, rows, count) h.count = count_of(plan_.rows);
#include "runtime/abi/image_tables.def"
    }

    const PlanInputs& inputs_;
    const Network& network_;
    StringPool strings_;
    ValueTable values_;
    std::unordered_map<const KeySet*, std::uint32_t> keys_;    // the first in the plan's
    std::unordered_map<ValueExprId, std::uint32_t> samplers_;  // by expression, so that each is made once
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>>
        links_of_;                                  // links_by_row(), once it is asked for
    std::map<std::uint32_t, abi::Slice> measured_;  // by index of what is measured together
    Plan plan_;
};

}  // namespace

Plan make_plan(const PlanInputs& inputs) { return PlanBuilder(inputs).build(); }

}  // namespace anml
