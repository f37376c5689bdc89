#include "net/node/node.h"

#include "net/facts.h"

namespace anml::rt::node {

static bool slow(const Self& self) { return present(abi::RecordSchema::processing) && self.row.processing != kNone; }

void receive(Net& k, LinkId link, PacketId id)
{
    FarEnd& end = k.far_ends[link];
    Packet& packet = k.packets[id];
    packet.trail = follow(packet.trail, link, k.now);
    Self self{k.image.node_rows[end.row], end.node};
    switch (self.row.kind) {
        case abi::NodeKind::host:
            assume_present(abi::NodeKind::host);
            host(k, self, packet, id);
            break;
        case abi::NodeKind::router:
            assume_present(abi::NodeKind::router);
            if (slow(self)) return process(k, self, packet, id);
            router(k, self, packet, id, end);
            break;
        case abi::NodeKind::switch_:
            assume_present(abi::NodeKind::switch_);
            if (slow(self)) return process(k, self, packet, id);
            bridge(k, self, packet, id, end);
            break;
        case abi::NodeKind::endpoint:
            assume_present(abi::NodeKind::endpoint);
            endpoint(k, self, packet, id);
            break;
    }
}

}  // namespace anml::rt::node
