// --emit=network: the network as JSON. Quantities in canonical units (ns, bytes, bit/s); a quantity that depends on a
// tunable is a string with its expression.
//
// Keys: model, doc, pool, gateway, routing, regions, node_count, directed_links, duration, warmup, parameters,
// tunables, nodes, records, links, traces, endpoints, servers, workloads, static_routes, timeline,
// queries, processes, requirements.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/address.h"
#include "check/checked_program.h"
#include "elaborate/network.h"
#include "elaborate/value.h"

namespace anml {
namespace {

using Json = nlohmann::ordered_json;

class Dumper {
  public:
    explicit Dumper(const Network& network) : n_(network) {}

    Json network()
    {
        Json j;
        j["model"] = n_.model_name;
        j["doc"] = n_.model_doc;
        j["pool"] = n_.ipv6_alone ? Json(nullptr) : Json(format_prefix(n_.pool_first, n_.pool_length, false));
        if (n_.ipv6_pool_length) j["ipv6_pool"] = format_prefix(n_.ipv6_pool, *n_.ipv6_pool_length, true);
        j["gateway"] = address(n_.gateway);
        j["routing"] = {{"metric", route_metric_name(n_.metric)}, {"multipath", n_.multipath ? "ecmp" : "single"}};
        add_times(n_.follow_delays, n_.convergence, j["routing"]);
        if (!n_.regions.empty()) j["regions"] = regions();
        j["node_count"] = n_.node_count;
        j["directed_links"] = n_.directed_links;
        j["duration"] = value(n_.duration);
        j["warmup"] = value(n_.warmup);
        j["parameters"] = parameters();
        j["tunables"] = tunables();
        j["nodes"] = nodes();
        j["records"] = records();
        j["links"] = links();
        j["traces"] = traces();
        j["endpoints"] = endpoints();
        j["servers"] = servers();
        j["workloads"] = workloads();
        j["static_routes"] = static_routes();
        if (!n_.segment_routes.empty()) j["segment_routes"] = segment_routes();
        if (!n_.labels.empty()) j["labels"] = labels();
        if (!n_.reports.empty()) {
            j["reports"] = Json::array();
            for (const ReportInfo& report : n_.reports) j["reports"].push_back(report.keys);
        }
        j["timeline"] = timeline();
        j["queries"] = queries();
        j["processes"] = processes();
        j["requirements"] = Json::array();
        for (const RequirementInfo& r : n_.requirements)
            j["requirements"].push_back({{"holds", value(r.holds)}, {"message", r.message}, {"instance", r.instance}});
        if (n_.experiment) j["experiment"] = experiment(*n_.experiment);
        return j;
    }

  private:
    Json address(std::uint32_t bits) const { return bits ? Json(format_address(bits)) : Json(nullptr); }
    Json limit(double v) const { return std::isfinite(v) ? Json(v) : Json(nullptr); }
    Json value(ValueExprId id) const
    {
        if (const auto v = n_.values.as_constant(id)) return *v;
        std::size_t room = 1000;
        return text(id, room);
    }

    // Shared parts are written out, so that the text can be much longer than the nodes: `room` bounds it.
    std::string text(ValueExprId id, std::size_t& room) const
    {
        if (room == 0) return "...";
        --room;
        const ValueNode& v = n_.values.node(id);
        const auto infix = [&](const char* sign) {
            return fmt::format("({} {} {})", text(v.a, room), sign, text(v.b, room));
        };
        const auto prefix = [&](const char* name) { return fmt::format("{}({})", name, text(v.a, room)); };
        const auto prefix2 = [&](const char* name) {
            return fmt::format("{}({}, {})", name, text(v.a, room), text(v.b, room));
        };
        switch (v.op) {
            case ValueOp::constant:
                return fmt::format("{}", v.value);
            case ValueOp::tunable:
                if (v.a < n_.tunables.size()) return n_.tunables[v.a].name;
                if (v.a >= kFirstMeasure) return measure(n_.measures[v.a - kFirstMeasure]);
                return fmt::format("query[{}]", v.a - n_.tunables.size());
            case ValueOp::add:
                return infix("+");
            case ValueOp::sub:
                return infix("-");
            case ValueOp::mul:
                return infix("*");
            case ValueOp::div:
                return infix("/");
            case ValueOp::rem:
                return infix("%");
            case ValueOp::neg:
                return prefix("-");
            case ValueOp::min:
                return prefix2("min");
            case ValueOp::max:
                return prefix2("max");
            case ValueOp::floor:
                return prefix("floor");
            case ValueOp::ceil:
                return prefix("ceil");
            case ValueOp::round:
                return prefix("round");
            case ValueOp::lt:
                return infix("<");
            case ValueOp::le:
                return infix("<=");
            case ValueOp::gt:
                return infix(">");
            case ValueOp::ge:
                return infix(">=");
            case ValueOp::eq:
                return infix("==");
            case ValueOp::ne:
                return infix("!=");
            case ValueOp::and_:
                return infix("&&");
            case ValueOp::or_:
                return infix("||");
            case ValueOp::not_:
                return prefix("!");
            case ValueOp::select:
                return fmt::format("(if {} then {} else {})", text(v.a, room), text(v.b, room), text(v.c, room));
            case ValueOp::log:
                return prefix("log");
            case ValueOp::exp:
                return prefix("exp");
            case ValueOp::pow:
            case ValueOp::power:
                return prefix2("pow");
            case ValueOp::sqrt:
                return prefix("sqrt");
            case ValueOp::sin:
                return prefix("sin");
            case ValueOp::cos:
                return prefix("cos");
            case ValueOp::normal:
                return prefix("normal");
            case ValueOp::abs:
                return prefix("abs");
            case ValueOp::unit:
                return "draw";
            case ValueOp::zipf:
                return prefix2("zipf");
            case ValueOp::empirical:
                return fmt::format("empirical[{}]", v.a);
            case ValueOp::truncate:
                return fmt::format("truncated({}, {}, {})", text(v.a, room), text(v.b, room), text(v.c, room));
            case ValueOp::state:
                return fmt::format("process[{}].state[{}]", v.a, v.b);
            case ValueOp::process:
                return fmt::format("process[{}]", v.a);
        }
        return "";
    }

    Json distribution(const DistributionValue& d) const
    {
        switch (d.kind) {
            case abi::DistributionKind::constant:
                return {{"constant", value(d.a)}};
            case abi::DistributionKind::uniform:
                return {{"uniform", {value(d.a), value(d.b)}}};
            case abi::DistributionKind::exponential:
                return {{"exponential", value(d.a)}};
            case abi::DistributionKind::computed:
                return {{"computed", value(d.a)}};
        }
        return nullptr;
    }

    static Json index(std::uint32_t i) { return i == abi::kNone ? Json(nullptr) : Json(i); }
    // Of their opportunities the count, and the time after which they repeat.
    Json traces() const
    {
        Json list = Json::array();
        for (const TraceInfo& t : n_.traces)
            list.push_back({{"name", t.name},
                            {"opportunities", t.opportunities->size()},
                            {"period", 1e6 * t.opportunities->back()}});
        return list;
    }

    Json processes() const
    {
        Json list = Json::array();
        for (const RandomProcess& p : n_.values.processes()) {
            Json states = Json::array();
            for (const RandomProcess::Variable& v : p.variables)
                states.push_back({{"initial", value(v.initial)}, {"next", value(v.next)}});
            list.push_back({{"states", states}, {"yield", value(p.yield)}});
        }
        return list;
    }

    Json parameters() const
    {
        Json list = Json::array();
        for (const ParameterInfo& p : n_.parameters)
            list.push_back({{"name", p.name},
                            {"doc", p.doc},
                            {"type", p.word      ? "word"
                                     : p.integer ? "int"
                                                 : dimension_name(p.dim)},
                            {"value", p.word ? Json(*p.word) : Json(p.value)},
                            {"minimum", limit(p.minimum)},
                            {"maximum", limit(p.maximum)},
                            {"tunable", p.tunable != abi::kNone}});
        return list;
    }

    Json tunables() const
    {
        Json list = Json::array();
        for (const TunableInfo& t : n_.tunables)
            list.push_back({{"name", t.name},
                            {"type", t.integer ? "int" : dimension_name(t.dim)},
                            {"value", t.value},
                            {"minimum", limit(t.minimum)},
                            {"maximum", limit(t.maximum)}});
        return list;
    }

    static Json keys(const KeySet& keys, std::uint32_t count)
    {
        Json list = Json::array();
        for (std::uint32_t i = 0; i < count; ++i) list.push_back(keys[i]);
        return list;
    }

    Json nodes() const
    {
        Json list = Json::array();
        for (const NodeArray& g : n_.nodes) {
            list.push_back({{"name", g.name},
                            {"kind", node_kind_name(g.kind)},
                            {"array", g.is_array},
                            {"count", g.count},
                            {"first_node", g.first_node},
                            {"address", address(g.has_ipv4() ? g.address : 0)},
                            {"explicit_address", g.explicit_address},
                            {"tcp", index(g.tcp)}});
            if (g.anycast != 0) list.back()["anycast"] = g.anycast_text();
            if (g.keys) list.back()["keys"] = keys(*g.keys, g.count);
            if (g.processing != abi::kNone) list.back()["processing"] = record(g.processing);
            if (g.middlebox != abi::kNone) list.back()["middlebox"] = record(g.middlebox);
            if (g.icmp_limits != abi::kNone) list.back()["icmp_limits"] = record(g.icmp_limits);
            if (g.buffer != abi::kNone) list.back()["buffer"] = record(g.buffer);
            if (g.radio != abi::kNone) list.back()["radio"] = record(g.radio);
            if (g.has_ipv6) list.back()["ipv6"] = format_address(g.ipv6, true);
            if (g.task != abi::kNone) list.back()["task"] = n_.task_names[g.task];
            if (g.position && g.positions.empty()) list.back()["position"] = place(*g.position);
            for (const NodePosition& p : g.positions) list.back()["positions"].push_back(place(p));
        }
        return list;
    }
    static Json place(const NodePosition& p)
    {
        if (p.geographic) return {{"latitude", p.y}, {"longitude", p.x}};
        return {{"x", p.x}, {"y", p.y}};
    }

    Json records() const
    {
        Json list = Json::array();
        for (std::uint32_t i = 0; i < n_.records.size(); ++i) list.push_back(record(i));
        return list;
    }

    void add_record(Json& j, std::uint32_t index) const
    {
        const RecordInfo& record = n_.records[index];
        const abi::RecordLayout layout = abi::record_layout(record.layout);
        for (std::size_t i = 0; i < layout.fields.size(); ++i) {
            const RecordValue& v = record.values[i];
            Json& field = j[std::string(layout.fields[i].name)];
            if (const auto* number = std::get_if<ValueExprId>(&v))
                field = value(*number);
            else if (const auto* choice = std::get_if<RecordChoice>(&v))
                field = abi::choice_name(layout.fields[i], choice->ordinal);
            else if (const auto* drawn = std::get_if<DistributionValue>(&v))
                field = distribution(*drawn);
            else if (const auto* list = std::get_if<RecordList>(&v))
                for (field = Json::array(); const std::uint32_t one : *list) field.push_back(this->record(one));
            else if (const auto* ranges = std::get_if<RecordRanges>(&v))
                for (field = Json::array(); const RecordRange& range : *ranges) field.push_back(this->range(range));
            else if (const auto* text = std::get_if<std::string>(&v))
                field = *text;
            else if (const auto* file = std::get_if<RecordFile>(&v))
                field = this->file(file->index);
        }
    }
    // Nodes by their row, as targets; or addresses.
    Json range(const RecordRange& range) const
    {
        if (range.is_prefix()) return {{"prefix", format_prefix(range.bits, range.length, true)}};
        if (range.row == abi::kNone) return {{"from", format_address(range.first)}, {"to", format_address(range.last)}};
        return {{"node", n_.nodes[range.row].name}, {"first", range.first}, {"last", range.last}};
    }
    // "traffic.Cbr"
    std::string_view kind(std::uint32_t record) const
    {
        constexpr std::string_view kLibrary = "std.";
        return abi::record_layout(n_.records[record].layout).schema.substr(kLibrary.size());
    }
    Json record(std::uint32_t index) const
    {
        if (index == abi::kNone) return nullptr;
        Json j{{"schema", abi::record_layout(n_.records[index].layout).schema}};
        add_record(j, index);
        return j;
    }

    Json file(std::uint32_t index) const
    {
        const DataFile& file = *n_.files[index];
        return {{"file", std::filesystem::path(file.path).filename().string()},
                {"documents", file.documents.size()},
                {"arrivals", file.arrivals.size()},
                {"clients", file.clients},
                {"skipped", file.skipped}};
    }

    Json links() const
    {
        Json list = Json::array();
        for (const LinkArray& l : n_.links) {
            Json j{{"name", l.name}, {"array", l.is_array}, {"count", l.count}, {"first_link", l.first_link}};
            if (l.keys) j["keys"] = keys(*l.keys, l.count);
            for (int i = 0; i < 2; ++i)
                j[i ? "b" : "a"] = {{"node", n_.nodes[l.end[i].row.value].name},
                                    {"first", l.end[i].first},
                                    {"stride", l.end[i].stride}};
            const auto both = [&](const ValueExprId(&v)[2]) {
                return v[0] == v[1] ? value(v[0]) : Json{value(v[0]), value(v[1])};
            };
            j["rate"] = both(l.rate);
            j["delay"] = both(l.delay);
            j["queue"] = both(l.queue);
            j["queue_packets"] = both(l.queue_packets);
            if (l.discipline[0] != abi::kNone || l.discipline[1] != abi::kNone)
                j["discipline"] = {record(l.discipline[0]), record(l.discipline[1])};
            j["mtu"] = value(l.mtu);
            j["overhead"] = value(l.overhead);
            if (l.one_way) j["one_way"] = true;
#define ANML_LINK_TRUTH(name, ...) \
    if (l.name) j[#name] = true;
#include "base/link_attributes.def"
            if (on_air(n_, l)) j["on_air"] = true;
            j["impairment"] = {index(l.impairment[0]), index(l.impairment[1])};
            if (l.trace[0] != abi::kNone || l.trace[1] != abi::kNone)
                j["trace"] = {index(l.trace[0]), index(l.trace[1])};
            j["cost"] = l.cost[0] == l.cost[1] ? Json(l.cost[0]) : Json{l.cost[0], l.cost[1]};
#define ANML_LINK_NUMBER(name, type, usual, ...) \
    if (!j.contains(#name) && (l.name[0] != usual || l.name[1] != usual)) j[#name] = {l.name[0], l.name[1]};
#include "base/link_attributes.def"
            if (l.relation != AsRelation::none) j["relation"] = as_relation_name(l.relation);
            list.push_back(std::move(j));
        }
        return list;
    }

    static void add_times(std::int64_t follow_delays, const Convergence& convergence, Json& routing)
    {
        for (const auto& [name, time] :
             {std::pair("follow_delays", follow_delays), std::pair("detection", convergence.detection),
              std::pair("flooding", convergence.flooding), std::pair("computation", convergence.computation)})
            if (time != 0) routing[name] = time;
    }

    Json regions() const
    {
        Json list = Json::array();
        for (const RoutingRegion& r : n_.regions)
            list.push_back({{"name", r.name},
                            {"metric", route_metric_name(r.metric)},
                            {"multipath", r.multipath ? "ecmp" : "single"},
                            {"nodes", ranges(r.nodes)}});
        for (std::size_t i = 0; i < n_.regions.size(); ++i)
            add_times(n_.regions[i].follow_delays, n_.regions[i].convergence, list[i]);
        return list;
    }

    Json labels() const
    {
        Json list = Json::array();
        for (const LabelInfo& l : n_.labels) {
            Json links = Json::array();
            for (const LinkSlice& s : l.links)
                links.push_back({{"link", n_.links[s.row.value].name}, {"first", s.first}, {"count", s.count}});
            list.push_back({{"key", l.key},
                            {"value", l.value},
                            {"nodes", ranges(l.nodes)},
                            {"links", std::move(links)},
                            {"workloads", l.workloads},
                            {"instances", l.instances}});
        }
        return list;
    }

    Json static_routes() const
    {
        Json list = Json::array();
        for (const StaticRoute& r : n_.static_routes)
            list.push_back({{"source", r.source},
                            {"first", address_text(n_, r.first)},
                            {"last", address_text(n_, r.last)},
                            {"via", r.via}});
        return list;
    }

    Json segment_routes() const
    {
        Json list = Json::array();
        for (const SegmentRoute& r : n_.segment_routes) {
            Json segments = Json::array();
            for (const Segment& segment : r.segments)
                segments.push_back({{"node", segment.node}, {"link", index(segment.link)}});
            list.push_back({{"head", r.to.source},
                            {"first", address_text(n_, r.to.first)},
                            {"last", address_text(n_, r.to.last)},
                            {"sources", ranges(r.sources)},
                            {"segments", std::move(segments)},
                            {"weight", r.weight},
                            {"label_size", r.label_size},
                            {"without", r.drop ? "drop" : "shortest_path"}});
            if (r.dscp) list.back()["dscp"] = *r.dscp;
            if (r.protocol) list.back()["protocol"] = *r.protocol;
            if (r.port) list.back()["port"] = *r.port;
        }
        return list;
    }

    Json timeline() const
    {
        static constexpr const char* kForms[] = {"once", "every", "interval", "ramp"};
        Json list = Json::array();
        for (const TimelineInfo& t : n_.timeline) {
            Json links = Json::array();
            for (const LinkSlice& l : t.links)
                links.push_back({{"link", n_.links[l.row.value].name}, {"first", l.first}, {"count", l.count}});
            list.push_back({{"subject", t.subject},
                            {"attribute", abi::timeline_attribute_name(t.attribute)},
                            {"form", kForms[static_cast<std::size_t>(t.form)]},
                            {"first", value(t.first)},
                            {"last", value(t.last)},
                            {"step", value(t.step)},
                            {"value", value(t.value)},
                            {"value_to", value(t.value_to)},
                            {"links", std::move(links)},
                            {"directions", t.directions},
                            {"nodes", ranges(t.nodes)},
                            {"workloads", t.workloads}});
            if (abi::is_impairment(t.attribute) && t.form != abi::TimelineForm::ramp)
                list.back()["draw"] = distribution(t.draw);
        }
        return list;
    }

    Json endpoints() const
    {
        Json list = Json::array();
        for (const EndpointInfo& e : n_.endpoints) {
            list.push_back({{"name", e.name},
                            {"doc", e.doc},
                            {"node", n_.nodes[e.node.value].name},
                            {"server", e.server == abi::kNone ? Json(nullptr) : Json(e.server)},
                            {"prefixes", Json::array()}});
            for (const EndpointPrefix& p : e.prefixes)
                list.back()["prefixes"].push_back({{"prefix", fmt::format("{}/{}", format_address(p.bits), p.length)},
                                                   {"kind", abi::prefix_kind_name(p.kind)}});
        }
        return list;
    }

    Json servers() const
    {
        Json list = Json::array();
        for (const ServerInfo& s : n_.servers) {
            list.push_back({{"node", n_.nodes[s.node.value].name}, {"kind", kind(s.record)}, {"port", s.port}});
            add_record(list.back(), s.record);
        }
        return list;
    }

    Json ranges(const std::vector<TargetRange>& nodes) const
    {
        Json list = Json::array();
        for (const TargetRange& t : nodes)
            list.push_back({{"node", n_.nodes[t.row.value].name}, {"first", t.first}, {"count", t.count}});
        return list;
    }

    Json workloads() const
    {
        Json list = Json::array();
        for (const WorkloadInfo& w : n_.workloads) {
            Json documents = Json::array();
            for (const DocumentInfo& d : w.documents) {
                documents.push_back({{"path", d.path}, {"size", distribution(d.size)}});
                if (!d.set) continue;
                documents.back()["count"] = d.count;
                documents.back()["seed"] = d.seed;
                if (d.file != abi::kNone)
                    documents.back()["file"] = file(d.file);  // which says the choice, too
                else
                    documents.back()["choice"] = distribution(d.choice);
                if (d.record == abi::kNone) continue;
                documents.back()["kind"] = kind(d.record);
                add_record(documents.back(), d.record);
            }
            list.push_back(
                {{"name", w.name},
                 {"kind", kind(w.record)},
                 {"targets", ranges(w.targets)},
                 {"peers", ranges(w.peers)},
                 {"pairing", abi::pairing_name(w.pairing)},
                 {"port", w.port},
                 {"documents", std::move(documents)},
                 {"start_spread", w.start == abi::Start::phase ? Json(nullptr) : Json(value(w.start_spread))},
                 {"traits", traits(w.traits)}});
            if (w.parts != 0) list.back()["parts"] = w.parts;
            if (w.family) list.back()["family"] = w.ipv6 ? "ipv6" : "ipv4";
            if (w.dscp != 0) list.back()["dscp"] = w.dscp;
            add_record(list.back(), w.record);
        }
        return list;
    }

    Json traits(const WorkloadTraits& t) const
    {
        return {{"transport", transport_name(t.transport)},
                {"answers", t.answers},
                {"load", load_name(t.load)},
                {"interval", value(t.interval)},
                {"share", value(t.share)},
                {"request", value(t.request)},
                {"reply", value(t.reply)},
                {"per_connection", value(t.per_connection)},
                {"at_once", value(t.at_once)},
                {"fragments", value(t.fragments)},
                {"fluid", value(t.fluid)}};
    }

    Json experiment(const ExperimentInfo& e) const
    {
        Json factors = Json::array(), measures = Json::array();
        for (const FactorInfo& f : e.factors) {
            Json factor = {{"name", f.name}, {"tunable", f.tunable}};
            if (f.levels.empty())
                factor["between"] = {f.low, f.high};
            else
                factor["levels"] = f.levels;
            factors.push_back(std::move(factor));
        }
        for (const MeasureInfo& m : n_.measures) measures.push_back(measure(m));
        return {{"model", e.model},
                {"factors", factors},
                {"measures", measures},
                {"repetitions", e.repetitions},
                {"precision", e.precision ? Json(*e.precision) : Json(nullptr)},
                {"find_warmup", e.find_warmup},
                {"resolution", e.resolution},
                {"batches", e.batches},
                {"stop", e.stop},
                {"within", e.within},
                {"seed", e.seed},
                {"live", e.live},
                {"server", e.server}};
    }

    std::string measure(const MeasureInfo& m) const { return measure_text(n_, m); }

    Json queries() const
    {
        Json list = Json::array();
        for (const PathQuery& q : n_.queries) {
            if (q.of_links())
                list.push_back({{"function", load_query_text(n_, q)}, {"time", q.time}});
            else
                list.push_back(
                    {{"function", path_function_name(q.function)}, {"from", q.from}, {"to", q.to}, {"time", q.time}});
        }
        return list;
    }

    const Network& n_;
};

}  // namespace

std::string_view path_function_name(PathFunction function)
{
    return builtin_name(static_cast<Builtin>(static_cast<int>(Builtin::rtt) + static_cast<int>(function)));
}

std::string load_query_text(const Network& network, const PathQuery& query)
{
    std::string link;
    if (query.link.count != 0) link = network.links[query.link.row.value].element_name(query.link.first);
    const std::string_view direction = abi::kMeasurePhases[static_cast<std::size_t>(query.direction)];
    return fmt::format("{}({}{}{})", path_function_name(query.function), link, direction.empty() ? "" : ", ",
                       direction);
}

std::string percent_text(double share) { return fmt::format("{:.4g} %", 100 * share); }

std::string measure_text(const Network& network, const MeasureInfo& measure)
{
    return measure_text(measure.kind, network.measured[measure.of].name, measure.phase, part_text(network, measure));
}

std::string part_text(const Network& network, const MeasureInfo& measure)
{
    std::vector<double> defaults;
    for (const TunableInfo& tunable : network.tunables) defaults.push_back(tunable.value);
    const auto moment = [&](std::string_view name, const std::optional<ValueExprId>& at) {
        if (!at) return std::string();
        return fmt::format(", {} = {}", name,
                           exact_quantity(network.values.evaluate(*at, defaults), dimension::time));
    };
    return moment("from", measure.from) + moment("until", measure.until);
}

std::string measure_text(abi::MeasureKind kind, std::string_view name, abi::MeasurePhase phase, std::string_view part)
{
    const std::string_view of = abi::kMeasurePhases[static_cast<std::size_t>(phase)];
    return fmt::format("{}({}{}{}{})", abi::measure_name(kind), name, of.empty() ? "" : ", ", of, part);
}

std::string dump_network(const Network& network) { return Dumper(network).network().dump(2) + "\n"; }

}  // namespace anml
