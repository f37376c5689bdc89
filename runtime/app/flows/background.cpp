#include "app/flows/background.h"

#include "app/cluster.h"
#include "net/fluid/fluid.h"

namespace anml::rt::app::background {

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time)
{
    k.network.fluid->add(workload, node, peer);
}

// All clusters have the same, which counts once.
void collect(const Cluster& k, AppStatistics& all, Time now)
{
    if (!k.network.fluid) return;
    for (std::uint32_t w = 0; w < k.image.workload_count; ++w)
        if (abi::schema_of(k.image, k.image.workloads[w].record) == Row::kSchema)
            all.workloads[w].fluid = k.network.fluid->totals(w, now);
}

}  // namespace anml::rt::app::background
