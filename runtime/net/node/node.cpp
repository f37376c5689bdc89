#include "net/node/node.h"

#include "net/facts.h"

namespace anml::rt::node {

static bool slow(Net& k, const FarEnd& end)
{
    return present(abi::RecordSchema::processing) && k.image.node_rows[end.row].processing != kNone;
}

void receive(Net& k, LinkId link, PacketId id)
{
    FarEnd& end = k.far_ends[link];
    Packet& packet = k.packets[id];
    packet.trail = follow(packet.trail, link, k.now);
    switch (static_cast<abi::NodeKind>(end.kind)) {
        case abi::NodeKind::host:
            assume_present(abi::NodeKind::host);
            host(k, self(k, end), packet, id);
            break;
        case abi::NodeKind::router:
            assume_present(abi::NodeKind::router);
            if (slow(k, end)) return process(k, self(k, end), packet, id);
            router(k, packet, id, end);
            break;
        case abi::NodeKind::switch_:
            assume_present(abi::NodeKind::switch_);
            if (slow(k, end)) return process(k, self(k, end), packet, id);
            bridge(k, packet, id, end);
            break;
        case abi::NodeKind::endpoint:
            assume_present(abi::NodeKind::endpoint);
            endpoint(k, self(k, end), packet, id);
            break;
    }
}

}  // namespace anml::rt::node
