// At the end of a transparent link: frames of the real host become packets of the model whole, and the other way round.
#include "io/gateway/gateway.h"
#include "net/model.h"
#include "report/live/live_report.h"
#include "simulator/simulator.h"
#include "wire/frames.h"

namespace anml::rt::io {

void Gateway::receive_frame(const Frame& frame, Time at, Time late)
{
    if (frame.bytes.size() < wire::EthernetView::kHeader) {
        ++report_.malformed;
    } else if (frame.segments == Frame::Segments::none) {
        enter_frame(frame.bytes, frame, at, late);
    } else {
        // The device was to make these frames; their checksums are complete.
        Frame made;
        const wire::ParseError error =
            wire::split_frame(frame.bytes, frame.segment_size, frame.cwr, segment_,
                              [&](std::span<const std::uint8_t> bytes) { enter_frame(bytes, made, at, late); });
        if (error != wire::ParseError::none) ++report_.malformed;
    }
}

void Gateway::enter_frame(std::span<const std::uint8_t> bytes, const Frame& frame, Time at, Time late)
{
    Packet packet;
    packet.source = model_.address(model_.image().endpoints[endpoint_].node);
    packet.destination = model_.address(wire_->other);
    packet.buffer = buffers_.store(bytes);
    if (packet.buffer == kNone) {
        ++report_.malformed;
        return;
    }
    wire::describe_frame(bytes, packet);
    packet.frame().link = wire_->out;
    if (frame.checksum_partial)
        wire::complete_checksum_from(buffers_.bytes(packet.buffer), frame.checksum_start, frame.checksum_offset);
    report_.counters.entered(late);
    device_.counters().entered();
    buffers_.set_entered(packet.buffer, at);
    simulator_.inject(endpoint_, packet, at);
}

void Gateway::send_frame(const Packet& packet, Time due)
{
    const std::size_t length = wire::emit_frame(packet, buffers_, device_.slot());
    if (buffers_.entered(packet.buffer) != kNever) report_.counters.crossed(due - buffers_.entered(packet.buffer));
    device_.commit(length, due, true);
}

}  // namespace anml::rt::io
