// A gateway with a segment of its own behind it, before a small model; no kernel involved.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>

#include "both_families.h"
#include "fake_device.h"
#include "image_builder.h"
#include "io/gateway/gateway.h"
#include "io/gateway/probe.h"
#include "io/live.h"
#include "net/external_hosts.h"
#include "simulator/simulator.h"
#include "wire/offloads.h"
#include "wire_packets.h"

namespace gateway_test {

using namespace anml;
using namespace anml::rt;
using namespace wire_test;

inline const wire::MacAddress kHostMac{0x02, 1, 2, 3, 4, 5};
inline const Address kServer = test::ChainModel::server_address();
inline constexpr Address kGateway{0x0a000001};

struct Segment : Edge {
    test::ChainModel chain;
    test::BothFamilies both_families{chain};
    Model model;
    Simulator simulator;
    LiveReport report;
    io::Clock clock;
    test::FakeDevice device;
    io::Gateway gateway;
    const wire::MacAddress mac;

    explicit Segment(const test::Chain& description = {}, bool ipv6 = false)
        : chain(description),
          model(ipv6 ? both_families.model() : chain.model()),
          simulator(model, 1),
          device("fake0", clock, report),
          gateway(device, 0, model, simulator, report),
          mac(io::model_mac(model))
    {
        simulator.attach(0, *this);
    }
    void release(std::uint32_t, const Packet& packet, Time at) override { gateway.send(packet, at); }

    void receive(const Bytes& bytes, bool partial = false)
    {
        io::Frame frame;
        frame.bytes = bytes;
        frame.checksum_partial = partial;
        gateway.receive(frame, simulator.now());
    }
    void receive_arp(std::uint16_t operation, Address sender, Address target,
                     const wire::MacAddress& to = wire::kBroadcastMac)
    {
        Bytes frame(14 + wire::Arp::kLength);
        wire::write_ethernet(frame.data(), to, kHostMac, wire::ether_type::arp);
        wire::write_arp(frame.data() + 14, {operation, kHostMac, sender, {}, target});
        receive(frame);
    }
    // An IPv4 packet of the real host's, with right checksums.
    Bytes framed(Bytes packet, Address source, Address destination)
    {
        wire::store32(packet.data() + 12, number(source));
        wire::store32(packet.data() + 16, number(destination));
        wire::finish_ipv4(packet.data());
        wire::complete_checksum(packet);
        Bytes frame(14);
        wire::write_ethernet(frame.data(), mac, kHostMac, wire::ether_type::ipv4);
        frame.insert(frame.end(), packet.begin(), packet.end());
        return frame;
    }
    // The frame sent first since the last call; empty: none was.
    Bytes sent()
    {
        device.flush();
        if (device.sent.empty()) return {};
        Bytes frame = device.sent.front();
        device.sent.pop_front();
        return frame;
    }
    bool answers_arp(Address sender, Address target)
    {
        receive_arp(wire::arp_operation::request, sender, target);
        const Bytes frame = sent();
        if (frame.empty()) return false;
        wire::EthernetView ethernet;
        wire::Arp arp;
        REQUIRE(wire::EthernetView::check(frame, ethernet));
        REQUIRE(wire::parse_arp(ethernet.payload(), arp));
        CHECK(ethernet.destination() == kHostMac);
        CHECK(ethernet.source() == mac);
        CHECK(arp.operation == wire::arp_operation::reply);
        CHECK(arp.sender == target);
        CHECK(arp.sender_mac == mac);
        CHECK(arp.target == sender);
        CHECK(arp.target_mac == kHostMac);
        CHECK(sent().empty());
        return true;
    }
};

}  // namespace gateway_test
