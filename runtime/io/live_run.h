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
#include "io/device/clock.h"
#include "io/live_setup.h"
#include "io/processor_watch.h"
#include "io/server_probes.h"
#include "net/edge.h"

namespace anml::rt::io {

class LiveRun final : public Edge {
  public:
    LiveRun(Simulator& simulator, const Model& model, const LiveOptions& options, const std::atomic<bool>& stop);

    // Makes devices and sandboxes, and gives up the rights that this took. False: `error`.
    bool open(std::string& error);
    // False: a server never accepted a connection.
    bool run(std::string& error);
    LiveReport finish();
    std::vector<SandboxProcess> processes() const;

    void release(std::uint32_t endpoint, const Packet& packet, Time at) override;

  private:
    bool exchange(Time now);
    void take_in(LivePort& port, std::size_t count);
    // Whatever need not be looked at for every packet. False: the run is over.
    bool housekeeping(Time now, std::string& error);
    void start_replays(Time begin);
    bool start_when_ready(Time now, std::string& error);
    void begin(Time at);
    bool starts_workloads() const;
    // The run has to end here before its time. False: at once; else once the other processes are as far.
    bool goes_on_for_others();
    bool command_may_end(Time now);
    void idle(Time now);
    void sleep(Time now, Time longest);
    bool all_present(Time now);
    Time limit(Time now);
    void end_seconds(Time now);
    void end_second(bool listed, bool measured);
    void watch_servers();
    void file_looks();
    void count_drops(LivePort& port, std::uint64_t dropped);
    void publish(Time now, bool last);
    bool measuring() const;

    Simulator& simulator_;
    const Model& model_;
    const LiveOptions& options_;
    const std::atomic<bool>& stop_;
    const Clock& clock_;
    ArrivalClock arrivals_;
    LiveReport report_;
    LiveParts parts_;
    ServerProbes probes_;
    std::array<Frame, Device::kBatch> frames_;
    std::vector<pollfd> waits_;  // a device each
    bool all_stamp_ = true;      // the devices
    Descriptor schedule_;        // how long this process waited for a processor
    std::optional<ProcessorWatch> watch_;  // of the sandboxes' processes
    struct Look {
        bool listed, measured;  // the second that it ended (LiveCounters::end_second)
    };
    std::vector<Look> looks_;

    Time loop_began_ = 0;
    Time began_ = kNever;  // the workloads; without any, the loop
    Time end_ = kNever;
    Time interrupted_ = kNever;  // the command has SIGINT since
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
