// --emit=plan: every table as JSON, rows in the order of the image, values as expressions.
#include <fmt/format.h>

#include <iterator>

#include "base/address.h"
#include "base/json.h"
#include "plan/plan.h"

namespace anml {
namespace {

constexpr std::string_view kOperators[] = {
    "constant", "tunable", "+",   "-",   "*",   "/",   "rem",  "neg", "min", "max", "floor",
    "ceil",     "round",   "<",   "<=",  ">",   ">=",  "==",   "!=",  "and", "or",  "not",
    "select",   "abs",     "log", "exp", "pow", "pow", "sqrt", "sin", "cos",
};
static_assert(std::size(kOperators) == static_cast<std::size_t>(ValueOp::cos) + 1);

class PlanDump {
  public:
    explicit PlanDump(const Plan& plan) : plan_(plan) {}

    std::string run()
    {
        const abi::Image& h = plan_.header;
        text_ = fmt::format(
            "{{\n\"model\": {}, \"source\": {}, \"nodes\": {}, \"directed_links\": {}, \"pool\": \"{}/{}\", "
            "\"gateway\": {}, \"duration\": {}, \"warmup\": {}, \"strings\": {}, \"tasks\": {}, \"expected_hops\": "
            "{:g}",
            string(h.model_name), string(h.source_file), h.nodes, h.directed_links, dotted(h.pool_first), h.pool_length,
            address(h.gateway), h.duration, h.warmup, plan_.strings.size(), h.task_count, h.expected_hops);
        table("values", plan_.values, [&](ValueExprId id) { return json_string(expression(id)); });
        table("node_rows", plan_.node_rows, [&](const abi::NodeRow& r) {
            return fmt::format(
                "{{\"name\": {}, \"kind\": {}, \"count\": {}, \"first_node\": {}, \"address\": {}, \"table\": {}, "
                "\"table_stride\": {}, \"endpoint\": {}, \"tcp\": {}, \"processing\": {}, \"middlebox\": {}, "
                "\"icmp_limits\": {}, \"buffer\": {}, \"radio\": {}{}{}}}",
                string(r.name), static_cast<unsigned>(r.kind), r.count, r.first_node, address(r.address), r.table,
                r.table_stride, index(r.endpoint), index(r.tcp), index(r.processing), index(r.middlebox),
                index(r.icmp_limits), index(r.buffer), index(r.radio),
                r.anycast == 0                ? ""
                : r.anycast_ipv6[0] != 0 ? fmt::format(", \"anycast\": \"{}\"", ipv6_text(r.anycast_ipv6))
                                         : fmt::format(", \"anycast\": {}", address(r.anycast)),
                row_ipv6(r));
        });
        table("link_rows", plan_.link_rows, [&](const abi::LinkRow& r) {
            return fmt::format(
                "{{\"name\": {}, \"count\": {}, \"first_link\": {}, \"node\": [{}, {}], \"stride\": [{}, {}], "
                "\"rate\": [{}, {}], \"delay\": [{}, {}], \"queue\": [{}, {}], \"queue_packets\": [{}, {}], \"mtu\": "
                "{}, \"overhead\": {}, \"impairment\": [{}, {}], \"trace\": [{}, {}], \"discipline\": [{}, {}], "
                "\"one_way\": {}, \"wired\": {}, \"transparent\": {}}}",
                string(r.name), r.count, r.first_link, r.node[0], r.node[1], r.stride[0], r.stride[1], r.rate[0],
                r.rate[1], r.delay[0], r.delay[1], r.queue[0], r.queue[1], r.queue_packets[0], r.queue_packets[1],
                r.mtu, r.overhead, index(r.impairment[0]), index(r.impairment[1]), index(r.trace[0]), index(r.trace[1]),
                index(r.discipline[0]), index(r.discipline[1]), r.one_way, r.wired,
                r.transparent);
        });
        if (!plan_.keys.empty()) table("keys", plan_.keys, [&](abi::StringRef key) { return string(key); });
        table("records", plan_.records, [&](const abi::RecordRow& r) { return record(r); });
        table("traces", plan_.traces, [&](const abi::TraceRow& r) {
            return fmt::format("{{\"name\": {}, \"opportunities\": {}}}", string(r.name), slice(r.opportunities));
        });
        table("opportunities", plan_.opportunities, [](std::uint32_t ms) { return fmt::format("{}", ms); });
        table("tables", plan_.tables, [&](const abi::RouteTable& t) {
            return fmt::format("{{\"ranges\": {}, \"hops\": {}, \"first_code\": {}, \"bits\": {}}}", slice(t.ranges),
                               slice(t.hops), t.first_code, t.bits);
        });
        table("ranges", plan_.ranges, [&](const abi::RouteRange& r) {
            return fmt::format("{{\"first\": {}, \"last\": {}, \"hop\": {}}}", address(r.first), address(r.last),
                               hop(r.hop));
        });
        table("hops", plan_.hops, [&](const abi::NextHop& h) { return hop(h); });
        table("columns", plan_.columns, [&](const abi::RouteColumn& c) {
            return fmt::format("{{\"first\": {}, \"last\": {}, \"column\": {}}}", address(c.first), address(c.last),
                               c.column);
        });
        table("codes", plan_.codes, [](std::uint8_t byte) { return fmt::format("{}", byte); });
        table("alternatives", plan_.alternatives, [](std::uint32_t link) { return fmt::format("{}", link); });
        if (!plan_.segments.empty()) {
            table("segments", plan_.segments, [](const abi::SegmentRow& r) {
                return fmt::format("{{\"node\": {}, \"address\": {}, \"link\": {}, \"next\": {}, \"bytes\": {}}}",
                                   r.node, r.address, r.link, r.next, r.bytes);
            });
            table("steering", plan_.steering, [](const abi::SteeringRow& r) {
                return fmt::format(
                    "{{\"node\": {}, \"first_source\": {}, \"last_source\": {}, \"table\": {}, \"dscp\": {}, "
                    "\"protocol\": {}, \"port\": {}}}",
                    r.node, r.first_source, r.last_source, r.table, index(r.dscp), index(r.protocol), index(r.port));
            });
        }
        table("endpoints", plan_.endpoints, [&](const abi::EndpointRow& r) {
            return fmt::format(
                "{{\"name\": {}, \"node\": {}, \"server\": {}, \"expected_packets\": {:g}, \"addressed\": {}, "
                "\"prefixes\": {}}}",
                string(r.name), r.node, index(r.server), r.expected_packets, r.addressed, slice(r.prefixes));
        });
        table("endpoint_prefixes", plan_.endpoint_prefixes, [&](const abi::EndpointPrefixRow& r) {
            return fmt::format("{{\"first\": {}, \"length\": {}, \"kind\": \"{}\"}}", address(r.first), r.length,
                               abi::prefix_kind_name(r.kind));
        });
        table("servers", plan_.servers, [&](const abi::ServerRow& r) {
            return fmt::format("{{\"node\": {}, \"port\": {}, \"record\": {}}}", r.node, r.port, r.record);
        });
        table("documents", plan_.documents, [&](const abi::DocumentRow& r) {
            return fmt::format(
                "{{\"path\": {}, \"count\": {}, \"set\": {}, \"seed\": {}, \"size\": {}, \"choice\": {}, "
                "\"record\": {}, \"file\": {}}}",
                string(r.path), r.count, r.set, r.seed, distribution(r.size), distribution(r.choice), index(r.record),
                index(r.file));
        });
        table("files", plan_.files, [&](const abi::FileRow& r) {
            return fmt::format(
                "{{\"name\": {}, \"documents\": {}, \"arrivals\": {}, \"clients\": {}, \"skipped\": {}}}",
                string(r.name), slice(r.documents), slice(r.arrivals), r.clients, r.skipped);
        });
        table("targets", plan_.targets, [&](const abi::TargetRow& r) {
            return fmt::format("{{\"first_node\": {}, \"count\": {}}}", r.first_node, r.count);
        });
        table("workloads", plan_.workloads, [&](const abi::WorkloadRow& r) {
            return fmt::format(
                "{{\"name\": {}, \"targets\": {}, \"peers\": {}, \"pairing\": \"{}\", \"transport\": {}, \"port\": {}, "
                "\"receives\": {}, \"documents\": {}, \"parts\": {}, \"start_spread\": {}, \"start\": \"{}\", "
                "\"record\": {}, \"traffic_class\": {}}}",
                string(r.name), slice(r.targets), slice(r.peers), abi::pairing_name(r.pairing), r.transport, r.port,
                r.receives, slice(r.documents), r.parts, r.start_spread, abi::start_name(r.start), r.record,
                r.traffic_class);
        });
        table("parameters", plan_.parameters, [&](const abi::ParameterRow& r) {
            return fmt::format(
                "{{\"name\": {}, \"unit\": {}, \"tunable\": {}, \"value\": {}, \"minimum\": {}, \"maximum\": {}, "
                "\"word\": {}}}",
                string(r.name), static_cast<unsigned>(r.unit), index(r.tunable), json_number(r.value),
                json_number(r.minimum), json_number(r.maximum), r.word == abi::kNone ? "null" : string(r.word));
        });
        table("requirements", plan_.requirements, [&](const abi::RequirementRow& r) {
            return fmt::format("{{\"holds\": {}, \"message\": {}, \"where\": {}}}", r.holds, string(r.message),
                               string(r.where));
        });
        table("thresholds", plan_.thresholds, [&](const abi::ThresholdRow& r) {
            return fmt::format("{{\"holds\": {}, \"text\": {}, \"message\": {}, \"where\": {}, \"measures\": {}}}",
                               r.holds, string(r.text), string(r.message), string(r.where), slice(r.measures));
        });
        table("measures", plan_.measures, [&](const abi::MeasureRow& r) {
            return fmt::format(
                "{{\"kind\": \"{}\", \"phase\": \"{}\", \"of\": {}, \"workloads\": {}, \"request\": {}, \"from\": {}, "
                "\"until\": {}, \"above\": {}, \"below\": {}}}",
                abi::measure_name(r.kind), abi::kMeasurePhases[static_cast<std::size_t>(r.phase)], string(r.of),
                slice(r.workloads), r.request == abi::kNone ? "null" : string(r.request), index(r.from),
                index(r.until), index(r.above.value), index(r.below.value));
        });
        table("measured", plan_.measured, [](std::uint32_t workload) { return fmt::format("{}", workload); });
        const auto name = [&](const abi::NameRow& r) {
            return fmt::format("{{\"first\": {}, \"count\": {}, \"name\": {}}}", r.first, r.count, string(r.name));
        };
        table("node_names", plan_.node_names, name);
        table("link_names", plan_.link_names, name);
        table("workload_labels", plan_.workload_labels, [&](const abi::WorkloadLabelRow& r) {
            return fmt::format("{{\"workload\": {}, \"key\": {}, \"value\": {}}}", r.workload, string(r.key),
                               string(r.value));
        });
        table("reports", plan_.reports, [&](const abi::ReportRow& r) {
            return fmt::format("{{\"keys\": {}, \"labels\": {}, \"hosts\": {}}}", slice(r.keys), slice(r.labels),
                               slice(r.hosts));
        });
        table("report_words", plan_.report_words, [&](abi::StringRef word) { return string(word); });
        table("report_slices", plan_.report_slices, [&](const abi::Slice& hosts) { return slice(hosts); });
        table("report_hosts", plan_.report_hosts, [](const abi::ReportHostsRow& r) {
            return fmt::format("{{\"first_node\": {}, \"count\": {}, \"group\": {}}}", r.first_node, r.count, r.group);
        });
        table("task_rows", plan_.task_rows, [&](const abi::TaskRow& r) {
            return fmt::format("{{\"first_node\": {}, \"count\": {}, \"task\": {}, \"weight\": {}}}", r.first_node,
                               r.count, r.task, r.weight);
        });
        table("timeline", plan_.timeline, [&](const abi::TimelineRow& r) {
            return fmt::format(
                "{{\"subject\": {}, \"attribute\": \"{}\", \"form\": {}, \"targets\": {}, \"first\": {}, \"last\": {}, "
                "\"step\": {}, \"value\": {}, \"value_to\": {}, \"draw\": {}}}",
                string(r.subject), abi::timeline_attribute_name(r.attribute), static_cast<unsigned>(r.form),
                slice(r.targets), r.first, r.last, r.step, r.value, r.value_to,
                abi::is_impairment(r.attribute) ? distribution(r.draw) : "null");
        });
        table("timeline_targets", plan_.timeline_targets, [](const abi::TimelineTarget& r) {
            return fmt::format("{{\"first\": {}, \"count\": {}, \"cause\": {}, \"directions\": {}}}", r.first, r.count,
                               static_cast<unsigned>(r.cause), r.directions);
        });
        table("epochs", plan_.epochs, [&](const abi::EpochRow& r) {
            return fmt::format("{{\"time\": {}, \"changes\": {}, \"columns\": {}}}", r.time, slice(r.changes),
                               slice(r.columns));
        });
        table("table_changes", plan_.table_changes, [&](const abi::TableChange& r) {
            return fmt::format("{{\"table\": {}, \"ranges\": {}, \"hops\": {}, \"first_code\": {}, \"bits\": {}}}",
                               r.table, slice(r.content.ranges), slice(r.content.hops), r.content.first_code,
                               r.content.bits);
        });
        table("column_changes", plan_.column_changes, [&](const abi::ColumnChange& r) {
            return fmt::format("{{\"column\": {}, \"codes\": {}}}", r.column, slice(r.codes));
        });
        table("code_changes", plan_.code_changes, [&](const abi::CodeChange& r) {
            return fmt::format("{{\"table\": {}, \"code\": {}}}", r.table, r.code);
        });
        return text_ + "\n}\n";
    }

  private:
    template <class Rows, class Format>
    void table(std::string_view name, const Rows& rows, Format format)
    {
        text_ += fmt::format(",\n\"{}\": [", name);
        const char* separator = "\n  ";
        for (const auto& row : rows) {
            text_ += separator + format(row);
            separator = ",\n  ";
        }
        text_ += "]";
    }

    std::string string(abi::StringRef ref) const { return json_string(plan_.strings.c_str() + ref); }
    static std::string index(std::uint32_t i) { return i == abi::kNone ? "null" : fmt::format("{}", i); }
    static std::string dotted(std::uint32_t a)
    {
        return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255);
    }
    static std::string address(std::uint32_t a) { return a == 0 ? "null" : fmt::format("\"{}\"", dotted(a)); }
    static std::string ipv6_text(const std::uint32_t (&words)[4])
    {
        AddressBits bits = 0;
        for (const std::uint32_t word : words) bits = bits << 32 | word;
        return format_address(bits, true);
    }
    static std::string row_ipv6(const abi::NodeRow& row)
    {
        return row.ipv6[0] == 0 ? "" : fmt::format(", \"ipv6\": \"{}\"", ipv6_text(row.ipv6));
    }
    static std::string slice(const abi::Slice& s)
    {
        return fmt::format("{{\"first\": {}, \"count\": {}}}", s.first, s.count);
    }
    static std::string hop(const abi::NextHop& h)
    {
        return fmt::format("{{\"link\": {}, \"paths\": {}, \"by_destination\": {}, \"by_element\": {}}}", h.link,
                           h.paths, h.by_destination, h.by_element);
    }
    std::string record(const abi::RecordRow& r) const
    {
        const abi::RecordLayout layout = abi::record_layout(r.schema);
        std::string line = fmt::format("{{\"schema\": {}", json_string(std::string(layout.schema)));
        const std::uint32_t* words = plan_.record_words.data() + r.words.first;
        for (const abi::RecordField& field : layout.fields) {
            line += fmt::format(", \"{}\": ", field.name);
            if (abi::is_random(field.kind))
                line += distribution(abi::distribution_at(words));
            else if (field.kind == abi::FieldKind::choice)
                line += fmt::format("\"{}\"", abi::choice_name(field, words[0]));
            else if (field.kind == abi::FieldKind::records)
                line += record_list(abi::records_at(words));
            else if (abi::is_addresses(field.kind))
                line += record_list(abi::addresses_at(words));
            else if (abi::is_text(field.kind) && words[0] != abi::kNone)
                line += json_string(plan_.strings.c_str() + words[0]);
            else
                line += index(words[0]);
            words += abi::words_of(field.kind);
        }
        return line + "}";
    }

    // By their numbers.
    std::string record_list(const abi::Slice& list) const
    {
        const std::uint32_t* first = plan_.record_words.data() + list.first;
        return fmt::format("[{}]", fmt::join(first, first + list.count, ", "));
    }

    static std::string distribution(const abi::Distribution& d)
    {
        constexpr const char* kNames[] = {"constant", "uniform", "exponential", "computed"};
        return fmt::format("{{\"kind\": \"{}\", \"a\": {}, \"b\": {}}}", kNames[static_cast<unsigned>(d.kind)], d.a,
                           index(d.b));
    }

    // Fully parenthesised; a tunable by its parameter's name.
    std::string expression(ValueExprId id) const
    {
        const ValueNode& node = plan_.expressions.node(id);
        const std::string_view op = kOperators[static_cast<std::size_t>(node.op)];
        if (node.op == ValueOp::constant) return fmt::format("{}", node.value);
        if (node.op == ValueOp::tunable) {
            for (const abi::ParameterRow& row : plan_.parameters) {
                if (row.tunable == node.a) return plan_.strings.c_str() + row.name;
            }
            const abi::MeasureRow& measure = plan_.measures[node.a - plan_.header.tunable_count];
            return measure_text(measure.kind, plan_.strings.c_str() + measure.of, measure.phase, "");
        }
        if (operand_count(node.op) == 2) return fmt::format("({} {} {})", expression(node.a), op, expression(node.b));
        if (operand_count(node.op) == 1) return fmt::format("{}({})", op, expression(node.a));
        return fmt::format("({} ? {} : {})", expression(node.a), expression(node.b), expression(node.c));
    }

    const Plan& plan_;
    std::string text_;
};

}  // namespace

std::string dump_plan(const Plan& plan) { return PlanDump(plan).run(); }

}  // namespace anml
