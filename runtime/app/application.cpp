#include "app/application.h"

namespace anml::rt::app {

namespace {

tcp::Connection& connection(Cluster& k, std::uint32_t slot) { return k.tcp.connections[slot]; }
bool is_client(const tcp::Connection& c) { return c.role == tcp::Role::client; }

}  // namespace

std::uint32_t listener(const Cluster& k, NodeId node, std::uint16_t port) { return k.servers.find(node, port); }

void accepted(Cluster& k, std::uint32_t slot) { server::accepted(k, connection(k, slot)); }

void established(Cluster& k, std::uint32_t slot)
{
    if (is_client(connection(k, slot))) client::established(k, slot);
}

void data(Cluster& k, std::uint32_t slot, const Packet& packet, std::uint32_t skip, std::uint32_t count)
{
    if (is_client(connection(k, slot)))
        client::data(k, slot, packet, skip, count);
    else
        server::data(k, slot, packet, skip, count);
}

void all_acknowledged(Cluster& k, std::uint32_t slot)
{
    if (!is_client(connection(k, slot))) server::all_acknowledged(k, slot);
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    if (is_client(connection(k, slot)))
        client::peer_closed(k, slot);
    else
        server::peer_closed(k, slot);
}

void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure)
{
    if (is_client(connection(k, slot)))
        client::failed(k, slot, failure);
    else
        server::failed(k, slot);
}

void timer(Cluster& k, std::uint32_t slot)
{
    if (is_client(connection(k, slot)))
        client::timer(k, slot);
    else
        server::timer(k, slot);
}

bool waits_for_peer(const tcp::Connection& c) { return !is_client(c) && server::waits_for_request(c); }

}  // namespace anml::rt::app
