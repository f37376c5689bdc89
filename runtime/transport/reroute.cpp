// Connections remember the link on which they send; another routing epoch may want another one.
#include "transport/tcp.h"

namespace anml::rt::tcp {

void routes_changed(Transport& k)
{
    for (std::uint32_t slot = 0; slot < k.tcp.connections.size(); ++slot) {
        Connection& c = k.tcp.connections[slot];
        if (c.state == State::free) continue;
        const node::Self self = node::self(k, c.node);
        const Flow flow{c.local, c.remote, protocol::tcp, c.local_port, c.remote_port};
        LinkId link = k.route(self.row, self.element(), flow);
        if (link == kNone) link = k.route_otherwise(self.row, self.element(), flow);
        // Without a way it keeps the old one, where its packets end, and the next epoch may have a way again.
        if (link != kNone) c.link = link;
    }
}

}  // namespace anml::rt::tcp
