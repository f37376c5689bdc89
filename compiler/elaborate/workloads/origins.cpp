// Origins of a workload's requests: which server each of them goes to, by its URL.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/files/read_file.h"
#include "common/ascii.h"
#include "common/url_origin.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

constexpr std::size_t kMostOrigins = 64;

// Bytes [begin, end) of a file that the text names; `otherwise` where it cannot be quoted.
Span place_in_file(ReportOnce& report, const std::string& path, std::size_t begin, std::size_t end, Span otherwise)
{
    constexpr std::size_t kMostQuoted = std::size_t{64} << 20;
    std::string text;
    if (!read_file(path, kMostQuoted, Readable::files, text).empty() || end > text.size()) return otherwise;
    return report.diagnostics.quote(path, std::move(text), static_cast<std::uint32_t>(begin),
                                    static_cast<std::uint32_t>(end));
}

// Without origins hosts in URLs say nothing, which surprises where there are several.
void server_of_all_hosts(const Network& network, const CheckedProgram& program, ReportOnce& report,
                         const SchemaValue& value, const WorkloadInfo& info)
{
    const auto* own = attribute_of(program, value, "authority").as<std::string>();
    std::vector<std::pair<std::string, Span>> hosts;  // by their places
    for (const DocumentInfo& documents : info.documents) {
        if (documents.file == abi::kNone) continue;
        const DataFile& file = *network.files[documents.file];
        for (const FileDocument& document : file.documents) {
            if (!document.request || document.request->origin.empty() || hosts.size() == 2) continue;
            const FileRequest& request = *document.request;
            const std::string host(url_origin(request.origin).authority);
            if (std::ranges::find(hosts, host, &std::pair<std::string, Span>::first) == hosts.end())
                hosts.emplace_back(host, place_in_file(report, file.path, request.at, request.end, info.span));
        }
    }
    if (hosts.size() < 2) return;
    const auto& [other, place] = hosts[own && hosts[1].first == lower_case(*own) ? 0 : 1];
    unused(report, place, fmt::format("`{}` is no server of its own: all requests of `{}` go to one", other, info.name),
           fmt::format("`origins = [web.origin(\"{0}\", endpoint)]` says which endpoint it is, `authority = \"{0}\"` "
                       "that it is `server`",
                       other));
}

// Whether a server there may answer what goes to the origin. False: an error was reported.
bool answers_there(Elaboration& in, const WorkloadInfo& info, NodeRowId row, const UrlOrigin& origin,
                   const std::function<Span()>& place)
{
    const NodeArray& node = in.network.nodes[row.value];
    const auto other_port = [&](std::string_view who, std::uint32_t port) {
        if (port != origin.port)
            in.report(Diag::port_mismatch, place(),
                      fmt::format("`{}` connects to port {}, but {} `{}` listens on {}", info.name, origin.port, who,
                                  node.name, port))
                .also(node.span, "declared here");
        return true;
    };
    if (const auto balancer = balancer_of(in.network, row)) return other_port("the load balancer", balancer->port);
    if (node.kind != abi::NodeKind::endpoint) {
        in.report(Diag::type_mismatch, place(),
                  fmt::format("an origin's server is an endpoint or a load balancer, found {}",
                              a_type(in.program, node_type(node.kind))))
            .also(node.span, "declared here");
        return false;
    }
    const ServerInfo* simulated = server_of(in, row);
    if (!simulated) return true;
    const RecordInfo& record = in.network.records[simulated->record];
    if (!is_a(record, abi::RecordSchema::web_server)) {
        in.report(
              Diag::no_server, place(),
              fmt::format("`{}` asks for documents, and the simulated server of `{}` has none", info.name, node.name))
            .also(node.span, "the server is declared here")
            .help("give it `simulated = web.server()`");
        return false;
    }
    const bool secure = std::get<RecordChoice>(*find_value(record, "scheme")).ordinal != 0;
    if (secure != origin.secure)
        in.report(Diag::scheme_mismatch, place(),
                  fmt::format("the URL is of {}, but the simulated server of `{}` speaks {}",
                              origin.secure ? "https" : "http", node.name, secure ? "HTTPS" : "HTTP"))
            .also(node.span, "the server is declared here")
            .help("give both the same scheme");
    return other_port("the simulated server of", simulated->port);
}

}  // namespace

// Behind the workload's server, its peers are those of its origins, in their order. False: an error was reported.
bool origins(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const Value& given = attribute_of(in.program, value, "origins");
    const auto* several = given.as<std::shared_ptr<const ListValue>>();
    const ListValue list = several          ? **several
                           : given.schema() ? ListValue{given}
                                            : ListValue{};  // one has no brackets
    if (list.empty()) return server_of_all_hosts(in.network, in.program, in.report, value, info), true;
    const Span place = place_of(in.program, s, "origins", info.span);
    if (size_of(info.peers) != 1 || list.size() > kMostOrigins) {
        in.report(Diag::shape_mismatch, place,
                  size_of(info.peers) != 1
                      ? fmt::format("`{}` has several servers, and origins stand beside one", info.name)
                      : fmt::format("a workload has at most {} origins", kMostOrigins))
            .help("a load balancer as `server` has several back ends");
        return false;
    }
    const auto* authority = attribute_of(in.program, value, "authority").as<std::string>();
    std::vector<std::string> names{authority ? lower_case(*authority) : ""};
    for (const Value& each : list) {
        const SchemaValue& origin = *each.schema();
        std::string name = lower_case(*attribute_of(in.program, origin, "authority").as<std::string>());
        if (std::ranges::find(names, name) != names.end()) {
            in.report(Diag::duplicate_name, place,
                      fmt::format("`{}` is the name of two servers of `{}`", name, info.name));
            return false;
        }
        names.push_back(std::move(name));
        info.peers.push_back(attribute_of(in.program, origin, "server").as<NodeSet>()->front());
    }
    info.pairing = abi::Pairing::by_request;
    std::vector<bool> named(names.size());
    std::set<std::string_view> origins;
    for (const DocumentInfo& documents : info.documents) {
        if (documents.file == abi::kNone) continue;
        const DataFile& file = *in.network.files[documents.file];
        for (const FileDocument& document : file.documents) {
            if (!document.request || document.request->origin.empty()) continue;
            const FileRequest& request = *document.request;
            const UrlOrigin origin = url_origin(request.origin);
            const std::size_t at = place_of_origin(names, origin);
            const auto url = [&] { return place_in_file(in.report, file.path, request.at, request.end, place); };
            if (at == names.size()) {
                const std::vector<std::string_view> written(names.begin(), names.end());
                std::string_view meant = similar_name(origin.authority, written);
                if (meant.empty()) meant = similar_name(origin.host, written);
                in.report(Diag::unknown_origin, url(),
                          fmt::format("`{}` is no server of `{}`{}", origin.authority, info.name,
                                      meant.empty() ? "" : fmt::format(": did you mean `{}`?", meant)))
                    .also(place, "its origins are named here")
                    .help(fmt::format("`authority = \"{0}\"` is the name of its `server`, "
                                      "`web.origin(\"{0}\", endpoint)` of another one",
                                      origin.authority));
                return false;
            }
            if (at > 0 && !named[at] && !answers_there(in, info, info.peers[at].row, origin, url)) return false;
            named[at] = true;
            if (origins.insert(request.origin).second && origins.size() > kMostOrigins) {
                in.report(Diag::shape_mismatch, url(), fmt::format("URLs name more than {} origins", kMostOrigins));
                return false;
            }
        }
    }
    // A redirection may lead to one that no request names.
    const bool followed = in.network.values.as_constant(number_of(in.program, value, "redirects")) != 0.0;
    for (std::size_t i = 1; i < names.size() && !followed; ++i)
        if (!named[i])
            unused(in.report, place, fmt::format("no request of `{}` goes to `{}`", info.name, names[i]),
                   "a request's URL names it, `GET https://auth.example/`; with `redirects` responses may lead there");
    return true;
}

}  // namespace anml
