#include "kernel/cluster.h"

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
      servers(m)
{
    statistics.workloads.resize(image.workload_count);
}

}  // namespace anml::rt
