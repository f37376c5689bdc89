// Calls: what simulated servers ask of each other, as workloads that run on them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "elaborate/topology/topology.h"
#include "elaborate/workloads/call_entries.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// What a server calls in answer to what: by rows of nodes, endpoints are rows of their own, and the calls they make.
struct CallGraph {
    struct Made {
        std::uint32_t row;
        const WorkloadInfo* call;
        friend auto operator<=>(const Made&, const Made&) = default;
    };
    std::map<std::uint32_t, std::vector<const WorkloadInfo*>> calls_of;  // by row
    std::set<Made> done;  // from where no cycle is reached, or one that has been found
    std::vector<Made> path;

    explicit CallGraph(const Network& network) : network_(network)
    {
        for (const WorkloadInfo& w : network.workloads)
            if (w.traits.load == Load::served)
                for (const TargetRange& from : w.targets) calls_of[from.row.value].push_back(&w);
    }

    // Whether a cycle is reached from there: into `path`, whose last call closes it.
    bool cycle_from(const Made& made)
    {
        if (const auto at = std::find(path.begin(), path.end(), made); at != path.end()) {
            path.erase(path.begin(), at);
            return true;
        }
        if (!done.insert(made).second) return false;
        path.push_back(made);
        for (const TargetRange& to : who_answers(network_, made.call->peers))
            if (const auto calls = calls_of.find(to.row.value); calls != calls_of.end())
                for (const WorkloadInfo* next : calls->second)
                    if (is_made_for(network_, *next, *made.call) && cycle_from({to.row.value, next})) return true;
        path.pop_back();
        return false;
    }

  private:
    const Network& network_;
};

bool share_a_node(const std::vector<TargetRange>& some, const std::vector<TargetRange>& others)
{
    for (const TargetRange& a : some)
        for (const TargetRange& b : others)
            if (a.row == b.row && a.first < b.first + b.count && b.first < a.first + a.count) return true;
    return false;
}

// As the text has it, "'/a' and '/b'", without end.
std::string paths_asked(const std::vector<std::string_view>& paths)
{
    constexpr std::size_t kShown = 5;
    std::vector<std::string> shown;
    for (const std::string_view path : paths)
        if (shown.size() < kShown) shown.push_back(fmt::format("\"{}\"", path));
    return fmt::format("{}{}", fmt::join(shown, ", "), paths.size() > kShown ? ", ..." : "");
}

void unused_of_calls(const ValuePool& values, const CheckedProgram& program, ReportOnce& report,
                     const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info)
{
    const auto is = [&](std::string_view name, double what) {
        return values.as_constant(number_of(program, value, name)) == what;
    };
    const auto given = [&](std::string_view name) { return place_of(program, s, name, info.span) != info.span; };
    if (is("retries", 0))
        for (const std::string_view name : {"backoff", "growth"})
            if (given(name))
                unused(report, place_of(program, s, name, info.span),
                       fmt::format("`{}` is about retries, and there are none", name),
                       "`retries = 2` has what failed tried again twice");
    if (is("breaker", 0) && given("open_for"))
        unused(report, place_of(program, s, "open_for", info.span), "`open_for` is about circuits, which nothing opens",
               "`breaker = 5` opens a node's circuit after five failures in a row");
    const bool all = is("fan_out", 0) || is("fan_out", static_cast<double>(size_of(info.peers)));
    if (all && given("pick") && attribute_of(program, value, "pick").as<EnumValue>()->ordinal != 0)
        unused(report, place_of(program, s, "pick", info.span),
               "`pick` chooses among several nodes, and each call asks all of them",
               "leave it out, or say more nodes in `to`");
    if (!is("all_documents", 1)) return;
    const auto* list = attribute_of(program, value, "documents").as<std::shared_ptr<const ListValue>>();
    if (!list || (*list)->size() == 1)
        unused(report, place_of(program, s, "all_documents", info.span),
               "`all_documents` is about several, and there is one",
               "leave it out, or say a list of them in `documents`");
    if (given("begin_with") && attribute_of(program, value, "begin_with").as<EnumValue>()->ordinal != 0)
        unused_value(report, place_of(program, s, "begin_with", info.span),
                     "`begin_with` says which document is the first, and all are asked for", "");
}

}  // namespace

// Hosts do what workloads say, and simulated servers make calls.
bool runs_there(Elaboration& in, const WorkloadStatement& s, const WorkloadInfo& info)
{
    const bool served = info.traits.load == Load::served && info.traits.transport == Transport::tcp;
    const Span place = in.program.expr(s.on).span;
    for (const TargetRange& range : info.targets) {
        const NodeArray& node = in.network.nodes[range.row.value];
        if (!served && node.kind == abi::NodeKind::host) continue;
        if (!served || node.kind != abi::NodeKind::endpoint) {
            in.report(Diag::type_mismatch, place,
                      fmt::format("{}, found {}",
                                  served ? "calls are made by simulated servers" : "a workload runs on hosts",
                                  a_type(in.program, node_type(node.kind))))
                .also(node.span, "declared here")
                .help(served ? "an endpoint with `simulated = web.server(...)` makes them"
                             : "what servers ask of each other is a `web.Calls`");
            return false;
        }
        const ServerInfo* server = server_of(in, range.row);
        if (server && is_a(in.network.records[server->record], abi::RecordSchema::web_server)) continue;
        in.report(Diag::no_server, node.span,
                  fmt::format("`{}` has no simulated server that could make calls", node.name))
            .also(place, "it is to make calls here")
            .help("give it one: `simulated = web.server(...)`");
        return false;
    }
    return true;
}

bool calls(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const Span place = place_of(in.program, s, "to", info.span);
    const NodeSet* to = attribute_of(in.program, value, "to").as<NodeSet>();
    if (!to) return false;
    info.peers = *to;
    info.pairing = abi::Pairing::random;  // each server calls any of them
    const std::uint64_t nodes = size_of(*to);
    bool alike = true;  // one that is not is told about
    if (nodes == 0) {
        in.report(Diag::shape_mismatch, place, fmt::format("`{}` calls no endpoint: `to` is empty", info.name));
        return false;
    }
    for (const TargetRange& range : *to) {
        const NodeArray& node = in.network.nodes[range.row.value];
        if (const auto balancer = balancer_of(in.network, range.row)) {
            alike = alike && matches_balancer(in, value, s, info, range.row, *balancer, true);
            continue;
        }
        if (node.kind != abi::NodeKind::endpoint) {
            in.report(Diag::type_mismatch, place,
                      fmt::format("`to` wants endpoints or load balancers, found {}",
                                  a_type(in.program, node_type(node.kind))))
                .also(node.span, "declared here");
            return false;
        }
        alike = alike && matches_server(in, value, s, info, range.row, info.port);
    }
    for (const std::string_view name : {"fan_out", "wait_for"}) {
        const auto asked = in.network.values.as_constant(number_of(in.program, value, name));
        const bool answers =
            name == "wait_for" && in.network.values.as_constant(number_of(in.program, value, "all_documents")) != 0.0;
        const auto* list = attribute_of(in.program, value, "documents").as<std::shared_ptr<const ListValue>>();
        const std::uint64_t most = nodes * (answers && list ? (*list)->size() : 1);
        if (!asked || *asked <= static_cast<double>(most)) continue;
        in.report(Diag::out_of_range, place_of(in.program, s, name, info.span),
                  fmt::format("`{}` is {:.0f}, and `to` has {} node{}", name, *asked, nodes, nodes == 1 ? "" : "s"));
        return false;
    }
    unused_of_calls(in.network.values, in.program, in.report, value, s, info);
    return asked(in, value, s, info);
}

// A request would be served when itself has been.
void find_call_cycles(const Network& network, ReportOnce& report)
{
    CallGraph graph(network);
    for (const auto& [row, calls] : graph.calls_of)
        for (const WorkloadInfo* call : calls) {
            if (!graph.cycle_from({row, call})) continue;
            std::vector<std::string> names;
            for (const auto& made : graph.path) names.push_back(fmt::format("`{}`", network.nodes[made.row].name));
            const WorkloadInfo& closing = *graph.path.back().call;
            const bool relays = closing.traits.transport == Transport::udp;
            report(Diag::call_cycle, closing.span,
                   names.size() == 1 ? fmt::format("{} would call itself", names[0])
                   : relays ? fmt::format("{} would send on to {} what came from there", names.back(), names[0])
                            : fmt::format("{} would call {} again, which calls it in the end", names.back(), names[0]))
                .help(names.size() == 1 ? "a request of its own would wait for a worker behind the one that makes it"
                      : relays
                          ? "a datagram would go round for ever; what relays send each other wants another port than "
                            "what they get from others"
                          : fmt::format("calls go from tier to tier and come to an end; these go {} -> {}",
                                        fmt::join(names, " -> "), names[0]));
            return;  // one of a tangle is enough
        }
}

void check_call_stages(const Network& network, ReportOnce& report)
{
    const auto number = [&](const WorkloadInfo& call, std::string_view name) {
        return network.values.as_constant(record_number(network.records[call.record], name)).value_or(0);
    };
    std::map<double, std::vector<const WorkloadInfo*>> stages;
    for (const WorkloadInfo& call : network.workloads)
        if (is_a(network.records[call.record], abi::RecordSchema::calls))
            if (const double stage = number(call, "stage"); stage > 0) stages[stage].push_back(&call);
    for (const auto& [stage, calls] : stages)
        for (const WorkloadInfo* call : calls) {
            const double wanted = number(*call, "stage_wait_for");
            if (wanted == 0) continue;
            std::size_t beside = 0;
            for (const WorkloadInfo* other : calls) {
                if (!share_a_node(call->targets, other->targets)) continue;
                ++beside;
                const double others = number(*other, "stage_wait_for");
                if (others == 0 || others == wanted || other > call) continue;
                report(Diag::out_of_range, call->span,
                       fmt::format("`{}` has stage {:.0f} wait for {:.0f} calls, and `{}` for {:.0f}", call->name,
                                   stage, wanted, other->name, others))
                    .also(other->span, "declared here")
                    .help("one call of a stage says `stage_wait_for` for all of them");
            }
            if (wanted > static_cast<double>(beside))
                report(Diag::out_of_range, call->span,
                       fmt::format("stage {:.0f} would wait for {:.0f} calls, and has {}", stage, wanted, beside))
                    .help("give others the same `stage`, or wait for fewer");
        }
}

// Whom nobody sends datagrams that it could send on.
static void check_relay(const Network& network, const WorkloadInfo& relay, ReportOnce& report)
{
    for (const WorkloadInfo& by : network.workloads)
        if (&by != &relay && is_made_for(network, relay, by) && share_a_node(by.peers, relay.targets)) return;
    report(Diag::unused_attribute, relay.span,
           fmt::format("no datagrams reach `{}` on port {:.0f}", relay.name,
                       network.values.as_constant(record_number(network.records[relay.record], "listen")).value_or(0)))
        .help("a `traffic.Cbr` or `traffic.OnOff` sends to its host on the port that it says in `listen`");
}

void check_call_entries(const Network& network, ReportOnce& report)
{
    for (const WorkloadInfo& call : network.workloads) {
        if (call.traits.load != Load::served) continue;
        if (call.traits.transport == Transport::udp) {
            check_relay(network, call, report);
            continue;
        }
        for (const std::string_view entry : entries_of(network, call)) {
            std::vector<std::string_view> paths;
            bool made = false;
            for (const WorkloadInfo& by : network.workloads) {
                if (!by.traits.asks_server() || !share_a_node(who_answers(network, by.peers), call.targets)) continue;
                for (const DocumentInfo& document : by.documents) {
                    made |= share_of_entries(network, {entry}, document) > 0;
                    if (std::find(paths.begin(), paths.end(), document.path) == paths.end() && !document.path.empty())
                        paths.push_back(document.path);
                }
            }
            if (made || paths.empty()) continue;
            const std::string_view similar = similar_name(entry, paths);
            report(Diag::unused_attribute, call.span,
                   fmt::format("`{}` is for requests of \"{}\", and nobody asks for that", call.name, entry))
                .help(similar.empty() ? fmt::format("its servers are asked for {}", paths_asked(paths))
                                      : fmt::format("did you mean \"{}\"?", similar));
        }
    }
}

}  // namespace anml
