// At the end of a transparent link, and at bridged endpoints: frames of real hosts become packets of the model whole,
// and the other way round.
#include "io/gateway/bridge.h"
#include "io/gateway/gateway.h"
#include "net/model.h"
#include "report/live/live_report.h"
#include "simulator/simulator.h"
#include "wire/frames.h"

namespace anml::rt::io {

void Gateway::receive_frame(const Frame& frame, Time at, Time late, std::span<const WireEnd> ways)
{
    const auto enter_all = [&](std::span<const std::uint8_t> bytes, const Frame& one) {
        for (const WireEnd& way : ways) enter_frame(bytes, one, at, late, way);
    };
    if (ways.empty()) return;
    if (frame.bytes.size() < wire::EthernetView::kHeader) {
        ++report_.malformed;
    } else if (frame.segments == Frame::Segments::none) {
        enter_all(frame.bytes, frame);
    } else {
        // The device was to make these frames; their checksums are complete.
        Frame made;
        const wire::ParseError error =
            wire::split_frame(frame.bytes, frame.segment_size, frame.cwr, segment_,
                              [&](std::span<const std::uint8_t> bytes) { enter_all(bytes, made); });
        if (error != wire::ParseError::none) ++report_.malformed;
    }
}

void Gateway::enter_frame(std::span<const std::uint8_t> bytes, const Frame& frame, Time at, Time late,
                          const WireEnd& way)
{
    Packet packet;
    packet.source = model_.address(model_.image().endpoints[endpoint_].node);
    packet.destination = model_.address(way.other);
    packet.buffer = buffers_.store(bytes);
    if (packet.buffer == kNone) {
        ++report_.malformed;
        return;
    }
    wire::describe_frame(bytes, packet);
    packet.frame().link = way.out;
    if (frame.checksum_partial)
        wire::complete_checksum_from(buffers_.bytes(packet.buffer), frame.checksum_start, frame.checksum_offset);
    report_.counters.entered(late);
    device_.counters().entered();
    buffers_.set_entered(packet.buffer, at);
    simulator_.inject(endpoint_, packet, at);
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

void Gateway::send_frame(const Packet& packet, Time due)
{
    const std::size_t length = wire::emit_frame(packet, buffers_, device_.slot());
    if (buffers_.entered(packet.buffer) != kNever) report_.counters.crossed(due - buffers_.entered(packet.buffer));
    device_.commit(length, due, true);
}

}  // namespace anml::rt::io
