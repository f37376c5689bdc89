#include "entry/live/distributed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "commandline/streams.h"
#include "entry/options/subnets.h"
#include "entry/run/mpi_run.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/suggestion.h"
#include "io/device/dotted.h"
#include "io/gateway/host_range.h"
#include "net/timeline/timeline.h"
#include "report/live/live_bytes.h"

namespace anml::rt::entry {

namespace {

// There is somebody at each machine who starts a process.
constexpr Time kRendezvousPatience = 60 * kSecond;
// Of one that is still there, once another one has gone.
constexpr Time kSilence = 5 * kSecond;

void say(const std::string& line) { commandline::say(line + "\n"); }

// "r", "r[2]", "net[3].client[17]", and of instances of components all nodes in them: "net[3]".
bool add_nodes(const Model& model, const std::string& name, processes::Introduction& own, std::string& error)
{
    bool found = false;
    const auto add = [&](NodeId first, std::uint32_t count) {
        found = true;
        if (!own.nodes.empty() && own.nodes.back().first + own.nodes.back().second == first)
            own.nodes.back().second += count;
        else
            own.nodes.emplace_back(first, count);
    };
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < model.image().node_row_count; ++i) {
        const abi::NodeRow& row = model.image().node_rows[i];
        const std::string_view of_row = model.text(row.name);
        known.emplace_back(of_row);
        const char behind = of_row.starts_with(name) && of_row.size() > name.size() ? of_row[name.size()] : ' ';
        const bool within = behind == '.' || behind == '[';
        if (of_row == name || within) add(row.first_node, row.count);
        if (!row.is_array || !name.starts_with(of_row) || name.size() < of_row.size() + 3) continue;
        for (std::uint32_t element = 0; element < row.count; ++element)
            if (name == model.node_name(row.first_node + element)) add(row.first_node + element, 1);
    }
    if (found) return true;
    error = fmt::format("--own {}: no node is called that{}", name, suggestion(name, known));
    return false;
}

std::optional<processes::Introduction> introduce(const Run& run, std::string& error)
{
    const Options& options = run.options();
    processes::Introduction own;
    for (const RunInfo::Parameter& parameter : run.parameters())
        if (parameter.tunable) own.alike.emplace_back("--set " + parameter.name, parameter.text);
    for (const auto& [what, value] :
         {std::pair<const char*, std::string>{"the emulator", identity(run.model())},
          {"the duration (--for)", fmt::format("{:g} s", static_cast<double>(run.duration()) / kSecond)},
          {"the warm-up", fmt::format("{:g} s", static_cast<double>(run.warmup()) / kSecond)},
          {"--seed", std::to_string(options.seed)},
          {"--batches", std::to_string(options.batches)},
          {"--no-workload", options.workload ? "not given" : "given"}})
        own.alike.emplace_back(what, value);
    std::string changes;
    for (const WordedChange& change : run.changes()) changes += fmt::format("{} ns {}\n", change.time, change.what);
    own.alike.emplace_back("--changes", fmt::format("{:x}", std::hash<std::string>()(changes)));
    for (const io::Attachment& attached : options.attachments) own.endpoints.push_back(attached.endpoint);
    for (const io::SandboxRequest& sandbox : options.sandboxes) own.endpoints.push_back(sandbox.endpoint);
    for (const io::SubnetBehind& behind : options.subnets)
        own.subnets.emplace_back(behind.endpoint, io::shown(behind.subnet));
    for (const std::string& name : options.own)
        if (!add_nodes(run.model(), name, own, error)) return std::nullopt;
    return own;
}

// Hosts of a bridged subnet see each other's frames, of which no link is asked.
std::string bridged_apart(const Model& model, const std::vector<processes::Introduction>& all)
{
    const abi::Image& image = model.image();
    for (const processes::Introduction& one : all)
        for (const processes::Introduction& other : all)
            for (const std::uint32_t a : one.endpoints)
                for (const std::uint32_t b : other.endpoints) {
                    if (&one == &other) continue;
                    for (const abi::EndpointPrefixRow& p : io::prefixes_of(image, a))
                        for (const abi::EndpointPrefixRow& q : io::prefixes_of(image, b))
                            if (p.kind == abi::PrefixKind::bridged && q.kind == p.kind && p.first == q.first)
                                return fmt::format(
                                    "endpoints `{}` and `{}` are bridged to one subnet: attach both to one process",
                                    model.text(image.endpoints[a].name), model.text(image.endpoints[b].name));
                }
    return "";
}

bool check_captures(const Run& run, std::string& error)
{
    for (const CaptureRequest& capture : run.options().captures) {
        const Senders senders = run.senders(run.model().links_named(capture.link));
        if (!senders.here) error = fmt::format("--capture {}: {}", capture.link, senders.why_not_here());
        if (!senders.here) return false;
        if (senders.elsewhere)
            say(fmt::format("--capture {}: without what process {} sends", capture.link, *senders.elsewhere));
    }
    return true;
}

}  // namespace

bool DistributedRun::divide(Run& run, io::LiveOptions& live, const std::vector<processes::Introduction>& all,
                            std::string& error)
{
    const Model& model = run.model();
    const abi::Image& image = model.image();
    std::vector<std::pair<NodeId, std::uint32_t>> owned;
    for (std::uint32_t rank = 0; rank < all.size(); ++rank) {
        for (const std::uint32_t endpoint : all[rank].endpoints) {
            if (endpoint >= image.endpoint_count) {
                error = "another process speaks of endpoints that there are not";
                return false;
            }
            owned.emplace_back(image.endpoints[endpoint].node, rank);
            if (rank != ranks_->rank()) live.elsewhere.push_back(endpoint);
        }
        for (const auto& [first, count] : all[rank].nodes)
            for (std::uint32_t i = 0; i < count && first + i < image.nodes; ++i) owned.emplace_back(first + i, rank);
        for (const auto& [endpoint, prefix] : all[rank].subnets) {
            const auto subnet = parse_subnet(prefix, error);
            if (!subnet) return false;
            if (rank != ranks_->rank()) live.subnets.push_back({endpoint, *subnet});
        }
    }
    if (error = check_subnets(image, live.subnets); !error.empty()) return false;
    // Addresses of hosts there are entries of a table that each process has for itself.
    for (const io::SubnetBehind& behind : live.subnets)
        if (behind.subnet.ipv6) {
            error = fmt::format("--behind {}: subnets of IPv6 are of one process, and this run has several",
                                io::shown(behind.subnet));
            return false;
        }
    if (error = bridged_apart(model, all); !error.empty()) return false;
    const Timeline timeline(model, run.entered());
    if (!divide_between(model, timeline, owned, ranks_->size(), parts_, error)) return false;
    run.divide(parts_.rows, ranks_->size(), ranks_->rank());
    if (!check_captures(run, error)) return false;
    if (first()) run.info().attached.insert(run.info().attached.end(), live.elsewhere.begin(), live.elsewhere.end());
    return true;
}

std::unique_ptr<DistributedRun> DistributedRun::meet(Run& run, io::LiveOptions& live, const std::atomic<bool>& stop,
                                                     std::string& error)
{
    const Options& options = run.options();
    const auto own = introduce(run, error);
    if (!own) return nullptr;
    const auto endpoint_name = [&](std::uint32_t row) {
        const abi::Image& image = run.model().image();
        return row < image.endpoint_count ? std::string(run.model().text(image.endpoints[row].name)) : std::string("?");
    };
    const processes::RendezvousOptions rendezvous{options.processes, std::max(options.wait, kRendezvousPatience),
                                                  endpoint_name, say, stop};
    auto met = options.listen ? processes::host_rendezvous(*options.listen, *own, rendezvous, error)
                              : processes::join_rendezvous(*options.join, *own, rendezvous, error);
    if (!met) return nullptr;
    const std::vector<processes::Introduction> all = std::move(met->all);
    std::unique_ptr<DistributedRun> divided(new DistributedRun(std::move(*met)));
    live.clock = io::Clock();
    divided->coordinator_ = std::make_unique<processes::Coordinator>(*divided->ranks_, live.clock);
    divided->coordinator_->own_signal = interrupted_by;
    live.others = divided->coordinator_.get();
    std::vector<std::string> warnings;
    const bool good = divided->divide(run, live, all, error) && divided->coordinator_->measure(stop, error) &&
                      divided->coordinator_->check(run.model(), divided->parts_, warnings, error);
    if (!good) {
        divided->fail(error);
        return nullptr;
    }
    for (const std::string& warning : warnings) say("warning: " + warning);
    const unsigned rank = divided->ranks_->rank();
    std::string cuts;
    for (const Parts::Border& border : divided->parts_.borders)
        if (border.a == rank || border.b == rank)
            cuts +=
                fmt::format(", link {} ({:g} ms) leads to process {}",
                            run.model().text(run.model().image().link_rows[run.model().link_row_of(border.link)].name),
                            static_cast<double>(border.delay) / kMillisecond, border.a == rank ? border.b : border.a);
    say(fmt::format("process {} of {}: {} of {} nodes are simulated here{}", rank, all.size(),
                    divided->parts_.nodes[rank], run.model().image().nodes, cuts));
    return divided;
}

void DistributedRun::gather(Simulator& simulator, LiveReport& report)
{
    if (coordinator_->signal() != 0) interrupted_elsewhere(coordinator_->signal());
    if (const std::string& problem = coordinator_->problem(); !problem.empty()) {
        coordinator_->fail(problem);  // for those who have not noticed
        ranks_->patience = kSilence;
    }
    LiveReport::Process own = coordinator_->report();
    own.nodes = parts_.nodes[ranks_->rank()];
    own.busy = report.busy;
    own.slip_p99 = report.counters.slip().percentile(99);
    report.processes = {own};
    const auto parts = post_.gather(write_live(report));
    for (unsigned rank = 1; rank < parts.size(); ++rank) {
        std::optional<LiveReport> read;
        if (!parts[rank].empty()) read = read_live(parts[rank]);
        if (read) {
            join(report, std::move(*read));
            continue;
        }
        LiveReport::Process& gone = report.processes.emplace_back();
        gone.nodes = parts_.nodes[rank];
        gone.counted = false;
        if (report.broken.empty())
            report.broken = ranks_->name(rank) + (parts[rank].empty() ? " has gone" : " sends damaged figures");
    }
    for (unsigned rank = 0; rank < report.processes.size() && first(); ++rank)
        report.processes[rank].address = ranks_->address(rank);
    if (!simulator.gather() && report.broken.empty()) report.broken = "another process sends damaged figures";
}

std::optional<int> DistributedRun::status(int own)
{
    const std::string text = std::to_string(own);
    const std::vector<std::uint8_t> said = post_.broadcast({text.begin(), text.end()});
    ranks_->push();
    if (said.empty()) return std::nullopt;
    return std::stoi(std::string(said.begin(), said.end()));
}

}  // namespace anml::rt::entry
