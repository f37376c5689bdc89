// The emulator as a neighbour on one Ethernet segment: ARP, neighbour discovery, and packets between frames and the
// simulator.
//
// To the real hosts behind the device the whole model is one gateway with one fictitious MAC address. ARP is answered
// for the gateway's address and for virtual addresses of the model, so that hosts without the route work too. Packets
// to hosts of the segment's own subnets (on-link) go to each of them, those to external hosts behind the endpoint to
// its host, which routes them.
// Over IPv6 it is a router (neighbour_discovery.h); whole frames go past it (whole_frames.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/device/device.h"
#include "io/gateway/address_map.h"
#include "io/gateway/address_resolution.h"
#include "io/gateway/arp_sender.h"
#include "io/gateway/host_range.h"
#include "io/gateway/neighbour_discovery.h"
#include "io/gateway/neighbours.h"
#include "io/gateway/sent_sequences.h"
#include "io/gateway/whole_frames.h"
#include "io/gateway/wire_end.h"
#include "net/link/buffers.h"
#include "net/packet/packet.h"
#include "wire/packet_codec.h"

namespace anml::rt {

class Model;
class Simulator;
class ExternalHosts;

namespace io {

class Bridge;

// Locally administered; the same for every run of a model.
wire::MacAddress model_mac(const Model& model);
Ipv6 model_link_local(const Model& model);  // made of it

class Gateway {
  public:
    Gateway(Device& device, std::uint32_t endpoint, const Model& model, Simulator& simulator, LiveReport& report);

    // A frame from the device that arrived at `arrival`: answered, taken up by the model, or ignored. `late`: how much
    // later than at its arrival it may be taken up.
    void receive(const Frame& frame, Time arrival, Time late = 0);
    // Asks for MAC addresses that are still unknown, once a second.
    void tick(Time now);
    // Its bridged subnets are those of the bridge, from now on.
    void join(Bridge& bridge);
    // On the wire are the real addresses of the table, in the model the virtual ones. Before the first frame.
    void translate(AddressMap map);

    // Sends a packet to a real host; it waits where the MAC address is unknown (as many as kWaiting, of hosts of
    // on-link subnets as many as AddressResolution::kPackets).
    void send(const Packet& packet, Time due);

    // For the bridge. `probe` asks a host that is known whether it is there (RFC 5227), `request` all of the segment,
    // and says with the sender as address that this is the model's; `answer` says so to one host.
    const Neighbours::Host* neighbour(Address address) { return neighbours_.find(address); }
    void forget(Address address) { neighbours_.forget(address); }
    void probe(Address address);
    void request(Address address, Address sender)
    {
        if (is_ipv6(address)) return discovery_.solicit(nullptr);
        arp_.send(wire::arp_operation::request, sender, wire::kBroadcastMac, address);
    }
    void answer(Address address, const AddressResolution::Asker& asker)
    {
        arp_.send(wire::arp_operation::reply, address, asker.mac, asker.address);
    }
    // A packet of a host here that waited for where its destination is: takes it into the model, or says that there is
    // none.
    void resume(const Packet& packet, Time now);
    void refuse(const Packet& packet);

    // Sees TCP to the gateway's own address first. True: that was all; otherwise it enters the model like the rest.
    std::function<bool(const Packet&)> on_tcp;

    Device& device() { return device_; }
    NeighbourDiscovery& discovery() { return discovery_; }
    std::uint32_t endpoint() const { return endpoint_; }
    Address address() const { return gateway_; }  // of the gateway
    Address host() const { return real_host_; }   // of the real host; none: it is hosts of on-link subnets, or of IPv6
    // The Ethernet address of the host, by the one of its addresses that is of `server`'s family.
    bool knows_host(Address server = Address::none) const
    {
        return is_ipv6(server) && !device_.peer() ? neighbours_.has(discovery_.host()) : host_mac_.has_value();
    }
    // A source address that a packet came from and that is not behind the endpoint; none: none did.
    Address foreign_source() const { return foreign_source_; }
    const std::optional<Ipv6>& foreign_ipv6() const { return foreign_ipv6_; }

  private:
    static constexpr std::size_t kWaiting = 256;
    // What is the same for all packets of a frame.
    struct Arrival {
        const wire::MacAddress& from;
        Time at;
        Time late;
    };

    void receive_arp(std::span<const std::uint8_t> bytes, const Arrival& arrival);
    // Of a packet's transport: to be looked at, left to the device by its sender, just made, or known not to be right.
    enum class Checksum : std::uint8_t { verify, partial, made, wrong, broken };
    static Checksum checksum_of(const Frame& frame)
    {
        if (frame.transport == wire::Transport::wrong) [[unlikely]]
            return Checksum::wrong;
        if (frame.transport == wire::Transport::broken) [[unlikely]]
            return Checksum::broken;
        return frame.checksum_partial ? Checksum::partial : Checksum::verify;
    }
    bool crosses(const wire::EthernetView& ethernet) const;

    void receive_packet(std::span<const std::uint8_t> bytes, Checksum checksum, const Arrival& arrival);
    void receive_ipv6(const Frame& frame, const wire::EthernetView& ethernet, const Arrival& arrival);
    void receive_ipv6_packet(std::span<const std::uint8_t> bytes, Checksum checksum, const Arrival& arrival);
    void enter(Packet& packet, std::span<const std::uint8_t> bytes, Checksum checksum, const Arrival& arrival,
               Address source);
    void answer_echo(const wire::Ipv6View& ip, std::span<const std::uint8_t> bytes, const wire::MacAddress& to);

    bool answers_for(Address address) const;
    void learn(const wire::MacAddress& mac, Time now);

    // gateway_neighbours.cpp
    bool on_link(Address address) const;  // a real address
    // The virtual address of a packet's real source; none: it may not enter here.
    Address admitted(Address source, const Arrival& arrival);
    void learn_ipv6(const wire::MacAddress& mac, Time now);
    bool hear(Address address, const wire::MacAddress& mac, Time now);
    void send_to_neighbour(std::size_t length, Time due, Neighbours::Host& host, bool alone);
    void hold(const Packet& packet, Address to, std::span<const std::uint8_t> bytes);
    bool host_unreachable(const Packet& packet, Packet& error);
    void tick_resolutions(Time now);
    void answered(Address address);
    bool across(const Packet& packet, const Arrival& arrival);

    Device& device_;
    std::uint32_t endpoint_;
    const Model& model_;
    Simulator& simulator_;
    ExternalHosts& external_hosts_;
    BufferPool& buffers_;
    LiveReport& report_;
    wire::MacAddress mac_;
    std::optional<WireEnd> wire_;  // the endpoint is an end of one, and nobody's gateway
    Address gateway_, host_;
    Address anycast_;  // that the host has besides; none
    Address real_host_;  // on the wire
    AddressMap map_;
    std::optional<wire::MacAddress> host_mac_;
    std::vector<std::vector<std::uint8_t>> waiting_;  // frames
    std::vector<HostRange> on_link_;
    Neighbours neighbours_;
    AddressResolutions resolutions_;  // on this segment
    Bridge* bridge_ = nullptr;
    ArpSender arp_;
    WholeFrames frames_;
    NeighbourDiscovery discovery_;
    SentSequences sequences_;
    Time next_request_ = 0;
    std::optional<Ipv6> foreign_ipv6_;
    std::uint16_t identification_ = 0;  // of the last error of its own
    Address foreign_source_ = Address::none;
    std::vector<std::uint8_t> segment_;  // room for one packet
};

}  // namespace io
}  // namespace anml::rt
