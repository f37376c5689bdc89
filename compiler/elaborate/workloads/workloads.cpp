// Workloads: which hosts do what.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elaborate/elaborator.h"

namespace anml {

// Where an attribute of a block is given; `otherwise` where it is not.
Span Elaborator::place_of(const std::vector<AttributeValue>& attributes, SchemaId schema, std::string_view name,
                          Span otherwise) const
{
    for (const AttributeValue& given : attributes)
        if (program_.schema(schema).attributes[given.attribute].name == name) return program_.expr(given.value).span;
    return otherwise;
}

Span Elaborator::place_of(const WorkloadStatement& s, std::string_view name, Span otherwise) const
{
    return place_of(s.attributes, s.schema, name, otherwise);
}

void Elaborator::workload(const WorkloadStatement& s, const Statement& at, Frame& frame)
{
    const bool used = s.slot != abi::kNone;
    Value made = used ? std::exchange(frame.slots[s.slot], {Failed{}}) : Value{};
    const auto index = add_workload(s, at, frame);
    if (!used || !index) return;
    WorkloadSet set{index->workload};
    if (index->numbers.empty())
        made = {std::move(set)};
    else
        add_numbered(made, index->numbers, {std::move(set)}, false, s.name, s.keys, at.span);
    frame.slots[s.slot] = std::move(made);
}

// Nothing: an error was reported.
std::optional<Elaborator::MadeWorkload> Elaborator::add_workload(const WorkloadStatement& s, const Statement& at,
                                                                 Frame& frame)
{
    auto indices = numbers(s.numbers, s.name, frame);
    const Value on = evaluate(s.on, frame);
    auto value = overridden(s.name, schema_value(s.schema, s.attributes, frame, nullptr, at.span, "the workload"),
                            "the workload");
    const NodeSet* targets = on.as<NodeSet>();
    if (!targets || !value || !indices) return std::nullopt;
    const std::string name = path(bracketed(s.name, *indices, s.keys));
    if (!claim(name, at.span)) return std::nullopt;
    const Schema& schema = program_.schema(s.schema);
    const std::uint32_t layout = layout_of(s.schema);
    if (layout == abi::kNone) {
        report(Diag::unsupported_schema, at.span, fmt::format("hosts do not know how to do `{}`", schema.name))
            .also(schema.span, "declared here")
            .help("extend a workload of the standard library, such as `web.ClosedLoop`");
        return std::nullopt;
    }
    WorkloadInfo info;
    info.name = name;
    info.targets = *targets;
    info.span = at.span;
    if (!manner(*value, info.traits) || !runs_there(s, info)) return std::nullopt;
    const auto has = [&](std::string_view name) {
        return std::any_of(schema.attributes.begin(), schema.attributes.end(),
                           [&](const Attribute& a) { return a.name == name; });
    };
    const bool ports = has("port");
    if (ports) info.port = fixed_number(*value, "port", place_of(s, "port", at.span), "a port").value_or(0);
    info.dscp = fixed_number(*value, "dscp", place_of(s, "dscp", at.span), "a code point").value_or(0);
    if (const auto* family = attribute_of(*value, "family").as<EnumValue>())
        info.family = static_cast<AddressFamily>(family->ordinal);
    if (!has("start_spread") || attribute_of(*value, "start_spread").absent()) {
        info.start = abi::Start::phase;
        info.start_spread = constant(0);
    } else {
        info.start_spread = number_of(*value, "start_spread");
        info.start_spread_at = place_of(s, "start_spread", {});
    }
    if (targets->empty())
        report(Diag::no_targets, program_.expr(s.on).span, fmt::format("`{}` runs on no host", info.name));
    if (ports && info.port == 0) return std::nullopt;
    const bool served = info.traits.load == Load::served;
    const bool relayed = served && info.traits.transport == Transport::udp;
    if (relayed         ? !relays(*value, s, info)
        : served        ? !calls(*value, s, info)
        : has("server") ? !web(*value, s, info)
                        : !peers(*value, s, info))
        return std::nullopt;
    ComputedNumbers computed;
    if (has("rate")) {
        const auto interval = interval_by_rate(*value, s, info);
        if (!interval) return std::nullopt;
        computed = *interval;
    }
    if (has("offered")) value = with_interval(value, s, info);
    if (!value) return std::nullopt;
    if (!amounts(*value, info.traits)) return std::nullopt;
    if (has("path")) info.documents.front().size.a = info.traits.reply;
    replay_interval(*value, info);
    info.record = record_of(*value, computed);
    const Schema& librarys = program_.schema(program_.find_schema(abi::record_layout(layout).schema));
    info.own_traits = std::any_of(schema.traits.begin(), schema.traits.end(), [&](const SchemaTrait& t) {
        const SchemaTrait* same = librarys.find(t.trait);
        return !same || same->value != t.value;
    });
    unused_of_workload(*value, s, info);
    network_.workloads.push_back(std::move(info));
    return MadeWorkload{static_cast<std::uint32_t>(network_.workloads.size() - 1), std::move(*indices)};
}

std::optional<std::uint32_t> Elaborator::fixed_number(const SchemaValue& value, std::string_view name, Span place,
                                                      std::string_view what)
{
    const ValueExprId id = number_of(value, name);
    if (const auto number = network_.values.as_constant(id)) return static_cast<std::uint32_t>(*number);
    report_shape(id, place, std::string(what));
    return std::nullopt;
}

// One document, or a set of them: more than one, or one of a random size.
bool Elaborator::document(const SchemaValue& value, Span place, WorkloadInfo& info)
{
    DocumentInfo document;
    document.path = *attribute_of(value, "path").as<std::string>();
    document.size = distribution_of(value, "size");
    document.choice = distribution_of(value, "choice");
    const auto count = fixed_number(value, "count", place, "the number of documents");
    const auto seed = fixed_number(value, "seed", place, "the seed of documents");
    if (!count || !seed) return false;
    document.count = *count;
    document.seed = *seed;
    document.record = record_of(value, {});
    if (document.record != abi::kNone && is_a(network_.records[document.record], abi::RecordSchema::list) &&
        !listed_documents(value, document))
        return false;
    document.set =
        document.count > 1 || document.size.kind != abi::DistributionKind::constant || document.record != abi::kNone;
    if (document.path.empty() && !document.set) {
        const auto bytes = network_.values.as_constant(document.size.a);
        if (!bytes) {
            report_shape(document.size.a, place, "the path of a document");
            return false;
        }
        document.path = fmt::format("/{:.0f}", *bytes);
    }
    info.documents.push_back(std::move(document));
    return true;
}

// One or a list of them, behind those that are there.
bool Elaborator::documents(const SchemaValue& value, std::string_view attribute, const WorkloadStatement& s,
                           WorkloadInfo& info)
{
    const Span place = place_of(s, attribute, info.span);
    const Value& given = attribute_of(value, attribute);
    std::vector<const SchemaValue*> list;
    if (const SchemaValue* one = given.schema()) list.push_back(one);
    if (const auto* many = given.as<std::shared_ptr<const ListValue>>())
        for (const Value& v : **many) list.push_back(v.schema());
    if (list.empty() && info.documents.empty())
        report(Diag::out_of_range, place, "the workload needs at least one document");
    for (const SchemaValue* one : list)
        if (!document(*one, place, info)) return false;
    return true;
}

// Which of several servers a client asks, as the library's web.ServerPick has it.
constexpr abi::Pairing kServerPicks[] = {abi::Pairing::nearest, abi::Pairing::round_robin, abi::Pairing::random};

bool Elaborator::web(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const NodeSet* servers = attribute_of(value, "server").as<NodeSet>();
    const auto* pick = attribute_of(value, "pick").as<EnumValue>();
    if (!servers || !pick) return false;
    info.peers = *servers;
    const std::uint64_t count = size_of(info.peers);
    const Span at = place_of(s, "pick", {});
    if (count == 0) {
        report(Diag::shape_mismatch, place_of(s, "server", info.span),
               fmt::format("`{}` has no server: the selection is empty", info.name));
        return false;
    }
    if (count > 1) info.pairing = kServerPicks[pick->ordinal];
    if (count == 1 && at != Span{})
        unused_value(at, "`pick` chooses among several servers, and `server` is a single one", ": all ask that one");
    for (const TargetRange& range : info.peers)
        if (!is_server(value, s, info, range.row)) return false;
    if (info.pairing == abi::Pairing::nearest &&
        !nearest_is_known(info, at != Span{} ? at : place_of(s, "server", info.span),
                          "`pick = round_robin` or `at_random`"))
        return false;
    return asked(value, s, info) && origins(value, s, info);
}

// False: an error was reported.
bool Elaborator::is_server(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info, NodeRowId row)
{
    const NodeArray& node = network_.nodes[row.value];
    if (const auto balancer = balancer_of(network_, row)) {
        matches_balancer(value, s, info, row, *balancer, true);
        return true;
    }
    if (node.kind != abi::NodeKind::endpoint) {
        auto message = report(Diag::type_mismatch, place_of(s, "server", info.span),
                              fmt::format("`server` wants an endpoint or a load balancer, found {}",
                                          a_type(program_, node_type(node.kind))));
        message.also(node.span, "declared here");
        if (node.kind == abi::NodeKind::host)
            message.help(fmt::format("servers are endpoints: `endpoint {} {{ simulated = web.server() }}`", node.name));
        return false;
    }
    matches_server(value, s, info, row, info.port);
    return true;
}

// Whether the simulated server there is one of the kind that the workload asks; a real one may be. False: it was warned
// about.
bool Elaborator::matches_server(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info,
                                NodeRowId row, std::uint32_t port)
{
    const NodeArray& node = network_.nodes[row.value];
    const ServerInfo* simulated = server_of(row);
    if (!simulated) return true;
    const bool messages = !attribute_of(value, "path").absent();
    if (messages != is_a(network_.records[simulated->record], abi::RecordSchema::message_server)) {
        report(Diag::no_server, place_of(s, info.traits.load == Load::served ? "to" : "server", info.span),
               fmt::format("`{}` {}, and the simulated server of `{}` does not", info.name,
                           messages ? "opens sockets or streams of events" : "asks for documents", node.name))
            .also(node.span, "the server is declared here")
            .help(fmt::format("give it `simulated = {}`", messages ? "web.message_server()" : "web.server()"));
        return false;
    }
    bool fine = true;
    const auto other = [&](Diag kind, std::string_view attribute, std::string text) {
        fine = false;
        auto message = report(kind, place_of(s, attribute, info.span), std::move(text));
        message.also(node.span, "the server is declared here");
        return message;
    };
    const auto chosen = [&](std::string_view name) -> std::optional<std::pair<std::uint32_t, std::uint32_t>> {
        const auto* wanted = attribute_of(value, name).as<EnumValue>();
        const RecordValue* spoken = find_value(network_.records[simulated->record], name);
        if (!wanted || !spoken) return std::nullopt;
        return std::pair(wanted->ordinal, std::get<RecordChoice>(*spoken).ordinal);
    };
    if (simulated->port != port)
        other(Diag::port_mismatch, "port",
              fmt::format("`{}` {} port {}{}, but the simulated server listens on {}", info.name,
                          port == info.port ? "connects to" : "gets to", port,
                          port == info.port ? "" : " of the back end", simulated->port));
    if (const auto version = chosen("version"); version && version->first > version->second)
        other(Diag::version_mismatch, "version",
              fmt::format("`{}` speaks HTTP/2, but the simulated server does not", info.name))
            .help("`web.server(version = HTTP_2)` speaks both");
    const auto scheme = chosen("scheme");
    if (info.traits.load == Load::served && simulated->port == port && scheme && scheme->first != scheme->second)
        other(Diag::scheme_mismatch, "scheme",
              fmt::format("`{}` calls over {}, but the simulated server of `{}` speaks {}", info.name,
                          scheme->first == 0 ? "HTTP" : "HTTPS", node.name, scheme->second == 0 ? "HTTP" : "HTTPS"))
            .help("give both the same `scheme`");
    return fine;
}

// What it asks for, and how.
bool Elaborator::asked(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    if (const auto* path = attribute_of(value, "path").as<std::string>()) {  // of those that ask once a connection
        info.documents.push_back({.path = *path,
                                  .size = {abi::DistributionKind::constant, constant(0), 0},
                                  .choice = {abi::DistributionKind::constant, constant(1), 0}});
        return headers(attribute_of(value, "headers"), place_of(s, "headers", info.span));
    }
    if (!replayed(value, info) || !documents(value, "documents", s, info)) return false;
    const auto& attributes = program_.schema(s.schema).attributes;
    if (std::any_of(attributes.begin(), attributes.end(), [](const Attribute& a) { return a.name == "parts"; })) {
        const std::size_t pages = info.documents.size();
        if (!documents(value, "parts", s, info)) return false;
        info.parts = static_cast<std::uint32_t>(info.documents.size() - pages);
    }
    if (!has_asked_documents(value, info)) return false;
    if (!has_hashes(value, place_of(s, "check_content", info.span), info)) return false;
    if (!speaks_grpc(value, place_of(s, "documents", info.span), info)) return false;
    return headers(attribute_of(value, "headers"), place_of(s, "headers", info.span));
}

}  // namespace anml
