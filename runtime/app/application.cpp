#include "app/application.h"

namespace anml::rt::app {

namespace {

tcp::Connection& connection(Cluster& k, std::uint32_t slot) { return k.tcp.connections[slot]; }

}  // namespace

std::optional<Listener> listener(const Cluster& k, NodeId node, std::uint16_t port)
{
    if (const std::uint32_t server = k.servers.find(node, port); server != kNone)
        return Listener{tcp::Role::web_server, server};
    if (k.ports.open(protocol::tcp, node, port)) return Listener{tcp::Role::bulk_sink, kNone};
    return std::nullopt;
}

bool take_syn(Cluster& k, const Listener& listener)
{
    return listener.role != tcp::Role::web_server || server::take_syn(k, listener.owner);
}

void accepted(Cluster& k, std::uint32_t slot)
{
    if (connection(k, slot).role == tcp::Role::web_server) server::accepted(k, connection(k, slot));
}

void established(Cluster& k, std::uint32_t slot)
{
    if (connection(k, slot).role == tcp::Role::web_client) client::established(k, slot);
    if (connection(k, slot).role == tcp::Role::bulk_sender) bulk::established(k, slot);
    if (connection(k, slot).role == tcp::Role::web_server) server::established(k, slot);
}

void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count)
{
    if (connection(k, slot).role == tcp::Role::web_client) client::data(k, slot, packet, skip, count);
    if (connection(k, slot).role == tcp::Role::web_server) server::data(k, slot, packet, skip, count);
}

void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes)
{
    if (connection(k, slot).role == tcp::Role::bulk_sender) bulk::acknowledged(k, slot, bytes);
}

void all_acknowledged(Cluster& k, std::uint32_t slot)
{
    if (connection(k, slot).role == tcp::Role::web_server) server::all_acknowledged(k, slot);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    switch (connection(k, slot).role) {
        case tcp::Role::web_client:
            client::peer_closed(k, slot);
            break;
        case tcp::Role::web_server:
            server::peer_closed(k, slot);
            break;
        case tcp::Role::bulk_sender:
            bulk::peer_closed(k, slot);
            break;
        case tcp::Role::bulk_sink:  // it has read everything
            tcp::close(k, slot);
            break;
    }
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    switch (connection(k, slot).role) {
        case tcp::Role::web_client:
            client::failed(k, slot, failure);
            break;
        case tcp::Role::web_server:
            server::failed(k, slot);
            break;
        case tcp::Role::bulk_sender:
            bulk::failed(k, slot, failure);
            break;
        case tcp::Role::bulk_sink:
            break;
    }
}

void timer(Cluster& k, std::uint32_t slot)
{
    if (connection(k, slot).role == tcp::Role::web_client) client::timer(k, slot);
    if (connection(k, slot).role == tcp::Role::web_server) server::timer(k, slot);
    if (connection(k, slot).role == tcp::Role::bulk_sender) bulk::timer(k, slot);
}

bool waits_for_peer(const tcp::Connection& c)
{
    return c.role == tcp::Role::web_server && server::waits_for_request(c);
}

}  // namespace anml::rt::app
