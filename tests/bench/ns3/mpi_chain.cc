// The scenario chain-udp of peers.cc in processes that MPI joins, as ns-3's manual has it ("MPI for Distributed
// Simulation"): each has the whole topology, its own nodes' applications, and a part of the chain. For an ns-3 that was
// built with MPI, which Debian's is not: ns3_mpi.py makes one, and this.
#define main main_of_peers
#include "peers.cc"
#undef main
#include <mpi.h>

#include "ns3/mpi-interface.h"

namespace {

// Packet-hops of each site in a second, but for a factor: what its clients send on their links, and what its router
// passes on for itself and all that are further away.
uint64_t WorkOfSite(uint32_t site) { return 1 + (N - site); }

// The rank of each site: neighbouring ones, as even by packet-hops as whole sites let them be. Parts are cut at the
// links between routers, whose delay is the lookahead.
std::vector<uint32_t> Partition(uint32_t ranks)
{
    uint64_t all = 0, before = 0;
    for (uint32_t i = 0; i < N; i++) all += WorkOfSite(i);
    std::vector<uint32_t> rank(N);
    for (uint32_t i = 0; i < N; i++) {
        rank[i] = std::min<uint64_t>(ranks - 1, (2 * before + WorkOfSite(i)) * ranks / (2 * all));
        before += WorkOfSite(i);
    }
    return rank;
}

// The server's application; none: it is another rank's.
Ptr<UdpRx> MakeChain(const std::vector<uint32_t>& rank, uint32_t me)
{
    NodeContainer r, s, h;
    for (uint32_t i = 0; i < N; i++) r.Create(1, rank[i]);
    s.Create(1, rank[0]);
    for (uint32_t i = 0; i < N; i++) h.Create(H, rank[i]);
    InstallStack(NodeContainer(r, s, h));
    Net net;
    auto core = P2p("1Gbps", "1ms"), access = P2p("100Mbps", "100us"), entry = P2p("1Gbps", "1us");
    const Ipv4Address server("10.255.0.2");
    // Interfaces of a router: 1 towards the server, 2 away from it (the last has none), then its hosts.
    net.Addr(entry.Install(r.Get(0), s.Get(0)), Ipv4Address("10.255.0.1"), server);
    for (uint32_t i = 1; i < N; i++) {
        const uint32_t base = (10u << 24) | (254u << 16) | (i << 2);
        net.Addr(core.Install(r.Get(i - 1), r.Get(i)), Ipv4Address(base + 1), Ipv4Address(base + 2));
    }
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = 0; j < H; j++) {
            const uint32_t base = (10u << 24) | (i << 12) | (j << 2);
            net.Addr(access.Install(r.Get(i), h.Get(i * H + j)), Ipv4Address(base + 1), Ipv4Address(base + 2));
        }
    // Datagrams go to the server alone.
    for (uint32_t i = 0; i < N; i++) Fn(r.Get(i))->fn = [](uint32_t, uint32_t) -> uint32_t { return 1; };
    Ptr<UdpRx> sink;
    if (rank[0] == me) {
        sink = CreateObject<UdpRx>();
        s.Get(0)->AddApplication(sink);
    }
    std::mt19937 rng(seed);
    for (uint32_t i = 0; i < N * H; i++) {
        const Time start = NanoSeconds(rng() % 1000000);  // as models/udp_chain.anml: no millisecond before it
        if (rank[i / H] != me) continue;
        auto c = CreateObject<Cbr>();
        c->server = server;
        c->interval = 1028 * 8 / (load * 1e9 / (N * H));
        h.Get(i)->AddApplication(c);
        c->SetStartTime(start);
    }
    return sink;
}

}  // namespace

int main(int argc, char** argv)
{
    std::string sync = "window";
    CommandLine c;
    c.AddValue("sync", "none: one process | window: granted time windows | null: null messages", sync);
    c.AddValue("N", "routers", N);
    c.AddValue("H", "hosts of each", H);
    c.AddValue("T", "simulated seconds", T);
    c.AddValue("load", "of the server's link", load);
    c.AddValue("seed", "", seed);
    c.AddValue("count", "count packet-hops, in a run that is not timed", count);
    c.Parse(argc, argv);
    if (sync == "window")
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::DistributedSimulatorImpl"));
    else if (sync == "null")
        GlobalValue::Bind("SimulatorImplementationType", StringValue("ns3::NullMessageSimulatorImpl"));
    else if (sync != "none") {
        fprintf(stderr, "--sync is none, window or null\n");
        return 2;
    }
    const bool divided = sync != "none";
    if (divided) MpiInterface::Enable(&argc, &argv);
    const uint32_t ranks = divided ? MpiInterface::GetSize() : 1, me = divided ? MpiInterface::GetSystemId() : 0;
    if (ranks > N) {
        fprintf(stderr, "%u ranks for %u routers\n", ranks, N);
        return 2;
    }
    const Ptr<UdpRx> sink = MakeChain(Partition(ranks), me);
    CountAll();
    Simulator::Stop(Seconds(T));
    if (divided) MPI_Barrier(MpiInterface::GetCommunicator());
    const double wall_before = WallNow(), cpu_before = CpuS();
    Simulator::Run();
    double took[2] = {WallNow() - wall_before, CpuS() - cpu_before};
    uint64_t counted[3] = {g_hops.load(), g_drops.load(), sink ? sink->got : 0};
    const uint64_t events = Simulator::GetEventCount();
    std::vector<uint64_t> events_of(ranks, events);
    if (divided) {
        const auto world = MpiInterface::GetCommunicator();
        double longest, sum;
        uint64_t all[3];
        MPI_Reduce(&took[0], &longest, 1, MPI_DOUBLE, MPI_MAX, 0, world);
        MPI_Reduce(&took[1], &sum, 1, MPI_DOUBLE, MPI_SUM, 0, world);
        MPI_Reduce(counted, all, 3, MPI_UINT64_T, MPI_SUM, 0, world);
        MPI_Gather(&events, 1, MPI_UINT64_T, events_of.data(), 1, MPI_UINT64_T, 0, world);
        if (me == 0) {
            took[0] = longest, took[1] = sum;
            std::copy(all, all + 3, counted);
        }
    }
    if (me == 0) {
        printf(
            "{\"sync\":\"%s\",\"ranks\":%u,\"N\":%u,\"H\":%u,\"T\":%g,\"wall_s\":%.4f,\"cpu_s\":%.4f,\"hops\":%lu,"
            "\"drops\":%lu,"
            "\"received\":%lu,\"events\":[",
            sync.c_str(), ranks, N, H, T, took[0], took[1], counted[0], counted[1], counted[2]);
        for (uint32_t i = 0; i < ranks; i++) printf("%s%lu", i ? "," : "", events_of[i]);
        printf("]}\n");
        fflush(stdout);
    }
    Simulator::Destroy();  // that is what parts with MPI, too, where ranks are
    if (divided) MpiInterface::Disable();
    return 0;
}
