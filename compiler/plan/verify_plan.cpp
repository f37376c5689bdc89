// What the runtime takes for granted about an image: every index within its table, every count the sum of its rows.
#include <fmt/format.h>

#include <algorithm>

#include "plan/plan.h"
#include "runtime/abi/forwarding.h"

namespace anml {
namespace {

class PlanVerifier {
  public:
    explicit PlanVerifier(const Plan& plan) : plan_(plan) {}

    std::string run()
    {
        check_header();
        check_nodes();
        check_records();
        check_files();
        check_links();
        check_routes();
        check_segments();
        check_activity();
        check_parameters();
        check_labels();
        check_tasks();
        check_timeline();
        check_expressions();
        check_samplers();
        return broken_;
    }

  private:
    void need(bool holds, std::string_view what)
    {
        if (!holds && broken_.empty()) broken_ = what;
    }
    void string(abi::StringRef ref) { need(ref < plan_.strings.size(), "a string lies outside the pool"); }
    void value(abi::ValueId id) { need(id < plan_.values.size(), "a value id lies outside the table"); }
    void node(std::uint32_t id) { need(id < plan_.header.nodes, "a node id is too large"); }
    void distribution(const abi::Distribution& d)
    {
        if (d.kind == abi::DistributionKind::computed) {
            need(d.a < plan_.samplers.size(), "a distribution has no sampler");
            if (d.a < plan_.samplers.size())
                need(d.b == plan_.samplers[d.a].words, "a distribution has another number of words than its sampler");
            return;
        }
        value(d.a);
        if (d.kind == abi::DistributionKind::uniform) {
            value(d.b);
        } else {
            need(d.b == abi::kNone, "a distribution of one parameter has two");
        }
    }
    bool is_record(std::uint32_t index, abi::RecordSchema schema) const
    {
        return index < plan_.records.size() && plan_.records[index].schema == static_cast<std::uint32_t>(schema);
    }
    template <class Rows>
    void slice(const abi::Slice& slice, const Rows& rows)
    {
        need(std::uint64_t{slice.first} + slice.count <= rows.size(), "a slice reaches beyond its table");
    }

    void check_header()
    {
        const abi::Image& h = plan_.header;
        need(h.magic == abi::kMagic && h.version == abi::kVersion, "wrong magic or version");
        bool counted = h.value_count == plan_.values.size() && h.string_bytes == plan_.strings.size() &&
                       h.sampler_count == plan_.samplers.size();
#define ANML_TABLE(row, rows, count) counted = counted && h.count == plan_.rows.size();
#include "runtime/abi/image_tables.def"
        need(counted, "a count differs from its table");
        need(!plan_.strings.empty() && plan_.strings.front() == '\0' && plan_.strings.back() == '\0',
             "the string pool is malformed");
        need(h.pool_length <= 33, "the address pool's length is over 33");
        for (const abi::StringRef ref : {h.model_name, h.model_doc, h.source_file, h.compiler}) string(ref);
        value(h.duration);
        value(h.warmup);
    }

    void check_nodes()
    {
        std::uint64_t next = 0;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> addresses;
        for (const abi::NodeRow& row : plan_.node_rows) {
            string(row.name);
            need(row.first_node == next, "node ids are not dense");
            next += row.count;
            need(row.count > 0 && (row.is_array != 0 || row.count == 1), "a node that is no array has a count");
            need(row.keys == abi::kNone ||
                     (row.is_array != 0 && std::uint64_t{row.keys} + row.count <= plan_.keys.size()),
                 "an element of a node row has no key");
            need(row.table_stride <= 1, "a table stride is 0 or 1");
            need(row.table + (row.count - std::uint64_t{1}) * row.table_stride < plan_.tables.size(),
                 "a node row has no table");
            need(row.endpoint == abi::kNone || row.endpoint < plan_.endpoints.size(),
                 "a node row's endpoint does not exist");
            const bool has_tcp = row.kind == abi::NodeKind::host || row.kind == abi::NodeKind::endpoint;
            need(has_tcp ? is_record(row.tcp, abi::RecordSchema::tcp) : row.tcp == abi::kNone,
                 "hosts and endpoints, and they alone, have settings of TCP");
            need(row.processing == abi::kNone || is_record(row.processing, abi::RecordSchema::processing),
                 "what a node does first is no record of that");
            need(row.icmp_limits == abi::kNone || is_record(row.icmp_limits, abi::RecordSchema::icmp_limits),
                 "a node's limits of ICMP are no record of these");
            need(row.buffer == abi::kNone || is_record(row.buffer, abi::RecordSchema::buffer),
                 "what a node's links share is no record of that");
            need(row.radio == abi::kNone || is_record(row.radio, abi::RecordSchema::wifi) ||
                     is_record(row.radio, abi::RecordSchema::cellular),
                 "how a node's links share the air is no record of that");
            need(row.middlebox == abi::kNone ||
                     (row.middlebox < plan_.records.size() && row.kind == abi::NodeKind::router),
                 "a node's middlebox does not exist, or it is no router");
            need(row.address < abi::kIpv6Handles ||
                     (row.address == abi::kIpv6Handles + row.first_node && row.ipv6[0] != 0),
                 "a handle is not that of the row's IPv6");
            if (row.address != 0) addresses.emplace_back(row.address, std::uint64_t{row.address} + row.count);
        }
        need(next == plan_.header.nodes, "the node rows do not add up");
        std::sort(addresses.begin(), addresses.end());
        for (std::size_t i = 1; i < addresses.size(); ++i)
            need(addresses[i - 1].second <= addresses[i].first, "two node rows share an address");
        for (const abi::EndpointRow& row : plan_.endpoints) {
            string(row.name);
            string(row.doc);
            node(row.node);
            need(row.server == abi::kNone || row.server < plan_.servers.size(), "an endpoint's server does not exist");
            slice(row.prefixes, plan_.endpoint_prefixes);
        }
    }

    void check_records()
    {
        for (const abi::RecordRow& row : plan_.records) {
            slice(row.words, plan_.record_words);
            need(row.schema < abi::kRecordLayouts, "a record has no layout");
            if (!broken_.empty()) return;
            std::uint32_t word = row.words.first;
            for (const abi::RecordField& field : abi::record_layout(row.schema).fields) {
                const std::uint32_t* words = plan_.record_words.data() + word;
                word += abi::words_of(field.kind);
                if (word > row.words.first + row.words.count) break;
                if (abi::is_random(field.kind))
                    distribution(abi::distribution_at(words));
                else if (field.kind == abi::FieldKind::choice)
                    need(!abi::choice_name(field, words[0]).empty(), "a record's choice is none of its values");
                else if (field.kind == abi::FieldKind::records)
                    check_list(row, abi::records_at(words));
                else if (abi::is_optional(field.kind) && words[0] == abi::kNone)
                    continue;
                else if (abi::is_addresses(field.kind))
                    check_addresses(abi::addresses_at(words));
                else if (abi::is_text(field.kind))
                    string(words[0]);
                else if (abi::is_file(field.kind))
                    need(words[0] < plan_.files.size(), "a record's file does not exist");
                else
                    value(words[0]);
            }
            need(word == row.words.first + row.words.count, "a record has other fields than its layout");
        }
    }

    void check_files()
    {
        for (const abi::FileRow& row : plan_.files) {
            string(row.name);
            slice(row.documents, plan_.file_documents);
            slice(row.arrivals, plan_.arrivals);
            if (!broken_.empty()) return;
            const auto first = plan_.arrivals.begin() + row.arrivals.first;
            need(std::is_sorted(first, first + row.arrivals.count,
                                [](const abi::Arrival& a, const abi::Arrival& b) { return a.at < b.at; }),
                 "a file's arrivals do not ascend");
        }
        for (const abi::FileDocument& row : plan_.file_documents) {
            string(row.path);
            need(row.hash == abi::kNone || row.hash < plan_.hashes.size(), "a document has no hash");
            need(row.request == abi::kNone || row.request < plan_.requests.size(), "a document has no request");
        }
        for (const abi::WrittenRequest& row : plan_.requests) {
            for (const abi::StringRef text : {row.name, row.fields, row.body}) string(text);
            need(row.body_length < plan_.strings.size() - row.body, "a request's body goes beyond the strings");
            for (const abi::StringRef text : {row.authority, row.script, row.rows, row.group, row.origin})
                if (text != abi::kNone) string(text);
        }
    }

    void check_addresses(const abi::Slice& list)
    {
        slice(list, plan_.record_words);
        if (!broken_.empty()) return;
        const auto at = plan_.record_words.begin() + list.first;
        std::uint32_t count = 0;  // behind it, prefixes of IPv6
        while (count + 1 < list.count && at[count] <= at[count + 1]) count += 2;
        need(list.count % 2 == 0 && std::is_sorted(at, at + count), "a record's addresses do not ascend");
        need((list.count - count) % 6 == 0, "a record has a part of a prefix");
    }

    // Of records before the one that has it.
    void check_list(const abi::RecordRow& row, const abi::Slice& list)
    {
        slice(list, plan_.record_words);
        if (!broken_.empty()) return;
        for (std::uint32_t i = list.first; i < list.first + list.count; ++i)
            need(plan_.record_words[i] < &row - plan_.records.data(),
                 "a record's list has one that does not stand before it");
    }

    void check_links()
    {
        for (const abi::TraceRow& row : plan_.traces) {
            string(row.name);
            slice(row.opportunities, plan_.opportunities);
            if (!broken_.empty()) return;
            const auto first = plan_.opportunities.begin() + row.opportunities.first;
            need(row.opportunities.count > 0 && std::is_sorted(first, first + row.opportunities.count) &&
                     first[row.opportunities.count - 1] > 0,
                 "a trace has no time, or they do not ascend");
        }
        std::uint64_t next = 0;
        for (const abi::LinkRow& row : plan_.link_rows) {
            string(row.name);
            need(row.first_link == next, "link ids are not dense");
            next += 2 * std::uint64_t{row.count};
            for (int side = 0; side < 2; ++side) {
                need(row.stride[side] <= 1 && row.count > 0, "a link row is malformed");
                need(row.impairment[side] == abi::kNone ||
                         is_record(row.impairment[side], abi::RecordSchema::impairment),
                     "a link's impairments do not exist");
                need(row.trace[side] == abi::kNone || row.trace[side] < plan_.traces.size(),
                     "a link's trace does not exist");
                need(row.discipline[side] == abi::kNone || row.discipline[side] < plan_.records.size(),
                     "a link's discipline does not exist");
                need(row.node[side] + (row.count - std::uint64_t{1}) * row.stride[side] < plan_.header.nodes,
                     "a link's end does not exist");
                for (const abi::ValueId id :
                     {row.rate[side], row.delay[side], row.queue[side], row.queue_packets[side]})
                    value(id);
            }
            value(row.mtu);
            value(row.overhead);
            need(row.one_way <= 1 && row.wired <= 1 && row.transparent <= 1, "a link row is malformed");
            need(row.keys == abi::kNone || std::uint64_t{row.keys} + row.count <= plan_.keys.size(),
                 "an element of a link row has no key");
        }
        need(next == plan_.header.directed_links, "the link rows do not add up");
    }

    void check_routes()
    {
        std::uint64_t columns = 0;
        for (const abi::RouteColumn& column : plan_.columns) {
            need(column.first <= column.last, "a column is empty");
            columns = std::max<std::uint64_t>(columns, column.column + std::uint64_t{1});
        }
        std::vector<abi::RouteTable> tables = plan_.tables;
        for (const abi::TableChange& change : plan_.table_changes) tables.push_back(change.content);
        for (const abi::RouteTable& table : tables) {
            slice(table.ranges, plan_.ranges);
            slice(table.hops, plan_.hops);
            if (table.bits != 0)
                need(table.first_code + (columns * table.bits + 7) / 8 + abi::kCodePadding <= plan_.codes.size(),
                     "a table's codes lie outside the others");
            const std::uint32_t end = table.ranges.first + table.ranges.count;
            for (std::uint32_t i = table.ranges.first; broken_.empty() && i < end; ++i) {
                const abi::RouteRange& range = plan_.ranges[i];
                need(range.first <= range.last, "a route range is empty");
                need(i == table.ranges.first || plan_.ranges[i - 1].last < range.first,
                     "route ranges overlap or are out of order");
                next_hop(range.hop);
            }
            for (std::uint32_t i = 0; broken_.empty() && i < table.hops.count; ++i)
                next_hop(plan_.hops[table.hops.first + i]);
        }
        // Links that elements reach, for the first and last address of every range; of a uniform row its two outermost.
        const abi::Forwarding forwarding{plan_.ranges.data(),  plan_.hops.data(),
                                         plan_.columns.data(), static_cast<std::uint32_t>(plan_.columns.size()),
                                         plan_.codes.data(),   plan_.alternatives.data()};
        const auto reaches = [&](const abi::NextHop& hop, std::uint32_t destination, std::uint32_t element) {
            for (std::uint32_t path = 0; path < hop.paths; ++path)
                need(abi::link_of(forwarding, hop, destination, element, path) < plan_.header.directed_links,
                     "a route leads to no link");
        };
        for (const abi::NodeRow& row : plan_.node_rows) {
            const std::uint32_t step = row.table_stride != 0 ? 1 : std::max(row.count - 1, 1u);
            for (std::uint32_t element = 0; element < row.count; element += step) {
                if (!broken_.empty()) return;
                const abi::RouteTable& table = plan_.tables[row.table + element * row.table_stride];
                for (std::uint32_t i = table.ranges.first; i < table.ranges.first + table.ranges.count; ++i) {
                    const abi::RouteRange& range = plan_.ranges[i];
                    reaches(range.hop, range.first, element);
                    reaches(range.hop, range.last, element);
                }
                // Where links rise with the destination they have a range, unless there are several.
                for (std::uint32_t i = 0; i < table.hops.count; ++i) {
                    const abi::NextHop& hop = plan_.hops[table.hops.first + i];
                    if (hop.by_destination == 0) reaches(hop, 0, element);
                }
            }
        }
    }

    void check_segments()
    {
        need(plan_.segments.size() <= abi::kMostSegments, "more segments than a packet can name");
        for (const abi::SegmentRow& row : plan_.segments) {
            need(row.next < plan_.segments.size(), "a segment leads to none that exists");
            need(row.node < plan_.header.nodes, "a segment ends at no node");
            need(row.link == abi::kNone || row.link < plan_.header.directed_links, "a segment is no link");
        }
        for (const abi::SteeringRow& row : plan_.steering)
            need(row.node < plan_.header.nodes && row.table < plan_.tables.size(),
                 "a router gives segments by no table");
    }

    void next_hop(const abi::NextHop& hop)
    {
        need((hop.by_destination | hop.by_element | 2) == 2, "a route's stride is 0 or 2");
        need(hop.paths > 0, "a route has no link");
        if (hop.paths > 1) slice({hop.link, hop.paths}, plan_.alternatives);
    }

    void check_activity()
    {
        for (const abi::ServerRow& row : plan_.servers) {
            node(row.node);
            need(row.port > 0 && row.port < 65536, "a port is out of range");
            need(row.record < plan_.records.size(), "a server has no record");
        }
        for (const abi::DocumentRow& row : plan_.documents) {
            string(row.path);
            need(row.count == 1 || (row.count > 1 && row.set), "several documents are no set");
            distribution(row.size);
            distribution(row.choice);
            need(row.record == abi::kNone || (row.set && row.record < plan_.records.size()),
                 "documents have no record");
            need(row.file == abi::kNone || (row.file < plan_.files.size() && row.set == 1 &&
                                            plan_.files[row.file].documents.count == row.count),
                 "documents are not as many as their file has");
        }
        for (const abi::TargetRow& row : plan_.targets) {
            need(std::uint64_t{row.first_node} + row.count <= plan_.header.nodes, "a workload's target does not exist");
        }
        for (const abi::WorkloadRow& row : plan_.workloads) {
            string(row.name);
            slice(row.targets, plan_.targets);
            slice(row.documents, plan_.documents);
            need(row.parts == 0 || row.parts < row.documents.count, "pages have no document");
            slice(row.peers, plan_.targets);
            need(row.peers.count > 0, "a workload has no peer");
            need(row.pairing <= abi::Pairing::by_request, "a workload's hosts and peers are paired in no way");
            need(row.port < 65536, "a port is out of range");
            need(row.traffic_class < 256 && row.traffic_class % 4 == 0, "a traffic class is no code point");
            value(row.start_spread);
            need(row.record < plan_.records.size(), "a workload has no record");
        }
    }

    void check_parameters()
    {
        std::vector<char> seen(plan_.header.tunable_count, 0);
        for (const abi::ParameterRow& row : plan_.parameters) {
            string(row.name);
            string(row.doc);
            if (row.word != abi::kNone) string(row.word);
            if (row.tunable == abi::kNone) continue;
            need(row.tunable < seen.size() && !seen[row.tunable],
                 "the parameters' tunables are not numbered once each");
            if (row.tunable < seen.size()) seen[row.tunable] = 1;
        }
        need(std::all_of(seen.begin(), seen.end(), [](char s) { return s != 0; }), "a tunable is no parameter");
        for (const abi::RequirementRow& row : plan_.requirements) {
            value(row.holds);
            string(row.message);
            string(row.where);
        }
        for (const abi::ThresholdRow& row : plan_.thresholds) {
            value(row.holds);
            for (const abi::StringRef ref : {row.text, row.message, row.where}) string(ref);
            slice(row.measures, plan_.measures);
        }
        for (const abi::MeasureRow& row : plan_.measures) {
            slice(row.workloads, plan_.measured);
            string(row.of);
            const bool of_link = abi::is_of_link(row.kind);
            if (row.request != abi::kNone) string(row.request);
            for (const abi::ValueId moment : {row.from, row.until})
                if (moment != abi::kNone) value(moment);
            for (const abi::MeasureBound& bound : {row.above, row.below})
                if (bound.value != abi::kNone) value(bound.value);
            need(row.workloads.count > 0 && row.phase <= abi::MeasurePhase::down &&
                     (row.phase == abi::MeasurePhase::whole || abi::is_direction(row.phase) == of_link) &&
                     (row.request == abi::kNone || !of_link),
                 "a measure of no workload, of no phase, or of a link's request");
            const std::size_t there_are = of_link ? plan_.header.directed_links : plan_.workloads.size();
            for (std::uint32_t i = 0; i < row.workloads.count && i + row.workloads.first < plan_.measured.size(); ++i)
                need(plan_.measured[row.workloads.first + i] < there_are, "a measure of what there is not");
        }
    }

    void check_names(const std::vector<abi::NameRow>& names, std::uint32_t step, std::uint32_t behind)
    {
        std::uint64_t free = 0;
        for (const abi::NameRow& row : names) {
            string(row.name);
            need(row.first >= free && row.count > 0, "names overlap, or are not sorted");
            free = row.first + std::uint64_t{step} * row.count;
        }
        need(free <= behind, "a name of what there is not");
    }

    void check_labels()
    {
        check_names(plan_.node_names, 1, plan_.header.nodes);
        check_names(plan_.link_names, 2, plan_.header.directed_links);
        for (const abi::WorkloadLabelRow& row : plan_.workload_labels) {
            need(row.workload < plan_.workloads.size(), "a label of a workload that there is not");
            string(row.key);
            string(row.value);
        }
        for (const abi::StringRef word : plan_.report_words) string(word);
        for (const abi::Slice& hosts : plan_.report_slices) slice(hosts, plan_.report_hosts);
        for (const abi::ReportRow& row : plan_.reports) {
            slice(row.keys, plan_.report_words);
            slice(row.labels, plan_.report_words);
            slice(row.hosts, plan_.report_slices);
            need(row.keys.count > 0 && row.labels.count % row.keys.count == 0, "a report without keys or labels");
            need(row.hosts.count == plan_.workloads.size(), "a report does not have every workload");
            if (row.keys.count == 0 || row.hosts.first + row.hosts.count > plan_.report_slices.size()) continue;
            for (std::uint32_t w = 0; w < row.hosts.count; ++w) {
                const abi::Slice hosts = plan_.report_slices[row.hosts.first + w];
                for (std::uint32_t i = hosts.first; i < hosts.first + hosts.count && i < plan_.report_hosts.size(); ++i)
                    need(plan_.report_hosts[i].group < row.labels.count / row.keys.count, "a host of no group");
            }
        }
    }

    void check_tasks()
    {
        std::vector<char> seen(plan_.header.task_count, 0);
        std::uint64_t next = 0;
        std::uint32_t last = abi::kNone;
        for (const abi::TaskRow& row : plan_.task_rows) {
            need(row.first_node == next, "the tasks do not hold every node once, in order");
            need(row.count > 0 && row.task != last, "a task row is empty or could be part of the one before");
            need(row.task < seen.size(), "a task row names no task");
            need(row.weight > 0, "a task weighs nothing");
            if (row.task < seen.size()) seen[row.task] = 1;
            next += row.count;
            last = row.task;
        }
        need(next == plan_.header.nodes, "the task rows do not add up");
        need(std::all_of(seen.begin(), seen.end(), [](char s) { return s != 0; }), "a task has no node");
    }

    void check_timeline()
    {
        for (const abi::TimelineRow& row : plan_.timeline) {
            string(row.subject);
            slice(row.targets, plan_.timeline_targets);
            for (const abi::ValueId id : {row.first, row.last, row.step, row.value, row.value_to}) value(id);
            if (abi::is_impairment(row.attribute) && row.form != abi::TimelineForm::ramp) distribution(row.draw);
            for (std::uint32_t i = 0; broken_.empty() && i < row.targets.count; ++i) {
                const abi::TimelineTarget& target = plan_.timeline_targets[row.targets.first + i];
                const bool workload = abi::is_of_workloads(row.attribute);
                const std::uint64_t end = target.first + (workload ? 1 : 2) * std::uint64_t{target.count};
                need(end <= (workload ? plan_.workloads.size() : plan_.header.directed_links),
                     "the timeline changes what does not exist");
            }
        }
        for (const abi::EpochRow& row : plan_.epochs) {
            value(row.time);
            slice(row.changes, plan_.table_changes);
            slice(row.columns, plan_.column_changes);
        }
        for (const abi::TableChange& change : plan_.table_changes)
            need(change.table < plan_.tables.size(), "an epoch changes a table that does not exist");
        std::uint32_t columns = 0;
        for (const abi::RouteColumn& column : plan_.columns) columns = std::max(columns, column.column + 1);
        for (const abi::ColumnChange& change : plan_.column_changes) {
            need(change.column < columns, "an epoch changes a column that does not exist");
            slice(change.codes, plan_.code_changes);
        }
        for (const abi::CodeChange& change : plan_.code_changes) {
            need(change.table < plan_.tables.size(), "an epoch changes a table that does not exist");
            if (!broken_.empty()) return;
            const abi::RouteTable& table = plan_.tables[change.table];
            need(table.bits != 0 && change.code <= table.hops.count, "an epoch's code stands for no next hop");
        }
    }

    void check_expressions()
    {
        const std::vector<ValueNode>& nodes = plan_.expressions.nodes();
        for (ValueExprId id = 0; id < nodes.size(); ++id) {
            if (nodes[id].op == ValueOp::tunable)
                need(nodes[id].a < plan_.header.tunable_count + plan_.measures.size(),
                     "an expression uses neither a tunable nor a measure");
            const ValueExprId operands[] = {nodes[id].a, nodes[id].b, nodes[id].c};
            for (int i = 0; i < operand_count(nodes[id].op); ++i)
                need(operands[i] < id, "an operand comes after its operation");
        }
        for (const ValueExprId id : plan_.values) need(id < nodes.size(), "a value has no expression");
    }

    void check_samplers()
    {
        for (const SampleTree& tree : plan_.samplers) {
            need(tree.root < tree.nodes.size(), "a sampler has no root");
            for (std::uint32_t id = 0; id < tree.nodes.size(); ++id) {
                const SampleNode& node = tree.nodes[id];
                const std::uint32_t operands[] = {node.a, node.b, node.c};
                for (int i = 0; i < operand_count(node.op); ++i)
                    need(operands[i] < id, "an operand of a sampler comes after its operation");
                if (node.op == ValueOp::tunable) {
                    value(node.a);
                    need(std::binary_search(plan_.sampler_values.begin(), plan_.sampler_values.end(), node.a),
                         "a value that a sampler reads is not listed");
                }
                if (node.op == ValueOp::empirical) need(node.a < plan_.samples.size(), "a sampler has no table");
                if (node.op == ValueOp::state) need(node.a < tree.words, "a sampler has too little state");
                if (node.op != ValueOp::process) continue;
                need(node.a < id && node.b < tree.processes.size(), "a process is malformed");
            }
        }
    }

    const Plan& plan_;
    std::string broken_;
};

}  // namespace

std::string verify_plan(const Plan& plan) { return PlanVerifier(plan).run(); }

}  // namespace anml
