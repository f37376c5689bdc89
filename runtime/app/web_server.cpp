#include "app/web_server.h"

#include <algorithm>

#include "app/application.h"
#include "app/content.h"
#include "app/http_head.h"
#include "app/payload.h"
#include "kernel/random.h"

namespace anml::rt::app {

namespace {

// Connection::phase of a server's connection.
enum Phase : std::uint8_t { kHead, kWaiting, kServing, kResponded };

std::uint64_t listener_key(NodeId node, std::uint32_t port) { return static_cast<std::uint64_t>(node) << 16 | port; }

void respond(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    c.phase = kResponded;
    std::uint32_t response = c.document == kNone ? content::not_found() : content::response(c.document);
    bool at_once = k.servers.servers[c.owner].row->close == abi::CloseMode::at_once;
    tcp::send(k, slot, response, content::length(k.model, response), at_once);
}

void serve(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = k.servers.servers[c.owner];
    c.phase = kServing;
    ++server.busy;
    Time service = draw_time(k.model, server.row->service, k.seed, server.row->node, Purpose::service, c.owner,
                             server.requests++, server.state.data());
    tcp::set_application_timer(k, slot, k.now + service);
}

bool has_worker(const WebServer& server) { return server.workers == 0 || server.busy < server.workers; }

void free_worker(Cluster& k, WebServer& server)
{
    --server.busy;
    while (!server.waiting.empty() && has_worker(server)) {
        WebServer::Waiting next = server.waiting.pop();
        const tcp::Connection& c = k.tcp.connections[next.slot];
        if (c.state != tcp::State::free && c.generation == next.generation) serve(k, next.slot);
    }
}

// The request is complete.
void enqueue(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    WebServer& server = k.servers.servers[c.owner];
    c.in_order_only = false;
    if (c.timer == tcp::Timer::idle) tcp::stop_timer(c);
    c.phase = kWaiting;
    if (has_worker(server))
        serve(k, slot);
    else
        server.waiting.push({slot, c.generation});
}

}  // namespace

WebServers::WebServers(const Model& model)
{
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; i < image.server_count; ++i) {
        const abi::ServerRow& row = image.servers[i];
        WebServer& server = servers.emplace_back();
        server.row = &row;
        server.workers = model.integer(row.workers);
        server.state.resize(state_words(row.service));
        listeners.emplace_back(listener_key(row.node, row.port), i);
    }
    std::sort(listeners.begin(), listeners.end());
    for (std::uint32_t i = 0; i < image.document_count; ++i)
        documents.emplace(http::path_hash(model.text(image.documents[i].path)), i);
}

std::uint32_t WebServers::find(NodeId node, std::uint16_t port) const
{
    auto key = std::make_pair(listener_key(node, port), 0u);
    auto found = std::lower_bound(listeners.begin(), listeners.end(), key);
    return found != listeners.end() && found->first == key.first ? found->second : kNone;
}

std::uint32_t WebServers::document(std::uint32_t path_hash) const
{
    auto found = documents.find(path_hash);
    return found == documents.end() ? kNone : found->second;
}

namespace server {

void accepted(Cluster&, tcp::Connection& c)
{
    c.phase = kHead;
    c.in_order_only = true;
}

void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.phase != kHead) return;
    if (packet.buffer != kNone) {
        if (!http::read_request(c, payload(k.buffers, packet, skip, count))) return;
        c.document = c.status == http::kNotHttp ? kNone : k.servers.document(c.path_hash);
    } else {
        if (c.received < content::length(k.model, packet.content)) return;
        c.document = content::document_of(packet.content);
    }
    enqueue(k, slot);
}

void all_acknowledged(Cluster& k, std::uint32_t slot)
{
    if (k.tcp.connections[slot].phase == kResponded) tcp::close(k, slot);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    if (k.tcp.connections[slot].phase == kHead) tcp::close(k, slot);
}

void failed(Cluster& k, std::uint32_t slot)
{
    tcp::Connection& c = k.tcp.connections[slot];
    if (c.phase == kServing) free_worker(k, k.servers.servers[c.owner]);
}

void timer(Cluster& k, std::uint32_t slot)
{
    WebServer& server = k.servers.servers[k.tcp.connections[slot].owner];
    respond(k, slot);
    free_worker(k, server);
}

bool waits_for_request(const tcp::Connection& c) { return c.phase == kHead; }

}  // namespace server

}  // namespace anml::rt::app
