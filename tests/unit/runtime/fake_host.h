// A real host for the tests: sends packets into an attached endpoint and keeps what comes out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "net/link/buffers.h"
#include "simulator/simulator.h"
#include "wire/packet_codec.h"

namespace anml::test {

class FakeHost : public rt::Edge {
  public:
    struct Received {
        rt::Packet packet;
        rt::Time at;
        std::vector<std::uint8_t> bytes;  // of its buffer
    };

    FakeHost(rt::Simulator& simulator, std::uint32_t endpoint, rt::Address address)
        : simulator_(simulator), endpoint_(endpoint), address_(address)
    {
        simulator.attach(endpoint, *this);
    }

    void release(std::uint32_t endpoint, const rt::Packet& packet, rt::Time at) override
    {
        Received got{packet, at, {}};
        if (packet.buffer != rt::kNone) {
            auto bytes = simulator_.buffers().bytes(packet.buffer);
            got.bytes.assign(bytes.begin(), bytes.end());
        }
        if (endpoint == endpoint_) received.push_back(got);
    }

    void send(rt::Packet packet, rt::Time at)
    {
        packet.source = address_;
        simulator_.inject(endpoint_, packet, at);
    }

    // A segment with `text` as its payload, in a buffer as if read from a device.
    void send_text(rt::Packet packet, std::string_view text, const rt::Model& model, rt::Time at)
    {
        packet.source = address_;
        packet.payload = static_cast<std::uint16_t>(text.size());
        packet.length = static_cast<std::uint16_t>(40 + text.size());
        std::vector<std::uint8_t> bytes(packet.length);
        rt::wire::emit(packet, model, simulator_.buffers(), bytes);
        std::copy(text.begin(), text.end(), bytes.begin() + 40);
        packet.buffer = simulator_.buffers().store(bytes);
        simulator_.inject(endpoint_, packet, at);
    }

    static rt::Packet echo(rt::Address destination, std::uint16_t length = 84, std::uint8_t ttl = 64)
    {
        rt::Packet p;
        p.destination = destination;
        p.length = length;
        p.payload = static_cast<std::uint16_t>(length - 28);
        p.ttl = ttl;
        p.protocol = rt::protocol::icmp;
        p.flags = rt::packet_flag::dont_fragment;
        p.icmp().type = 8;
        p.icmp().rest = 0x12340001;
        return p;
    }

    static rt::Packet segment(rt::Address destination, std::uint16_t from, std::uint16_t to, std::uint8_t flags,
                              std::uint32_t sequence, std::uint32_t acknowledgment, std::uint16_t payload = 0)
    {
        rt::Packet p;
        p.destination = destination;
        p.length = static_cast<std::uint16_t>(40 + payload);
        p.payload = payload;
        p.protocol = rt::protocol::tcp;
        p.flags = rt::packet_flag::dont_fragment;
        p.tcp().flags = flags;
        p.source_port = from;
        p.destination_port = to;
        p.tcp().sequence = sequence;
        p.tcp().acknowledgment = acknowledgment;
        p.tcp().window = 65535;
        return p;
    }

    std::vector<Received> received;

  private:
    rt::Simulator& simulator_;
    std::uint32_t endpoint_;
    rt::Address address_;
};

// Nothing is left behind once the network is silent.
inline bool silent(const rt::Simulator& simulator)
{
    rt::Simulator::Pending pending = simulator.pending();
    return pending.packets == 0 && pending.buffers == 0 && pending.connections == 0 && pending.law_states == 0;
}

}  // namespace anml::test
