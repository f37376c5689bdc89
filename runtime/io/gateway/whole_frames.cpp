#include "io/gateway/whole_frames.h"

#include "net/link/buffers.h"
#include "net/model.h"
#include "report/live/live_report.h"
#include "simulator/simulator.h"
#include "wire/frames.h"
#include "wire/offloads.h"

namespace anml::rt::io {

WholeFrames::WholeFrames(Device& device, std::uint32_t endpoint, const Model& model, Simulator& simulator,
                         LiveReport& report)
    : device_(device),
      endpoint_(endpoint),
      model_(model),
      simulator_(simulator),
      report_(report),
      segment_(Device::kFrameCapacity)
{
}

void WholeFrames::receive(const Frame& frame, Time at, Time late, std::span<const WireEnd> ways)
{
    const auto enter_all = [&](std::span<const std::uint8_t> bytes, const Frame& one) {
        for (const WireEnd& way : ways) enter(bytes, one, at, late, way);
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

void WholeFrames::enter(std::span<const std::uint8_t> bytes, const Frame& frame, Time at, Time late, const WireEnd& way)
{
    Packet packet;
    packet.source = model_.address(model_.image().endpoints[endpoint_].node);
    packet.destination = model_.address(way.other);
    packet.buffer = simulator_.buffers().store(bytes);
    if (packet.buffer == kNone) {
        ++report_.malformed;
        return;
    }
    wire::describe_frame(bytes, packet);
    packet.frame().link = way.out;
    if (frame.checksum_partial)
        wire::complete_checksum_from(simulator_.buffers().bytes(packet.buffer), frame.checksum_start,
                                     frame.checksum_offset);
    report_.counters.entered(late);
    device_.counters().entered();
    simulator_.buffers().set_entered(packet.buffer, at);
    simulator_.inject(endpoint_, packet, at);
}

void WholeFrames::send(const Packet& packet, Time due)
{
    const std::size_t length = wire::emit_frame(packet, simulator_.buffers(), device_.slot());
    if (simulator_.buffers().entered(packet.buffer) != kNever)
        report_.counters.crossed(due - simulator_.buffers().entered(packet.buffer));
    device_.commit(length, due, true);
}

}  // namespace anml::rt::io
