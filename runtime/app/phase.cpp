#include "app/phase.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "abi/records.h"
#include "app/cluster.h"
#include "net/model.h"
#include "net/samples.h"

namespace anml::rt::app {

namespace {

constexpr double kLeast = 100 * kMillisecond;  // within which hosts begin that don't think

Rhythm rhythm_of(const abi::Image& image, const abi::WorkloadRow& row)
{
#define ANML_RHYTHM(name)         \
    case abi::RecordSchema::name: \
        return name::rhythm(abi::row_of<name::Row>(image, row.record));
    switch (abi::schema_of(image, row.record)) {
        ANML_WORKLOADS(ANML_RHYTHM)
        default:
            return {};
    }
#undef ANML_RHYTHM
}

}  // namespace

Time wait_to_begin(const Model& model, std::uint64_t seed, std::uint32_t workload, NodeId host, std::uint64_t round,
                   Time passed)
{
    seed += 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(passed);  // the golden ratio: its multiples are far apart
    const abi::WorkloadRow& row = model.image().workloads[workload];
    const double spread = model.value(row.start_spread);
    if (row.start == abi::Start::spread && spread == 0) return 0;
    const double share = Draws(seed, host, Purpose::start, workload, 2 * round).unit();
    if (row.start == abi::Start::spread) return static_cast<Time>(share * spread);
    const Rhythm rhythm = rhythm_of(model.image(), row);
    if (rhythm.same != abi::kNone) return static_cast<Time>(share * model.value(rhythm.same));
    if (!rhythm.drawn) return std::llround(share * kLeast);
    std::vector<double> state(state_words(*rhythm.drawn));
    Draws draws(seed, host, Purpose::start, workload, 2 * round + 1);
    const double drawn = sample(model, *rhythm.drawn, draws, state.data());
    const bool memoryless = rhythm.drawn->kind == abi::DistributionKind::exponential;
    const double wait = memoryless ? drawn : share * drawn;
    return std::llround(rhythm.thinks ? std::max(wait, share * kLeast) : wait);
}

}  // namespace anml::rt::app
