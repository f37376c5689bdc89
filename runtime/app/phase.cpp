#include "app/phase.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "net/model.h"
#include "net/samples.h"

namespace anml::rt::app {

namespace {

constexpr double kLeast = 100 * kMillisecond;  // within which hosts begin that don't think

// What passes between two events of the workload, for a host; 0: it has no rhythm of its own.
const abi::Distribution* rhythm(const abi::WorkloadRow& row)
{
    switch (row.kind) {
        case abi::WorkloadKind::closed_loop:
        case abi::WorkloadKind::open_loop:
        case abi::WorkloadKind::bulk:
            return &row.think;
        case abi::WorkloadKind::on_off:
            return &row.off;
        case abi::WorkloadKind::cbr:
        case abi::WorkloadKind::ping:
            return nullptr;  // `interval`
    }
    return nullptr;
}

}  // namespace

Time wait_to_begin(const Model& model, std::uint64_t seed, std::uint32_t workload, NodeId host, std::uint64_t round)
{
    const abi::WorkloadRow& row = model.image().workloads[workload];
    const double spread = model.value(row.start_spread);
    if (row.start == abi::Start::spread && spread == 0) return 0;
    const double share = Draws(seed, host, Purpose::start, workload, 2 * round).unit();
    if (row.start == abi::Start::spread) return static_cast<Time>(share * spread);
    const abi::Distribution* interval = rhythm(row);
    if (!interval) return static_cast<Time>(share * model.value(row.interval));
    std::vector<double> state(state_words(*interval));
    Draws draws(seed, host, Purpose::start, workload, 2 * round + 1);
    const double drawn = sample(model, *interval, draws, state.data());
    const bool memoryless = interval->kind == abi::DistributionKind::exponential;
    const double wait = memoryless ? drawn : share * drawn;
    return std::llround(row.kind == abi::WorkloadKind::open_loop ? wait : std::max(wait, share * kLeast));
}

}  // namespace anml::rt::app
