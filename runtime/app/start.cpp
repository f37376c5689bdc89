#include "app/start.h"

#include "app/pairing.h"
#include "kernel/cluster.h"
#include "kernel/random.h"

namespace anml::rt::app {

void start(const Model& model, std::uint64_t seed, Time at, const std::function<Cluster&(NodeId)>& owner)
{
    const abi::Image& image = model.image();
    for (std::uint32_t w = 0; w < image.workload_count; ++w) {
        const abi::WorkloadRow& row = image.workloads[w];
        const double spread = model.value(row.start_spread);
        each_pair(model, seed, w, [&](NodeId host, NodeId peer) {
            Time begin = at;
            if (spread > 0) {
                const std::uint64_t bits = random_bits(seed, host, Purpose::start, w, 0);
                begin += static_cast<Time>(static_cast<double>(bits >> 11) * 0x1p-53 * spread);
            }
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
