// A packet that has reached a router or a switch which needs time for it (net/processing.h). Apart from the behaviours
// of nodes, and from the event loop's bitcode: models without it have none of it.
#include "net/processing.h"

namespace anml::rt::node {

void process(Net& k, const Self& self, Packet& packet, PacketId id)
{
    const Time at = k.network.processing->take(k, self);
    if (at == kNever) return k.drop(packet, id, DropReason::processing);
    k.schedule(self.id, at, timer_kind::processed, id);
}

void processed(Net& k, const Self& self, PacketId id)
{
    Packet& packet = k.packets[id];
    FarEnd end = end_at(k.model, self.id);  // the link is not known any more
    if (self.row.kind == abi::NodeKind::router)
        router(k, packet, id, end);
    else
        bridge(k, packet, id, end);
}

}  // namespace anml::rt::node
