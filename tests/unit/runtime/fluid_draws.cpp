// How many flows of a crowd send, from step to step, against Markov chains of two states.
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "middlebox_world.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

// A host has flows that go on and off to the peer, where the chain's clients would send echo requests.
struct Crowd {
    Crowd(double flows, Time burst, Time pause, Time step)
        : records(chain()), model(finish(flows, burst, pause, step), records.values), simulator(model, 1)
    {
    }
    static test::Chain chain()
    {
        test::Chain chain;
        chain.peer = true;
        chain.pings = {{}};
        return chain;
    }
    const abi::Image& finish(double flows, Time burst, Time pause, Time step)
    {
        const auto value = [&](auto v) { return records.value(static_cast<double>(v)); };
        const std::uint32_t record = records.record(abi::record::background{.flows = value(flows),
                                                                            .flow_rate = value(1e3),
                                                                            .burst = value(burst),
                                                                            .pause = value(pause),
                                                                            .step = value(step),
                                                                            .elastic = value(0),
                                                                            .fill = value(1)});
        records.done();
        rows.assign(records.image.workloads, records.image.workloads + records.image.workload_count);
        rows.back().record = record;
        records.image.workloads = &rows.back();  // without the web's clients
        records.image.workload_count = 1;
        return records.image;
    }
    // How many have sent until then, times ns.
    double sent(Time until)
    {
        simulator.run_until(until);
        return simulator.statistics().workloads.back().fluid.flows;
    }

    std::vector<abi::WorkloadRow> rows;
    test::RecordImage records;
    Model model;
    Simulator simulator;
};

}  // namespace

TEST_CASE("how many send stays for a step, and is forgotten as chains of two states do", "[fluid]")
{
    constexpr Time kStep = 500 * kMillisecond, kBurst = kSecond, kPause = 3 * kSecond;
    constexpr int kSteps = 8000, kFlows = 1000;
    Crowd crowd(kFlows, kBurst, kPause, kStep);
    crowd.simulator.start_workloads(0, 0, kSteps * kStep);
    std::vector<double> counts;
    double before = 0;
    for (Time i = 0; i < kSteps; ++i) {
        const double middle = crowd.sent(i * kStep + kStep / 2), end = crowd.sent((i + 1) * kStep);
        REQUIRE(2 * (middle - before) == Approx(end - before));
        counts.push_back((end - before) / static_cast<double>(kStep));
        before = end;
    }
    double mean = 0, variance = 0, product = 0;
    for (const double count : counts) mean += count / kSteps;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        variance += (counts[i] - mean) * (counts[i] - mean) / kSteps;
        if (i > 0) product += (counts[i] - mean) * (counts[i - 1] - mean) / kSteps;
    }
    // Each sends a quarter of the time; what is over the mean fades with both rates, 1/s and 1/(3 s).
    CHECK(mean == Approx(kFlows / 4.0).epsilon(0.01));
    CHECK(variance == Approx(kFlows * 0.25 * 0.75).epsilon(0.1));
    CHECK(product / variance == Approx(std::exp(-0.5 * (1 + 1.0 / 3))).margin(0.035));
}

}  // namespace ANML_UNIT_FILE
