#include "io/gateway/gateway.h"

#include "io/gateway/bridge.h"
#include "io/live.h"
#include "net/address/gateway_address.h"
#include "net/external_hosts.h"
#include "net/model.h"
#include "simulator/simulator.h"
#include "wire/icmpv6.h"
#include "wire/offloads.h"

namespace anml::rt::io {

namespace {

constexpr Time kRequestInterval = kSecond;

}  // namespace

wire::MacAddress model_mac(const Model& model)
{
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (char c : model.text(model.image().model_name)) hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
    wire::MacAddress mac{0x02, 'A'};
    wire::store32(mac.data() + 2, hash);
    return mac;
}

Ipv6 model_link_local(const Model& model) { return wire::link_local(model_mac(model)); }

Gateway::Gateway(Device& device, std::uint32_t endpoint, const Model& model, Simulator& simulator, LiveReport& report)
    : device_(device),
      endpoint_(endpoint),
      model_(model),
      simulator_(simulator),
      external_hosts_(simulator.external_hosts()),
      buffers_(simulator.buffers()),
      report_(report),
      mac_(model_mac(model)),
      wire_(wire_at(model.image(), endpoint)),
      gateway_(gateway_of(model.image())),
      host_(model.address(model.image().endpoints[endpoint].node)),
      anycast_{model.node_row(model.image().endpoints[endpoint].node).anycast},
      host_mac_(device.peer()),
      arp_{device, mac_},
      frames_(device, endpoint, model, simulator, report),
      discovery_(device, endpoint, model, mac_, gateway_, anycast_),
      segment_(Device::kFrameCapacity)
{
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(model.image(), endpoint))
        if (prefix.kind != abi::PrefixKind::routed) on_link_.push_back(hosts_of(prefix));
    const NodeId node = model.image().endpoints[endpoint].node;
    // An address of the pool is no host's of the segment.
    const bool one_host = on_link_.empty() || model.image().endpoints[endpoint].addressed;
    if (!one_host || is_ipv6(host_)) host_ = Address::none;
    if (one_host && model.has_ipv6(node)) discovery_.set_host(ipv6_of(node), model.ipv6(node));
    real_host_ = host_;
}

void Gateway::receive(const Frame& frame, Time at, Time late)
{
    wire::EthernetView ethernet;
    if (wire_) return frames_.receive(frame, at, late, {&*wire_, 1});
    if (!wire::EthernetView::check(frame.bytes, ethernet) || !wire::is_station(ethernet.source(), mac_)) {
        ++report_.malformed;
        return;
    }
    const wire::MacAddress from = ethernet.source();
    const Arrival arrival{from, at, late};
    if (bridge_ && crosses(ethernet)) {
        frames_.receive(frame, at, late, bridge_->ways(*this, ethernet, at));
        // The gateway may be meant, too, by the neighbour discovery of the endpoint's own host.
        const std::uint64_t ignored = report_.ipv6;
        if (ethernet.type() == wire::ether_type::ipv6 && discovery_.has_host()) receive_ipv6(frame, ethernet, arrival);
        report_.ipv6 = ignored;
        return;
    }
    switch (ethernet.type()) {
        case wire::ether_type::arp:
            receive_arp(ethernet.payload(), arrival);
            return;
        case wire::ether_type::ipv4:
            break;
        case wire::ether_type::ipv6:
            receive_ipv6(frame, ethernet, arrival);
            return;
        case wire::ether_type::vlan:
            ++report_.tagged;
            return;
        default:
            return;
    }
    // Broadcasts and multicasts are no traffic of the model's.
    if (ethernet.destination() != mac_) {
        report_.groups += ethernet.destination()[0] & 1;
        return;
    }
    if (frame.segments == Frame::Segments::none) {
        receive_packet(ethernet.payload(), checksum_of(frame), arrival);
        return;
    }
    const wire::ParseError error = wire::split_segments(
        ethernet.payload(), frame.segment_size, frame.cwr, segment_,
        [&](std::span<const std::uint8_t> bytes) { receive_packet(bytes, Checksum::made, arrival); });
    if (error != wire::ParseError::none) ++report_.malformed;
}

// Of a bridged endpoint: what the model does not carry as IP. A device that pauses its link says so to the next one
// alone (IEEE 802.3, annex 31B), and hosts of the bridged subnets ask the gateway for each other.
bool Gateway::crosses(const wire::EthernetView& ethernet) const
{
    constexpr wire::MacAddress kMacControl{0x01, 0x80, 0xc2, 0, 0, 1};
    if (ethernet.destination() == mac_ || ethernet.destination() == kMacControl) return false;
    if (ethernet.type() != wire::ether_type::arp) return true;
    wire::Arp arp;
    return wire::parse_arp(ethernet.payload(), arp) && !on_link(arp.sender) && !on_link(arp.target) &&
           !answers_for(arp.target);
}

void Gateway::receive_arp(std::span<const std::uint8_t> bytes, const Arrival& arrival)
{
    wire::Arp arp;
    if (!wire::parse_arp(bytes, arp) || !wire::is_station(arp.sender_mac, mac_)) {
        ++report_.malformed;
        return;
    }
    if (arp.sender == real_host_ && host_ != Address::none) {
        learn(arp.sender_mac, arrival.at);
    } else if (on_link(arp.sender) && !hear(arp.sender, arp.sender_mac, arrival.at)) {
        ++report_.foreign;
        return;
    }
    // An announcement (RFC 5227) asks nothing.
    if (arp.operation != wire::arp_operation::request || arp.sender == arp.target) return;
    if (answers_for(arp.target))
        arp_.send(wire::arp_operation::reply, arp.target, arrival.from, arp.sender);
    else if (bridge_ && bridge_->joins(*this, arp.target) && arp.target != host_)
        bridge_->asked(arp.target, {this, arp.sender, arrival.from}, arrival.at);
}

bool Gateway::answers_for(Address address) const
{
    // The real host answers for itself: a reply of ours, to its own probe even, would be a conflict.
    if (address == host_ || address == real_host_ || address == Address::none || map_.has_real(address)) return false;
    return address == gateway_ || (address != anycast_ && (model_.node_with(address) || model_.is_anycast(address)));
}

void Gateway::learn(const wire::MacAddress& mac, Time now)
{
    const bool known = host_mac_.has_value();
    host_mac_ = mac;
    if (known) return;
    for (std::vector<std::uint8_t>& frame : waiting_) {
        if ((frame.front() & 1) == 0) std::copy(mac.begin(), mac.end(), frame.begin());  // else it is for a group
        std::copy(frame.begin(), frame.end(), device_.slot().begin());
        device_.commit(frame.size(), now);  // that nobody answered before is no lateness of ours
    }
    waiting_ = {};
}

void Gateway::receive_packet(std::span<const std::uint8_t> bytes, Checksum checksum, const Arrival& arrival)
{
    Packet packet;
    if (wire::parse(bytes, checksum == Checksum::verify, packet, checksum == Checksum::broken) !=
        wire::ParseError::none)
    {
        ++report_.malformed;
        return;
    }
    const Address source = admitted(packet.source, arrival);
    if (source == Address::none) {
        foreign_source_ = packet.source;
        ++report_.foreign;
        return;
    }
    enter(packet, bytes.first(packet.length), checksum, arrival, source);  // short frames are padded
}

void Gateway::enter(Packet& packet, std::span<const std::uint8_t> bytes, Checksum checksum, const Arrival& arrival,
                    Address source)
{
    packet.buffer = buffers_.store(bytes);
    if (packet.buffer == kNone) {
        ++report_.malformed;
        return;
    }
    buffers_.hold_addresses(packet);
    report_.counters.entered(arrival.late);
    device_.counters().entered();
    if (checksum == Checksum::wrong) packet.flags |= packet_flag::corrupted;
    if (checksum == Checksum::partial) wire::complete_checksum(buffers_.bytes(packet.buffer));
    if (!map_.empty() && !is_ipv6(source)) translate_in(map_, packet, buffers_.bytes(packet.buffer), source);
    if (packet.destination == gateway_ && packet.protocol == protocol::tcp && on_tcp && on_tcp(packet)) {
        buffers_.release(packet.buffer);
        return;
    }
    if (sequences_.again(packet)) report_.counters.sent_again();
    buffers_.set_entered(packet.buffer, arrival.at);
    if (bridge_ && !across(packet, arrival)) return;
    simulator_.inject(endpoint_, packet, arrival.at);
}

void Gateway::send(const Packet& packet, Time due)
{
    if (is_frame(packet)) return frames_.send(packet, due);
    if (packet.length + wire::EthernetView::kHeader > Device::kFrameCapacity) {
        report_.counters.not_taken(1);
        device_.counters().not_taken(1);
        return;
    }
    const auto slot = device_.slot();
    const std::size_t length =
        wire::EthernetView::kHeader + wire::emit(packet, model_, buffers_, slot.subspan<wire::EthernetView::kHeader>());
    const bool ipv6 = slot[wire::EthernetView::kHeader] >> 4 == 6;
    const bool group = is_group(packet.destination);
    wire::write_ethernet(slot.data(),
                         group && ipv6 ? wire::group_mac(model_.ipv6_bytes(packet.destination))
                         : group       ? wire::group_mac(ipv4_bits(packet.destination))
                                       : host_mac_.value_or(wire::MacAddress{}),
                         mac_, ipv6 ? wire::ether_type::ipv6 : wire::ether_type::ipv4);
    if (packet.buffer != kNone && buffers_.entered(packet.buffer) != kNever)
        report_.counters.crossed(due - buffers_.entered(packet.buffer));
    const std::span<std::uint8_t> bytes =
        slot.subspan(wire::EthernetView::kHeader, length - wire::EthernetView::kHeader);
    // External hosts of IPv6 are behind the host.
    const bool by_host6 = ipv6 && !group && discovery_.has_host();
    if (ipv6 && group && discovery_.has_host())
        return device_.commit(length, due, packet.flags & packet_flag::corrupted);
    const Address to = by_host6 ? discovery_.host() : group ? real_host_ : map_.real_of(packet.destination);
    const bool neighbour = (by_host6 || (to != real_host_ && on_link(to))) && !device_.peer();
    Neighbours::Host* host = neighbour ? neighbours_.find(to) : nullptr;
    if (neighbour && !host) return hold(packet, to, bytes);
    if (!map_.empty() && !ipv6 && !group) translate_out(map_, packet, to, bytes);
    if (to == Address::none || (!neighbour && host_ == Address::none && !device_.peer())) {
        ++report_.unreachable;
    } else if (host) {
        send_to_neighbour(length, due, *host, packet.flags & packet_flag::corrupted);
    } else if (host_mac_) {
        device_.commit(length, due, packet.flags & packet_flag::corrupted);
    } else if (waiting_.size() < kWaiting) {
        waiting_.emplace_back(slot.begin(), slot.begin() + static_cast<std::ptrdiff_t>(length));
    } else {
        ++report_.unreachable;
    }
}

void Gateway::tick(Time now)
{
    if (wire_) return;
    if (!resolutions_.empty()) tick_resolutions(now);
    if (discovery_.has_host()) discovery_.tick(now, neighbours_.has(discovery_.host()));
    if (host_mac_ || host_ == Address::none || now < next_request_) return;
    next_request_ = now + kRequestInterval;
    arp_.send(wire::arp_operation::request, gateway_, wire::kBroadcastMac, real_host_);
}

}  // namespace anml::rt::io
