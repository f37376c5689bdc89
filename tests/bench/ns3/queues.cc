// ns-3's queue disciplines on a link whose arrivals are given: queues_against_ns3.py compares them with ours.
//
//   ns3_queues TYPE RATE_BPS [ATTRIBUTE=VALUE ...] < arrivals
//
// A line of `arrivals` is a packet: its time in ns, its bytes, its flow, and 1 if it can be marked. For each flow a
// line is printed: packets that were transmitted, those of them that were marked, and how long they waited, in ns.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "ns3/core-module.h"
#include "ns3/network-module.h"
#include "ns3/traffic-control-module.h"

using namespace ns3;

namespace {

class Item : public QueueDiscItem {
  public:
    Item(std::uint32_t bytes, std::uint32_t flow, bool capable)
        : QueueDiscItem(Create<Packet>(bytes), Address(), 0x0800), flow(flow), capable(capable)
    {
    }
    void AddHeader() override {}
    bool Mark() override
    {
        marked |= capable;
        return capable;
    }
    std::uint32_t Hash(std::uint32_t) const override { return flow; }

    const std::uint32_t flow;
    const bool capable;
    const Time came = Simulator::Now();
    bool marked = false;
};

struct Sum {
    std::uint64_t transmitted = 0, marked = 0;
    std::int64_t waited = 0;
};

struct Link {
    Ptr<QueueDisc> disc;
    double rate;
    bool busy = false;
    std::map<std::uint32_t, Sum> flows;

    void Arrive(std::uint32_t bytes, std::uint32_t flow, bool capable)
    {
        disc->Enqueue(Create<Item>(bytes, flow, capable));
        if (!busy) Next();
    }
    void Next()
    {
        const Ptr<Item> item = DynamicCast<Item>(disc->Dequeue());
        busy = item != nullptr;
        if (!busy) return;
        Sum& sum = flows[item->flow];
        ++sum.transmitted;
        sum.marked += item->marked;
        sum.waited += (Simulator::Now() - item->came).GetNanoSeconds();
        const auto bytes = static_cast<double>(item->GetPacket()->GetSize());
        Simulator::Schedule(NanoSeconds(static_cast<std::int64_t>(bytes * 8e9 / rate + 0.5)), &Link::Next, this);
    }
};

}  // namespace

int main(int argc, char** argv)
{
    if (argc < 3) return 2;
    ObjectFactory factory;
    factory.SetTypeId(argv[1]);
    for (int i = 3; i < argc; ++i) {
        const std::string given = argv[i];
        const std::size_t equals = given.find('=');
        factory.Set(given.substr(0, equals), StringValue(given.substr(equals + 1)));
    }
    Link link{factory.Create<QueueDisc>(), std::stod(argv[2])};
    if (const auto fair = DynamicCast<FqCoDelQueueDisc>(link.disc)) fair->SetQuantum(1514);  // else a device's
    link.disc->Initialize();
    long long at = 0, last = 0;
    unsigned bytes = 0, flow = 0, capable = 0;
    while (std::scanf("%lld %u %u %u", &at, &bytes, &flow, &capable) == 4) {
        Simulator::Schedule(NanoSeconds(at), &Link::Arrive, &link, bytes, flow, capable != 0);
        last = std::max(last, at);
    }
    Simulator::Stop(NanoSeconds(last) + Seconds(10));
    Simulator::Run();
    for (const auto& [which, sum] : link.flows)
        std::printf("%u %llu %llu %lld\n", which, static_cast<unsigned long long>(sum.transmitted),
                    static_cast<unsigned long long>(sum.marked), static_cast<long long>(sum.waited));
    link.disc = nullptr;
    Simulator::Destroy();
}
