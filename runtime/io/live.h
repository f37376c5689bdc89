// The real-time run: devices, the wall clock, and the loop that keeps the simulator with it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "io/capture/connection_file.h"
#include "io/capture/pcap_files.h"
#include "io/device/clock.h"
#include "io/device/descriptor.h"
#include "io/live_mailbox.h"
#include "io/other_processes.h"
#include "net/external_hosts.h"
#include "net/link/link_views.h"
#include "report/live/live_report.h"
#include "report/live/live_view.h"
#include "simulator/simulator.h"

namespace anml::rt::io {

// `--attach server=tap:t0`, `--attach server=if:veth0`, `--attach server=xdp:eth1`, `--attach
// server=pcap:in.pcap,out.pcap`, `--attach server=localhost`, `--attach server=to:db.example:5432`, `--attach
// client=listen:5432,server:5433`, `--attach server=eth1`.
struct Attachment {
    std::uint32_t endpoint;  // row
    enum class Kind {
        tap,
        interface,
        xdp,
        pcap,
        localhost,
        to,
        listen,
        forward,
        any
    } kind;              // any: a TAP device if `device` is one that nobody has, else an interface
    std::string device;  // of a TAP, a pair (forwarder.h) or an interface; of `listen`: an IPv4 address of this machine; of `to`: a host
    PcapFiles files = {};
    // Of `listen`: at `device`, and the endpoint's row and port that connections go on to. Of `to`: the server's port.
    std::uint16_t port = 0;
    std::uint32_t to = 0;
    std::uint16_t to_port = 0;
    bool udp = false;  // of both

    bool relays() const { return kind == Kind::localhost || kind == Kind::to || kind == Kind::listen; }
};

// `--sandbox [NAME] -- COMMAND...`
struct SandboxRequest {
    std::uint32_t endpoint;
    std::vector<std::string> command;
};

// Whose rights commands have, in the place of root's.
struct SandboxUser {
    std::string name, home;
    unsigned user = 0, group = 0;
    bool mapped = false;  // the sandboxes are in a user namespace, where root alone is: this one takes another
};

// What commands read and write.
enum class CommandStreams {
    error,        // nothing, and standard error: standard output stays the emulator's
    named,        // the same, each line behind the host's name
    terminal,     // the emulator's terminal
    when_it_asks  // the same, once it reads from it or sets its modes
};

// A command of a sandbox.
struct SandboxProcess {
    std::uint32_t endpoint;
    pid_t first_process;  // of its namespaces
};

// `--behind lan=192.168.7.0/24`
struct SubnetBehind {
    std::uint32_t endpoint;
    Subnet subnet;
};

// `--map lan=192.168.7.9:10.20.30.40`
struct MappedAddress {
    std::uint32_t endpoint;
    Address virtual_address, real_address;
    std::string where;  // it is written, for messages
};

struct LiveOptions {
    std::vector<Attachment> attachments;
    std::vector<SandboxRequest> sandboxes;
    std::string run_as;                 // --sandbox-user: a name; "": root of the sandbox
    std::optional<SandboxUser> user;    // that; of prepare_sandbox
    Time stop_timeout = 500 * kMillisecond;  // --stop-timeout: for what runs in sandboxes, from SIGTERM to SIGKILL
    std::vector<SubnetBehind> subnets;  // no two overlap, and none has an address of the model
    std::vector<MappedAddress> maps;    // of each endpoint one to one
    bool workload = true;               // --no-workload
    Time wait = 10 * kSecond;           // --wait: for the first server to accept
    Time duration = 0;                  // from the workloads' start, warm-up included
    bool open_end = false;              // the run goes on behind that, until its command ends
    // Where the only sandbox's command ends and leaves nobody, the run ends. One that had the terminal ends it anyway.
    bool ends_with_command = false;
    std::optional<std::uint32_t> until;  // the endpoint whose command ends the run, whatever it leaves
    CommandStreams streams = CommandStreams::error;
    bool quiet = false;  // besides that terminal, the command has standard input and output
    // Of such a run that is to stop: true, the command gets SIGINT and the time of `stop_timeout` before it ends.
    std::function<bool()> interrupts_command;
    Time warmup = 0;
    std::uint32_t batches = 0;  // parts of what follows that are counted for themselves
    Pace pace = Pace::hybrid;
    std::vector<int> processors;  // pin the emulator there; empty: no pinning
    Clock clock;                  // its origin is simulated time 0
    // Told, a line at a time, what the run changes on this machine or wants the user to do. Optional.
    std::function<void(const std::string&)> say;
    // Called when devices and sandboxes are made, before the loop. Threads may begin then and not before: a sandbox
    // begins as a copy of this process. Optional.
    std::function<void(const std::vector<SandboxProcess>&)> opened;
    std::vector<std::string> outputs;       // files that will be made, behind links: that stays possible
    int connecting = -1;                    // a socket that will connect, again and again: that stays possible
    LiveViews* views = nullptr;             // where the run shows itself, ten times a second; optional
    LinkViews* links = nullptr;             // and its links; optional
    LiveMailbox* mailbox = nullptr;         // orders from other threads; optional
    int* not_started = nullptr;             // gets not_started_status() of a command, where the run fails by that
    ConnectionFile* connections = nullptr;  // of records of connections; optional
    std::vector<std::shared_ptr<Descriptor>> relays;  // relay.h: of attachments that are one; of prepare_sandbox
    OtherProcesses* others = nullptr;       // the other processes of the run; null: it is alone
    std::vector<std::uint32_t> elsewhere;   // endpoints that are attached at those
};

// Runs until the duration is over, `stop` is set (SIGINT), a command fails, the only one ends,
// or the server never accepts. Makes and removes devices and namespaces. On failure: nullopt and `error` says what and
// how to mend it; nothing is left behind.
std::optional<LiveReport> run_live(Simulator& simulator, const Model& model, const LiveOptions& options,
                                   const std::atomic<bool>& stop, std::string& error);

// Enters the namespaces that a sandbox needs. Must be called before any thread starts. False: `error`.
// (run_live does the rest; a call without sandboxes and relays does nothing.)
bool prepare_sandbox(LiveOptions& options, std::string& error);

}  // namespace anml::rt::io
