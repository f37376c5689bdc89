// Hosts of on-link and bridged subnets: each is a neighbour of its own.
#include "io/gateway/bridge.h"
#include "io/gateway/gateway.h"
#include "io/live.h"
#include "net/external_hosts.h"
#include "net/model.h"
#include "net/node/icmp_messages.h"
#include "net/packet/fragments.h"
#include "simulator/simulator.h"
#include "wire/icmp.h"

namespace anml::rt::io {

namespace {

constexpr std::uint8_t kHostUnreachable = 1;  // code

}  // namespace

bool Gateway::on_link(Address address) const
{
    for (const HostRange& range : on_link_)
        if (range.has(address)) return true;
    return map_.has_real(address);
}

Address Gateway::admitted(Address source, const Arrival& arrival)
{
    if (source == real_host_ && host_ != Address::none) {
        // Each time: what somebody else on the segment may have claimed lasts until the host says something.
        learn(arrival.from, arrival.at);
        return host_;
    }
    if (source == anycast_ && anycast_ != Address::none && host_ != Address::none) {
        learn(arrival.from, arrival.at);
        return source;
    }
    const Address place = map_.virtual_of(source);
    if (place == Address::none) return place;
    const bool here =
        on_link(source) ? hear(source, arrival.from, arrival.at) : external_hosts_.endpoint_of(place) == endpoint_;
    return here ? place : Address::none;
}

// A host says that it is on this segment. False: it is on another one, as far as anybody knows.
bool Gateway::hear(Address address, const wire::MacAddress& mac, Time now)
{
    const bool bridged = bridge_ && bridge_->joins(*this, address);
    if (bridged && !bridge_->claims(*this, address, now)) return false;
    if (!bridged && external_hosts_.endpoint_of(map_.virtual_of(address)) != endpoint_) return false;
    const Address gone = neighbours_.hear(address, mac, now);
    if (gone != Address::none && bridge_ && !is_ipv6(gone)) bridge_->left(*this, gone);
    if (!resolutions_.empty()) answered(address);
    return true;
}

void Gateway::learn_ipv6(const wire::MacAddress& mac, Time now)
{
    const Address host = discovery_.host(), gone = neighbours_.hear(host, mac, now);
    if (gone != Address::none && bridge_) bridge_->left(*this, gone);
    if (!resolutions_.empty()) answered(host);
}

void Gateway::probe(Address address)
{
    if (is_ipv6(address)) return discovery_.solicit(neighbours_.find(address));
    const Neighbours::Host* host = neighbours_.find(address);
    arp_.send(wire::arp_operation::request, Address::none, host ? host->mac : wire::kBroadcastMac, address);
}

// The frame of `length` bytes in the device's slot.
void Gateway::send_to_neighbour(std::size_t length, Time due, Neighbours::Host& host, bool alone)
{
    std::copy(host.mac.begin(), host.mac.end(), device_.slot().begin());
    device_.commit(length, due, alone);
    const Time now = simulator_.now();
    if (now - host.heard < Neighbours::kFresh || now < host.next_request) return;
    host.next_request = now + Neighbours::kInterval;
    if (++host.probes <= Neighbours::kProbes) return probe(host.address);
    const Address gone = host.address;
    if (bridge_ && !is_ipv6(gone)) bridge_->left(*this, gone);
    neighbours_.forget(gone);
}

// A packet for a host, by its real address, that nobody knows yet, as bytes of the model.
void Gateway::hold(const Packet& packet, Address to, std::span<const std::uint8_t> bytes)
{
    // One that arrives corrupted is lost anyway.
    const bool keeps = !(packet.flags & packet_flag::corrupted);
    AddressResolution* resolution = keeps ? resolutions_.about(to) : nullptr;
    Packet held = packet;
    held.buffer = resolution ? buffers_.store(bytes) : kNone;
    if (held.buffer == kNone) {
        ++report_.unreachable;
        return;
    }
    buffers_.set_entered(held.buffer, kNever);  // it has crossed the model
    buffers_.hold_addresses(held);
    // A bridged host knows no gateway: nobody asks (RFC 5227).
    resolution->sender = bridge_ && bridge_->joins(*this, to) ? Address::none : gateway_;
    if (const auto gone = resolution->add({nullptr, held})) {
        buffers_.release(gone->packet.buffer);
        ++report_.unreachable;
    }
}

void Gateway::tick_resolutions(Time now)
{
    resolutions_.tick(
        now, [&](Address address, const AddressResolution& asked) { request(address, asked.sender); },
        [&](Address address, const AddressResolution& failed) {
            for (const AddressResolution::Waiting& waiting : failed.packets) {
                ++report_.unreachable;
                Packet error;
                if (host_unreachable(waiting.packet, error)) simulator_.inject(endpoint_, error, now);
                buffers_.release(waiting.packet.buffer);
            }
            if (bridge_ && !is_ipv6(address)) bridge_->left(*this, address);
        });
}

void Gateway::answered(Address address)
{
    const auto resolution = resolutions_.close(address);
    if (!resolution) return;
    for (const AddressResolution::Waiting& waiting : resolution->packets) {
        send(waiting.packet, kNever);  // that nobody answered before is no lateness of ours
        buffers_.release(waiting.packet.buffer);
    }
}

void Gateway::translate(AddressMap map)
{
    map_ = std::move(map);
    if (host_ != Address::none) real_host_ = map_.real_of(host_);
}

void Gateway::join(Bridge& bridge)
{
    bridge_ = &bridge;
    for (const abi::EndpointPrefixRow& prefix : prefixes_of(model_.image(), endpoint_))
        if (prefix.kind == abi::PrefixKind::bridged) bridge.join(*this, hosts_of(prefix));
}

// A packet that the bridge's other sides may have the destination of. False: it goes no further now.
bool Gateway::across(const Packet& packet, const Arrival& arrival)
{
    if (!bridge_->joins(*this, packet.destination)) return true;
    const std::uint32_t where = external_hosts_.endpoint_of(packet.destination);
    if (where == kNone) {
        if (model_.node_with(packet.destination)) return true;
        bridge_->wait(*this, packet);
        return false;
    }
    if (where != endpoint_) return true;
    // On the same segment, and the sender does not know: it is told.
    if (const Neighbours::Host* host = neighbours_.find(packet.destination))
        arp_.send_of(host->mac, wire::arp_operation::reply, host->address, arrival.from, packet.source);
    ++report_.unreachable;
    buffers_.release(packet.buffer);
    return false;
}

void Gateway::resume(const Packet& packet, Time now)
{
    buffers_.set_entered(packet.buffer, now);
    simulator_.inject(endpoint_, packet, now);
}

bool Gateway::host_unreachable(const Packet& packet, Packet& error)
{
    if (!wire::make_icmp_error(packet, gateway_, wire::icmp_type::unreachable, kHostUnreachable, 0, model_, buffers_,
                               error))
        return false;
    if (!(error.flags & packet_flag::dont_fragment)) wire::identify(error, ++identification_, buffers_);
    return true;
}

void Gateway::refuse(const Packet& packet)
{
    ++report_.unreachable;
    Packet error;
    if (host_unreachable(packet, error)) {
        send(error, kNever);
        buffers_.release(error.buffer);
    }
    buffers_.release(packet.buffer);
}

}  // namespace anml::rt::io
