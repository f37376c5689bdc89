// Capture files in the places of hosts, in simulated time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/capture/pcap_device.h"
#include "io/device/clock.h"
#include "io/gateway/gateway.h"
#include "io/live.h"
#include "net/edge.h"

namespace anml::rt::io {

// Of the links that an endpoint has, the least: bytes of an IP packet.
std::size_t first_mtu(const Model& model, std::uint32_t endpoint);

class Replay final : public Edge {
  public:
    // `lasts`: the run ends with the last event behind the last packet, where the clock then stands. It lasts for so
    // long, the model's duration, where events do not end; behind a file that is longer once more, and a minute at
    // least. None: somebody else ends it.
    Replay(Simulator& simulator, const Model& model, std::optional<Time> lasts);

    // Each attachment is one of files; the simulator has had no event yet. The run begins at simulated time 0, with the
    // earliest packet of all files. False: `error`.
    bool open(const std::vector<Attachment>& attachments, std::string& error);
    // Runs the simulator up to `end`, with what arrives before. A file that cannot be read on has ended.
    void run_before(Time end);
    // It has ended.
    bool over() const;
    // False: a file could not be read to its end, or written, `error`.
    bool finish(std::string& error);
    ReplayReport report();

    void release(std::uint32_t endpoint, const Packet& packet, Time at) override;

  private:
    struct Port {
        std::unique_ptr<PcapDevice> device;
        std::unique_ptr<Gateway> gateway;
    };
    void flush();
    bool read() const;    // all files have been, to their ends
    Time latest() const;  // packet that was read
    Time end() const;     // of a run that ends with its files, at the latest

    Simulator& simulator_;
    const Model& model_;
    const std::optional<Time> lasts_;
    const Clock clock_;
    LiveReport report_;
    std::vector<Port> ports_;
    std::vector<Gateway*> gateway_of_;  // by endpoint
    std::array<Frame, Device::kBatch> frames_;
};

}  // namespace anml::rt::io
