// Stage 4: the network. No templates, loops or conditionals are left; arrays of identical nodes and links stay arrays.
//
// A row stands for `count` elements. Component instances are expanded (net[0], net[1] ...), the innermost node and link
// arrays are not (net[3].client is one row of H nodes). Rows are ordered as the text declares them, depth first; node
// ids, directed link ids and with them streams are dense and follow the rows.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/address.h"
#include "base/diagnostics.h"
#include "base/files/data_file.h"
#include "base/key_set.h"
#include "base/position.h"
#include "base/record_fields.h"
#include "base/relation.h"
#include "base/values/quantity.h"
#include "runtime/abi/timeline.h"

namespace anml {

using NodeRowId = Id<struct NodeRowTag>;
using LinkRowId = Id<struct LinkRowTag>;

struct TunableInfo {
    std::string name;
    std::string doc;
    Dimension dim;
    bool integer = false;
    double value = 0, minimum = 0, maximum = 0;  // canonical; the range is required where it reaches a delay
    Span span;
};

struct ParameterInfo {  // every parameter of the model, tunables included, in declaration order
    std::string name;
    std::string doc;
    Dimension dim;
    bool integer = false;
    double value = 0, minimum = 0, maximum = 0;
    std::uint32_t tunable = abi::kNone;
    std::optional<std::string> word;  // a boolean, the value of an enumeration or a string, and no number
};

struct NodeArray {
    std::string name;  // path without the element index: "net[3].client"
    abi::NodeKind kind{};
    bool is_array = false;
    std::shared_ptr<const KeySet> keys{};  // of an array whose elements have some: "net[3].client[anna]"
    std::uint32_t count = 1;
    std::uint32_t first_node = 0;  // dense node id
    // IPv4 of element 0, host byte order; element i: address + i. 0: none (switches).
    std::uint32_t address = 0;
    bool explicit_address = false;
    AddressBits ipv6 = 0;  // of element 0; element i: ipv6 + i
    bool has_ipv6 = false;
    bool explicit_ipv6 = false;
    // IPv6 is all that it has: `address` is that one's handle, abi::kIpv6Handles + first_node.
    bool only_ipv6 = false;
    std::uint32_t tcp = abi::kNone;  // index into records; hosts and endpoints have one
    // Indices into records; none: it forwards at once, whatever it is, sends all ICMP errors, and its
    // links share nothing and are wires.
    std::uint32_t processing = abi::kNone, middlebox = abi::kNone, icmp_limits = abi::kNone, buffer = abi::kNone,
                  radio = abi::kNone;
    std::optional<NodePosition> position;  // of all elements alike, or of the first
    std::vector<NodePosition> positions;   // of each element, where they differ
    std::optional<NodePosition> position_of(std::uint32_t element) const
    {
        return positions.empty() ? position : positions[element];
    }
    Span span;
    // An address that it shares with others (anycast): packets to it reach the nearest of them. Of IPv4, or the handle
    // of one of IPv6 (abi::kIpv6Shared), which is `anycast_ipv6` then. 0: none.
    std::uint32_t anycast = 0;
    AddressBits anycast_ipv6 = 0;
    bool has_anycast() const { return anycast != 0 || anycast_ipv6 != 0; }
    std::string anycast_text() const;
    Span address_span;  // where the address is set
    Span ipv6_span, anycast_span;
    bool has_ipv4() const { return address != 0 && !only_ipv6; }
    std::uint32_t task = abi::kNone;  // of Network::task_names: the task that @task puts it into
    std::string element_name(std::uint32_t element) const
    {
        return is_array ? element_of_array(name, keys.get(), element) : name;
    }
};

struct LinkEnd {
    NodeRowId row;
    std::uint32_t first = 0;   // element of the row at link element 0
    std::uint32_t stride = 0;  // 0 or 1, per link element
};

struct DistributionValue {
    abi::DistributionKind kind{};
    ValueExprId a = 0, b = 0;  // computed: a is the expression that draws
    friend auto operator<=>(const DistributionValue&, const DistributionValue&) = default;
};

inline bool is_constant(const ValuePool& values, const DistributionValue& d, double v)
{
    return d.kind == abi::DistributionKind::constant && values.as_constant(d.a) == v;
}

// The values of a schema's attributes, as data: those that the runtime declares a layout for, in its order.
struct RecordChoice {
    std::uint32_t ordinal = 0;
    friend auto operator<=>(const RecordChoice&, const RecordChoice&) = default;
};
using RecordList = std::vector<std::uint32_t>;  // of Network::records
// None: left out. Texts are lines.
struct RecordFile {
    std::uint32_t index = 0;  // of Network::files
    friend auto operator<=>(const RecordFile&, const RecordFile&) = default;
};
// Nodes, whose addresses are not known yet; or, where `row` is none, addresses, or a prefix of IPv6, which has a
// length.
struct RecordRange {
    std::uint32_t row = abi::kNone;
    std::uint32_t first = 0, last = 0;  // elements of the row, or addresses
    AddressBits bits = 0;
    std::uint32_t length = abi::kNone;
    bool is_prefix() const { return length != abi::kNone; }
    friend auto operator<=>(const RecordRange&, const RecordRange&) = default;
};
using RecordRanges = std::vector<RecordRange>;
inline constexpr RecordRange kAnybody{abi::kNone, 0, 0xffffffff};  // of both families
using RecordValue = std::variant<ValueExprId, RecordChoice, DistributionValue, RecordList, RecordRanges, std::string,
                                 RecordFile, std::monostate>;
struct RecordInfo {
    std::uint32_t layout = 0;  // abi::record_layout
    std::vector<RecordValue> values;
    friend auto operator<=>(const RecordInfo&, const RecordInfo&) = default;
};
constexpr bool is_a(const RecordInfo& record, abi::RecordSchema schema)
{
    return record.layout == static_cast<std::uint32_t>(schema);
}

// What it says of an attribute; null: its layout has none of that name.
const RecordValue* find_value(const RecordInfo& record, std::string_view name);
RecordValue* find_value(RecordInfo& record, std::string_view name);
// The number, or what is drawn, of that name, which the record's layout has.
ValueExprId record_number(const RecordInfo& record, std::string_view name);
const DistributionValue& record_draw(const RecordInfo& record, std::string_view name);

// What the shortest path has least of.
enum class RouteMetric : std::uint8_t { delay, hops, cost };
constexpr const char* route_metric_name(RouteMetric metric)
{
    return metric == RouteMetric::delay ? "delay" : metric == RouteMetric::hops ? "hops" : "cost";
}

// When a link transmits: abi::TraceRow.
struct TraceInfo {
    std::string name;                                                 // of the file, as the model writes it
    std::shared_ptr<const std::vector<std::uint32_t>> opportunities;  // ms
    std::string path;                                                 // that it was read from
};

// What links of an array have alike.
struct LinkValues {
#define ANML_LINK_TRUTH(name, ...) bool name = false;
#define ANML_LINK_NUMBER(name, type, usual, ...) type name[2] = {usual, usual};
#include "base/link_attributes.def"
    // Carries nothing from b to a: that direction has its id nevertheless, but no route enters it.
    bool one_way = false;
    ValueExprId rate[2], delay[2], queue[2];  // per direction: [0] a->b, [1] b->a
    ValueExprId queue_packets[2];             // 0: as many as `queue`, in bytes, allows
    std::uint32_t discipline[2] = {abi::kNone,
                                   abi::kNone};  // index into records: what its queue has besides; none: drop-tail
    ValueExprId mtu, overhead;
    std::uint32_t trace[2] = {abi::kNone, abi::kNone};       // per direction: index into traces; its mean is the rate
    std::uint32_t impairment[2] = {abi::kNone, abi::kNone};  // per direction: index into records
    AsRelation relation{};                                   // of the left end's autonomous system to the right end's
    bool operator==(const LinkValues&) const = default;
};

struct LinkArray : LinkValues {
    std::string name;       // "net[3].edge", "hop[2]"
    bool is_array = false;  // true: elements are named name[i]
    std::shared_ptr<const KeySet> keys{};  // as of NodeArray
    std::uint32_t count = 1;
    std::uint32_t first_link = 0;  // directed id of element 0 a->b; element i: + 2i; b->a: + 1
    LinkEnd end[2];                // a (left), b (right)
    Span span;
    std::string element_name(std::uint32_t element) const
    {
        return is_array ? element_of_array(name, keys.get(), element) : name;
    }
};

struct Network;
// The mean, at those values of the tunables: of an expression over draws an estimate.
double mean_of(const Network& network, const DistributionValue& distribution, const std::vector<double>& tunables);

struct ServerInfo {
    NodeRowId node;
    std::uint32_t port = 0;
    std::uint32_t record = 0;  // index into records: what its schema says besides
};

// Real hosts of a subnet at an endpoint.
struct EndpointPrefix {
    std::uint32_t bits = 0, length = 0;
    abi::PrefixKind kind = abi::PrefixKind::on_link;
    Span span;
    std::uint64_t first() const { return bits; }
    std::uint64_t last() const { return bits + (std::uint64_t{1} << (32 - length)) - 1; }
};

struct EndpointInfo {
    std::string name;
    std::string doc;
    NodeRowId node;
    std::uint32_t server = abi::kNone;  // index into servers
    std::vector<EndpointPrefix> prefixes;
    Span span;
};

struct DocumentInfo {  // or a set of them: abi::DocumentRow
    std::string path;
    std::uint32_t count = 1;
    bool set = false;
    std::uint32_t seed = 1;
    DistributionValue size, choice;
    std::uint32_t record = abi::kNone;  // index into records: of those that are more than a Document
    std::uint32_t file = abi::kNone;    // index into files, which lists them
};

struct TargetRange {  // elements [first, first + count) of a node row
    NodeRowId row;
    std::uint32_t first = 0, count = 0;
};

// What the library's traits say of a workload; the enums are those of std.prelude.
enum class Transport : std::uint32_t { tcp, udp, icmp };
enum class Load : std::uint32_t { open, closed, greedy, served };
constexpr const char* transport_name(Transport transport)
{
    return transport == Transport::tcp ? "tcp" : transport == Transport::udp ? "udp" : "icmp";
}
constexpr const char* load_name(Load load)
{
    constexpr const char* kNames[] = {"open", "closed", "greedy", "served"};
    return kNames[static_cast<std::uint32_t>(load)];
}
struct WorkloadTraits {
    Transport transport{};
    bool answers = false;  // the peer sends data back
    Load load{};
    ValueExprId interval = 0;        // ns; open: from one exchange to the next, else from the end of one
    ValueExprId share = 0;           // of the time, in which an open one goes on
    ValueExprId request = 0;         // bytes of an exchange towards the peer, 0 of a greedy one: it never ends
    ValueExprId reply = 0;           // bytes back; where it asks for documents, these are the reply
    ValueExprId per_connection = 0;  // exchanges over a connection
    ValueExprId at_once = 0;         // exchanges that a host of a closed one has under way
    ValueExprId fragments = 0;       // whether datagrams may be cut
    ValueExprId fluid = 0;           // whether what it sends is a rate on the links, and no packet

    bool comes_back() const { return answers || transport == Transport::tcp; }  // acknowledgments count
    bool asks_server() const { return answers && transport == Transport::tcp; }
};

enum class AddressFamily : std::uint8_t { ipv4, ipv6 };  // std.prelude.AddressFamily

struct WorkloadInfo {
    std::string name;
    WorkloadTraits traits;
    std::vector<TargetRange> targets, peers;  // who does it, and whom they talk to; not empty
    abi::Pairing pairing{};
    std::uint32_t port = 0;
    std::vector<DocumentInfo> documents;
    std::uint32_t parts = 0;   // of the documents, the last: of the parts of pages
    std::uint32_t record = 0;  // index into records: what its schema says besides
    bool own_traits = false;   // they are not those of the library's schema
    abi::Start start = abi::Start::spread;
    Span start_spread_at;  // where its value stands; else invalid
    ValueExprId start_spread = 0;
    std::uint32_t dscp = 0;
    std::optional<AddressFamily> family{};  // as it is given
    bool ipv6 = false;                      // its packets are; elaborate/addressing/families.cpp
    Span span;
};

// Whether routes change with it: what begins an epoch.
constexpr bool acts_on_routes(abi::TimelineAttribute attribute)
{
    return attribute == abi::TimelineAttribute::up || attribute == abi::TimelineAttribute::cost;
}

// A condition on the network's paths that only routes can answer; its value is put in place of the placeholder tunable
// by resolve_requirements (route/route.h).
enum class PathFunction : std::uint8_t {
    rtt,
    hops,
    reachable,
    bottleneck,
    bdp,
    via,
    disjoint,
    disjoint_paths,
    path,
    load,
    max_load
};
std::string_view path_function_name(PathFunction function);

struct LinkSlice {  // elements [first, first + count) of a link row
    LinkRowId row;
    std::uint32_t first = 0, count = 0;
    friend bool operator==(const LinkSlice&, const LinkSlice&) = default;
};

struct PathQuery {
    PathFunction function{};
    std::uint32_t from = 0, to = 0;        // node ids
    std::uint32_t third = 0, fourth = 0;   // node ids; via: the node on the way; disjoint: the other two ends
    std::vector<std::uint32_t> between{};  // path: the node ids on the way, in order
    LinkSlice link{};                      // load: of which; count 0: no link is asked for
    abi::MeasurePhase direction{};         // load: up or down; whole: of that with more
    double time = 0;                       // ns: asked of the routes and links of that time
    Span span;
    // What is asked of links has no nodes.
    bool of_links() const { return function == PathFunction::load || function == PathFunction::max_load; }
};
// "load(core, up)", of what is asked of links.
std::string load_query_text(const Network& network, const PathQuery& query);
std::string percent_text(double share);  // "42.5 %"

// How long news of a change takes, ns: until the ends of what changed see it, over each link, and until who has heard
// has new routes.
struct Convergence {
    std::int64_t detection = 0, flooding = 0, computation = 0;
    friend bool operator==(const Convergence&, const Convergence&) = default;
};

// Nodes whose routes to each other have a metric of their own. No node is in two regions.
struct RoutingRegion {
    std::string name;  // of the instance: "net[3]", "" for what the model extends; or its own: "net[3].west"
    RouteMetric metric{};
    bool multipath = false;
    std::int64_t follow_delays = 0;  // ns: how often routes take up changed delays; 0: never
    Convergence convergence;
    std::vector<TargetRange> nodes;
    Span span;
    Span metric_at{};  // where its metric is given; invalid: it has the default
};

struct Network;
// Whether its attributes, or those of records that it lists, name nodes.
bool names_nodes(const Network& network, const RecordInfo& record);
// Whether its links share the air with others of a cell: one end has a radio, the other one is a host, and
// it is not said to be wired.
bool on_air(const Network& network, const LinkArray& link);
// An address of IPv4, or the handle of a node's that has IPv6 alone (abi::kIpv6Handles).
std::string address_text(const Network& network, std::uint32_t address);

// Packets at `source` for addresses [first, last] go on to `via`, its neighbour.
struct StaticRoute {
    std::uint32_t source = 0, via = 0;  // node ids
    std::uint32_t first = 0, last = 0;  // addresses: of a prefix, or of one node; of IPv6 handles
    double others = 0;                  // how many addresses it is for, less one: the fewer, the more it counts
    std::string written{};  // of a prefix that is not [first, last] alone, as those of IPv6, whose nodes are several
    Span span;
};

// What a packet passes: a router, or a link that the router sends on.
struct Segment {
    std::uint32_t node = 0;           // id
    std::uint32_t link = abi::kNone;  // directed; kNone: the segment ends at the node
    friend bool operator==(const Segment&, const Segment&) = default;
};

// Packets that pass `head` for addresses [first, last] take one of the lists that are for the same, by their weights.
struct SegmentRoute {
    StaticRoute to;                      // `source` is the head; `via` says nothing
    std::vector<TargetRange> sources{};  // whose packets; empty: everybody's
    std::optional<std::uint32_t> dscp{}, protocol{}, port{};  // of which packets; protocol: 1 ICMP, 6 TCP, 17 UDP
    std::vector<Segment> segments{};
    std::uint32_t weight = 1;
    std::uint32_t label_size = 4;  // bytes
    bool drop = false;             // while no list can be followed
};

constexpr const char* routed_protocol_name(std::uint32_t number)
{
    return number == 6 ? "tcp" : number == 17 ? "udp" : "icmp";
}

// A statement of the timeline, as far as it changes one attribute; see abi::TimelineRow and abi/timeline.h.
struct TimelineInfo {
    std::string subject;
    abi::TimelineAttribute attribute{};
    abi::TimelineForm form{};
    std::vector<LinkSlice> links;
    std::uint32_t directions = 3;          // of the links: bit 0: a to b, bit 1: back
    std::vector<TargetRange> nodes;        // that go up and down
    std::vector<std::uint32_t> workloads;  // indices
    ValueExprId first = 0, last = 0, step = 0;
    ValueExprId value = 0, value_to = 0;  // of a discipline: the index of its record
    DistributionValue draw;               // of an impairment, but in a ramp
    Span span;
    std::string instance;
};

// Which record a discipline becomes.
std::uint32_t record_index(const Network& network, const TimelineInfo& change);

// What is measured of a workload or a link, known when the run ends. Its placeholder is the tunable kFirstMeasure + its
// index.
inline constexpr std::uint32_t kFirstMeasure = 1u << 31;
struct MeasureInfo {
    abi::MeasureKind kind{};
    std::uint32_t of = 0;  // index into `measured`
    abi::MeasurePhase phase = abi::MeasurePhase::whole;
    // Of the run, ns: what ends from `from` on and before `until`. Nothing: of all that is measured.
    std::optional<ValueExprId> from{}, until{};
    bool of_part() const { return from || until; }
    friend auto operator<=>(const MeasureInfo&, const MeasureInfo&) = default;
};

// Workloads that something is measured of, together, or one of their requests; or a link, and no workload.
struct MeasuredWorkloads {
    std::string name;                      // "browse", "house[*].surf", "shop, \"login\"", "uplink[1]"
    std::vector<std::uint32_t> workloads;  // indices, ascending
    std::optional<LinkSlice> link{};
    std::string request{};  // the name of a request that a file has written out; "": all
};

// A statement's label: what `label house[i] { name = b.name }` says of one key. "" takes away what is said around.
struct LabelInfo {
    std::string key, value;
    std::vector<TargetRange> nodes;
    std::vector<LinkSlice> links;
    std::vector<std::uint32_t> workloads;  // indices
    std::vector<std::string> instances;    // paths
    std::string instance;                  // in which it is said
    Span span;
};

// `report by region, class`
struct ReportInfo {
    std::vector<std::string> keys;
};

// What an experiment varies: a parameter of the model, or an attribute of the experiment itself.
struct FactorInfo {
    std::string name;
    std::string about;       // what the parameter's `///` says
    bool tunable = false;    // set when the emulator starts
    bool attribute = false;  // of the experiment
    bool integer = false;
    bool boolean = false;
    Dimension dim{};
    std::vector<std::string> levels;  // as -D and --set read them; none: searched for
    std::vector<Span> places;         // of the levels; the text there is the level where `levels` has ""
    std::vector<double> values;       // of numbers, canonical
    double low = 0, high = 0;         // between which it is searched for, canonical
};

struct ExperimentInfo {
    std::string model;  // that it extends
    std::vector<FactorInfo> factors;
    std::uint32_t repetitions = 5;  // where the experiment says nothing of its runs
    std::uint64_t seed = 1;
    std::uint32_t batches = 0;  // of each run, that intervals come from; 0: they come from repetitions
    std::uint32_t stop = 0;     // levels of the last factor that do not meet what is required end it; 0: nothing does
    double within = 0;          // ns: no run begins later; 0: all do
    std::optional<double> precision;
    bool find_warmup = false;  // by pilot runs
    double resolution = 0.02;  // of what is searched for
    bool live = false;
    std::string server;  // of live runs
};

struct RequirementInfo {
    ValueExprId holds = 0;  // may contain ValueOp::tunable with index >= tunables.size(): path query index -
                            // tunables.size(), or a measure
    std::string message;
    std::string instance;  // path of the component instance, "" for the model
    Span span;
    bool implied = false;  // follows from what the language says of a value: nobody stated it
    std::string text{};    // of the condition, as it is written
    std::vector<std::pair<Span, std::string>> rounds{};  // of the loops around it, the innermost first: where, which
};

struct Network {
    std::string model_name, model_doc;
    Span declared;    // the model
    Span routing_at;  // its `routing`; invalid: it has none
    ValuePool values;
    std::vector<TunableInfo> tunables;
    std::vector<ParameterInfo> parameters;
    std::vector<NodeArray> nodes;
    std::vector<LinkArray> links;
    std::vector<RecordInfo> records;  // distinct
    std::vector<TraceInfo> traces;    // distinct
    std::vector<std::shared_ptr<const DataFile>> files;
    std::vector<std::string> task_names;  // paths: "core", "net[3].lan"
    std::vector<EndpointInfo> endpoints;
    std::vector<ServerInfo> servers;
    std::vector<WorkloadInfo> workloads;
    std::vector<PathQuery> queries;
    std::vector<MeasureInfo> measures;        // distinct
    std::vector<MeasuredWorkloads> measured;  // distinct
    std::optional<ExperimentInfo> experiment;
    std::vector<RequirementInfo> requirements;
    std::uint32_t node_count = 0;                   // expanded
    std::uint32_t directed_links = 0;               // expanded
    std::uint32_t pool_first = 0, pool_length = 8;  // of IPv4; a length of 33: none
    AddressBits ipv6_pool = 0;
    std::optional<std::uint32_t> ipv6_pool_length;  // none: there is no pool of IPv6
    bool ipv6_alone = false;                        // it is the only pool
    bool nodes_have_ipv6() const
    {
        return std::any_of(nodes.begin(), nodes.end(), [](const NodeArray& row) { return row.has_ipv6; });
    }
    std::uint32_t gateway = 0;  // 0 where there is no endpoint
    RouteMetric metric = RouteMetric::delay;
    bool multipath = false;          // equally short links share the flows
    std::int64_t follow_delays = 0;  // as a region's
    Convergence convergence;         // the same
    std::vector<RoutingRegion> regions;
    std::vector<StaticRoute> static_routes;
    std::vector<SegmentRoute> segment_routes;
    std::vector<TimelineInfo> timeline;  // in the order of the text
    std::vector<LabelInfo> labels;       // no element has two of one key
    std::vector<ReportInfo> reports;     // distinct
    ValueExprId duration = 0, warmup = 0;
};

// Whether routes take up delays that the timeline changes somewhere.
inline bool follows_delays(const Network& network)
{
    for (const RoutingRegion& region : network.regions)
        if (region.follow_delays != 0) return true;
    return network.follow_delays != 0;
}

// Whether somebody's routes change later than what they are about.
inline bool converges_late(const Network& network)
{
    for (const RoutingRegion& region : network.regions)
        if (region.convergence != Convergence{}) return true;
    return network.convergence != Convergence{};
}

struct CheckedProgram;  // check/checked_program.h

std::string measure_text(const Network& network, const MeasureInfo& measure);  // "p99(browse)"
// ", from = 30 s, until = 60 s", at the tunables' defaults; "": all that is measured.
std::string part_text(const Network& network, const MeasureInfo& measure);
// `part`: as part_text has it.
std::string measure_text(abi::MeasureKind kind, std::string_view of, abi::MeasurePhase phase, std::string_view part);

struct ElaborateOptions {
    std::string model;  // "" : the only model of the main file
    std::vector<std::pair<std::string, std::string>>
        defines;  // -D name=value, value in the language's own syntax ("4 ms", "4ms")
};

// The change that gives the model's `routing` an attribute: "metric = cost".
Edit routing_with(const Network& network, std::string_view attribute);

std::optional<Network> elaborate(const CheckedProgram& program, const ElaborateOptions& options,
                                 Diagnostics& diagnostics);
std::string dump_network(const Network& network);    // --emit=network: JSON
std::string verify_network(const Network& network);  // "" or what is broken

}  // namespace anml
