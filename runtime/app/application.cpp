// Hands what the layers below tell to the application that it concerns.
#include "abi/records.h"
#include "app/cluster.h"
#include "app/connection_records.h"
#include "app/content.h"
#include "app/datagrams/datagram.h"
#include "net/upcalls.h"
#include "transport/tcp.h"
#include "transport/upcalls.h"

namespace anml::rt {

namespace {

app::Number number(const Transport& k, std::uint32_t slot)
{
    return static_cast<app::Number>(k.tcp.connections[slot].app);
}

constexpr auto kNoSchema = abi::RecordSchema::count;

abi::RecordSchema schema(const Net& k, std::uint32_t workload)
{
    return abi::schema_of(k.image, k.image.workloads[workload].record);
}

}  // namespace

#define ANML_EACH(name, function, ...) app::name::function(__VA_ARGS__);
#define ANML_CASE(name, function, ...)         \
    case app::Number::name:                    \
        assume_present(ANML_RECORDS(name));    \
        if (app::name::kHttp2) assume_http2(); \
        return app::name::function(__VA_ARGS__);
// In a switch over the schemas of workloads.
#define ANML_SCHEMA_CASE(name)    \
    case abi::RecordSchema::name: \
        assume_present(abi::RecordSchema::name);

namespace app::web_stream::tell {

void opened(Cluster& k, std::uint32_t slot)
{
    if (k.records_connections) [[unlikely]]
        connection_records::note_secured(k, slot);
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, opened, k, slot)
    }
}

void broke(Cluster& k, std::uint32_t slot, const char* why)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, broke, k, slot, why)
    }
}

void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, read, k, slot, piece)
    }
}

void peer_closed(Cluster& k, std::uint32_t slot)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, peer_closed, k, slot)
    }
}

}  // namespace app::web_stream::tell

namespace upcalls {

std::optional<Listener> listener(const Transport& k, NodeId node, std::uint16_t port)
{
    std::uint32_t owner = kNone;
#define ANML_LISTENS(name)                                                                \
    if (present(ANML_RECORDS(name)) && app::name::listens(cluster(k), node, port, owner)) \
        return Listener{app::owner_number(app::Number::name), owner};
    ANML_SERVERS(ANML_LISTENS)
#undef ANML_LISTENS
    return std::nullopt;
}

bool take_syn(Transport& k, const Listener& listener)
{
    switch (app::Number{listener.app}) {
        ANML_APPLICATIONS(ANML_CASE, take_syn, cluster(k), listener.owner)
    }
    return false;
}

void accepted(Transport& k, std::uint32_t slot)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, accepted, cluster(k), slot)
    }
}

bool admits(Transport& k, std::uint32_t slot)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, admits, cluster(k), slot)
    }
    return false;
}

void established(Transport& k, std::uint32_t slot)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, established, cluster(k), slot)
    }
}

void read(Transport& k, std::uint32_t slot, const tcp::Piece& piece)
{
    if (!app::web_stream::read(cluster(k), slot, piece)) app::web_stream::tell::read(cluster(k), slot, piece);
}

void data(Transport& k, std::uint32_t slot)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, data, cluster(k), slot)
    }
}

void acknowledged(Transport& k, std::uint32_t slot, std::uint64_t bytes)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, acknowledged, cluster(k), slot, bytes)
    }
}

void arrived(Transport& k, std::uint32_t slot, std::uint32_t bytes)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, arrived, cluster(k), slot, bytes)
    }
}

void all_acknowledged(Transport& k, std::uint32_t slot)
{
    if (app::web_stream::all_acknowledged(cluster(k), slot)) return;
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, all_acknowledged, cluster(k), slot)
    }
}

void drained(Transport& k, std::uint32_t slot) { app::web_stream::drained(cluster(k), slot); }
[[gnu::noinline]] static void record_released(Cluster& k, std::uint32_t slot)
{
    app::connection_records::note_released(k, slot);
    app::web_stream::released(k, slot);
}

void released(Transport& k, std::uint32_t slot)
{
    if (k.records_connections) [[unlikely]]
        return record_released(cluster(k), slot);
    app::web_stream::released(cluster(k), slot);
}

void peer_closed(Transport& k, std::uint32_t slot)
{
    if (!app::web_stream::peer_closed(cluster(k), slot)) app::web_stream::tell::peer_closed(cluster(k), slot);
}

void failed(Transport& k, std::uint32_t slot, tcp::Failure failure)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, failed, cluster(k), slot, failure)
    }
}

void timer(Transport& k, std::uint32_t slot)
{
    switch (number(k, slot)) {
        ANML_APPLICATIONS(ANML_CASE, connection_timer, cluster(k), slot)
    }
}

bool waits_for_peer(const Transport& k, const tcp::Connection& c)
{
    switch (app::Number{c.app}) {
        ANML_APPLICATIONS(ANML_CASE, waits_for_peer, cluster(k), c)
    }
    return false;
}

bool datagram(Transport& k, const node::Self& self, const Packet& packet)
{
    const auto of = [&](std::uint32_t workload) { return workload == kNone ? kNoSchema : schema(k, workload); };
#define ANML_RECEIVED(name)                        \
    ANML_SCHEMA_CASE(name)                         \
    app::name::received(cluster(k), self, packet); \
    return true;
#define ANML_ANSWERED(name) \
    ANML_SCHEMA_CASE(name)  \
    return app::name::answered(cluster(k), self, packet);
    if (app::datagram::is_datagram(packet)) {
        if (present(abi::RecordSchema::relay) && !cluster(k).relay.hosts.empty())
            app::relay::forward(cluster(k), self, packet);
        switch (of(content::workload_of(packet.content))) {
            ANML_WORKLOADS(ANML_RECEIVED)
            default:
                return false;
        }
    }
    switch (of(app::datagram::workload_between(k, packet.destination_port, packet.source_port))) {
        ANML_WORKLOADS(ANML_ANSWERED)
        default:
            return false;
    }
#undef ANML_ANSWERED
#undef ANML_RECEIVED
}

void datagram_refused(Transport& k, const Packet& offender)
{
    const std::uint32_t workload = app::datagram::workload_between(k, offender.source_port, offender.destination_port);
#define ANML_REFUSED(name) \
    ANML_SCHEMA_CASE(name) \
    return app::name::refused(cluster(k), workload, offender);
    switch (workload == kNone ? kNoSchema : schema(k, workload)) {
        ANML_WORKLOADS(ANML_REFUSED)
        default:
            return;
    }
#undef ANML_REFUSED
}

void handed_over(Net& k, const Packet& packet)
{
    if (!app::datagram::is_datagram(packet)) return;
#define ANML_HANDED(name)  \
    ANML_SCHEMA_CASE(name) \
    return app::name::handed_over(cluster(k), packet);
    switch (schema(k, content::workload_of(packet.content))) {
        ANML_WORKLOADS(ANML_HANDED)
        default:
            return;
    }
#undef ANML_HANDED
}

void dropped(Net& k, const Packet& packet)
{
    // Of a datagram in fragments the first one stands for all of it.
    const bool head = (packet.flags & packet_flag::fragment) && packet.buffer != kNone &&
                      packet.protocol == protocol::udp && content::kind(packet.content) == content::Kind::datagram &&
                      is_head(k.buffers.bytes(packet.buffer));
    if (head || app::datagram::is_datagram(packet)) app::datagram::dropped(cluster(k), packet);
}

void icmp_input(Net& k, const node::Self& self, const Packet& packet)
{
    if (present(abi::RecordSchema::ping) && packet.icmp().type == node::icmp::echo_reply)
        app::ping::reply(cluster(k), self.id, packet);
}

void icmp_error(Net& k, const node::Self& self, const Packet& offender, std::uint8_t type, std::uint8_t, std::uint32_t)
{
    if (present(abi::RecordSchema::ping) && offender.icmp().type == node::icmp::echo_request)
        app::ping::error(cluster(k), self.id, offender, type);
}

void routes_changed(Net& k)
{
    ANML_APPLICATIONS(ANML_EACH, routes_changed, cluster(k))
    tcp::routes_changed(transport(k));
}

#define ANML_BEGINS(name)  \
    ANML_SCHEMA_CASE(name) \
    return app::name::resume(cluster(k), hosts);
#define ANML_ENDS(name)    \
    ANML_SCHEMA_CASE(name) \
    return app::name::stop(cluster(k), hosts);
#define ANML_PACED(name)   \
    ANML_SCHEMA_CASE(name) \
    return app::name::change_pace(cluster(k), workload, pace);

void workload_begins(Net& k, const Hosts& hosts)
{
    switch (schema(k, hosts.workload)) {
        ANML_WORKLOADS(ANML_BEGINS)
        default:
            return;
    }
}

void workload_ends(Net& k, const Hosts& hosts)
{
    switch (schema(k, hosts.workload)) {
        ANML_WORKLOADS(ANML_ENDS)
        default:
            return;
    }
}

void workload_paced(Net& k, std::uint32_t workload, double pace)
{
    switch (schema(k, workload)) {
        ANML_WORKLOADS(ANML_PACED)
        default:
            return;
    }
}

#undef ANML_PACED
#undef ANML_ENDS
#undef ANML_BEGINS

}  // namespace upcalls

#undef ANML_EACH
#undef ANML_SCHEMA_CASE
#undef ANML_CASE

}  // namespace anml::rt
