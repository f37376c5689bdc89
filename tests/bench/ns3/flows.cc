// Flows of given sizes at given times in a fat tree, in ns-3, for tests/validation/completion.py: how long each took.
//
//   ns3_flows K < list      a line of it is a flow: source, destination, bytes, and its SYN's time in ns
//
// Links of 100 Gbps and 3 us, RED with ECN between 50 and 150 packets at routers, DCTCP (LossyDctcp of laws.h, and
// RfcRecovery), each segment acknowledged, ECMP by a hash of addresses and ports. For each flow that ended a line is
// printed: its number, and the ns from its SYN until its receiver had the last byte.
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <vector>

#include "laws.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

using namespace ns3;

namespace {

// Routing by arithmetic: the interface for a destination and a hash of the flow; 0: here.
class Arithmetic : public Ipv4RoutingProtocol {
  public:
    using Choose = std::function<std::uint32_t(std::uint32_t destination, std::uint32_t hash)>;
    Choose choose = [](std::uint32_t, std::uint32_t) { return 0; };

    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("Arithmetic").SetParent<Ipv4RoutingProtocol>().AddConstructor<Arithmetic>();
        return id;
    }
    Ptr<Ipv4Route> Route(std::uint32_t interface)
    {
        const auto route = Create<Ipv4Route>();
        route->SetSource(ip->GetAddress(interface, 0).GetLocal());
        route->SetGateway(Ipv4Address::GetZero());
        route->SetOutputDevice(ip->GetNetDevice(interface));
        return route;
    }
    Ptr<Ipv4Route> RouteOutput(Ptr<Packet>, const Ipv4Header&, Ptr<NetDevice>, Socket::SocketErrno& error) override
    {
        error = Socket::ERROR_NOTERROR;
        return Route(1);
    }
    bool RouteInput(Ptr<const Packet> packet, const Ipv4Header& header, Ptr<const NetDevice> device,
                    UnicastForwardCallback forward, MulticastForwardCallback, LocalDeliverCallback deliver,
                    ErrorCallback) override
    {
        std::uint8_t ports[4];
        packet->CopyData(ports, 4);
        std::uint64_t x = (std::uint64_t{header.GetSource().Get()} << 32 | header.GetDestination().Get()) ^
                          (std::uint64_t{ports[0]} << 56 | std::uint64_t{ports[1]} << 48 | ports[2] << 8 | ports[3]);
        x *= 0x9E3779B97F4A7C15ull;
        x ^= x >> 29;
        x *= 0xBF58476D1CE4E5B9ull;
        x ^= x >> 32;
        const std::uint32_t out = choose(header.GetDestination().Get(), static_cast<std::uint32_t>(x));
        if (out == 0)
            deliver(packet, header, ip->GetInterfaceForDevice(device));
        else
            forward(Route(out), packet, header);
        return true;
    }
    void NotifyInterfaceUp(std::uint32_t) override {}
    void NotifyInterfaceDown(std::uint32_t) override {}
    void NotifyAddAddress(std::uint32_t, Ipv4InterfaceAddress) override {}
    void NotifyRemoveAddress(std::uint32_t, Ipv4InterfaceAddress) override {}
    void SetIpv4(Ptr<Ipv4> of) override { ip = of; }
    void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override {}

  private:
    Ptr<Ipv4> ip;
};

struct ArithmeticHelper : Ipv4RoutingHelper {
    ArithmeticHelper* Copy() const override { return new ArithmeticHelper; }
    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override { return CreateObject<Arithmetic>(); }
};

Arithmetic& routing(Ptr<Node> node) { return *DynamicCast<Arithmetic>(node->GetObject<Ipv4>()->GetRoutingProtocol()); }

// An end of a link. Routers' have RED in front of a device that holds no packet besides the one in transmission.
void join(Ptr<NetDevice> end, std::uint32_t address, bool router)
{
    const auto ip = end->GetNode()->GetObject<Ipv4>();
    const auto interface = ip->AddInterface(end);
    ip->AddAddress(interface, Ipv4InterfaceAddress(Ipv4Address(address), Ipv4Mask(0xfffffffc)));
    ip->SetUp(interface);
    if (!router) return;
    ObjectFactory red("ns3::RedQueueDisc");
    const auto disc = red.Create<QueueDisc>();
    end->GetNode()->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(end, disc);
    const auto queue = end->GetObject<NetDeviceQueueInterface>()->GetTxQueue(0);
    end->TraceConnectWithoutContext("PhyTxBegin",
                                    Callback<void, Ptr<const Packet>>([queue](Ptr<const Packet>) { queue->Stop(); }));
    end->TraceConnectWithoutContext("PhyTxEnd", Callback<void, Ptr<const Packet>>([queue](Ptr<const Packet>) {
                                        Simulator::ScheduleNow(&NetDeviceQueue::Wake, queue);
                                    }));
}

struct Flow {
    std::uint32_t number, source, destination;
    std::uint64_t bytes, came = 0;
    Time due;
    Ptr<Socket> sender, listener;

    void Listen(Ptr<Node> node)
    {
        listener = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
        listener->Bind(InetSocketAddress(Ipv4Address::GetAny(), static_cast<std::uint16_t>(1000 + number)));
        listener->Listen();
        listener->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> socket, const Address&) {
                socket->SetRecvCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> from) { Receive(from); }));
            }));
    }
    void Receive(Ptr<Socket> from)
    {
        while (const Ptr<Packet> packet = from->Recv()) {
            if (packet->GetSize() == 0) break;
            came += packet->GetSize();
            if (came == bytes)
                std::printf("%u %lld\n", number, static_cast<long long>((Simulator::Now() - due).GetNanoSeconds()));
        }
    }
    void Begin(Ptr<Node> node, Ipv4Address to)
    {
        sender = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
        sender->Bind();
        sender->SetConnectCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
                                       socket->Send(Create<Packet>(static_cast<std::uint32_t>(bytes)));
                                       socket->Close();
                                   }),
                                   MakeNullCallback<void, Ptr<Socket>>());
        sender->Connect(InetSocketAddress(to, static_cast<std::uint16_t>(1000 + number)));
    }
};

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) return 2;
    const std::uint32_t k = std::stoul(argv[1]), half = k / 2, hosts_count = k * half * half;
    const auto set = [](const char* name, const std::string& value) { Config::SetDefault(name, StringValue(value)); };
    set("ns3::TcpL4Protocol::SocketType", "LossyDctcp");
    set("ns3::TcpL4Protocol::RecoveryType", "RfcRecovery");
    set("ns3::TcpSocket::SegmentSize", "1448");
    set("ns3::TcpSocket::SndBufSize", "1073741824");
    set("ns3::TcpSocket::RcvBufSize", "1073741824");
    set("ns3::TcpSocket::ConnTimeout", "10ms");
    set("ns3::TcpSocket::DelAckCount", "1");
    set("ns3::TcpSocketBase::Timestamp", "false");
    set("ns3::TcpSocketBase::MinRto", "5ms");
    set("ns3::TcpSocketBase::MaxSegLifetime", "0.005");
    set("ns3::RttEstimator::InitialEstimation", "200us");
    set("ns3::RedQueueDisc::MaxSize", "2796p");
    set("ns3::RedQueueDisc::MinTh", "50");
    set("ns3::RedQueueDisc::MaxTh", "150");
    set("ns3::RedQueueDisc::QW", "0.002");
    set("ns3::RedQueueDisc::LInterm", "10");
    set("ns3::RedQueueDisc::MeanPktSize", "1500");
    set("ns3::RedQueueDisc::LinkBandwidth", "100Gbps");
    set("ns3::RedQueueDisc::Wait", "false");
    set("ns3::RedQueueDisc::UseEcn", "true");
    set("ns3::RedQueueDisc::UseHardDrop", "false");

    NodeContainer hosts, edge, above, core;
    hosts.Create(hosts_count);
    edge.Create(k * half);
    above.Create(k * half);
    core.Create(half * half);
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.SetRoutingHelper(ArithmeticHelper());
    stack.Install(NodeContainer(hosts, edge, above, core));
    PointToPointHelper wire;
    wire.SetDeviceAttribute("DataRate", StringValue("100Gbps"));
    wire.SetChannelAttribute("Delay", StringValue("3us"));
    wire.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("2796p"));
    std::uint32_t network = 11u << 24;
    const auto link = [&](Ptr<Node> a, Ptr<Node> b, std::uint32_t base, bool to_host) {
        const auto ends = wire.Install(a, b);
        join(ends.Get(0), base + 1, true);
        join(ends.Get(1), base + 2, !to_host);
    };
    // Interfaces from 1 on, in this order: of edges hosts, then routers above; of these edges, then cores; of cores
    // pods.
    for (std::uint32_t i = 0; i < hosts_count; ++i) link(edge.Get(i / half), hosts.Get(i), 10u << 24 | i << 2, true);
    for (std::uint32_t pod = 0; pod < k; ++pod)
        for (std::uint32_t e = 0; e < half; ++e)
            for (std::uint32_t a = 0; a < half; ++a, network += 4)
                link(edge.Get(pod * half + e), above.Get(pod * half + a), network, false);
    for (std::uint32_t pod = 0; pod < k; ++pod)
        for (std::uint32_t a = 0; a < half; ++a)
            for (std::uint32_t c = 0; c < half; ++c, network += 4)
                link(above.Get(pod * half + a), core.Get(a * half + c), network, false);
    const auto host_of = [](std::uint32_t address) { return (address & 0xffffff) >> 2; };
    for (std::uint32_t i = 0; i < k * half; ++i) {
        routing(edge.Get(i)).choose = [=](std::uint32_t to, std::uint32_t hash) {
            return host_of(to) / half == i ? 1 + host_of(to) % half : half + 1 + hash % half;
        };
        routing(above.Get(i)).choose = [=](std::uint32_t to, std::uint32_t hash) {
            const std::uint32_t rack = host_of(to) / half;
            return rack / half == i / half ? 1 + rack % half : half + 1 + (hash >> 16) % half;
        };
    }
    for (std::uint32_t i = 0; i < half * half; ++i)
        routing(core.Get(i)).choose = [=](std::uint32_t to, std::uint32_t) { return 1 + host_of(to) / half / half; };

    std::vector<std::unique_ptr<Flow>> flows;
    unsigned source = 0, destination = 0;
    unsigned long long bytes = 0, due = 0, last = 0;
    while (std::scanf("%u %u %llu %llu", &source, &destination, &bytes, &due) == 4) {
        flows.push_back(std::make_unique<Flow>());
        Flow& flow = *flows.back();
        flow.number = static_cast<std::uint32_t>(flows.size() - 1);
        flow.bytes = bytes;
        flow.due = NanoSeconds(due);
        flow.Listen(hosts.Get(destination));
        Simulator::Schedule(flow.due, &Flow::Begin, &flow, hosts.Get(source),
                            Ipv4Address((10u << 24 | destination << 2) + 2));
        last = std::max(last, due);
    }
    Simulator::Stop(NanoSeconds(last) + MilliSeconds(200));
    Simulator::Run();
    std::fflush(stdout);
    std::_Exit(0);
}
