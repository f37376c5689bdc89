// TCP in a fat tree, in htsim, for tests/bench/against_peers.py: what was carried and how long it took, as JSON.
//
//   htsim tcp|dctcp K MICROSECONDS < list     a line of it is a flow: source, destination, bytes (0: no end), ns of SYN
//
// `tcp`: 1 Gbps, 10 us, drop-tail of 100 packets. `dctcp`: 100 Gbps, 3 us, routers mark above 100 packets of 4 MB. A
// link is a queue and a pipe, a flow's way there and back a list of them: one of the shortest, drawn for each.
// Acknowledgments take it. A packet of htsim's has one size, that of a segment: here that of 1448 bytes of payload with
// ns-3's headers.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "dctcp.h"
#include "ecnqueue.h"
#include "eventlist.h"
#include "pipe.h"
#include "queue.h"
#include "tcp.h"

namespace {

constexpr int kPayload = 1448, kPacket = 1502;
std::uint64_t hops = 0;

template <class Base>
struct Counted : Base {
    using Base::Base;
    void doNextEvent() override
    {
        ++hops;
        Base::doNextEvent();
    }
};

class FatTree {
  public:
    FatTree(unsigned ports, bool dctcp, EventList& list) : half(ports / 2), marks(dctcp), events(list)
    {
        const unsigned edges = ports * half;
        for (unsigned i = 0; i < edges * half; ++i) {
            access_up.push_back(Link(false));
            access_down.push_back(Link(true));
            rack_up.push_back(Link(true));
            rack_down.push_back(Link(true));
            core_up.push_back(Link(true));
            core_down.push_back(Link(true));
        }
    }
    // Through the router `a` above and its core router `c`, where they are needed.
    Route* Way(unsigned from, unsigned to, unsigned a, unsigned c, PacketSink* end) const
    {
        auto* route = new Route;
        const auto take = [route](const Cable& cable) {
            route->push_back(cable.queue);
            route->push_back(cable.pipe);
        };
        const unsigned edge = from / half, to_edge = to / half, pod = edge / half, to_pod = to_edge / half;
        take(access_up[from]);
        if (edge != to_edge) {
            take(rack_up[edge * half + a]);
            if (pod != to_pod) {
                take(core_up[(pod * half + a) * half + c]);
                take(core_down[(to_pod * half + a) * half + c]);
            }
            take(rack_down[to_edge * half + a]);
        }
        take(access_down[to]);
        route->push_back(end);
        return route;
    }
    const unsigned half;

  private:
    struct Cable {
        Queue* queue;
        Pipe* pipe;
    };
    Cable Link(bool of_router) const
    {
        const linkspeed_bps rate = speedFromMbps(std::uint64_t{marks ? 100000u : 1000u});
        const mem_b room = marks ? 4000000 : 101 * kPacket;
        Queue* queue = nullptr;
        if (marks && of_router)
            queue = new Counted<ECNQueue>(rate, room, events, nullptr, 100 * kPacket);
        else
            queue = new Counted<Queue>(rate, room, events, nullptr);
        return {queue, new Pipe(timeFromUs(marks ? 3.0 : 10.0), events)};
    }
    const bool marks;
    EventList& events;
    // By host; by edge and router above; by router above and core. Each is as many as there are hosts.
    std::vector<Cable> access_up, access_down, rack_up, rack_down, core_up, core_down;
};

double processor_seconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 4) return 2;
    std::cout.setstate(std::ios::failbit);  // flows report what they do
    const bool dctcp = std::strcmp(argv[1], "dctcp") == 0;
    Packet::set_packet_size(kPacket);
    EventList& events = EventList::getTheEventList();
    events.setEndtime(timeFromUs(std::atof(argv[3])));
    const FatTree tree(unsigned(std::atoi(argv[2])), dctcp, events);
    TcpRtxTimerScanner timer(timeFromMs(10.0), events);
    std::mt19937 draw(1);
    std::vector<TcpSink*> sinks;
    unsigned from = 0, to = 0;
    unsigned long long bytes = 0, due = 0;
    while (std::scanf("%u %u %llu %llu", &from, &to, &bytes, &due) == 4) {
        TcpSrc* source = dctcp ? new DCTCPSrc(nullptr, nullptr, events) : new TcpSrc(nullptr, nullptr, events);
        auto* sink = new TcpSink;
        source->set_ssthresh(0xffffffff);
        // It sends whole packets until this is behind it.
        if (bytes > 0) source->_flow_size = (bytes + kPayload - 1) / kPayload * kPacket - 1;
        const unsigned a = unsigned(draw()) % tree.half, c = unsigned(draw()) % tree.half;
        source->connect(*tree.Way(from, to, a, c, sink), *tree.Way(to, from, a, c, source), *sink,
                        timeFromNs(double(due)));
        timer.registerTcp(*source);
        sinks.push_back(sink);
    }
    const auto begin = std::chrono::steady_clock::now();
    const double used = processor_seconds();
    while (events.doNextEvent()) {
    }
    const double processor = processor_seconds() - used;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::uint64_t packets = 0;
    for (const TcpSink* sink : sinks) packets += sink->_cumulative_ack / kPacket + sink->_received.size();
    std::printf("{\"hops\":%llu,\"bytes\":%llu,\"wall_s\":%.4f,\"cpu_s\":%.4f}\n",
                static_cast<unsigned long long>(hops), static_cast<unsigned long long>(packets * kPayload),
                wall, processor);
}
