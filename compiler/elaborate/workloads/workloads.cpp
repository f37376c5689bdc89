// Workloads: which hosts do what.
#include "elaborate/workloads/workloads.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elaborate/addressing/addressing.h"
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// Which of several servers a client asks, as the library's web.ServerPick has it.
constexpr abi::Pairing kServerPicks[] = {abi::Pairing::nearest, abi::Pairing::round_robin, abi::Pairing::random};

// False: an error was reported.
bool is_server(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info, NodeRowId row)
{
    const NodeArray& node = in.network.nodes[row.value];
    if (const auto balancer = balancer_of(in.network, row)) {
        matches_balancer(in, value, s, info, row, *balancer, true);
        return true;
    }
    if (node.kind != abi::NodeKind::endpoint) {
        auto message = in.report(Diag::type_mismatch, place_of(in.program, s, "server", info.span),
                                 fmt::format("`server` wants an endpoint or a load balancer, found {}",
                                             a_type(in.program, node_type(node.kind))));
        message.also(node.span, "declared here");
        const auto served = [](const NodeArray& other) {
            return other.kind == abi::NodeKind::endpoint && other.count == 1 && !other.is_array;
        };
        const auto one = std::ranges::find_if(in.network.nodes, served);
        if (one != in.network.nodes.end() && std::ranges::count_if(in.network.nodes, served) == 1)
            message.help(fmt::format("there is the endpoint `{}`", one->name));
        else if (node.kind == abi::NodeKind::host)
            message.help(fmt::format("servers are endpoints: `endpoint {} {{ simulated = web.server() }}`", node.name));
        return false;
    }
    matches_server(in, value, s, info, row, info.port);
    return true;
}

bool web(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const NodeSet* servers = attribute_of(in.program, value, "server").as<NodeSet>();
    const auto* pick = attribute_of(in.program, value, "pick").as<EnumValue>();
    if (!servers || !pick) return false;
    info.peers = *servers;
    const std::uint64_t count = size_of(info.peers);
    const Span at = place_of(in.program, s, "pick", {});
    if (count == 0) {
        in.report(Diag::shape_mismatch, place_of(in.program, s, "server", info.span),
                  fmt::format("`{}` has no server: the selection is empty", info.name));
        return false;
    }
    if (count > 1) info.pairing = kServerPicks[pick->ordinal];
    if (count == 1 && at != Span{})
        unused_value(in.report, at, "`pick` chooses among several servers, and `server` is a single one",
                     ": all ask that one");
    for (const TargetRange& range : info.peers)
        if (!is_server(in, value, s, info, range.row)) return false;
    if (info.pairing == abi::Pairing::nearest &&
        !nearest_is_known(in.network, in.report, info, at != Span{} ? at : place_of(in.program, s, "server", info.span),
                          "`pick = round_robin` or `at_random`"))
        return false;
    return asked(in, value, s, info) && origins(in, value, s, info);
}

// Nothing: an error was reported.
struct MadeWorkload {
    std::uint32_t workload = 0;  // index
    std::vector<std::int64_t> numbers;
};

std::optional<MadeWorkload> add_workload(Elaboration& in, const WorkloadStatement& s, const Statement& at, Frame& frame)
{
    auto indices = numbers(in, s.numbers, s.name, frame);
    const Value on = evaluate(in, s.on, frame);
    auto value = overridden(
        in, s.name, schema_value(in, s.schema, s.attributes, frame, nullptr, at.span, "the workload"), "the workload");
    const NodeSet* targets = on.as<NodeSet>();
    if (!targets || !value || !indices) return std::nullopt;
    const std::string name = in.report.path_of(bracketed(in.program, s.name, *indices, s.keys));
    if (!claim(in, name, at.span)) return std::nullopt;
    const Schema& schema = in.program.schema(s.schema);
    const std::uint32_t layout = layout_of(in, s.schema);
    if (layout == abi::kNone) {
        in.report(Diag::unsupported_schema, at.span, fmt::format("hosts do not know how to do `{}`", schema.name))
            .also(schema.span, "declared here")
            .help("extend a workload of the standard library, such as `web.ClosedLoop`");
        return std::nullopt;
    }
    WorkloadInfo info;
    info.name = name;
    info.targets = *targets;
    info.span = at.span;
    if (!manner(in, *value, info.traits) || !runs_there(in, s, info)) return std::nullopt;
    const auto has = [&](std::string_view name) {
        return std::any_of(schema.attributes.begin(), schema.attributes.end(),
                           [&](const Attribute& a) { return a.name == name; });
    };
    const bool ports = has("port");
    if (ports)
        info.port = fixed_number(in, *value, "port", place_of(in.program, s, "port", at.span), "a port").value_or(0);
    info.dscp = fixed_number(in, *value, "dscp", place_of(in.program, s, "dscp", at.span), "a code point").value_or(0);
    if (const auto* family = attribute_of(in.program, *value, "family").as<EnumValue>())
        info.family = static_cast<AddressFamily>(family->ordinal);
    if (!has("start_spread") || attribute_of(in.program, *value, "start_spread").absent()) {
        info.start = abi::Start::phase;
        info.start_spread = in.constant(0);
    } else {
        info.start_spread = number_of(in.program, *value, "start_spread");
        info.start_spread_at = place_of(in.program, s, "start_spread", {});
    }
    if (targets->empty())
        in.report(Diag::no_targets, in.program.expr(s.on).span, fmt::format("`{}` runs on no host", info.name));
    if (ports && info.port == 0) return std::nullopt;
    const bool served = info.traits.load == Load::served;
    const bool relayed = served && info.traits.transport == Transport::udp;
    if (relayed         ? !relays(in, *value, s, info)
        : served        ? !calls(in, *value, s, info)
        : has("server") ? !web(in, *value, s, info)
                        : !peers(in, *value, s, info))
        return std::nullopt;
    ComputedNumbers computed;
    if (has("rate")) {
        const auto interval = interval_by_rate(in, *value, s, info);
        if (!interval) return std::nullopt;
        computed = *interval;
    }
    if (has("offered")) value = with_interval(in, value, s, info);
    if (!value) return std::nullopt;
    if (!amounts(in, *value, info.traits)) return std::nullopt;
    if (has("path")) info.documents.front().size.a = info.traits.reply;
    replay_interval(in, *value, info);
    info.record = record_of(in, *value, computed);
    const Schema& librarys = in.program.schema(in.program.find_schema(abi::record_layout(layout).schema));
    info.own_traits = std::any_of(schema.traits.begin(), schema.traits.end(), [&](const SchemaTrait& t) {
        const SchemaTrait* same = librarys.find(t.trait);
        return !same || same->value != t.value;
    });
    unused_of_workload(in, *value, s, info);
    in.network.workloads.push_back(std::move(info));
    return MadeWorkload{static_cast<std::uint32_t>(in.network.workloads.size() - 1), std::move(*indices)};
}

// One document, or a set of them: more than one, or one of a random size.
bool document(Elaboration& in, const SchemaValue& value, Span place, WorkloadInfo& info)
{
    DocumentInfo document;
    document.path = *attribute_of(in.program, value, "path").as<std::string>();
    document.size = distribution_of(in.network.values, in.program, value, "size");
    document.choice = distribution_of(in.network.values, in.program, value, "choice");
    const auto count = fixed_number(in, value, "count", place, "the number of documents");
    const auto seed = fixed_number(in, value, "seed", place, "the seed of documents");
    if (!count || !seed) return false;
    document.count = *count;
    document.seed = *seed;
    document.record = record_of(in, value, {});
    if (document.record != abi::kNone && is_a(in.network.records[document.record], abi::RecordSchema::list) &&
        !listed_documents(in, value, document))
        return false;
    document.set =
        document.count > 1 || document.size.kind != abi::DistributionKind::constant || document.record != abi::kNone;
    if (document.path.empty() && !document.set) {
        const auto bytes = in.network.values.as_constant(document.size.a);
        if (!bytes) {
            report_shape(in, document.size.a, place, "the path of a document");
            return false;
        }
        document.path = fmt::format("/{:.0f}", *bytes);
    }
    info.documents.push_back(std::move(document));
    return true;
}

// One or a list of them, behind those that are there.
bool documents(Elaboration& in, const SchemaValue& value, std::string_view attribute, const WorkloadStatement& s,
               WorkloadInfo& info)
{
    const Span place = place_of(in.program, s, attribute, info.span);
    const Value& given = attribute_of(in.program, value, attribute);
    std::vector<const SchemaValue*> list;
    if (const SchemaValue* one = given.schema()) list.push_back(one);
    if (const auto* many = given.as<std::shared_ptr<const ListValue>>())
        for (const Value& v : **many) list.push_back(v.schema());
    if (list.empty() && info.documents.empty())
        in.report(Diag::out_of_range, place, "the workload needs at least one document");
    for (const SchemaValue* one : list)
        if (!document(in, *one, place, info)) return false;
    return true;
}

}  // namespace

// Where an attribute of a block is given; `otherwise` where it is not.
Span place_of(const CheckedProgram& program, const std::vector<AttributeValue>& attributes, SchemaId schema,
              std::string_view name, Span otherwise)
{
    for (const AttributeValue& given : attributes)
        if (program.schema(schema).attributes[given.attribute].name == name) return program.expr(given.value).span;
    return otherwise;
}

Span place_of(const CheckedProgram& program, const WorkloadStatement& s, std::string_view name, Span otherwise)
{ return place_of(program, s.attributes, s.schema, name, otherwise); }

void workload(Elaboration& in, const WorkloadStatement& s, const Statement& at, Frame& frame)
{
    const bool used = s.slot != abi::kNone;
    Value made = used ? std::exchange(frame.slots[s.slot], {Failed{}}) : Value{};
    const auto index = add_workload(in, s, at, frame);
    if (!used || !index) return;
    WorkloadSet set{index->workload};
    if (index->numbers.empty())
        made = {std::move(set)};
    else
        add_numbered(in.program, in.report, made, index->numbers, {std::move(set)}, false, s.name, s.keys, at.span);
    frame.slots[s.slot] = std::move(made);
}

std::optional<std::uint32_t> fixed_number(Elaboration& in, const SchemaValue& value, std::string_view name, Span place,
                                          std::string_view what)
{
    const ValueExprId id = number_of(in.program, value, name);
    if (const auto number = in.network.values.as_constant(id)) return static_cast<std::uint32_t>(*number);
    report_shape(in, id, place, std::string(what));
    return std::nullopt;
}

// Whether the simulated server there is one of the kind that the workload asks; a real one may be. False: it was warned
// about.
bool matches_server(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info,
                    NodeRowId row, std::uint32_t port)
{
    const NodeArray& node = in.network.nodes[row.value];
    const ServerInfo* simulated = server_of(in, row);
    if (!simulated) return true;
    const bool messages = !attribute_of(in.program, value, "path").absent();
    if (messages != is_a(in.network.records[simulated->record], abi::RecordSchema::message_server)) {
        in.report(Diag::no_server,
                  place_of(in.program, s, info.traits.load == Load::served ? "to" : "server", info.span),
                  fmt::format("`{}` {}, and the simulated server of `{}` does not", info.name,
                              messages ? "opens sockets or streams of events" : "asks for documents", node.name))
            .also(node.span, "the server is declared here")
            .help(fmt::format("give it `simulated = {}`", messages ? "web.message_server()" : "web.server()"));
        return false;
    }
    bool fine = true;
    const auto other = [&](Diag kind, std::string_view attribute, std::string text) {
        fine = false;
        auto message = in.report(kind, place_of(in.program, s, attribute, info.span), std::move(text));
        message.also(node.span, "the server is declared here");
        return message;
    };
    const auto chosen = [&](std::string_view name) -> std::optional<std::pair<std::uint32_t, std::uint32_t>> {
        const auto* wanted = attribute_of(in.program, value, name).as<EnumValue>();
        const RecordValue* spoken = find_value(in.network.records[simulated->record], name);
        if (!wanted || !spoken) return std::nullopt;
        return std::pair(wanted->ordinal, std::get<RecordChoice>(*spoken).ordinal);
    };
    const auto scheme = chosen("scheme");
    const bool other_scheme = scheme && scheme->first != scheme->second;
    constexpr std::uint32_t kDefaultPorts[] = {80, 443};
    if (simulated->port != port && other_scheme && port == info.port && port == kDefaultPorts[scheme->first != 0] &&
        simulated->port == kDefaultPorts[scheme->second != 0])
        other(Diag::scheme_mismatch, "scheme",
              fmt::format("`{}` asks over {}, but the simulated server of `{}` speaks {}", info.name,
                          scheme->first == 0 ? "HTTP" : "HTTPS", node.name, scheme->second == 0 ? "HTTP" : "HTTPS"))
            .help("give both the same `scheme`");
    else if (simulated->port != port)
        other(Diag::port_mismatch, "port",
              fmt::format("`{}` {} port {}{}, but the simulated server listens on {}", info.name,
                          port == info.port ? "connects to" : "gets to", port,
                          port == info.port ? "" : " of the back end", simulated->port));
    if (const auto version = chosen("version"); version && version->first > version->second)
        other(Diag::version_mismatch, "version",
              fmt::format("`{}` speaks HTTP/2, but the simulated server does not", info.name))
            .help("`web.server(version = HTTP_2)` speaks both");
    if (info.traits.load == Load::served && simulated->port == port && other_scheme)
        other(Diag::scheme_mismatch, "scheme",
              fmt::format("`{}` calls over {}, but the simulated server of `{}` speaks {}", info.name,
                          scheme->first == 0 ? "HTTP" : "HTTPS", node.name, scheme->second == 0 ? "HTTP" : "HTTPS"))
            .help("give both the same `scheme`");
    return fine;
}

// What it asks for, and how.
bool asked(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    if (const auto* path =
            attribute_of(in.program, value, "path").as<std::string>()) {  // of those that ask once a connection
        info.documents.push_back({.path = *path,
                                  .size = {abi::DistributionKind::constant, in.constant(0), 0},
                                  .choice = {abi::DistributionKind::constant, in.constant(1), 0}});
        return headers(in.report, attribute_of(in.program, value, "headers"),
                       place_of(in.program, s, "headers", info.span));
    }
    if (!replayed(in, value, info) || !documents(in, value, "documents", s, info)) return false;
    const auto& attributes = in.program.schema(s.schema).attributes;
    if (std::any_of(attributes.begin(), attributes.end(), [](const Attribute& a) { return a.name == "parts"; })) {
        const std::size_t pages = info.documents.size();
        if (!documents(in, value, "parts", s, info)) return false;
        info.parts = static_cast<std::uint32_t>(info.documents.size() - pages);
    }
    if (!has_asked_documents(in, value, info)) return false;
    if (!has_hashes(in.network, in.program, in.report, value, place_of(in.program, s, "check_content", info.span),
                    info))
        return false;
    if (!speaks_grpc(in.network, in.program, in.report, value, place_of(in.program, s, "documents", info.span), info))
        return false;
    return headers(in.report, attribute_of(in.program, value, "headers"),
                   place_of(in.program, s, "headers", info.span));
}

}  // namespace anml
