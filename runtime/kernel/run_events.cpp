// The event loop of a cluster.
#include "app/closed_loop.h"
#include "kernel/cluster.h"
#include "node/node.h"
#include "tcp/tcp.h"

namespace anml::rt {

namespace {

void timer(Cluster& k, const Event& event)
{
    const NodeId node = event.stream - k.image.directed_links;
    switch (static_cast<TimerKind>(event.kind)) {
        case TimerKind::transport:
            tcp::transport_timer(k, event.payload, event.time);
            break;
        case TimerKind::application:
            tcp::application_timer(k, event.payload, event.time);
            break;
        case TimerKind::acknowledgment:
            tcp::acknowledgment_timer(k, event.payload, event.time);
            break;
        case TimerKind::client:
            app::client_timer(k, event.payload);
            break;
        case TimerKind::injected:
            node::inject(k, node::self(k, node), event.payload);
            break;
    }
}

}  // namespace

void run_events(Cluster& k, Time limit)
{
    const std::uint32_t links = k.image.directed_links;
    std::uint64_t events = 0;
    // Where many events are pending, what they will touch has left the caches.
    const auto soon = [&](const Event& event) {
        if (event.stream >= links) return;
        __builtin_prefetch(&k.packets[event.payload], 1);
        __builtin_prefetch(&k.far_ends[event.stream]);
    };
    for (Event event; !k.held_back && k.queue.pop(limit, event, soon); ++events) {
        k.now = event.time;
        if (event.stream < links)
            node::receive(k, event.stream, event.payload);
        else
            timer(k, event);
    }
    k.statistics.total_events += events;
}

}  // namespace anml::rt
