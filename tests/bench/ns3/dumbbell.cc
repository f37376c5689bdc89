// A dumbbell of long TCP transfers in ns-3, for tests/validation/dumbbells.py: the same as models/validation.anml.
//
//   ns3_dumbbell --cc=ns3::TcpCubic --flows=2 --rate=10Mbps --disc='ns3::CoDelQueueDisc,MaxSize=1000p' --seed=1 ...
//
// Flow i has access links of 1 ms + i * --spread each, so that flows do not go in step. Prints a line of JSON about the
// time from --warmup to --time: payload delivered, by flow; packets that wait at the line, mean over time, besides the
// one in transmission; packets that the line's queue dropped, marked and passed on.
//
// ns-3's device keeps a packet of its own behind each queue discipline, which that knows nothing of. Here it has none:
// the device asks for a packet when it has nothing to transmit. And where a window law of ns-3 departs from its RFC a
// law that does not stands beside it (laws.h, disciplines.h): --cc, --recovery and --disc choose.
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "disciplines.h"
#include "laws.h"
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

using namespace ns3;

namespace {

// The mean over time of what a queue discipline holds.
struct Mean {
    double held = 0, area = 0, since = 0;

    void Change(std::uint32_t, std::uint32_t now)
    {
        const double time = Simulator::Now().GetSeconds();
        area += held * (time - since);
        since = time;
        held = now;
    }
    void Restart()
    {
        Change(0, static_cast<std::uint32_t>(held));
        area = 0;
    }
};

// The device has a packet in transmission and none besides.
void hold_none(Ptr<PointToPointNetDevice> device)
{
    const Ptr<NetDeviceQueue> queue = device->GetObject<NetDeviceQueueInterface>()->GetTxQueue(0);
    device->TraceConnectWithoutContext(
        "PhyTxBegin", Callback<void, Ptr<const Packet>>([queue](Ptr<const Packet>) { queue->Stop(); }));
    device->TraceConnectWithoutContext("PhyTxEnd", Callback<void, Ptr<const Packet>>([queue](Ptr<const Packet>) {
                                           Simulator::ScheduleNow(&NetDeviceQueue::Wake, queue);
                                       }));
}

Ptr<QueueDisc> make_disc(const std::string& text)
{
    std::istringstream words(text);
    std::string word;
    std::getline(words, word, ',');
    ObjectFactory factory(word);
    while (std::getline(words, word, ',')) {
        const std::size_t equals = word.find('=');
        factory.Set(word.substr(0, equals), StringValue(word.substr(equals + 1)));
    }
    const auto disc = factory.Create<QueueDisc>();
    if (const auto fair = DynamicCast<FqCoDelQueueDisc>(disc)) fair->SetQuantum(1514);
    return disc;
}

void give_address(Ptr<NetDevice> device, std::uint32_t address)
{
    const auto ip = device->GetNode()->GetObject<Ipv4>();
    const auto interface = ip->AddInterface(device);
    ip->AddAddress(interface, Ipv4InterfaceAddress(Ipv4Address(address), Ipv4Mask(0xfffffffc)));
    ip->SetUp(interface);
}

}  // namespace

int main(int argc, char** argv)
{
    std::string cc = "ns3::TcpNewReno", recovery = "ns3::TcpPrrRecovery", rate = "10Mbps", access = "1Gbps",
                disc = "ns3::FifoQueueDisc,MaxSize=40p";
    std::uint32_t flows = 1, seed = 1, buffer = 4 << 20;
    double time = 60, warmup = 10, delay = 0.015, spread = 0.0001, start = 0.1;
    std::string trace;
    bool plain = false;
    CommandLine line;
    line.AddValue("cc", "window law", cc);
    line.AddValue("recovery", "how losses and marks reduce the window", recovery);
    line.AddValue("rate", "of the line", rate);
    line.AddValue("disc", "queue discipline of the line: its type, and attributes", disc);
    line.AddValue("flows", "transfers", flows);
    line.AddValue("seed", "of starts and drops", seed);
    line.AddValue("time", "seconds", time);
    line.AddValue("warmup", "seconds", warmup);
    line.AddValue("delay", "of the line, seconds", delay);
    line.AddValue("spread", "by which access links differ, seconds", spread);
    line.AddValue("start", "within which flows begin, seconds", start);
    line.AddValue("plain", "no timestamps, each segment acknowledged, and laws are told round trips as they are",
                  plain);
    line.AddValue("trace", "a file for the first flow's congestion window", trace);
    line.Parse(argc, argv);

    RngSeedManager::SetSeed(seed);
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue(cc));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue(recovery));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(buffer));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(buffer));
    if (plain) {
        Config::SetDefault("ns3::TcpSocketBase::Timestamp", BooleanValue(false));
        Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
        // ns-3.37 tells laws the smoothed round trip (m_lastRtt, TcpSocketBase::EstimateRtt): with this it is the last.
        Config::SetDefault("ns3::RttMeanDeviation::Alpha", DoubleValue(1));
    }
    Config::SetDefault("ns3::TcpScalable::AIFactor", UintegerValue(100));

    NodeContainer routers, senders, receivers;
    routers.Create(2);
    senders.Create(flows);
    receivers.Create(flows);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(NodeContainer(routers, senders, receivers));

    const auto connect = [](Ptr<Node> a, Ptr<Node> b, const std::string& bps, double seconds, std::uint32_t network) {
        PointToPointHelper helper;
        helper.SetDeviceAttribute("DataRate", StringValue(bps));
        helper.SetChannelAttribute("Delay", TimeValue(Seconds(seconds)));
        helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("10000p"));
        const NetDeviceContainer both = helper.Install(a, b);
        give_address(both.Get(0), network + 1);
        give_address(both.Get(1), network + 2);
        return both;
    };
    const NetDeviceContainer bottleneck = connect(routers.Get(0), routers.Get(1), rate, delay, 10u << 24 | 9u << 16);
    std::vector<std::uint32_t> destinations;
    for (std::uint32_t i = 0; i < flows; ++i) {
        const double way = 0.001 + i * spread;
        connect(senders.Get(i), routers.Get(0), access, way, 10u << 24 | 1u << 16 | i << 2);
        destinations.push_back((10u << 24 | 2u << 16 | i << 2) + 2);
        connect(routers.Get(1), receivers.Get(i), access, way, 10u << 24 | 2u << 16 | i << 2);
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    const auto device = DynamicCast<PointToPointNetDevice>(bottleneck.Get(0));
    const auto control = routers.Get(0)->GetObject<TrafficControlLayer>();
    const Ptr<QueueDisc> queue = make_disc(disc);
    control->SetRootQueueDiscOnDevice(device, queue);
    hold_none(device);
    static Mean mean;
    queue->TraceConnectWithoutContext("PacketsInQueue",
                                      Callback<void, std::uint32_t, std::uint32_t>(
                                          [](std::uint32_t before, std::uint32_t now) { mean.Change(before, now); }));

    std::mt19937 draw(seed);
    std::vector<Ptr<PacketSink>> sinks;
    for (std::uint32_t i = 0; i < flows; ++i) {
        const auto begin = Seconds(start * static_cast<double>(draw()) / 4294967296.0);
        BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address(destinations[i]), 9));
        bulk.SetAttribute("SendSize", UintegerValue(1448));
        bulk.Install(senders.Get(i)).Start(begin);
        PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9));
        sinks.push_back(DynamicCast<PacketSink>(sink.Install(receivers.Get(i)).Get(0)));
    }
    std::vector<std::uint64_t> before(flows);
    QueueDisc::Stats stats;
    Simulator::Schedule(Seconds(warmup), [&] {
        for (std::uint32_t i = 0; i < flows; ++i) before[i] = sinks[i]->GetTotalRx();
        stats = queue->GetStats();
        mean.Restart();
    });
    std::FILE* windows = trace.empty() ? nullptr : std::fopen(trace.c_str(), "w");
    if (windows != nullptr)
        Simulator::Schedule(Seconds(start + 0.001), [windows] {
            Config::ConnectWithoutContext(
                "/NodeList/2/$ns3::TcpL4Protocol/SocketList/0/CongestionWindow",
                Callback<void, std::uint32_t, std::uint32_t>([windows](std::uint32_t, std::uint32_t now) {
                    std::fprintf(windows, "%.6f %u\n", Simulator::Now().GetSeconds(), now);
                }));
        });
    Simulator::Stop(Seconds(time));
    Simulator::Run();
    mean.Change(0, 0);
    const QueueDisc::Stats& end = queue->GetStats();
    std::printf("{\"mean_queue\": %.4f, \"dropped\": %u, \"marked\": %u, \"passed\": %u, \"delivered\": [",
                mean.area / (time - warmup), end.nTotalDroppedPackets - stats.nTotalDroppedPackets,
                end.nTotalMarkedPackets - stats.nTotalMarkedPackets,
                end.nTotalDequeuedPackets - stats.nTotalDequeuedPackets);
    for (std::uint32_t i = 0; i < flows; ++i)
        std::printf("%s%llu", i > 0 ? ", " : "", static_cast<unsigned long long>(sinks[i]->GetTotalRx() - before[i]));
    std::printf("]}\n");
    if (windows != nullptr) std::fclose(windows);
    std::fflush(stdout);
    std::_Exit(0);
}
