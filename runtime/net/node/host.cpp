// A host: the end of a path. It forwards nothing.
#include "net/node/node.h"

namespace anml::rt::node {

void host(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (self.has(packet.destination))
        deliver(k, self, packet, id);
    else
        k.drop(packet, id, DropReason::malformed);
}

}  // namespace anml::rt::node
