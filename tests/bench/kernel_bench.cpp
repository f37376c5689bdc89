// How fast the kernel moves packets: closed-loop clients on the paper's chain, in packet-hops per second of one core.
//   kernel_bench [N] [H] [document bytes] [simulated seconds]
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "image_builder.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

int main(int argc, char** argv)
{
    using namespace anml;
    auto argument = [&](int i, double otherwise) { return argc > i ? std::atof(argv[i]) : otherwise; };
    test::Chain chain;
    chain.routers = static_cast<std::uint32_t>(argument(1, 8));
    chain.hosts = static_cast<std::uint32_t>(argument(2, 8));
    chain.documents = {argument(3, 1024)};
    test::ChainModel built(chain);
    rt::Model model = built.model();

    auto seconds = [begin = std::chrono::steady_clock::now()] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    rt::Simulator simulator(model, 1);
    auto end = static_cast<rt::Time>(argument(4, 20) * 1e9);
    simulator.start_workloads(0, 0, end);
    double started = seconds();
    simulator.run_until(end);
    double wall = seconds() - started;
    const rt::Statistics& statistics = simulator.statistics();
    fmt::print(
        "start {:.1f} ms, run {:.3f} s: {:.2f} M hops/s, {:.2f} M events/s, {:.0f} tx per wall second, "
        "{:.0f} tx per simulated second, digest {:016x}\n",
        started * 1e3, wall, static_cast<double>(statistics.total_packet_hops) / wall / 1e6,
        static_cast<double>(statistics.total_events) / wall / 1e6,
        static_cast<double>(statistics.workloads[0].completed) / wall,
        static_cast<double>(statistics.workloads[0].completed) / (static_cast<double>(end) / 1e9), simulator.digest());
}
