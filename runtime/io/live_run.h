// One real-time run: its devices and sandboxes, and the loop that keeps the simulator with the wall clock.
#pragma once

#include <poll.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/arrival_clock.h"
#include "io/capture/pcap_device.h"
#include "io/device/clock.h"
#include "io/device/packet_socket.h"
#include "io/gateway/bridge.h"
#include "io/gateway/gateway.h"
#include "io/gateway/probe.h"
#include "io/gateway/wire_end.h"
#include "io/live.h"
#include "io/processor_watch.h"
#include "io/sandbox/sandbox.h"
#include "net/edge.h"

namespace anml::rt::io {

class LiveRun final : public Edge {
  public:
    LiveRun(Simulator& simulator, const Model& model, const LiveOptions& options, const std::atomic<bool>& stop);
    ~LiveRun() override;

    // Makes devices and sandboxes. False: `error`.
    bool open(std::string& error);
    // Behind that: gives up what it took (drop_privileges.h).
    bool drop_privileges(std::string& error) const;
    // False: a server never accepted a connection.
    bool run(std::string& error);
    LiveReport finish();
    std::vector<SandboxProcess> processes() const;

    void release(std::uint32_t endpoint, const Packet& packet, Time at) override;

  private:
    // What plays an endpoint that is attached at another process, where no packet reaches it.
    struct Elsewhere final : Edge {
        void release(std::uint32_t, const Packet&, Time) override {}
    };
    struct Port {
        std::unique_ptr<Device> device;
        std::unique_ptr<Gateway> gateway;
        PcapDevice* replay;         // the device, where it is one; else null
        Time arrived = 0;           // of its latest frame
        std::uint64_t dropped = 0;  // by the kernel, as counted so far
    };

    bool check_endpoints(std::string& error) const;
    bool check_peers(const std::vector<bool>& attached, std::string& error) const;
    void join_sides();
    bool has_prefix(std::uint32_t endpoint, abi::PrefixKind kind) const;
    std::string hosts_shown(std::uint32_t endpoint) const;
    bool open_attachment(const Attachment& attachment, std::string& error);
    std::unique_ptr<PacketSocket> open_interface(const Attachment& attachment, std::string& error);
    bool open_forward(const Attachment& attachment, class Forwarder& forwarder, std::string& error);
    bool open_replay(const Attachment& attachment, std::string& error);
    bool open_sandbox(const SandboxRequest& request, std::string& error);
    std::unique_ptr<Sandbox> make_sandbox(SandboxSettings settings, std::uint32_t endpoint, std::string& error);
    std::string names() const;
    std::optional<wire::MacAddress> heard_at(std::uint32_t endpoint) const;
    void say_wire(const Attachment& attachment, const WireEnd& wire, std::uint32_t mtu) const;
    HostAddresses addresses_at_wire(std::uint32_t endpoint, const WireEnd& wire) const;
    void say_subnets(std::uint32_t endpoint, const std::string& device) const;
    bool add_port(std::unique_ptr<Device> device, std::uint32_t endpoint, PcapDevice* replay = nullptr);
    bool pin(std::string& error) const;
    HostAddresses addresses(std::uint32_t endpoint) const;
    HostAddresses own_addresses(std::uint32_t endpoint) const;
    std::string endpoint_name(std::uint32_t endpoint) const;
    void make_probes();
    void say(const std::string& line) const;

    bool exchange(Time now);
    void take_in(Port& port, std::size_t count);
    // Whatever need not be looked at for every packet. False: the run is over.
    bool housekeeping(Time now, std::string& error);
    void start_replays(Time begin);
    bool start_when_ready(Time now, std::string& error);
    void begin(Time at);
    bool starts_workloads() const;
    // The run has to end here before its time. False: at once; else once the other processes are as far.
    bool goes_on_for_others();
    void idle(Time now);
    void sleep(Time now, Time longest);
    bool all_present(Time now);
    Time limit(Time now);
    void end_seconds(Time now);
    void end_second(bool listed, bool measured);
    void watch_servers();
    void file_looks();
    void count_drops(Port& port, std::uint64_t dropped);
    void publish(Time now, bool last);
    bool measuring() const;
    std::string unanswered(const Probe& probe) const;
    Sandbox* sandbox_of(std::uint32_t endpoint) const;  // null: it has none here
    bool listens_to_itself(const Probe& probe) const;
    bool commands_go_on(std::string& error) const;
    bool can_be_reached(Time now, std::string& error);

    Simulator& simulator_;
    const Model& model_;
    const LiveOptions& options_;
    const std::atomic<bool>& stop_;
    const Clock& clock_;
    ArrivalClock arrivals_;
    LiveReport report_;
    Elsewhere elsewhere_;

    std::vector<std::unique_ptr<Sandbox>> sandboxes_;
    std::vector<std::unique_ptr<Sandbox>> relays_;  // of relay.h
    std::vector<Port> ports_;
    std::unique_ptr<Bridge> bridge_;    // of those that share a subnet; null: none do
    std::vector<Gateway*> gateway_of_;  // by endpoint
    std::vector<std::unique_ptr<Probe>> probes_;
    std::array<Frame, Device::kBatch> frames_;
    std::vector<pollfd> waits_;  // a device each
    bool all_stamp_ = true;      // the devices
    Time next_look_ = 0;         // at who listens, while servers are waited for
    const Probe* hidden_ = nullptr;  // whose server was on the loopback at the last look
    Descriptor schedule_;        // how long this process waited for a processor
    std::optional<ProcessorWatch> watch_;  // of the sandboxes' processes
    struct Look {
        bool listed, measured;  // the second that it ended (LiveCounters::end_second)
    };
    std::vector<Look> looks_;

    Time loop_began_ = 0;
    Time began_ = kNever;  // the workloads; without any, the loop
    Time end_ = kNever;
    Time last_active_ = 0;
    Time unseen_since_ = 0;  // what came after this may have waited for us to look
    Time second_began_ = 0;
    Time next_housekeeping_ = 0;
    Time next_presence_ = 0;
    Time next_view_ = 0;
    Time busy_ = 0;
    Time processor_before_ = 0;
    std::optional<Time> waited_before_;
};

}  // namespace anml::rt::io
