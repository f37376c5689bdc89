// A host: the end of a path. It forwards nothing.
#include "net/node/multicast.h"
#include "net/node/node.h"

namespace anml::rt::node {

void host(Net& k, const Self& self, Packet& packet, PacketId id)
{
    if (self.has(packet.destination))
        deliver(k, self, packet, id);
    else
        multicast::arrive(k, self, packet, id);
}

}  // namespace anml::rt::node
