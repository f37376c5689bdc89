// At the end of a transparent link, and at bridged endpoints: frames of real hosts become packets of the model whole,
// and the other way round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/device/device.h"
#include "io/gateway/wire_end.h"
#include "net/packet/packet.h"

namespace anml::rt {

class Model;
class Simulator;

namespace io {

class WholeFrames {
  public:
    WholeFrames(Device& device, std::uint32_t endpoint, const Model& model, Simulator& simulator, LiveReport& report);

    // A frame goes each of these ways. `late`: as Gateway::receive.
    void receive(const Frame& frame, Time at, Time late, std::span<const WireEnd> ways);
    void send(const Packet& packet, Time due);

  private:
    void enter(std::span<const std::uint8_t> bytes, const Frame& frame, Time at, Time late, const WireEnd& way);

    Device& device_;
    std::uint32_t endpoint_;
    const Model& model_;
    Simulator& simulator_;
    LiveReport& report_;
    std::vector<std::uint8_t> segment_;  // room for one frame
};

}  // namespace io
}  // namespace anml::rt
