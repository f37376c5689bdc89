// Packets of links as the server of `ctl` sends them to a client: pcapng, in the order in which transmissions begin.
#pragma once

#include <string>
#include <vector>

#include "base/time.h"
#include "io/capture/capture_ring.h"
#include "io/device/transmission_order.h"
#include "io/live_mailbox.h"
#include "net/model.h"

namespace anml::rt {
class Simulator;
}

namespace anml::rt::entry {

class ControlCapture {
  public:
    // `epoch`: wall time of the run's time 0, ns.
    ControlCapture(const Model& model, const BufferPool& buffers, std::vector<LinkId> links, Time epoch);

    // Has the loop show it the links, or no longer; false: the run has ended. It must not go before the loop forgot it.
    bool begin(io::LiveMailbox& mailbox);
    void end(io::LiveMailbox& mailbox);

    std::size_t links() const { return ring_.links().size(); }
    std::string head() const;
    // What has begun before `before`, of some `room` bytes that the loop has left: the rest waits in the ring, where
    // there is an end of it.
    std::string more(Time before, std::size_t room);
    // What each link took, and what of that was lost here.
    std::string tail(Time now) const;

  private:
    io::CaptureRing ring_;
    std::vector<std::string> names_;
    bool frames_ = false;  // of transparent links
    Time epoch_;
    io::TransmissionOrder order_;
    std::vector<std::uint8_t> bytes_;
    bool shown_ = false;
};

}  // namespace anml::rt::entry
