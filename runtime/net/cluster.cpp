#include "net/cluster.h"

namespace anml::rt {

Cluster::Cluster(const Model& m, std::uint64_t s, Time e, NetworkState& n)
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
      ports(n.ports),
      tcp(m),
      servers(m, e != 0),
      tables_(m.image().tables)
{
    statistics.workloads.resize(image.workload_count);
    if (image.epoch_count == 0) return;
    own_tables.assign(image.tables, image.tables + image.table_count);
    tables_ = own_tables.data();
}

void Cluster::lose(LinkId link, PacketId id)
{
    if (measuring()) changes->lost(link);
    drop(packets[id], id, Fate::link_down);
}

void make_changes(Cluster& k) { k.next_change = k.changes->make(k); }

}  // namespace anml::rt
