#include "app/start.h"

#include "app/pairing.h"
#include "app/phase.h"
#include "net/cluster.h"

namespace anml::rt::app {

void start(const Model& model, std::uint64_t seed, Time at, const std::function<Cluster&(NodeId)>& owner)
{
    const abi::Image& image = model.image();
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& row = image.workloads[w];
        each_pair(model, seed, w, [&](NodeId host, NodeId peer) {
            const Time begin = at + wait_to_begin(model, seed, w, host, 0);
            Cluster& k = owner(host);
            switch (row.kind) {
                case abi::WorkloadKind::closed_loop:
                    client::start(k, host, w, begin);
                    break;
                case abi::WorkloadKind::cbr:
                    cbr::start(k, host, peer, w, begin);
                    break;
                case abi::WorkloadKind::bulk:
                    bulk::start(k, host, peer, w, begin);
                    break;
                case abi::WorkloadKind::on_off:
                    on_off::start(k, host, peer, w, begin);
                    break;
                case abi::WorkloadKind::ping:
                    ping::start(k, host, peer, w, begin);
                    break;
                case abi::WorkloadKind::open_loop:
                    open_loop::start(k, host, w, begin);
                    break;
            }
        });
    }
}

}  // namespace anml::rt::app
