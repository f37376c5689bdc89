// What unison.patch puts into UNISON's own fat tree, for tests/bench/against_peers.py: its flows come from the list of
// all (FLOWS: source, destination, bytes, ns), and what was carried and how long that took is printed, as a line of
// JSON. With COUNT=1 packet-hops are counted, by a trace that each device calls; timed runs go without. --nix=1 has
// routes by arithmetic, in the place of nix vectors, which know one way of several.
#pragma once

#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <tuple>
#include <vector>

#include "ns3/applications-module.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

namespace listed {

using namespace ns3;

inline std::tuple<double, std::uint32_t, std::uint32_t, std::uint32_t> Next()
{
    static std::ifstream list(std::getenv("FLOWS"));
    std::uint32_t source = 0, destination = 0, bytes = 0;
    double due = 0;
    if (list >> source >> destination >> bytes >> due) return {due / 1e9, source, destination, bytes};
    return {1e9, 0, 0, 0};
}

inline double ProcessorSeconds()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           double(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

inline std::atomic<std::uint64_t> hops{0};

template <class Visit>
void EachOf(Visit visit)
{
    for (auto node = NodeList::Begin(); node != NodeList::End(); ++node) visit(*node);
}

// Of a host: its one interface. Of the fat tree's routers: which of k from 1 on, by the address 10.POD.EDGE.2 * HOST +
// 1 and by a hash of the flow where several lead on.
class Arithmetic : public Ipv4RoutingProtocol {
  public:
    static TypeId GetTypeId()
    {
        static TypeId id = TypeId("Arithmetic").SetParent<Ipv4RoutingProtocol>().AddConstructor<Arithmetic>();
        return id;
    }
    Ptr<Ipv4Route> RouteOutput(Ptr<Packet>, const Ipv4Header&, Ptr<NetDevice>, Socket::SocketErrno& error) override
    {
        error = Socket::ERROR_NOTERROR;
        return Route(1);
    }
    bool RouteInput(Ptr<const Packet> packet, const Ipv4Header& header, Ptr<const NetDevice> device,
                    const UnicastForwardCallback& forward, const MulticastForwardCallback&,
                    const LocalDeliverCallback& deliver, const ErrorCallback&) override
    {
        const std::uint32_t interfaces = ip->GetNInterfaces() - 1;
        if (interfaces == 1) {
            deliver(packet, header, ip->GetInterfaceForDevice(device));
            return true;
        }
        const std::uint32_t here = ip->GetAddress(1, 0).GetLocal().Get(), to = header.GetDestination().Get();
        const std::uint32_t half = interfaces / 2, pod = here >> 16 & 255, row = here >> 8 & 255;
        const std::uint32_t to_pod = to >> 16 & 255, to_edge = to >> 8 & 255;
        std::uint32_t out = 0;
        if (pod >= interfaces)  // a core router: a link to each pod
            out = to_pod;
        else if (row >= half)  // above edges
            out = to_pod == pod ? to_edge : half + Hash(packet, header) / half % half;
        else
            out = to_pod == pod && to_edge == row ? (to & 255) / 2 : half + Hash(packet, header) % half;
        forward(Route(1 + out), packet, header);
        return true;
    }
    void NotifyInterfaceUp(std::uint32_t) override {}
    void NotifyInterfaceDown(std::uint32_t) override {}
    void NotifyAddAddress(std::uint32_t, Ipv4InterfaceAddress) override {}
    void NotifyRemoveAddress(std::uint32_t, Ipv4InterfaceAddress) override {}
    void SetIpv4(Ptr<Ipv4> of) override { ip = of; }
    void PrintRoutingTable(Ptr<OutputStreamWrapper>, Time::Unit) const override {}

  private:
    static std::uint32_t Hash(Ptr<const Packet> packet, const Ipv4Header& header)
    {
        std::uint32_t ports = 0;
        packet->CopyData(reinterpret_cast<std::uint8_t*>(&ports), 4);
        std::uint64_t x = (std::uint64_t{header.GetSource().Get()} << 32 | header.GetDestination().Get()) ^
                          ports * 0x9E3779B97F4A7C15ull;
        x *= 0xBF58476D1CE4E5B9ull;
        x ^= x >> 29;
        return static_cast<std::uint32_t>(x * 0x9E3779B97F4A7C15ull >> 40);
    }
    Ptr<Ipv4Route> Route(std::uint32_t interface)
    {
        if (routes.size() <= interface) routes.resize(interface + 1);
        if (!routes[interface]) {
            routes[interface] = Create<Ipv4Route>();
            routes[interface]->SetSource(ip->GetAddress(interface, 0).GetLocal());
            routes[interface]->SetGateway(Ipv4Address::GetZero());
            routes[interface]->SetOutputDevice(ip->GetNetDevice(interface));
        }
        return routes[interface];
    }
    Ptr<Ipv4> ip;
    std::vector<Ptr<Ipv4Route>> routes;
};

struct ArithmeticHelper : Ipv4RoutingHelper {
    ArithmeticHelper* Copy() const override { return new ArithmeticHelper; }
    Ptr<Ipv4RoutingProtocol> Create(Ptr<Node>) const override { return CreateObject<Arithmetic>(); }
};

inline void Run()
{
    if (std::getenv("COUNT"))
        EachOf([](Ptr<Node> node) {
            for (std::uint32_t i = 0; i < node->GetNDevices(); ++i)
                if (const auto device = DynamicCast<PointToPointNetDevice>(node->GetDevice(i)))
                    device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(+[](Ptr<const Packet>) { ++hops; }));
        });
    const auto begin = std::chrono::steady_clock::now();
    const double used = ProcessorSeconds();
    Simulator::Run();
    const double processor = ProcessorSeconds() - used;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    std::uint64_t bytes = 0;
    EachOf([&bytes](Ptr<Node> node) {
        for (std::uint32_t i = 0; i < node->GetNApplications(); ++i)
            if (const auto sink = DynamicCast<PacketSink>(node->GetApplication(i))) bytes += sink->GetTotalRx();
    });
    std::printf("{\"hops\":%llu,\"bytes\":%llu,\"wall_s\":%.4f,\"cpu_s\":%.4f}\n",
                static_cast<unsigned long long>(hops.load()), static_cast<unsigned long long>(bytes), wall, processor);
    std::fflush(stdout);
}

}  // namespace listed
