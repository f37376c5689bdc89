// A host: the end of a path. It forwards nothing.
#include "node/node.h"

namespace anml::rt::node {

void host(Cluster& k, const Self& self, PacketId id)
{
    if (k.packets[id].destination == self.address())
        deliver(k, self, id);
    else
        k.drop(id, Fate::malformed);
}

}  // namespace anml::rt::node
