#include "app/web_client/web_origins.h"

#include <algorithm>
#include <string>

#include "abi/records.h"
#include "app/cluster.h"
#include "app/web_client/transaction.h"
#include "common/ascii.h"
#include "common/url_origin.h"

namespace anml::rt::app {

namespace {

// The workload's records of origins.
std::span<const std::uint32_t> listed_origins(const abi::Image& image, const abi::WorkloadRow& row)
{
    switch (abi::schema_of(image, row.record)) {
        case abi::RecordSchema::closed_loop:
            return abi::listed(image, abi::row_of<abi::record::closed_loop>(image, row.record).origins);
        case abi::RecordSchema::open_loop:
            return abi::listed(image, abi::row_of<abi::record::open_loop>(image, row.record).origins);
        case abi::RecordSchema::replay:
            return abi::listed(image, abi::row_of<abi::record::replay>(image, row.record).origins);
        default:
            return {};
    }
}

bool same_origin(const http::Origin& a, const UrlOrigin& b)
{
    const UrlOrigin own = url_origin(std::string(a.secure ? "https://" : "http://") + std::string(a.authority));
    return a.secure == b.secure && a.port == b.port && own.host == b.host;
}

}  // namespace

namespace web_origins {

WebOrigins::OfWorkload of_workload(const Model& model, std::uint32_t workload)
{
    const abi::Image& image = model.image();
    const abi::WorkloadRow& row = image.workloads[workload];
    WebOrigins::OfWorkload result;
    if (row.pairing != abi::Pairing::by_request) return result;
    const auto& values = abi::row_of<transaction::Values>(image, row.record);
    const bool secure = values.scheme == closed_loop::Row::Scheme::https;
    std::vector<std::string> names{
        values.authority == abi::kNone ? "" : lower_case(model.text(values.authority))};
    std::vector<WebOrigin>& all = result.all;
    all.push_back({{values.authority == abi::kNone ? std::string_view(ANML_HOST) : model.text(values.authority),
                    static_cast<std::uint16_t>(row.port), secure},
                   model.server(row), values.authority});
    std::vector<abi::StringRef> authorities{abi::kNone};
    for (const std::uint32_t record : listed_origins(image, row)) {
        authorities.push_back(abi::row_of<abi::record::origin>(image, record).authority);
        names.push_back(lower_case(model.text(authorities.back())));
    }
    const auto node_of = [&](std::size_t name) { return image.targets[row.peers.first + name].first_node; };
    std::vector<bool> named(names.size());
    result.places.resize(image.request_count);
    for (std::uint32_t d = 0; d < row.documents.count; ++d) {
        const std::uint32_t file = image.documents[row.documents.first + d].file;
        if (file == kNone) continue;
        const abi::Slice documents = image.files[file].documents;
        for (std::uint32_t i = documents.first; i < documents.first + documents.count; ++i) {
            const std::uint32_t request = image.file_documents[i].request;
            if (request == kNone || image.requests[request].origin == kNone) continue;
            const UrlOrigin origin = url_origin(model.text(image.requests[request].origin));
            const std::size_t name = place_of_origin(names, origin);
            if (name == 0 || name == names.size()) continue;  // the compiler knows each
            named[name] = true;
            const auto known = std::find_if(all.begin() + 1, all.end(),
                                            [&](const WebOrigin& one) { return same_origin(one.named, origin); });
            result.places[request] = static_cast<std::uint8_t>(known - all.begin());
            if (known != all.end()) continue;
            const http::Origin to{origin.authority, origin.port, origin.secure};
            all.push_back({to, node_of(name), image.requests[request].origin});
        }
    }
    // Redirections may lead to what no request names: by the scheme of the server.
    for (std::size_t name = 1; name < names.size(); ++name) {
        if (named[name] || model.integer(values.redirects) == 0) continue;
        const std::string_view authority = model.text(authorities[name]), port = host_and_port(authority).second;
        const http::Origin to{authority, port.empty() ? usual_port(secure) : port_number(port), secure};
        all.push_back({to, node_of(name), authorities[name]});
    }
    return result;
}

void turn_to_document(const Cluster& k, Client& client)
{
    const WebOrigins::OfWorkload* all = several(k.web_origins, client.workload);
    if (!all) return;
    const abi::WrittenRequest* const written = k.model.documents().written(client.document);
    turn(client, written ? all->places[static_cast<std::size_t>(written - k.image.requests)] : 0);
}

Elsewhere resolve(const Cluster& k, const Client& client, std::string_view location)
{
    const WebOrigins::OfWorkload* all = several(k.web_origins, client.workload);
    const bool named = location.starts_with("//") || location.find("://") < location.find_first_of("/?#");
    if (!all || !named) return {};
    for (std::uint32_t place = 0; place < all->all.size(); ++place) {
        const http::Origin& to = all->all[place].named;
        if (location.starts_with("//") && to.secure != all->all[client.origin].named.secure) continue;
        if (auto path = http::resolve(location, to, "/")) return {place, std::move(*path)};
    }
    return {};
}

}  // namespace web_origins

WebOrigins::WebOrigins(const Model& model)
{
    const abi::Image& image = model.image();
    for (std::uint32_t w = 0; present(abi::RecordSchema::origin) && w < image.workload_count; ++w) {
        OfWorkload one = web_origins::of_workload(model, w);
        if (one.all.empty()) continue;
        of.resize(image.workload_count);
        of[w] = std::move(one);
    }
}

}  // namespace anml::rt::app
