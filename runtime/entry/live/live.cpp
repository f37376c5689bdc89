// `live`: in real time against real hosts.
#include "io/live.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "app/flows/pairing.h"
#include "commandline/streams.h"
#include "commandline/whole_file.h"
#include "entry/control/control_server.h"
#include "entry/control/control_socket.h"
#include "entry/live/distributed_run.h"
#include "entry/live/observer.h"
#include "entry/options/describe.h"
#include "entry/run/forecast.h"
#include "entry/run/run.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/stopwatch.h"
#include "io/sandbox/terminal.h"
#include "simulator/statistics.h"

namespace anml::rt::entry {

namespace {

// Says what plays each endpoint.
void announce(const Model& model, const Options& options, const std::vector<std::uint32_t>& elsewhere)
{
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        auto here = [&](const auto& request) { return request.endpoint == i; };
        bool attached = std::any_of(options.attachments.begin(), options.attachments.end(), here);
        bool sandboxed = std::any_of(options.sandboxes.begin(), options.sandboxes.end(), here);
        std::string_view name = model.text(image.endpoints[i].name);
        if (std::ranges::find(elsewhere, i) != elsewhere.end()) {
            commandline::say(fmt::format("{}: attached at another process\n", name));
            continue;
        }
        std::string stand_in = describe_stand_in(model, image.endpoints[i]);
        if ((attached || sandboxed) && !stand_in.empty()) {
            commandline::say(fmt::format("{}: the real host replaces the simulated {}\n", name, stand_in));
        } else if (!attached && !sandboxed && !stand_in.empty()) {
            commandline::say(fmt::format("{}: not attached; simulated by a {}\n", name, stand_in));
        }
    }
}

// What is asked is a server, which goes on to the end of the run.
bool workloads_ask(const Run& run, std::uint32_t endpoint)
{
    const abi::Image& image = run.model().image();
    for (std::uint32_t w = 0; run.options().workload && w < image.workload_count; ++w)
        if (app::has_peer(run.model(), w, image.endpoints[endpoint].node)) return true;
    return false;
}

// Who listens for clients of this machine, and asks nothing itself, goes on until it is interrupted.
bool waits_for_clients(const Run& run)
{
    const auto& attachments = run.options().attachments;
    const bool asks = run.options().workload && run.model().image().workload_count > 0;
    return !asks && std::any_of(attachments.begin(), attachments.end(),
                                [](const io::Attachment& a) { return a.kind == io::Attachment::Kind::listen; });
}

void arrange_sandboxes(const Run& run, io::LiveOptions& live)
{
    live.until = run.options().until;
    live.open_end = (live.until || waits_for_clients(run)) && !run.options().duration;
    using Streams = io::CommandStreams;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    if (live.sandboxes.size() > 1 && !terminal) live.streams = Streams::named;
    if (live.sandboxes.size() != 1) return;
    const bool server = workloads_ask(run, live.sandboxes.front().endpoint);
    if (terminal && io::has_terminal()) live.streams = server ? Streams::when_it_asks : Streams::terminal;
    live.ends_with_command = !server;
    live.quiet = run.options().quiet;
    live.open_end |= (live.streams == Streams::terminal || live.quiet) && !run.options().duration;
}

io::LiveOptions live_options(const Run& run)
{
    io::LiveOptions live;
    live.attachments = run.options().attachments;
    live.sandboxes = run.options().sandboxes;
    live.run_as = run.options().sandbox_user;
    live.stop_timeout = run.options().stop_timeout.value_or(live.stop_timeout);
    live.subnets = run.options().subnets;
    live.maps = run.options().maps;
    arrange_sandboxes(run, live);
    live.workload = run.options().workload;
    live.wait = run.options().wait;
    live.duration = run.duration();
    live.warmup = run.warmup();
    live.batches = run.options().batches;
    live.processors = run.options().processors;
    live.pace = run.options().pace;
    std::vector<std::string> outputs = run.options().reports;
    if (!run.options().results.empty()) outputs.push_back(run.options().results);
    for (const std::string& output : outputs) live.outputs.push_back(commandline::behind_links(output));
    return live;
}

std::vector<RequestName> request_names(const Model& model)
{
    std::vector<RequestName> names;
    for (const Documents::RequestClass& of : model.documents().request_classes())
        for (std::uint32_t i = 0; i < of.requests; ++i)
            names.push_back({of.name, std::string(model.text(model.image().requests[of.first_request + i].name))});
    return names;
}

int fail(const std::string& error)
{
    commandline::say(fmt::format("error: {}\n", error));
    return kExitFailed;
}

}  // namespace

int run_live(Run& run)
{
    io::LiveOptions live = live_options(run);
    std::string error;
    // Where the emulator was started, and not in a sandbox's namespace.
    io::Descriptor metrics;
    if (const auto& address = run.options().metrics) {
        metrics = listen_at_address("--metrics", *address, error);
        if (!metrics.valid()) return fail(error);
    }
    OtlpExporter otlp;
    if (run.options().otlp && !otlp.open(*run.options().otlp, error)) return fail(error);
    live.connecting = otlp.socket();
    ApiListener api;
    if (const auto& address = run.options().api) {
        api = listen_for_api(*address, error);
        if (!api.socket.valid()) return fail(error);
    }
    std::unique_ptr<DistributedRun> distributed;
    if (run.options().several()) {
        distributed = DistributedRun::meet(run, live, catch_interrupts(), error);
        if (!distributed) {
            fail(error);
            return interrupted_by() != 0 ? 128 + interrupted_by() : kExitFailed;
        }
    }
    // The others are to know why, too.
    const auto give_up = [&] {
        if (distributed) distributed->fail(error);
        return fail(error);
    };
    std::optional<Forecast> expected;
    if (!distributed) expected = forecast(run.model(), run.options());
    const std::atomic<bool>& stop = catch_interrupts();  // from when there is a socket that has to go
    // Nobody has asked for the usual place, and the run does without.
    const std::string& control = run.options().control;
    ControlListener listener;
    if (control != "none") {
        listener = listen_for_control(control, error);
        if (!listener.valid() && !control.empty()) return give_up();
        if (!listener.valid()) commandline::say(fmt::format("warning: {}\n", error));
        error.clear();
    }
    if (!io::prepare_sandbox(live, error)) return give_up();
    if (live.quiet)
        live.interrupts_command = [] {
            if (interrupted_by() != SIGINT) return false;
            stopped();  // it has its own time
            return true;
        };
    const Time epoch = live.clock.epoch();
    run.info().epoch = epoch;
    Simulator simulator(run.model(), run.options().seed, epoch, 0, 0, run.entered(),
                        distributed ? distributed->post() : nullptr);
    if (distributed) distributed->begin(simulator);
    if (!run.start_captures(simulator, epoch, error)) return give_up();
    if (!live.quiet) announce(run.model(), run.options(), live.elsewhere);
    if (expected && !live.quiet) commandline::say(describe(*expected, run.options()));
    const Stopwatch stopwatch;
    std::optional<LiveReport> report;
    int failed = kExitFailed;
    {
        LiveViews views(run.model().image().workload_count, request_names(run.model()));
        LinkViews links(run.model().image().directed_links);
        io::LiveMailbox mailbox;
        const bool terminal = isatty(STDERR_FILENO) && live.streams != io::CommandStreams::terminal && !live.quiet;
        Observer observer(run.model(), views, terminal, !live.sandboxes.empty(), live.open_end ? 0 : run.duration(),
                          std::move(metrics), std::move(otlp), run.options().watch ? &links : nullptr);
        const std::string told = api.told;
        ControlServer server(run, std::move(listener), std::move(api), live.clock, mailbox, views, links,
                             simulator.buffers());
        if (!live.quiet) live.say = [&](const std::string& line) { observer.say(line); };
        live.opened = [&](const std::vector<io::SandboxProcess>& sandboxes) {
            if (!told.empty()) commandline::say(told);
            observer.start();
            server.start(sandboxes);
            if (run.connections()) run.connections()->begin();
        };
        live.connections = run.connections();
        live.views = &views;
        live.links = &links;
        live.mailbox = &mailbox;
        if (live.ends_with_command) live.not_started = &failed;
        report = io::run_live(simulator, run.model(), live, stop, error);
        run.info().changes = server.finish();
    }
    stopwatch.read_into(run.info());
    if (!report && distributed) distributed->fail(error);
    if (!report && distributed && !distributed->first()) {
        run.close_connections(simulator, true);
        return fail(error);
    }
    if (!report) {
        run.fail(simulator, error);
        return failed;
    }
    if (distributed) distributed->gather(simulator, *report);
    if (distributed && !distributed->first()) {
        stopped();
        const bool good = run.close_connections(simulator, false);
        const std::optional<int> status = distributed->status(good ? kExitOk : kExitFailed);
        if (!report->broken.empty() || !status)
            return fail(report->broken.empty() ? "process 0 has gone" : report->broken);
        commandline::say(fmt::format("the run {}; its results are at process 0\n",
                                     report->interrupted || *status > 128 ? "was interrupted" : "is over"));
        return *status;
    }
    report->forecast = expected;
    run.info().ended = report->ended;
    // What one leaves a shell with is no failure of the run.
    if (report->command_status && live.streams != io::CommandStreams::terminal && !live.quiet) {
        const abi::Image& image = run.model().image();
        const bool one = live.sandboxes.size() == 1 && !distributed;
        const std::uint32_t endpoint = report->command_endpoint;
        const std::string_view at =
            endpoint < image.endpoint_count ? run.model().text(image.endpoints[endpoint].name) : "";
        run.info().error = fmt::format("the sandbox's command{} failed with status {}",
                                       one ? "" : fmt::format(" at `{}`", at), *report->command_status);
    }
    if (!report->broken.empty()) run.info().error = report->broken;
    run.info().real_time = &*report;
    if (!report->replays.empty()) run.info().replay = ReplayReport{.endpoints = report->replays};
    const int status = run.finish(simulator);
    const bool passed_on = live.ends_with_command || report->command_endpoint == live.until;
    if (report->command_status && !distributed && passed_on) return *report->command_status;
    return distributed ? distributed->status(status).value_or(status) : status;
}

}  // namespace anml::rt::entry
