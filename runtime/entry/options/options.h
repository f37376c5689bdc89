// The command line of a generated emulator, parsed and checked against its model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "abi/image.h"
#include "base/time.h"
#include "entry/tools/listen_address.h"
#include "io/live.h"
#include "processes/connection.h"

namespace anml::rt::entry {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitNotKeptUp = 98;  // live --strict
inline constexpr int kExitThreshold = 99;  // a `require` on what was measured is not met

enum class Command { simulate, live, info, doctor, ctl, shell };

struct CaptureRequest {
    std::string link;  // as Model::links_named takes it
    std::string file;
};

// Of a collector of OpenTelemetry: http://HOST:PORT has the path /v1/metrics.
struct OtlpAddress {
    std::string url;
    processes::SocketAddress collector;
    std::string path;
};

struct Options {
    Command command = Command::simulate;
    std::vector<std::string> settings;  // --set, "NAME=VALUE"
    std::optional<Time> duration;       // --for
    std::optional<Time> warmup;         // --warmup
    std::uint64_t seed = 1;
    unsigned batches = 0;     // parts of the measured window that are measured for themselves, 0: none
    std::string results;      // "": not written
    std::vector<std::string> reports;  // each file's suffix says what it is
    std::string connections;  // a file of records of connections; "": not written
    std::string changes;      // a file of changes to enter; "": none
    std::vector<CaptureRequest> captures;
    unsigned threads = 0;   // simulate; 0: as many as there are processors
    bool profile = false;   // simulate
    std::string points;     // simulate; a file of points that are run in its place, "": none
    unsigned jobs = 0;      // so many of them beside each other; 0: as many as there are processors
    bool mpi = false;       // simulate
    bool json = false;      // info, doctor, ctl
    std::string documents;  // info --documents; "": not written
    // live
    std::vector<io::Attachment> attachments;
    std::vector<io::SandboxRequest> sandboxes;
    std::vector<io::SubnetBehind> subnets;
    std::vector<io::MappedAddress> maps;
    bool workload = true;
    Time wait = 10 * kSecond;
    std::vector<int> processors;
    Pace pace = Pace::hybrid;
    bool strict = false;
    bool watch = false;
    bool quiet = false;
    std::string sandbox_user;
    std::optional<Time> stop_timeout;
    std::optional<std::uint32_t> until;  // --until: an endpoint with a sandbox
    std::optional<ListenAddress> metrics, api;
    std::optional<OtlpAddress> otlp;
    // Of several processes: where this one listens for the others, or joins them, and how many there are to be.
    std::optional<processes::SocketAddress> listen, join;
    unsigned processes = 2;
    std::vector<std::string> own;  // names of nodes that this process is to have
    bool several() const { return listen || join; }
    std::string control;             // of ctl, too; "": the usual place
    std::vector<std::string> words;  // ctl, and what shell asks the run
    std::vector<std::string> inside;  // shell, exec: the command; empty: a shell
    std::uint64_t count = 0;         // of packets of ctl capture; 0: no end
};

// The program ends here: help on standard output, or an error on standard error.
struct Ending {
    int exit_code = kExitOk;
    std::string output;
    std::string error;
};

std::variant<Options, Ending> parse_options(const abi::Image& image, const std::vector<std::string>& arguments);

}  // namespace anml::rt::entry
