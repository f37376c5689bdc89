// What a real-time run is made of: devices, the gateways behind them, and sandboxes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/capture/pcap_device.h"
#include "io/gateway/bridge.h"
#include "io/gateway/gateway.h"
#include "io/live.h"
#include "io/sandbox/sandbox.h"
#include "net/edge.h"

namespace anml::rt::io {

struct LivePort {
    std::unique_ptr<Device> device;
    std::unique_ptr<Gateway> gateway;
    PcapDevice* replay;         // the device, where it is one; else null
    Time arrived = 0;           // of its latest frame
    std::uint64_t dropped = 0;  // by the kernel, as counted so far
};

struct LiveParts {
    // What plays an endpoint that is attached at another process, where no packet reaches it.
    struct Elsewhere final : Edge {
        void release(std::uint32_t, const Packet&, Time) override {}
    };

    Elsewhere elsewhere;
    std::vector<std::unique_ptr<Sandbox>> sandboxes;  // one for each of LiveOptions::sandboxes
    std::vector<std::unique_ptr<Sandbox>> relays;     // of relay.h
    std::vector<LivePort> ports;
    std::unique_ptr<Bridge> bridge;    // of those that share a subnet; null: none do
    std::vector<Gateway*> gateway_of;  // by endpoint
};

// Makes devices and sandboxes; packets for endpoints go to `edge`. False: `error`.
bool set_up(LiveParts& parts, Edge& edge, Simulator& simulator, const Model& model, const LiveOptions& options,
            LiveReport& report, std::string& error);
// To the processors that the options name. False: `error`.
bool pin(const LiveOptions& options, std::string& error);
// Behind both: gives up what they took (drop_privileges.h).
bool drop_privileges(const LiveParts& parts, const LiveOptions& options, std::string& error);

}  // namespace anml::rt::io
