#include "net/net.h"

namespace anml::rt {

Net::Net(const Model& m, std::uint64_t s, Time e, NetworkState& n)
    : model(m),
      image(m.image()),
      seed(s),
      epoch(e),
      network(n),
      links(n.links.data()),
      far_ends(n.far_ends.data()),
      nodes(n.nodes.data()),
      edges(n.edges),
      taps(n.taps),
      tables_(m.image().tables)
{
    if (image.epoch_count == 0) return;
    own_tables.assign(image.tables, image.tables + image.table_count);
    tables_ = own_tables.data();
}

void Net::lose(LinkId link, PacketId id)
{
    if (measuring()) changes->lost(link);
    drop(packets[id], id, Fate::link_down);
}

void make_changes(Net& k) { k.next_change = k.changes->make(k); }

}  // namespace anml::rt
