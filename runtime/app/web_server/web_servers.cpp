// The servers of a model, as its image has them.
#include <algorithm>
#include <utility>

#include "app/web_server/web_server.h"
#include "net/model.h"
#include "net/samples.h"

namespace anml::rt::app {

namespace {

std::uint64_t listener_key(NodeId node, std::uint32_t port) { return static_cast<std::uint64_t>(node) << 16 | port; }

}  // namespace

WebServers::WebServers(const Model& model, bool real) : model_(model)
{
    const abi::Image& image = model.image();
    servers.resize(image.server_count);
    for (std::uint32_t i = 0; i < image.server_count; ++i) {
        const abi::ServerRow& row = image.servers[i];
        listeners.emplace_back(listener_key(row.node, row.port), i);
        if (abi::schema_of(image, row.record) != abi::record::web_server::kSchema) continue;
        const auto& values = abi::row_of<abi::record::web_server>(image, row.record);
        WebServer& server = servers[i];
        server.row = &row;
        server.values = &values;
        server.workers = model.integer(values.workers);
        server.processors = model.integer(values.processors);
        server.backlog = model.integer(values.backlog);
        server.half_open = model.value(values.half_open) != 0;
        server.syn_cost = model.time(values.syn_cost);
        server.keep_alive = model.time(values.keep_alive);
        server.etags = model.value(values.etags) != 0;
        server.cookie = model.value(values.cookie) != 0;
        server.moved = model.value(values.moved) != 0;
        server.http2 = values.version == abi::record::web_server::Version::HTTP_2;
        server.state.resize(state_words(values.service));
        server.shaking_state.resize(state_words(values.handshake));
    }
    std::sort(listeners.begin(), listeners.end());
    if (real) paths_.emplace(model);
}

const PathIndex& WebServers::paths()
{
    if (!paths_) paths_.emplace(model_);
    return *paths_;
}

std::uint32_t WebServers::find(NodeId node, std::uint16_t port) const
{
    auto key = std::make_pair(listener_key(node, port), 0u);
    auto found = std::lower_bound(listeners.begin(), listeners.end(), key);
    return found != listeners.end() && found->first == key.first ? found->second : kNone;
}

ServerStatistics WebServers::statistics(std::uint32_t row, const NetCounters& all, Time now) const
{
    const WebServer& server = servers[row];
    ServerStatistics counted = server.statistics;
    counted.count(server.busy, server.waiting.size(), std::max(server.counted, all.begin), std::min(now, all.end));
    return counted;
}

}  // namespace anml::rt::app
