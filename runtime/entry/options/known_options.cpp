#include "entry/options/known_options.h"

#include <fmt/format.h>

namespace anml::rt::entry {

void add_common(CLI::App& command, Options& options)
{
    command.add_option("--set", options.settings, "Give a tunable a value, with its unit: --set D=4ms. Repeatable")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
}

void add_run_options(CLI::App& command, std::string_view time, Options& options, RawOptions& raw)
{
    command
        .add_option("--for", raw.duration, fmt::format("{} to run, warm-up included, in place of the model's", time))
        ->type_name("TIME");
    command.add_option("--warmup", raw.warmup, "What is left out at the beginning, in place of the model's warm-up")
        ->type_name("TIME");
    command.add_option("--seed", raw.seed, "Seed of all random numbers (default 1)")->type_name("N");
    command
        .add_option("--batches", raw.batches,
                    "Measure so many equal parts of the measured time, too, for what the model\nmeasures")
        ->type_name("N");
    command.add_option("--results", options.results, "Write the results as JSON")->type_name("FILE");
    command
        .add_option("--report", options.reports,
                    "Write a report: a page that opens offline (.html), or\nMarkdown (.md), CSV (.csv), JSON (.json) "
                    "or JUnit's XML (.xml). Repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    command
        .add_option("--connections", options.connections,
                    "Write a line for each TCP connection of a workload as CSV: times, bytes, outcome")
        ->type_name("FILE");
    command
        .add_option("--changes", options.changes, "Enter the changes that a results file lists (`ctl`), at their times")
        ->type_name("FILE");
    command
        .add_option("--capture", raw.captures,
                    "Write a link's packets to a nanosecond pcap file; LINK> or LINK<:\n"
                    "of one direction only. Repeatable")
        ->type_name("LINK=FILE")
        ->allow_extra_args(false);
}

void add_point_options(CLI::App& simulate, Options& options, RawOptions& raw)
{
    simulate
        .add_option("--points", options.points,
                    "Run many points in place of one: each line of the file has the options of one, as JSON.\n"
                    "What several have in common is simulated once")
        ->type_name("FILE");
    simulate.add_option("--jobs", raw.jobs, "Run so many points at a time (default: as many as there are processors)")
        ->type_name("N");
}

void add_live_options(CLI::App& command, Options& options, RawOptions& raw)
{
    command
        .add_option("--attach", raw.attachments,
                    "Attach a real host: ENDPOINT=INTERFACE uses an existing interface or TAP\n"
                    "device, ENDPOINT=xdp:NAME an interface through AF_XDP, ENDPOINT=tap:NAME makes\n"
                    "a TAP device, ENDPOINT=forward:NAME an interface to which this machine\n"
                    "forwards, ENDPOINT=pcap:IN,OUT replays a capture file and writes another,\n"
                    "ENDPOINT=localhost the servers of TCP on this machine's loopback,\n"
                    "ENDPOINT=to:HOST:PORT one elsewhere,\n"
                    "ENDPOINT=listen:PORT,OTHER:PORT clients of this machine, for a port of OTHER;\n"
                    "of both PORT/udp is one of UDP. Once per endpoint")
        ->type_name("ENDPOINT=DEVICE")
        ->allow_extra_args(false);
    command
        .add_option("--behind", raw.subnets,
                    "Subnets behind the real host of an endpoint, IPv4 or IPv6:\n"
                    "lan=192.168.7.0/24,fd00:7::/64. Repeatable")
        ->type_name("ENDPOINT=PREFIXES")
        ->allow_extra_args(false);
    command
        .add_option("--map", raw.maps,
                    "Real addresses of hosts that take virtual places: lan=10.0.0.80:192.168.7.9,\n"
                    "or a file with lines VIRTUAL,REAL. Repeatable")
        ->type_name("ENDPOINT=TABLE")
        ->allow_extra_args(false);
    command
        .add_option("--wait", raw.wait, "How long the server may take to accept its first connection (default 10 s)")
        ->type_name("TIME");
    command.add_flag("--no-workload", raw.no_workload,
                     "Start no workload: the network answers, and carries real traffic only");
    command.add_option("--cpu", raw.processors, "Run the emulator on these processors only")->type_name("N[,M]");
    command
        .add_option("--pace", raw.pace,
                    "How it waits: `spin` looks at clock and devices all the time, `sleep` never,\n"
                    "`hybrid` (default) while something is due soon")
        ->type_name("PACE");
    command
        .add_option("--metrics", raw.metrics,
                    "Serve the figures so far as OpenMetrics, for Prometheus and the like:\n"
                    "127.0.0.1:9100 is http://127.0.0.1:9100/metrics")
        ->type_name("ADDRESS:PORT");
    command
        .add_option("--otlp", raw.otlp,
                    "Push them every 5 s, and at the end, to a collector of OpenTelemetry, as JSON by HTTP:\n"
                    "http://127.0.0.1:4318")
        ->type_name("URL");
    command
        .add_option("--control", options.control,
                    "Where `ctl` reaches this run: a socket of that name, in place of one in\n"
                    "$XDG_RUNTIME_DIR or /tmp; `none`: nowhere")
        ->type_name("PATH");
    command
        .add_option("--api", raw.api,
                    "Answer there by HTTP what `ctl` asks and changes. ANML_API_TOKEN is the token that\n"
                    "clients need; without it one is made and printed. Port 0: any that is free")
        ->type_name("ADDRESS:PORT");
    command
        .add_option("--listen", raw.listen,
                    "Run with other processes, here or on other machines, which --join this one: each\n"
                    "simulates the part of the model that is near to what is attached to it")
        ->type_name("ADDRESS:PORT");
    command.add_option("--processes", raw.processes, "How many there are to be, this one included (default 2)")
        ->type_name("N");
    command.add_option("--join", raw.join, "Run with the process that listens there")->type_name("ADDRESS:PORT");
    command
        .add_option("--own", options.own,
                    "Nodes that this process is to simulate, besides those that are near to its\n"
                    "endpoints: a node, an array or an instance of a component. Repeatable")
        ->type_name("NODE")
        ->allow_extra_args(false);
    command.add_flag("--watch", options.watch,
                     "Show how the run is in place of the progress bar: transactions, response\n"
                     "times, slip and the busiest links, over the last minute");
    command
        .add_option("--sandbox-user", options.sandbox_user,
                    "Run commands of sandboxes as this user, in place of root there; without root it\n"
                    "can only be yourself")
        ->type_name("NAME");
    command
        .add_option("--stop-timeout", raw.stop_timeout,
                    "How long what runs in sandboxes may take to end at SIGTERM (default 500 ms)")
        ->type_name("TIME");
    command
        .add_option("--until", raw.until,
                    "End the run with the command of this sandbox, with its exit status; without\n"
                    "--for the run lasts as long as it does")
        ->type_name("ENDPOINT");
    command.add_flag("--quiet", options.quiet,
                     "Say nothing but errors: the only sandbox's command has standard input and output,\n"
                     "and without --for the run lasts as long as it does");
    command.add_flag("--strict", options.strict, "Exit with 98 unless the verdict is `kept up`");
    command.footer(
        "  --sandbox [NAME] -- COMMAND...\n"
        "                              Run a command in a network namespace of its own, attached\n"
        "                              to endpoint NAME (not needed with one endpoint). Needs no privileges.\n"
        "                              Comes after all other options; the command reaches to the next\n"
        "                              --sandbox or to the end. Repeatable\n\n"
        "The run ends after --for, when a command fails, or when the only one ends that no workload asks. At a\n"
        "terminal, that one is worked with, and Ctrl-C is its own. Else Ctrl-C ends the run early; the results so far\n"
        "are kept.");
}

void add_control_options(CLI::App& command, Options& options, RawOptions& raw)
{
    command.add_option("--control", options.control, "The run's socket, where several run")->type_name("PATH");
    command.add_flag("--json", options.json, "Lines of JSON");
    command.add_option("--for", raw.duration, "How long to watch, or to capture")->type_name("TIME");
    command.add_option("--count", raw.count, "How many packets to capture")->type_name("N");
    command.footer(
        "  list                        Endpoints, workloads, tunables and links, and what was changed\n"
        "  watch [LINK...]             Rates, queues and what they drop, of the busiest links or these\n"
        "  capture LINK...             Packets as pcapng on standard output: | wireshark -k -i -\n"
        "  link LINK up|down           Cuts a link, or mends it; routes stay as they are\n"
        "  link LINK ATTRIBUTE=VALUE[,...]\n"
        "                              rate, delay, queue, loss, corrupt, duplicate, jitter; LINK> or LINK<:\n"
        "                              of one direction only\n"
        "  workload NAME start|stop    Has a workload begin anew, or begin nothing more\n"
        "  set NAME=VALUE              A tunable that only links depend on\n"
        "  stop                        Ends the run, with its results\n\n"
        "Each change is entered at a time that is said, and listed in the run's results: --changes repeats it.");
}

}  // namespace anml::rt::entry
