#include "simulator/run_events.h"

#include <algorithm>

#include "app/cluster.h"
#include "net/link/link_prefetcher.h"
#include "net/node/node.h"
#include "net/radio/air.h"
#include "transport/tcp.h"

namespace anml::rt {

namespace {

#define ANML_TIMER(name)                      \
    case app::timer_of(app::Number::name, 0): \
    case app::timer_of(app::Number::name, 1): \
    case app::timer_of(app::Number::name, 2): \
    case app::timer_of(app::Number::name, 3): \
        assume_present(ANML_RECORDS(name));   \
        return app::name::timer(k, event.kind - app::timer_of(app::Number::name), event.payload, event.time);

void timer(Cluster& k, const Event& event)
{
    const NodeId node = event.stream - k.image.directed_links;
    switch (event.kind) {
        case timer_kind::injected:
            assume_present(abi::NodeKind::endpoint);
            return node::inject(k, node::self(k, node), event.payload);
        case timer_kind::departure:
            return k.changes->depart(k, event.payload);
        case timer_kind::transmitted:
            assume_present(kDisciplines);
            return k.transmission_ended(event.payload);
        case timer_kind::reassembly:
            return node::reassembly_timer(k, node::self(k, node));
        case timer_kind::processed:
            assume_present(abi::RecordSchema::processing);
            return node::processed(k, node::self(k, node), event.payload);
        case timer_kind::air:
            assume_present(kRadios);
            return k.network.airs->act(k, event.payload);
        case timer_kind::transport:
            assume_connections();
            return tcp::transport_timer(k, event.payload, event.time);
        case timer_kind::acknowledgment:
            assume_connections();
            return tcp::acknowledgment_timer(k, event.payload, event.time);
        case timer_kind::application:
            assume_connections();
            return tcp::application_timer(k, event.payload, event.time);
        case timer_kind::pacing:
            if (!facts.paced) __builtin_unreachable();
            return tcp::pacing_timer(k, event.payload, event.time);
            ANML_APPLICATIONS(ANML_TIMER)
    }
}
#undef ANML_TIMER

// What `packet`, about to arrive at `end`, will need there. The link on which it will leave, kNone: it stays.
LinkId prefetch_next(const Cluster& k, FarEnd end, const Packet& packet)
{
    const abi::NodeRow& row = k.image.node_rows[end.row];
    if (row.kind == abi::NodeKind::router || row.kind == abi::NodeKind::switch_) {
        const LinkId out = k.route(row, end.node - row.first_node, packet);
        if (out != kNone) __builtin_prefetch(&k.links[out], 1);
        return out;
    }
    if (facts.connections && packet.protocol == protocol::tcp)
        k.tcp.table.prefetch({end.node, packet.source, packet.destination_port, packet.source_port});
    return kNone;
}

bool held_back(const Cluster& k) { return !facts.one_task && k.held_back; }

}  // namespace

void run_events(Cluster& k, Time limit)
{
    const std::uint32_t links = k.image.directed_links;
    std::uint64_t events = 0;
    // Where many events are pending, what they will touch has left the caches: the packet and where it arrives, and
    // when these are there, the link on which it will leave or the entry of its connection.
    LinkPrefetcher prefetcher;
    const auto soon = [&](const Event& event) {
        prefetcher.prefetch(k);
        if (event.stream >= links) return;
        __builtin_prefetch(&k.packets[event.payload], 1);
        __builtin_prefetch(&k.far_ends[event.stream]);
    };
    const auto next = [&](const Event& event) {
        const bool arrival = event.stream < links;
        prefetcher.add(arrival ? prefetch_next(k, k.far_ends[event.stream], k.packets[event.payload]) : kNone);
    };
    for (;;) {
        k.queue.set_limit(std::min(limit, k.next_change - 1));
        for (Event event; !held_back(k) && k.queue.pop(event, soon, next); ++events) {
            k.now = event.time;
            if (event.stream < links)
                node::receive(k, event.stream, event.payload);
            else
                timer(k, event);
        }
        if (held_back(k) || k.next_change > limit) break;
        make_changes(k);
    }
    k.counters.total_events += events;
}

}  // namespace anml::rt
