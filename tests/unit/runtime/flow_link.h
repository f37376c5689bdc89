// A link with a queue discipline (one_link.h) that packets of several flows, hosts and classes come to.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "net/packet/ecn.h"
#include "one_link.h"

namespace anml::test {

struct Offer {
    std::uint32_t number;
    rt::Time at;
    std::uint32_t length = 1500;
    std::uint16_t flow = 0;  // its port
    std::uint8_t traffic_class = 0;
    std::uint32_t source = 0;  // 0: the server
};

struct FlowLink : OneLink {
    using OneLink::OneLink;

    void offer(const Offer& offer)
    {
        rt::Packet packet =
            FakeHost::segment(ChainModel::peer_address(), static_cast<std::uint16_t>(1000 + offer.flow), 5000,
                              rt::tcp_flag::ack, 1, offer.number, static_cast<std::uint16_t>(offer.length - 40));
        packet.traffic_class = offer.traffic_class;
        packet.source = offer.source == 0 ? ChainModel::server_address() : rt::Address{offer.source};
        simulator.inject(0, packet, offer.at);
    }
    // The numbers of those that arrived marked.
    std::vector<std::uint32_t> marked() const
    {
        std::vector<std::uint32_t> numbers;
        for (const auto& got : peer.received)
            if (rt::ecn::congestion(got.packet)) numbers.push_back(got.packet.tcp().acknowledgment);
        return numbers;
    }
    // Of those that arrived until then, bytes by flow.
    std::uint64_t bytes_of(std::uint16_t flow, rt::Time until) const
    {
        std::uint64_t bytes = 0;
        for (const auto& got : peer.received)
            if (got.packet.source_port == 1000 + flow && got.at <= until) bytes += got.packet.length;
        return bytes;
    }
};

// Overloads of random strength and length, with pauses between: of some flows, one in `plain` packets without ECN.
inline std::vector<Offer> bursts(double rate, std::uint32_t seed, std::uint32_t flows, std::uint32_t plain)
{
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    std::vector<Offer> arrivals;
    rt::Time now = 0;
    for (int burst = 0; burst < 20; ++burst) {
        const double load = 0.5 + 0.2 * below(10);
        const rt::Time end = now + (50 + below(1500)) * rt::kMillisecond;
        while (now < end) {
            Offer offer{static_cast<std::uint32_t>(arrivals.size()), now};
            offer.length = below(3) == 0 ? 40 + below(1461) : 1500;
            offer.flow = static_cast<std::uint16_t>(std::min(below(flows), below(flows)));
            offer.traffic_class = below(plain) == 0 ? rt::ecn::kNotCapable : rt::ecn::kEct0;
            arrivals.push_back(offer);
            now += std::llround(offer.length * 8e9 / rate / load * (0.5 + below(1001) / 1000.0));
        }
        now += below(400) * rt::kMillisecond;
    }
    return arrivals;
}

}  // namespace anml::test
