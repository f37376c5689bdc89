// The model image: everything that a compiled emulator knows about its model.
//
// The compiler writes these structs into the generated object; the runtime reads them. They are
// plain, 4-byte aligned, little-endian, and refer to each other by index, never by pointer.
// A row stands for `count` identical things: element i of a row is computed from a base and a
// stride, so an image grows with what the model's text distinguishes, not with its expansion.
//
// Shapes. Dense ids number the expansion:
//   node id         0 .. nodes-1           row.first_node + element
//   link id         0 .. 2*links-1         directed: row.first_link + 2*element + direction
//                                          (direction 0 runs from end a to end b, 1 back)
//   stream id       a directed link's id, or `directed_links + node id` for a node's timers
//
// Units. Every quantity that may depend on a tunable is an index into the value table (`ValueId`),
// whose entries are doubles in canonical units: time in ns, size in bytes, rate in bit/s, length in
// m, ratios and counts plain. The generated function `bind` computes the table once, at start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace anml::abi {

inline constexpr std::uint32_t kMagic = 0x4c4d4e41;  // "ANML"
inline constexpr std::uint32_t kVersion = 38;
inline constexpr std::uint32_t kNone = 0xffffffffu;

using StringRef = std::uint32_t;  // byte offset into Image::strings, NUL-terminated there
using ValueId = std::uint32_t;    // index into the value table

// Rows [first, first + count) of the table that the field names.
struct Slice {
    std::uint32_t first;
    std::uint32_t count;
};

enum class NodeKind : std::uint32_t { host = 0, router = 1, switch_ = 2, endpoint = 3 };

// The language's keyword for the kind.
constexpr const char* node_kind_name(NodeKind kind)
{
    switch (kind) {
        case NodeKind::host:
            return "host";
        case NodeKind::router:
            return "router";
        case NodeKind::switch_:
            return "switch";
        case NodeKind::endpoint:
            return "endpoint";
    }
    return "node";
}

// `count` nodes of one declaration: net[3].client is one row of 4096 nodes.
struct NodeRow {
    StringRef name;  // path without the element's index: "net[3].client"
    NodeKind kind;
    std::uint32_t count;
    std::uint32_t is_array;    // 1: element i is called name[i]; 0: count is 1
    std::uint32_t first_node;  // node id of element 0
    // IPv4, host byte order, of element 0; element i has address + i; 0: none. Of nodes that have IPv6 alone the handle
    // of that (net/address/address.h): kIpv6Handles + first_node.
    std::uint32_t address;
    std::uint32_t table;         // row of `tables`: forwarding of element 0
    std::uint32_t endpoint;      // row of `endpoints`, or kNone
    std::uint32_t table_stride;  // 0 where all elements are attached alike, else 1: element e forwards by
                                 // tables[table + e * table_stride]
    std::uint32_t tcp;           // row of `records`; kNone: no TCP of its own (routers, switches)
    // Rows of `records`, kNone: none.
    std::uint32_t processing = kNone;   // how long it works on each packet
    std::uint32_t middlebox = kNone;    // what it does to packets that pass
    std::uint32_t icmp_limits = kNone;  // how many ICMP errors it sends
    std::uint32_t buffer = kNone;       // what its links share
    std::uint32_t radio = kNone;        // how its links to hosts share the air
    // IPv6 of element 0, four words from the first on; element i has i more. All 0: none; else the first is not.
    std::uint32_t ipv6[4] = {};
    // What all elements share with others, besides their own: of IPv4, or the handle of one of IPv6, whose four words
    // then follow; 0: none.
    std::uint32_t anycast = 0;
    std::uint32_t anycast_ipv6[4] = {};
    std::uint32_t keys = kNone;  // of an array whose elements have keys: row of `keys` of element 0, which others follow
};
static_assert(sizeof(NodeRow) == 100);

// Addresses of records' fields: sorted by `first`, disjoint. Behind them stand prefixes of IPv6, each in the place of
// three: its length + 1 and 0, which no range could be, and then its 128 bits, high words first.
struct AddressRange {
    std::uint32_t first;  // IPv4, host byte order
    std::uint32_t last;
};

// Handles of IPv6: of nodes, of groups, of what nodes share, and from 0xf0000000 on of external hosts.
inline constexpr std::uint32_t kIpv6Handles = 0xe0000000, kIpv6Groups = 0xef000000, kIpv6Shared = 0xefff0000;

// The values of a library schema's attributes, in the order of the fields that the runtime declares for it
// (abi/records.h): `schema` is its place in that list. Each field is so many words as abi::words_of says.
struct RecordRow {
    std::uint32_t schema;
    Slice words;
};

// `count` duplex links of one declaration.
struct LinkRow {
    StringRef name;  // path without the element's index: "net[3].edge"
    std::uint32_t count;
    std::uint32_t is_array;
    std::uint32_t node[2];     // node id of the ends of element 0: a, b
    std::uint32_t stride[2];   // added per element: 0 or 1
    std::uint32_t first_link;  // directed link id of element 0, direction 0
    ValueId rate[2];           // bit/s, per direction; > 0
    ValueId delay[2];          // ns, propagation
    ValueId queue[2];          // bytes, drop-tail: a packet that would make the backlog exceed it is dropped
    ValueId queue_packets[2];  // packets that may wait besides the one in transmission; 0: as many as `queue` allows
    ValueId mtu;               // bytes, IP packet
    ValueId overhead;          // bytes added to each packet when its transmission time is computed
    std::uint32_t one_way;     // 1: nothing is sent from b to a
    std::uint32_t wired = 0;   // 1: it is no air, whatever its ends are
    // Row of `records`, per direction: what it does to packets; kNone: it carries what it takes.
    std::uint32_t impairment[2] = {kNone, kNone};
    // Row of `traces`, per direction: what it transmits when; `rate` is the mean then. kNone: it transmits at `rate`.
    std::uint32_t trace[2] = {kNone, kNone};
    // Row of `records`, per direction: what decides besides the bounds of the queue; kNone: nothing does.
    std::uint32_t discipline[2] = {kNone, kNone};
    std::uint32_t transparent = 0;  // 1: between two endpoints, and what it carries are frames (packet_flag::frame)
    std::uint32_t keys = kNone;  // as of NodeRow
};
static_assert(sizeof(LinkRow) == 112);

// When a link transmits, as Mahimahi's traces say it: at each of the `opportunities` (ms, ascending, the last one above
// 0) up to kOpportunityBytes, then the same again from the last one's time on, for ever.
struct TraceRow {
    StringRef name;  // of the file, as the model writes it
    Slice opportunities;
};

inline constexpr std::uint32_t kOpportunityBytes = 1504;

// Where a packet goes from a node. For `dst` at element e of the node row, on directed link
//   link + dst * by_destination + e * by_element        (modulo 2^32)
// With `paths` above 1 there are so many links that are equally short: `link` is the row of `alternatives` where theirs
// begin, each to be completed in the same way; the packet's flow decides which one it takes.
struct NextHop {
    std::uint32_t link;
    std::uint16_t paths;
    std::uint8_t by_destination;  // 0 or 2
    std::uint8_t by_element;      // 0 or 2
};
static_assert(sizeof(NextHop) == 8);

// Packets for [first, last]: IPv4, host byte order, inclusive.
struct RouteRange {
    std::uint32_t first;
    std::uint32_t last;
    NextHop hop;
};
static_assert(sizeof(RouteRange) == 16);

// A node's forwarding. The ranges, sorted and disjoint, are asked first. What none of them holds may have a column
// (RouteColumn), by which the table has a code of `bits` bits, from bit column * bits of `codes[first_code ...]` on,
// the lowest bit of a byte first: n > 0 stands for row n - 1 of `hops`, 0 for network unreachable. With no bits, the
// code of every column is 1. Without hops columns don't count. A node's own address may have a next hop.
struct RouteTable {
    Slice ranges;
    Slice hops;
    std::uint32_t first_code;
    std::uint32_t bits;
};
static_assert(sizeof(RouteTable) == 24);

// Addresses that tables with columns don't tell apart, except in their ranges. Sorted by `first`, disjoint.
struct RouteColumn {
    std::uint32_t first;
    std::uint32_t last;
    std::uint32_t column;
};
static_assert(sizeof(RouteColumn) == 12);

// A segment that a packet has before it (RFC 8402), by Packet::segment; row 0 is none. Lists with equal ends share
// them.
struct SegmentRow {
    std::uint32_t node;     // where it ends; of a link the router that sends on it
    std::uint32_t address;  // of the node, as tables know it
    std::uint32_t link;     // directed; kNone: the segment is the shortest path to the node
    std::uint32_t next;     // row of the segment behind it; 0: none
    std::uint32_t bytes;    // of labels: what a packet is longer by as long as it has this segment before it
};

// A router that gives packets segments. `table`, row of `tables`, says which, by their destination: its next hops are
// rows of `segments` instead of links, 0 to give none, or kDropped. Sorted by `node`, then in the order in which they
// are asked: the first whose table has the destination decides.
struct SteeringRow {
    std::uint32_t node;
    std::uint32_t first_source, last_source;  // addresses: whose packets
    std::uint32_t table;
    std::uint32_t dscp, protocol, port;  // of which packets; kNone: of all. port: either one, of TCP or UDP
};

inline constexpr std::uint32_t kMostSegments = 256;  // rows, with that of none: Packet::segment has 8 bits
inline constexpr std::uint32_t kDropped = 0xffff;

// A code is read with the eight bytes around it: so many follow the last one.
inline constexpr std::uint32_t kCodePadding = 8;

// A real host, attached when the emulator runs live, or a network of them.
struct EndpointRow {
    StringRef name;
    StringRef doc;         // its `///` comment, or ""
    std::uint32_t node;    // node id
    std::uint32_t server;  // row of `servers` that stands in for it, or kNone
    // To and from it, per second, with the tunables' defaults: an estimate.
    double expected_packets = 0;
    // 1: the model sets its address, 0: it is from the pool.
    std::uint32_t addressed = 1;
    Slice prefixes = {0, 0};    // rows of `endpoint_prefixes`
    std::uint32_t padding = 0;  // so that each byte is said
};

// Where the real hosts of a subnet are. on_link: on the Ethernet segment that is attached. bridged: on that of one of
// the endpoints which have the same prefix. routed: behind the endpoint's host.
enum class PrefixKind : std::uint32_t { on_link = 0, bridged = 1, routed = 2 };

constexpr const char* prefix_kind_name(PrefixKind kind)
{
    return kind == PrefixKind::on_link ? "on-link" : kind == PrefixKind::bridged ? "bridged" : "routed";
}

// No two overlap, but bridged ones of several endpoints that are the same. Of nodes' addresses a prefix has only those
// of endpoints whose own it is.
struct EndpointPrefixRow {
    std::uint32_t first;  // IPv4, host byte order
    std::uint32_t length;
    PrefixKind kind;
};

enum class DistributionKind : std::uint32_t { constant = 0, uniform = 1, exponential = 2, computed = 3 };

// A random quantity. constant: a. uniform: [a, b). exponential: mean a. computed: what samplers[a] returns, which has b
// words of state for each that uses it.
struct Distribution {
    DistributionKind kind;
    ValueId a;
    ValueId b;  // kNone where the kind has one parameter
};

// A sample of an expression over random draws. It takes its numbers from `draws` (rt::Draws), its parameters from the
// value table, and keeps what it has to remember in `state`, zeros before the first sample.
using Sampler = double (*)(void* draws, const double* values, double* state);

// What all simulated servers have. What is a schema's own is its record.
struct ServerRow {
    std::uint32_t node;  // node id it runs on
    std::uint32_t port;
    std::uint32_t record;  // row of `records`
};

// A document that a workload asks for, or a set of them.
struct DocumentRow {
    StringRef path;        // "/1024"; of a set: what its documents' paths begin with
    std::uint32_t count;   // of documents
    std::uint32_t set;     // 1: their sizes are drawn when the emulator starts, and which one is asked for each time
    std::uint32_t seed;    // of the sizes
    Distribution size;     // bytes of body
    Distribution choice;   // 1 .. count
    std::uint32_t record;  // row of `records`: prowgen, specweb99 or list; kNone: none
    std::uint32_t file;    // row of `files` that lists them; kNone: none does
};

// What a request asks with, in the order of the library's enum.
enum class Method : std::uint32_t { GET, HEAD, POST, PUT, DELETE, PATCH, OPTIONS };
constexpr std::string_view kMethodNames[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"};
constexpr std::string_view kMethodList = "GET, HEAD, POST, PUT, DELETE, PATCH and OPTIONS";  // in messages
constexpr std::optional<Method> method_named(std::string_view name)
{
    for (std::uint32_t i = 0; i < std::size(kMethodNames); ++i)
        if (kMethodNames[i] == name) return static_cast<Method>(i);
    return std::nullopt;
}

// A file that was read when the model was compiled.
struct FileRow {
    StringRef name;
    Slice documents;        // of `file_documents`: those of a list, or that a log's requests ask for
    Slice arrivals;         // of `arrivals`, of a log or times
    std::uint32_t clients;  // 1 + the largest of them; 0 where it names none
    std::uint32_t skipped;  // lines that could not be read
};
struct FileDocument {
    std::uint64_t size;    // bytes of body
    double weight;         // how often it is asked for, beside the others'
    StringRef path;        // of its URL
    std::uint32_t status;  // of the response
    Method method;
    std::uint32_t hash;     // row of `hashes`, the body's SHA-256; kNone: not known
    std::uint32_t request;  // row of `requests`; kNone: it is not written out
    std::uint32_t padding = 0;  // so that each byte is said
};
static_assert(sizeof(FileDocument) == 40);
// A request that a file has written out.
struct WrittenRequest {
    StringRef name;
    StringRef authority;  // of its field Host; kNone: the workload's
    StringRef fields;     // other ones of its head, between them '\n'
    StringRef body;       // with any bytes
    std::uint32_t body_length;
    std::uint32_t grpc;  // 1: it is a call of gRPC
    StringRef script;  // what a run makes of it, and looks for in its response (request_script.h); kNone: nothing
    StringRef rows;    // of the table that the run takes from; kNone: from none
    StringRef group;   // by whose name it is counted, too; kNone: by none
    std::uint32_t thinks;  // 1: behind its response passes a time between these, in the place of the workload's
    std::uint64_t least_think, most_think;  // ns
    StringRef origin;       // that its URL names, "https://shop.example:8443"; kNone: a path
    std::uint32_t padding;  // so that each byte is said
};
struct Sha256 {
    std::uint8_t bytes[32];
};
// A transaction that begins when a file says it.
struct Arrival {
    std::uint64_t at;  // ns
    std::uint32_t client;
    std::uint32_t document;  // its number in the file, or, of times, among the workload's documents; kNone: not said
};

// Nodes [first_node, first_node + count) that do a workload, or that it talks to.
struct TargetRow {
    std::uint32_t first_node;
    std::uint32_t count;
};

// When a host begins: somewhere in its rhythm (app/phase.h), or uniformly within start_spread.
enum class Start : std::uint32_t { phase = 0, spread = 1 };
constexpr const char* start_name(Start start) { return start == Start::phase ? "phase" : "spread"; }

// Which peer a host talks to. in_order: the i-th to the i-th, all to a single one. permutation: each to another one,
// drawn from the seed. random: each draws one. round_robin: the i-th of n to the (i mod n)-th. nearest: to the anycast
// address that all peers share. Never to itself. multicast: each host sends to a group of all peers
// (net/node/multicast.h). by_request: to the first, and to the one of the others whose origin a request's URL names.
enum class Pairing : std::uint32_t { in_order = 0, permutation, random, round_robin, nearest, multicast, by_request };

constexpr const char* pairing_name(Pairing pairing)
{
    constexpr const char* kNames[] = {"in_order", "permutation", "at_random", "round_robin",
                                      "nearest",  "multicast",   "by_request"};
    return kNames[static_cast<std::uint32_t>(pairing)];
}

// What all workloads have. What is a schema's own is its record.
struct WorkloadRow {
    StringRef name;
    Slice targets;  // rows of `targets`: the hosts that do it
    Slice peers;    // rows of `targets`: the nodes that they talk to; by request one row each, the server's first
    Pairing pairing;
    std::uint32_t transport;  // IP protocol that it sends
    std::uint32_t port;       // of the peers; 0: the protocol has none
    std::uint32_t receives;   // 1: peers take whatever comes to the port; 0: an application listens there, or nobody
    Slice documents;          // rows of `documents`: of the web, asked for in turn
    std::uint32_t parts;      // of these rows, the last: of the parts of pages
    ValueId start_spread;     // ns: a host begins uniformly within it; `start` spread
    Start start;
    std::uint32_t record;         // row of `records`
    std::uint32_t traffic_class;  // of what it sends: DSCP, above two bits for ECN
    std::uint32_t ipv6;           // 1: its packets are of IPv6
};

enum class Unit : std::uint32_t { none = 0, time, size, rate, length, integer };

// A parameter of the model. Tunables keep their range and stay settable; fixed ones are for show.
struct ParameterRow {
    StringRef name;
    StringRef doc;
    Unit unit;
    std::uint32_t tunable;    // index among the tunables = argument order of `bind`, or kNone: fixed by -D
    double value;             // default, canonical unit
    double minimum, maximum;  // inclusive; +-infinity where open
    StringRef word;           // what it is, if that is no number; kNone
    std::uint32_t padding;    // so that each byte is said
};

// A `require` that depends on a tunable: `holds` is a value (0: violated).
struct RequirementRow {
    ValueId holds;
    StringRef message;
    StringRef where;  // "file:line:column"
};

// What is measured of a workload or a link. The values of a threshold have it in `bind`'s arguments, behind the
// tunables, in the unit that measures.def says; it is not a number before the run's end.
enum class MeasureKind : std::uint32_t {
#define ANML_MEASURE(name, unit) name,
#include "measures.def"
};

constexpr const char* measure_name(MeasureKind kind)
{
    constexpr const char* kNames[] = {
#define ANML_MEASURE(name, unit) #name,
#include "measures.def"
    };
    return kNames[static_cast<std::uint32_t>(kind)];
}

constexpr Unit measure_unit(MeasureKind kind)
{
    constexpr Unit kUnits[] = {
#define ANML_MEASURE(name, unit) Unit::unit,
#include "measures.def"
    };
    return kUnits[static_cast<std::uint32_t>(kind)];
}

constexpr bool is_of_link(MeasureKind kind) { return kind >= MeasureKind::queue_delay; }

// Of what times are, of transactions of the web: all of them, or a part of each; or the pages that they make up. Of
// flows how many times as long they took as alone: a plain number. Of links one direction, or that of both which has
// more of it.
enum class MeasurePhase : std::uint32_t { whole = 0, connect, tls, first_byte, transfer, page, slowdown, up, down };

constexpr const char* kMeasurePhases[] = {"",     "connect",  "tls", "first_byte", "transfer",
                                          "page", "slowdown", "up",  "down"};
constexpr bool is_direction(MeasurePhase phase) { return phase >= MeasurePhase::up; }

constexpr Unit measure_unit(MeasureKind kind, MeasurePhase phase)
{
    return phase == MeasurePhase::slowdown ? Unit::none : measure_unit(kind);
}

// What a measure has to be above or below: the other side of its comparison, where no measure stands there.
struct MeasureBound {
    ValueId value;            // kNone: there is none
    std::uint32_t inclusive;  // 1: it may be as much
};

// Of several workloads it is what they come to together. Of a link `measured` has its direction 0.
struct MeasureRow {
    MeasureKind kind;
    MeasurePhase phase;
    StringRef of;     // "browse", "house[*].surf", "shop, \"login\""
    Slice workloads;  // of `measured`, at least one, and one link; measures of the same ones share them
    StringRef request;  // of theirs the one of that name; kNone: all
    ValueId from, until;  // ns: of what ends in this part of the run; kNone: from the warm-up on, to the end
    MeasureBound above, below;
};

// A `require` on measures, judged when the run ends.
struct ThresholdRow {
    ValueId holds;
    StringRef text;     // the condition, as it is written
    StringRef message;  // where it does not hold
    StringRef where;    // "file:line:column"
    Slice measures;     // those that it asks for: no other has them
};

// The name that the model gives nodes [first, first + count), by their ids, or links, by the ids of their direction 0.
// Sorted, disjoint; what has none is in no row.
struct NameRow {
    std::uint32_t first;
    std::uint32_t count;  // of elements
    StringRef name;
};

// A label of a workload. Sorted by workload, then by key.
struct WorkloadLabelRow {
    std::uint32_t workload;
    StringRef key;
    StringRef value;
};

// `report by`: transactions of the web told apart by labels.
struct ReportRow {
    Slice keys;    // of `report_words`
    Slice labels;  // the same: one for each key, of each group; "" of all further ones together
    Slice hosts;   // of `report_slices`: by workload
};

// Whose transactions are in a group.
struct ReportHostsRow {
    std::uint32_t first_node;
    std::uint32_t count;
    std::uint32_t group;
};

// The partition: nodes [first_node, first_node + count) belong to `task`. Sorted by first_node, covering every node
// once. Every link between two tasks has a positive delay over the whole range of the tunables.
struct TaskRow {
    std::uint32_t first_node;
    std::uint32_t count;
    std::uint32_t task;        // 0 .. task_count - 1
    std::uint32_t weight = 1;  // of the whole task, relative to the others': expected events
};

// What a statement of the timeline changes. `cost` acts on routes only, which the compiler knows. From `active` to
// `sending_rate` it is of workloads. `impairment` is the first field of that record, and the numbers behind it are the
// next ones (abi/timeline.h); `draw` is the value, but in a ramp.
enum class TimelineAttribute : std::uint32_t {
    up,
    rate,
    delay,
    queue,
    queue_packets,
    discipline,
    cost,
    active,
    share,
    load,
    sending_rate,
    impairment,
};

// once: at `first`. every: at `first` and each `step` later, up to `last`. interval: from `first` on; what it changed
// returns at `last`. ramp: from `value` at `first` to `value_to` at `last`, changing each `step`.
enum class TimelineForm : std::uint32_t { once, every, interval, ramp };

// A link counts as down while itself or one of its ends is.
enum class TimelineCause : std::uint32_t { itself, end_a, end_b };

// up, rate ...: links [first, first + count), numbered as LinkRow's elements are: `first` is the directed id of the
// first one's direction 0. active, share ...: rows of `workloads`.
struct TimelineTarget {
    std::uint32_t first;
    std::uint32_t count;
    TimelineCause cause;
    std::uint32_t directions;  // of links: bit 0: direction 0, bit 1: direction 1
};

struct TimelineRow {
    StringRef subject;  // "hop[2]", "net[0].edge[0] and 31 more"; "": a row before it says what happens
    TimelineAttribute attribute;
    TimelineForm form;
    Slice targets;                                               // rows of `timeline_targets`
    ValueId first, last;                                         // ns; `last` and `step` count where the form has them
    ValueId step;                                                // ns
    ValueId value;                                               // up, active: 1 or 0
    ValueId value_to;                                            // of a ramp
    Distribution draw = {DistributionKind::constant, 0, kNone};  // of an impairment
};

// From `time` on (ns), `changes` (rows of `table_changes`) and `columns` (rows of `column_changes`) hold besides those
// before. The first epoch, at the start, is none of these. Sorted by time, whatever the tunables' values.
struct EpochRow {
    ValueId time;
    Slice changes;
    Slice columns;
};

struct TableChange {
    std::uint32_t table;  // row of `tables`
    RouteTable content;
};
static_assert(sizeof(TableChange) == 28);

// What a destination's column says is another thing in these tables: rows of `code_changes`. Columns that change in the
// same way share them.
struct ColumnChange {
    std::uint32_t column;
    Slice codes;
};

struct CodeChange {
    std::uint32_t table;  // row of `tables`, which has hops and bits
    std::uint32_t code;
};

struct Image {
    std::uint32_t magic;
    std::uint32_t version;
    double expected_hops;  // packet-hops per second, as EndpointRow::expected_packets; 0 without an endpoint
    StringRef model_name;
    StringRef model_doc;
    StringRef source_file;  // as given to the compiler
    StringRef compiler;     // version text
    std::uint32_t nodes;
    std::uint32_t directed_links;
    std::uint32_t pool_first;   // address pool of the model: the prefix real hosts route to the gateway
    std::uint32_t pool_length;  // prefix length; above 32 there is no pool of IPv4
    std::uint32_t gateway;      // the emulator's own address, 0 where there is no endpoint
    ValueId duration;           // ns
    ValueId warmup;             // ns
    std::uint32_t value_count;
    std::uint32_t tunable_count;
    std::uint32_t string_bytes;

#define ANML_TABLE(row, rows, count) std::uint32_t count;
#include "image_tables.def"
    std::uint32_t task_count, sampler_count;  // the pointers begin at a multiple of their size

    const char* strings;
#define ANML_TABLE(row, rows, count) const row* rows;
#include "image_tables.def"
    const Sampler* samplers;
    // Computes all `value_count` values from the tunables, in the order of ParameterRow::tunable, and the measures.
    void (*bind)(const double* arguments, double* values);
};

}  // namespace anml::abi

// The generated object defines it; the runtime's main finds it by this name.
extern "C" const anml::abi::Image anml_image;
