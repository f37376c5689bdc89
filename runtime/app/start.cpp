#include "app/start.h"

#include "abi/records.h"
#include "app/cluster.h"
#include "app/flows/pairing.h"
#include "app/phase.h"

namespace anml::rt::app {

void start(const Model& model, std::uint64_t seed, Time at, const std::function<Cluster*(NodeId)>& owner, Cluster& any)
{
    const abi::Image& image = model.image();
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& row = image.workloads[w];
        const bool fluid = abi::schema_of(image, row.record) == abi::RecordSchema::background;
        each_pair(model, seed, w, [&](NodeId host, NodeId peer) {
            Cluster* const of_host = fluid ? &any : owner(host);
            if (!of_host) return;
            const Time begin = at + wait_to_begin(model, seed, w, host, 0, 0);
            Cluster& k = *of_host;
#define ANML_START(name)          \
    case abi::RecordSchema::name: \
        return name::start(k, host, peer, w, begin);
            switch (abi::schema_of(image, row.record)) {
                ANML_WORKLOADS(ANML_START)
                default:
                    return;
            }
#undef ANML_START
        });
    }
}

}  // namespace anml::rt::app
