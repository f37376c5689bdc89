// Capture files in the places of hosts, in simulated time.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "io/clock.h"
#include "io/gateway.h"
#include "io/live.h"
#include "io/pcap_device.h"
#include "net/edge.h"

namespace anml::rt::io {

// Of the links that an endpoint has, the least: bytes of an IP packet.
std::size_t first_mtu(const Model& model, std::uint32_t endpoint);

class Replay final : public Edge {
  public:
    // `ends`: with the last event behind the last packet, where the clock then stands.
    Replay(Simulator& simulator, const Model& model, bool ends);

    // Each attachment is one of files; the simulator has had no event yet. The run begins at simulated time 0, with the
    // earliest packet of all files. False: `error`.
    bool open(const std::vector<Attachment>& attachments, std::string& error);
    // Runs the simulator up to `limit`, with what arrives until then. False: a file cannot be read on, `error`.
    bool run_until(Time limit, std::string& error);
    // It has ended.
    bool over() const;
    // False: a file is incomplete, `error`.
    bool finish(std::string& error);
    ReplayReport report();

    void release(std::uint32_t endpoint, const Packet& packet, Time at) override;

  private:
    struct Port {
        std::unique_ptr<PcapDevice> device;
        std::unique_ptr<Gateway> gateway;
    };
    void flush();

    Simulator& simulator_;
    const Model& model_;
    const bool ends_;
    const Clock clock_;
    LiveReport report_;
    std::vector<Port> ports_;
    std::vector<Gateway*> gateway_of_;  // by endpoint
    std::array<Frame, Device::kBatch> frames_;
};

}  // namespace anml::rt::io
