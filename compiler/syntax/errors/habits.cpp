#include "syntax/errors/habits.h"

#include <algorithm>
#include <iterator>

#include "AnmlLexer.h"
#include "syntax/lexer/file_tokens.h"

namespace anml {

namespace {

constexpr std::string_view kFunction = "a function is one expression, and stands at the top of a file: "
                                       "`function f(x: int): int = x + 1`";
constexpr std::string_view kPrint = "nothing is printed: results say what a run measured, `require c else "
                                    "\"text\"` what must hold";
constexpr std::string_view kRaise = "what must hold is said by `require c else \"text\"`";
constexpr std::string_view kValueOf = "a value has a name by `let n = 3`; one that is set from outside is a parameter: "
                                      "`model M(n: int = 3)`";
constexpr std::string_view kOutput = "results say what a run measured; what must hold is said by `require c`";
constexpr std::string_view kKind = "what there is is declared by its kind: `host a`, `router r`, `link a -- r { rate = "
                                   "10 Mbps }`, `Site s(4)` of a component";
constexpr std::string_view kSection =
    "there are no sections: nodes and links stand in the body itself, each a "
    "statement, `host a`, `link a -- r { rate = 10 Mbps }`";
constexpr std::string_view kPart = "a part of a network is a component of its own, at the top of the file: `component "
                                   "Site(n: int = 2) { ... }`";
constexpr std::string_view kProfile = "attributes of links have a name in a profile: `profile fast : Link { rate = 10 "
                                      "Mbps, delay = 1 ms }`";
constexpr std::string_view kSchema = "what has attributes alone is a schema, at the top of the file: `schema Town { "
                                     "hosts: int }`";
constexpr std::string_view kScript = "a model is no script: its body declares what there is, in any order, and `at 5 s "
                                     "{ ... }` says what changes";
constexpr std::string_view kThreshold = "what must hold of a run is said by `require p95(w) < 300 ms`";
constexpr std::string_view kScenario = "a workload says who asks whom: `workload w : web.ClosedLoop on pc[*] { ... }`";
constexpr std::string_view kAfter = "`at 5 s { ... }` says when something happens";
constexpr std::string_view kRun = "how long it runs says `run { duration = 10 s }`";
constexpr std::string_view kExperiment = "it is of an experiment, beside the model: `experiment e : M { vary n in "
                                         "[1, 2, 4] }`";
constexpr std::string_view kAgain = "what happens again is said by `every 5 s { ... }`, what there is several times by "
                                    "`host pc[3]` or `for i in 0 ..< 3 { ... }`";
constexpr std::string_view kTc = "what happens to packets is said of links: `link a -- b { delay = 100 ms, loss = 1 % "
                                 "}`; to those of a command, by `anmlc wire`";
constexpr std::string_view kAddress = "nodes have their addresses where they are declared, `host a { address = "
                                      "10.0.0.1 }`, or from `addressing`";
constexpr std::string_view kFirewall = "a router filters by its middlebox: `router r { middlebox = "
                                       "middlebox.firewall([middlebox.deny(a, port = 80)]) }`";
constexpr std::string_view kCommand = "commands are no part of a model; those of real hosts run beside it: `anmlc run "
                                      "m.anml -- live --sandbox -- COMMAND`";
constexpr std::string_view kPing = "who sends to whom is a workload: `workload w : traffic.Ping on a { to = b }`";
constexpr std::string_view kBulk = "who sends to whom is a workload: `workload w : traffic.Bulk on a { to = b }`";
constexpr std::string_view kMany = "several like it are an array, `link l[i]: ...` in `for i in 0 ..< n { ... }`, or "
                                   "`host pc[n]`";
constexpr std::string_view kGates = "nodes have no gates: links join nodes by their names, and `port wan = gateway` "
                                    "names one for the outside";
constexpr std::string_view kLink = "a link is written `link a -- b { rate = 10 Mbps }`";
constexpr std::string_view kNode = "what a node is called and has is said where it is declared: `router r { ... }`";
constexpr std::string_view kSegment =
    "stations of one segment hang on a switch: `switch lan`, and a link of each with it";
constexpr std::string_view kRouting = "routers find routes by themselves; `routing { metric = cost }` says by what";

constexpr Habit kHabits[] = {
    {"print", kValue, kPrint, ""},
    {"println", kValue, kPrint, ""},
    {"printf", kValue, kPrint, ""},
    {"echo", kValue, kPrint, ""},
    {"return", kValue, kFunction, ""},
    {"def", kValue, kFunction, ""},
    {"fn", kValue, kFunction, ""},
    {"func", kValue, kFunction, ""},
    {"raise", kValue, kRaise, ""},
    {"throw", kValue, kRaise, ""},
    {"try", kValue | kBlock | kColon, kScript, ""},
    {"except", kValue | kBlock | kColon, kScript, ""},
    {"catch", kValue | kBlock, kScript, ""},
    {"finally", kBlock | kColon, kScript, ""},
    {"with", kValue, kScript, ""},
    {"global", kValue, kValueOf, ""},
    {"del", kValue, kScript, ""},
    {"async", kValue, kScript, ""},
    {"await", kValue, kScript, ""},
    {"export", kAny, kScenario, ""},
    {"class", kValue | kBlock | kColon, kPart, ""},
    {"simple", kValue, kPart, ""},
    {"struct", kValue | kBlock, kSchema, ""},
    {"channel", kValue, kProfile, ""},
    {"locals", kBlock | kColon, kValueOf, ""},
    {"vars", kBlock | kColon, kValueOf, ""},
    {"variables", kBlock | kColon, kValueOf, ""},
    {"variable", kBlock | kText, kValueOf, ""},
    {"param", kValue, kValueOf, ""},
    {"parameters", kBlock | kColon, kValueOf, ""},
    {"output", kBlock | kText, kOutput, ""},
    {"outputs", kBlock | kColon, kOutput, ""},
    {"resource", kBlock | kText | kValue, kKind, ""},
    {"data", kBlock | kText, kKind, ""},
    {"module", kValue | kBlock | kText, kPart, ""},
    {"dynamic", kBlock | kText, kMany, ""},
    {"provider", kBlock | kText, kScript, ""},
    {"nodes", kBlock | kValue | kColon, kSection, ""},
    {"hosts", kBlock | kValue | kColon, kSection, ""},
    {"routers", kBlock | kColon, kSection, ""},
    {"switches", kBlock | kColon, kSection, ""},
    {"links", kBlock | kColon, kSection, ""},
    {"repeat", kAny, kAgain, ""},
    {"addLink", kAny, kLink, ""},
    {"addHost", kAny, kKind, ""},
    {"addSwitch", kAny, kKind, ""},
    {"addNode", kAny, kKind, ""},
    {"addRouter", kAny, kKind, ""},
    {"Simulator", kAny, kRun, ""},
    {"vary", 0, kExperiment, ""},
    {"measure", 0, kExperiment, ""},
    {"search", 0, kExperiment, ""},
    {"edges", kBlock, kSection, ""},
    {"networks", kBlock, kSection, ""},
    {"services", kBlock, kSection, ""},
    {"service", kBlock | kValue, kKind, ""},
    {"submodules", kBlock, kSection, ""},
    {"connections", kBlock, kSection, ""},
    {"topology", kBlock, kSection, ""},
    {"types", kColon, kPart, ""},
    {"inout", kValue, kGates, ""},
    {"gates", kColon | kBlock, kGates, ""},
    {"thresholds", kBlock | kColon, kThreshold, ""},
    {"checks", kBlock | kColon, kThreshold, ""},
    {"check", kValue, kThreshold, ""},
    {"expect", kValue, kThreshold, ""},
    {"group", kValue, kScenario, ""},
    {"scenario", kBlock | kText | kColon, kScenario, ""},
    {"scenarios", kBlock | kColon, kScenario, ""},
    {"stages", kBlock | kColon, kScenario, ""},
    {"options", kBlock | kColon, kRun, ""},
    {"simulate", kBlock | kValue, kRun, "run"},
    {"simulation", kBlock, kRun, "run"},
    {"during", kAny, "a span of time is written `from 10 s to 20 s { ... }`", "from"},
    {"after", kValue, kAfter, "at"},
    {"when", kValue, kAfter, ""},
    {"sleep", kValue, kAfter, ""},
    {"wait", kValue, kAfter, ""},
    {"schedule", kValue | kBlock, kAfter, ""},
    {"tc", kAny, kTc, ""},
    {"netem", kAny, kTc, ""},
    {"ifconfig", kValue, kAddress, ""},
    {"iptables", kAny, kFirewall, ""},
    {"nft", kAny, kFirewall, ""},
    {"ping", kAny, kPing, ""},
    {"iperf", kAny, kBulk, ""},
    {"iperf3", kAny, kBulk, ""},
    {"curl", kAny, kCommand, ""},
    {"sudo", kAny, kCommand, ""},
    {"sysctl", kAny, kCommand, ""},
    {"docker", kAny, kCommand, ""},
    {"ovs", kAny, kCommand, ""},
    {"vtysh", kAny, kCommand, ""},
    {"interface", kValue, kAddress, ""},
    {"connect", kValue, kLink, ""},
    {"controller", kValue, "switches learn by themselves where hosts are: there is nothing to control", ""},
    {"hostname", kValue, kNode, ""},
    {"set", kValue, kNode, ""},
    {"pingAll", kValue, kPing, ""},
    {"pingall", kValue, kPing, ""},
    {"vlan", kAny, kSegment, ""},
    {"bridge", kValue | kBlock, kSegment, "switch"},
    {"ospf", kAny, kRouting, ""},
    {"bgp", kAny, kRouting, ""},
};

}  // namespace

const Habit* find_habit(std::string_view word)
{
    const auto found = std::ranges::find(kHabits, word, &Habit::word);
    return found == std::end(kHabits) ? nullptr : found;
}

const Habit* find_habit(std::string_view word, std::uint16_t next)
{
    using L = grammar::AnmlLexer;
    const Habit* habit = find_habit(word);
    if (!habit) return nullptr;
    const bool value = next == 0 || next == L::STRING || begins_operand(next);
    const unsigned before = (value ? kValue : 0) | (next == L::STRING ? kText : 0) | (next == L::LBRACE ? kBlock : 0) |
                            (next == L::COLON ? kColon : 0) | kAny;
    return habit->before & before ? habit : nullptr;
}

std::string said_in_text(std::string_view source, std::string_view value)
{
    for (const std::string_view kind : {"workload ", "link ", "host ", "router ", "switch ", "endpoint "}) {
        const std::size_t at = source.find(std::string(kind) + std::string(value));
        const std::size_t end = at == source.npos ? at : at + kind.size() + value.size();
        if (end < source.size() && std::string_view(" :[\n{").find(source[end]) != std::string_view::npos)
            return '"' + std::string(value) + '"';
    }
    return "text(" + std::string(value) + ")";
}

void add_to_sum(std::string& sum, std::string_view part)
{
    if (sum.ends_with('"') && part.starts_with('"')) {
        sum.pop_back();
        sum += part.substr(1);
    } else {
        (sum += sum.empty() ? "" : " + ") += part;
    }
}

std::pair<std::string_view, std::string_view> meant_by_verb(std::string_view verb)
{
    for (const std::string_view stop : {"stop", "disable", "shutdown", "kill", "fail", "cut", "break", "pause"})
        if (verb == stop) return {"down", "off"};
    for (const std::string_view start : {"start", "enable", "restore", "repair", "resume"})
        if (verb == start) return {"up", "on"};
    return {};
}

bool is_type_elsewhere(std::string_view word)
{
    static constexpr std::string_view kTypes[] = {"int",   "integer", "number", "float", "double", "string", "bool",
                                                  "boolean", "auto",  "var",    "const", "val",    "long",   "time",
                                                  "rate",  "size",    "char",   "uint",   "mut"};
    return std::ranges::find(kTypes, word) != std::end(kTypes);
}

}  // namespace anml
