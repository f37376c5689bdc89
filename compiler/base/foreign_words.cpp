#include "base/foreign_words.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/diagnostics.h"
#include "base/values/quantity.h"
#include "common/ascii.h"

namespace anml {

namespace {

constexpr std::string_view kVlan = "there are no VLANs: what is apart has switches and links of its own";

using Pair = std::pair<std::string_view, std::string_view>;

constexpr Pair kWords[] = {
    // attributes
    {"bandwidth", "rate"},
    {"bw", "rate"},
    {"speed", "rate"},
    {"datarate", "rate"},
    {"throughput", "rate"},
    {"latency", "delay"},
    {"propagation", "delay"},
    {"per", "loss"},
    {"plr", "loss"},
    {"packet_loss", "loss"},
    {"loss_rate", "loss"},
    {"drop_rate", "loss"},
    {"error_rate", "loss"},
    {"corruption", "corrupt"},
    {"duplication", "duplicate"},
    {"reordering", "reorder"},
    {"weight", "cost"},
    {"metric", "cost"},
    {"limit", "packets"},
    {"limit", "capacity"},
    {"min", "minimum_threshold"},
    {"max", "maximum_threshold"},
    {"to", "destination"},
    {"dst", "destination"},
    {"from", "source"},
    {"src", "source"},
    {"delay", "service"},
    {"latency", "service"},
    {"response_time", "service"},
    {"processing", "service"},
    {"pool6", "ipv6"},
    {"prefix6", "ipv6"},
    {"max_packets", "packets"},
    {"size", "capacity"},
    {"bytes", "capacity"},
    {"ip", "address"},
    {"addr", "address"},
    {"ip_address", "address"},
    {"url", "path"},
    {"sleep", "think"},
    {"pause", "think"},
    {"think_time", "think"},
    {"repeats", "repetitions"},
    {"repeat", "repetitions"},
    {"on_time", "burst"},
    {"off_time", "pause"},
    {"on", "burst"},
    {"off", "pause"},
    {"cpus", "processors"},
    {"cores", "processors"},
    {"least_conn", "least_connections"},
    {"leastconn", "least_connections"},
    {"default", "otherwise"},
    {"policy", "otherwise"},
    {"longitude", "lon"},
    {"latitude", "lat"},
    {"runs", "repetitions"},
    {"replications", "repetitions"},
    {"destination", "to"},
    {"target", "to"},
    {"dst", "to"},
    {"length", "duration"},
    {"time", "duration"},
    {"sim_time_limit", "duration"},
    {"sim_time", "duration"},
    {"stop_time", "duration"},
    {"packet_size", "payload"},
    {"payload_size", "payload"},
    {"datagram_size", "payload"},
    {"threads", "workers"},
    {"processes", "workers"},
    {"concurrency", "workers"},
    {"bytes", "size"},
    {"http", "requests"},
    {"har", "requests"},
    {"Udp", "Cbr"},
    {"UDP", "Cbr"},
    {"Tcp", "Bulk"},
    {"TCP", "Bulk"},
    {"Ftp", "Bulk"},
    {"Icmp", "Ping"},
    {"subnet", "pool"},
    {"network", "pool"},
    {"prefix", "pool"},
    // types
    {"integer", "int"},
    {"Integer", "int"},
    {"uint", "int"},
    {"long", "int"},
    {"float", "number"},
    {"double", "number"},
    {"real", "number"},
    {"boolean", "bool"},
    {"str", "string"},
    {"text", "string"},
    {"duration", "time"},
    {"bytes", "size"},
    {"bandwidth", "rate"},
    {"ipv4", "address"},
    {"cidr", "prefix"},
    {"distance", "length"},
    {"percent", "ratio"},
    {"probability", "ratio"},
    // functions
    {"length", "len"},
    {"size", "len"},
    {"count", "len"},
    // kinds of nodes
    {"client", "host"},
    {"pc", "host"},
    {"computer", "host"},
    {"workstation", "host"},
    {"machine", "host"},
    {"node", "host"},
    {"server", "endpoint"},
    {"hub", "switch"},
    {"bridge", "switch"},
    {"gateway", "router"},
    {"edge", "link"},
    {"connection", "link"},
    {"traffic", "workload"},
    {"flow", "workload"},
    {"load", "workload"},
    {"job", "workload"},
    {"sim", "run"},
    {"execute", "run"},
    {"assert", "require"},
    {"var", "let"},
    {"const", "let"},
    {"def", "component"},
    {"class", "component"},
    {"module", "component"},
    {"struct", "schema"}};

constexpr Pair kFamiliarUnits[] = {
    {"sec", "s"},       {"secs", "s"},          {"second", "s"},        {"seconds", "s"},      {"msec", "ms"},
    {"msecs", "ms"},    {"millis", "ms"},       {"milliseconds", "ms"}, {"usec", "us"},        {"usecs", "us"},
    {"micros", "us"},   {"microseconds", "us"}, {"nsec", "ns"},         {"nanoseconds", "ns"}, {"minute", "min"},
    {"minutes", "min"}, {"mins", "min"},        {"hour", "h"},          {"hours", "h"},        {"hr", "h"},
    {"byte", "B"},      {"bytes", "B"},         {"octets", "B"},        {"meter", "m"},        {"meters", "m"},
    {"mpbs", "Mbps"},   {"gpbs", "Gbps"},       {"kpbs", "Kbps"},
    {"metres", "m"},    {"kilometers", "km"},   {"kilometres", "km"},   {"percent", "%"}};

std::string_view help_in(std::span<const Pair> words, std::string_view name)
{
    const auto found = std::ranges::find(words, name, &Pair::first);
    return found == words.end() ? std::string_view{} : found->second;
}

}  // namespace

std::string_view foreign_name_help(std::string_view name)
{
    constexpr std::string_view kUnits = "a quantity is a number with its unit: `10 s`, `5 Mbps`, `64 KB`",
                               kName = "a value is known by its name alone: `n`, whether `let` or parameter",
                               kIndex = "elements are numbered by `index` where they are declared, elsewhere by a "
                                        "loop: `for i in 0 ..< n { ... }`",
                               kKeys = "keys and rows come from a loop, `for k, p in pops`, or from `key` where an "
                                       "array with keys is declared: `pops[key].lat`",
                               kCodePoint = "code points are numbers: `46` is EF, `34` AF41, `0` best effort",
                               kOverTime = "a load over time is a list of `web.hold(10 s, 1)` and `web.slope(5 s, "
                                           "1, 5)`",
                               kServer = "who answers in a run is `simulated = web.server()`; a real program runs "
                                         "at the endpoint, `anmlc run m.anml -- live --sandbox -- COMMAND`",
                               kLen = "how many elements a list or an array has is `len(list)`",
                               kSort = "nothing sorts lists; `min(list)` and `max(list)` are the least and the largest",
                               kText = "a string that says a value is `text(value)`",
                               kPercentiles = "percentiles of a workload are p50, p90, p95, p99 and p999: `p95(w)`",
                               kNodes = "what there is is declared, and no value: `host a`, `switch s`, `link a -- s { "
                                        "rate = 10 Mbps }`",
                               kJoined = "strings are put together: `\"site \" + text(n)`",
                               kWays = "of the way between two there are `rtt(a, b)`, `bottleneck(a, b)`, `hops(a, b)` "
                                       "and `reachable(a, b)`",
                               kBalancer = "a load balancer sends each connection to another: `router vip { middlebox "
                                           "= middlebox.load_balancer(middlebox.back_end(edge[*])) }`, and `server = "
                                           "vip`",
                               kFailed = "the share of requests that fail is `failed(w)`",
                               kFifo = "packets wait in `droptail(64 KB)`, or `droptail(packets = 100)`",
                               kMeasures = "measures are asked of workloads: `p95(w)`, `failed(w)`, `throughput(w)`",
                               kMap = "a list of what is computed is `[f(x) for x in list]`, or `[f(i) for i in 0 "
                                      "..< n]`",
                               kDrawn = "what is drawn is a distribution: `uniform(a, b)`, `exponential(mean)`",
                               kDhcp = "the compiler gives addresses: leave the attribute out",
                               kWhole = "an `int` is `floor(x)`, `ceil(x)` or `round(x)`";
    static constexpr Pair kKnown[] = {
        {"Seconds", kUnits},   {"MilliSeconds", kUnits}, {"MicroSeconds", kUnits}, {"NanoSeconds", kUnits},
        {"second", kUnits}, {"minute", kUnits}, {"hour", kUnits},
        {"default", "what holds where nothing is said comes after `=`: `n: int = 3`"},
        {"Minutes", kUnits},   {"Time", kUnits},         {"TimeValue", kUnits},    {"DataRate", kUnits},
        {"QueueSize", kUnits}, {"Bytes", kUnits},        {"StringValue", kUnits},  {"var", kName},
        {"local", kName},      {"param", kName},         {"params", kName},        {"count", kIndex},
        {"stage", kOverTime},  {"stages", kOverTime},
        {"ef", kCodePoint},    {"be", kCodePoint},       {"af41", kCodePoint},     {"af11", kCodePoint},
        {"nginx", kServer},    {"apache", kServer},      {"haproxy", kServer},     {"envoy", kServer},
        {"each", kKeys},       {"EF", kCodePoint},       {"CS0", kCodePoint},      {"CS1", kCodePoint},
        {"AF41", kCodePoint},  {"AF11", kCodePoint},     {"AF21", kCodePoint},     {"AF31", kCodePoint},
        {"BE", kCodePoint},    {"sizeof", kLen},         {"count_of", kLen},      {"sorted", kSort},
        {"size", kLen},        {"length", kLen},
        {"sort", kSort},       {"str", kText},           {"string", kText},        {"toString", kText},
        {"to_string", kText},  {"tostring", kText},      {"int", kWhole},          {"float", kWhole},
        {"cidrhost", "an address of a network is `host(10.0.0.0/24, 5)`"},
        {"cidrsubnet", "a network of a larger one is `subnet(10.0.0.0/16, 24, 3)`"},
        {"join", kJoined}, {"format", kJoined}, {"concat", kJoined}, {"sprintf", kJoined}, {"replace", kJoined},
        {"latency", kWays}, {"ping", kWays}, {"bandwidth", kWays},
        {"mod", "the rest of a division is `a % b`"}, {"fmod", "the rest of a division is `a % b`"},
        {"poisson", "between events of a Poisson process pass times of `exponential(mean)`"},
        {"utilization", "how busy a link is asks `load(link)`, of one direction `load(link, up)`"},
        {"map", kMap}, {"filter", kMap}, {"lambda", kMap}, {"random", kDrawn}, {"rand", kDrawn},
        {"randint", kDrawn}, {"gauss", kDrawn}, {"dhcp", kDhcp}, {"auto", kDhcp}, {"automatic", kDhcp},
        {"least_connections", kBalancer}, {"least_conn", kBalancer}, {"by_connection", kBalancer},
        {"each_connection", kBalancer}, {"per_connection", kBalancer}, {"least_busy", kBalancer},
        {"failure_rate", kFailed}, {"error_rate", kFailed}, {"errors", kFailed}, {"p", kPercentiles},
        {"percentile", kPercentiles}, {"quantile", kPercentiles},
        {"netem", "what happens to packets are attributes of the link: `link a -- b { delay = 100 ms, loss = 1 % }`"},
        {"tbf", "that is `queue.token_bucket(256 KB, rate = 2 Mbps, burst = 15 KB)`"},
        {"gilbert", "that is `loss.gilbert_elliott(p = 1 %, r = 10 %, bad = 1, good = 0)`"},
        {"gemodel", "that is `loss.gilbert_elliott(p = 1 %, r = 10 %, bad = 1, good = 0)`"},
        {"gap", "which packets are held back is said so: `reorder = loss.periodic(5, length = 4), reorder_delay = 10 "
                "ms`"},
        {"distribution", "how much delays differ says another attribute: `delay = 100 ms, jitter = normal(20 ms, 5 "
                         "ms)`"},
        {"fq_codel", "that is `queue.fq_codel(32 MB)`"},
        {"FqCoDel", "that is `queue.fq_codel(32 MB)`"}, {"CoDel", "that is `queue.codel(1 MB)`"},
        {"DropTail", kFifo}, {"DropTailQueue", kFifo}, {"FifoQueue", kFifo}, {"fifo", kFifo},
        {"pfifo", kFifo}, {"bfifo", kFifo}, {"pfifo_fast", kFifo}, {"tail_drop", kFifo},
        {"http_req_duration", kMeasures}, {"http_req_failed", kMeasures}, {"http_reqs", kMeasures},
        {"Host", kNodes}, {"Router", kNodes}, {"Switch", kNodes},
        {"addHost", kNodes}, {"addSwitch", kNodes}, {"addLink", kNodes}, {"Mininet", kNodes},
        {"key", "only elements of an array that has keys have a `key`; those of others have an `index`"}};
    if (const std::string_view help = help_in(kKnown, name); !help.empty()) return help;
    const bool numbered = std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    return name.size() > 2 && name.size() < 6 && name[0] == 'p' && numbered ? kPercentiles : std::string_view{};
}

std::string_view foreign_load_help(std::string_view name)
{
    constexpr std::string_view kUsers = "each host behind `on` is a user: `host pc[50]`, `on pc[*]`",
                               kRate = "how often each host begins is said by the time between: `interval = "
                                       "exponential(100 ms)`",
                               kTarget = "what is asked for are documents: `documents = web.fixed(10 KB, \"/\")`, or "
                                         "`web.requests(\"shop.http\")` of a file",
                               kWhen = "when it runs says the timeline, `at 5 s { w on }`, `at 30 s { w off }`; how "
                                       "long all runs, `run { duration = 60 s }`",
                               kStages = "a load over time is a list of stages, of `web.OpenLoop`: `schedule = "
                                         "[web.hold(10 s, 1), web.slope(5 s, 1, 5)]`",
                               kRamp = "load that grows says the timeline: `ramp from 0 s to 30 s every 1 s { w { "
                                       "active = 0 % .. 100 % } }`",
                               kKind = "`web.ClosedLoop` has users that wait for answers, `web.OpenLoop` a rate of its "
                                       "own",
                               kProtocol = "the workload says it: `traffic.Bulk` is TCP, `traffic.Cbr` UDP, `web` HTTP";
    constexpr std::string_view kLater = "workloads begin together; one that begins later is switched on: `at 5 s { w "
                                        "on }`",
                               kHttps = "of HTTPS it is said so: `scheme = https`";
    static constexpr Pair kKnown[] = {{"depends_on", kLater}, {"after", kLater}, {"delay", kLater},
                                      {"https", kHttps}, {"tls", kHttps}, {"ssl", kHttps},
                                      {"vus", kUsers},     {"users", kUsers},       {"clients", kUsers},
                                      {"threads", kUsers}, {"concurrency", kUsers}, {"rate", kRate},
                                      {"rps", kRate},      {"qps", kRate},          {"arrival_rate", kRate},
                                      {"url", kTarget},    {"path", kTarget},       {"uri", kTarget},
                                      {"target", kTarget},  {"duration", kWhen},     {"start", kWhen},
                                      {"start_time", kWhen}, {"begin", kWhen},       {"stop", kWhen},
                                      {"end", kWhen},       {"stages", kStages},       {"ramp", kRamp},
                                      {"executor", kKind},  {"scenario", kKind},
                                      {"protocol", kProtocol}, {"transport", kProtocol}};
    return help_in(kKnown, name);
}

std::string_view foreign_link_help(std::string_view name)
{
    constexpr std::string_view kBound = "how much waits says the queue: `queue = droptail(64 KB)`, or `queue = "
                                        "droptail(packets = 100)`",
                               kKind = "how packets wait says the queue: `queue = droptail(64 KB)`, or "
                                       "`queue.fq_codel(32 MB)` of `std.queue`",
                               kBits = "errors are of packets: with `ber` errors a bit, `loss = 1 - pow(1 - ber, 1500 "
                                       "* 8)`",
                               kBurst = "a burst is a token bucket's: `queue = queue.token_bucket(256 KB, rate = 2 "
                                        "Mbps, burst = 15 KB)`; losses in bursts are `loss = loss.bursts(1 %, length = "
                                        "3)`",
                               kDirections = "of one direction it stands in braces: `up { rate = 2 Mbps }` from the "
                                             "left end to the right, `down { ... }` back",
                               kBoth = "`a -- b` carries packets both ways at once, `a -> b` one way",
                               kEnds = "links join nodes, which need no interfaces: `link a -- b`",
                               kName = "a link's name stands before its ends: `link name: a -- b { ... }`",
                               kType = "what kind of line it is says its profile: `link a -- b : ether.fast`",
                               kState = "links are up; the timeline has one be down: `at 5 s { l down }`";
    static constexpr Pair kKnown[] = {
        {"limit", kBound},         {"max_queue_size", kBound}, {"queue_size", kBound},  {"queue_length", kBound},
        {"queue_limit", kBound},   {"qlen", kBound},           {"txqueuelen", kBound},  {"buffer", kBound},
        {"buffer_size", kBound},   {"maxsize", kBound},        {"qdisc", kKind},        {"queue_type", kKind},
        {"discipline", kKind},     {"scheduler", kKind},       {"aqm", kKind},          {"ber", kBits},
        {"mss", "segments are of TCP, of a node's profile: `profile ours : Tcp { segment = 8960 B }`, `host a { tcp = "
                "ours }`"},
        {"ecn", "a queue marks: `queue = queue.codel(256 KB, ecn = true)`"},
        {"bit_error_rate", kBits}, {"burst", kBurst},          {"bucket", kBurst},      {"upload", kDirections},
        {"up", kDirections},       {"down", kDirections},
        {"download", kDirections}, {"uplink", kDirections},    {"downlink", kDirections}, {"up_rate", kDirections},
        {"down_rate", kDirections}, {"duplex", kBoth},         {"full_duplex", kBoth},  {"bidirectional", kBoth},
        {"symmetric", kBoth},      {"interface", kEnds},       {"port", kEnds},         {"intf", kEnds},
        {"name", kName},           {"id", kName},              {"type", kType},         {"technology", kType},
        {"medium", kType},         {"vlan", kVlan},         {"state", kState},          {"status", kState},
        {"enabled", kState}};
    const std::string_view help = help_in(kKnown, name);
    return !help.empty() || (name != "gap" && name != "distribution") ? help : foreign_name_help(name);
}

bool asks_for_many(std::string_view name) { return foreign_node_help(name) == foreign_node_help("count"); }

std::string_view foreign_module(std::string_view name)
{
    static constexpr Pair kKnown[] = {
        {"http", "web"},        {"https", "web"},      {"html", "web"},       
        {"ethernet", "ether"},  {"link", "ether"},     {"links", "ether"},     {"lan", "ether"},
        {"net", "ether"},       {"udp", "traffic"},    {"ping", "traffic"},    {"bulk", "traffic"},
        {"iperf", "traffic"},   {"workload", "traffic"}, {"workloads", "traffic"}, {"apps", "traffic"},
        {"lte", "cellular"},    {"mobile", "cellular"}, {"wlan", "wifi"},      {"wireless", "wifi"},
        {"satellite", "orbit"}, {"dsl", "access"},     {"cable", "access"},    {"queues", "queue"},
        {"qdisc", "queue"},     {"netem", "loss"},     {"error", "loss"},      {"topologies", "topology"},
        {"topo", "topology"},   {"nat", "middlebox"},  {"firewall", "middlebox"}};
    return help_in(kKnown, name);
}

std::string_view foreign_node_help(std::string_view name)
{
    constexpr std::string_view kMany = "several are an array, `host pc[4]`, or one for each key: `host pc[[\"ann\", "
                                       "\"bob\"]]`",
                               kProgram = "hosts run no programs: an `endpoint` is a real one, `anmlc run m.anml -- "
                                          "live --sandbox -- COMMAND`, or `simulated = web.server()`",
                               kPort = "which port is asked says the workload: `port = 80`",
                               kOrder = "statements stand in any order, and depend on nothing but names",
                               kRoutes = "routers find routes by themselves: `routing { metric = cost }` says by what",
                               kSystems = "autonomous systems have no numbers: what is between two says the link, "
                                          "`link a -- b { relation = customer }`",
                               kMask = "an address stands alone, without a mask; a whole network is a `prefix`",
                               kWay = "hosts send to the router that they are linked with: they need no gateway",
                               kTcp = "TCP is a profile of its own: `tcp = tcp.linux_cubic` of `std.tcp`",
                               kNat = "a router translates by its middlebox: `middlebox = middlebox.nat(pc[*])`",
                               kKind = "a router and a switch are simulated, and run no image; a real machine is an "
                                       "`endpoint`",
                               kPool = "addresses come of `addressing { pool = 10.0.0.0/16 }`, in a component of its "
                                       "`prefix`",
                               kNames = "nodes are known by their names in the model: nothing looks names up",
                               kLinks = "what a node is joined to say links: `link a -- b { rate = 10 Mbps }`";
    static constexpr Pair kKnown[] = {
        {"count", kMany},       {"replicas", kMany},       {"instances", kMany},  {"scale", kMany},
        {"number", kMany},      {"for_each", kMany},       {"image", kProgram},   {"command", kProgram},
        {"entrypoint", kProgram}, {"build", kProgram},     {"environment", kProgram}, {"env", kProgram},
        {"volumes", kProgram},  {"cpu", kProgram},         {"memory", kProgram},  {"ports", kPort},
        {"port", kPort},        {"depends_on", kOrder},    {"networks", kLinks},  {"links", kLinks},
        {"ospf", kRoutes},      {"bgp", kRoutes},          {"router_id", kRoutes}, {"area", kRoutes},
        {"asn", kSystems},      {"as", kSystems},          {"netmask", kMask},    {"mask", kMask},
        {"gateway", kWay},
        {"default_gateway", kWay}, {"congestion_control", kTcp}, {"dns", kNames}, {"hostname", kNames},
        {"vlan", kVlan},        {"interfaces", kLinks},    {"nat", kNat},         {"masquerade", kNat},
        {"kind", kKind},        {"device", kKind},         {"platform", kKind},   {"vendor", kKind},
        {"subnet", kPool},      {"prefix", kPool},         {"cidr", kPool},       {"network", kPool},
        {"dhcp", kPool},        {"module", kRoutes},       {"modules", kRoutes},  {"protocols", kRoutes},
        {"mac", "nodes have no MAC addresses of their own; captures number them"}};
    return help_in(kKnown, name);
}

std::string_view foreign_word(std::string_view seen, const std::vector<std::string_view>& candidates)
{
    for (const auto& [word, ours] : kWords) {
        if (word != seen) continue;
        const auto found = std::find(candidates.begin(), candidates.end(), ours);
        if (found != candidates.end()) return *found;
    }
    return {};
}

// Whether `part` stands in the name as a word of it: `cubic` in `linux_cubic`.
static bool has_word(std::string_view name, std::string_view part)
{
    const std::size_t at = name.find(part), end = at + part.size();
    if (at == name.npos || part.size() < 4) return false;
    return (at == 0 || name[at - 1] == '_') && (end == name.size() || name[end] == '_');
}

std::string_view meant_name(std::string_view seen, const std::vector<std::string_view>& candidates)
{
    if (const std::string_view word = foreign_word(seen, candidates); !word.empty()) return word;
    if (const std::string_view near = similar_name(seen, candidates); !near.empty()) return near;
    std::string_view found;  // the only one with a word of it, or with it as a word
    for (const std::string_view one : candidates) {
        if (one == found || one == seen || !(has_word(seen, one) || has_word(one, seen))) continue;
        if (!found.empty()) return {};
        found = one;
    }
    return found;
}

std::string_view foreign_setting_help(std::string_view schema, std::string_view name)
{
    constexpr std::string_view kNone = "no protocol is simulated: routes are the shortest paths; how fast they follow "
                                       "what changes say `detection`, `flooding` and `computation`",
                               kPaths = "flows are spread over all shortest paths by `multipath = ecmp`",
                               kSeeds = "repetitions have seeds one after the other: `run { repetitions = 2, seed = 1 "
                                        "}`";
    static constexpr Pair kRouting[] = {{"protocol", kNone}, {"ospf", kNone},   {"bgp", kNone},    {"isis", kNone},
                                        {"rip", kNone},      {"igp", kNone},    {"area", kNone},   {"ecmp", kPaths},
                                        {"maximum_paths", kPaths}, {"paths", kPaths}, {"load_balancing", kPaths}};
    static constexpr Pair kRun[] = {{"seeds", kSeeds}, {"seed_set", kSeeds}, {"random_seeds", kSeeds}};
    if (schema.ends_with("Routing")) return help_in(kRouting, name);
    return schema.ends_with("Run") || schema.ends_with("Experiment") ? help_in(kRun, name) : std::string_view{};
}

std::string_view meant_unit(std::string_view seen)
{
    const std::string word = lower_case(seen);
    for (const auto& [theirs, ours] : kFamiliarUnits)
        if (theirs == word) return ours;
    for (std::string_view unit : {"ns", "us", "ms", "s", "min", "h", "m", "km"})
        if (unit == word && seen != unit) return unit;
    return {};
}

}  // namespace anml
