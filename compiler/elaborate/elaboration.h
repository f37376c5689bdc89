// The elaboration's state, and what its functions share. Those of a folder are declared in its header.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/range_index.h"
#include "check/checked_program.h"
#include "elaborate/name_table.h"
#include "elaborate/network.h"
#include "elaborate/report_once.h"
#include "elaborate/value.h"

namespace anml {

constexpr std::size_t kMaxSteps = 4'000'000;  // a network of more rows is a mistake
// Expressions in each other, through calls, and clauses of comprehensions. What a stack of 8 MB has room for.
constexpr std::size_t kDeepestExpression = 3000;

// A block of attributes while its values are computed, in whatever order `self` asks for them.
struct Construct {
    SchemaId schema;
    const std::vector<AttributeValue>* given = nullptr;
    const SchemaValue* base = nullptr;  // the profile that the block overrides
    Frame* frame = nullptr;             // of the given values
    LinkDirection direction{};          // of a link
    enum class State : std::uint8_t { untouched, active, done };
    std::vector<State> states;
    std::vector<Value> values;
    Span span;
};

struct ActiveOverride {
    const Override* override;
    std::size_t depth;  // how much of its path was entered
    Frame* frame;       // of its values
};

struct InstancePrefix {
    std::optional<PrefixValue> prefix, ipv6;  // at least one of them
    std::uint32_t outer;                      // around it: 0: the model's pool, n: prefixes[n - 1]
    std::string instance;
    Span span;
};

// Of links that a loop makes one after the other.
struct RunningLinks {
    const LinkStatement* statement = nullptr;
    const Frame* frame = nullptr;
    LinkRowId row;
    std::int64_t next = 0;  // index
};

struct NewRoute {
    StaticRoute route;
    TargetRange source, via;
    NodeSet to;                         // its destination, where it is nodes
    std::optional<PrefixValue> prefix;  // or addresses
};

struct NewSegment {
    TargetRange node;               // one
    std::optional<LinkSlice> link;  // one, which leaves the node ...
    std::uint32_t direction = 0;    // ... in this direction
    Span span;                      // of what names it
};

struct NewSegmentRoute {
    NewRoute to;
    Span head;  // of what names it
    SegmentRoute route;
    std::vector<NewSegment> segments;
};

// What was computed of a list last, by function: in a loop the same is asked again and again.
struct ListResult {
    std::shared_ptr<const ListValue> list;
    ValueExprId result;
};

// What functions returned that would be asked the same again, by function and arguments: numbers, and records by
// which they are, which stay.
struct CallHash {
    std::size_t operator()(const std::vector<std::uint32_t>& call) const;
};

struct Required {
    std::size_t first;  // of the network's requirements with this condition
    bool implied;
};

// The nodes of the last `nearest` by distance, as far as somebody asked for them: what lies before a cut is nearer
// than what lies behind it.
struct ByDistance {
    NodeSet nodes;
    TargetRange from;
    std::vector<std::pair<double, std::uint32_t>> order;  // distance, index in the selection
    std::vector<std::size_t> cuts;                        // ascending, from 0 to all
};

using QueryNodes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // rows and elements

struct Elaboration {
    Elaboration(const CheckedProgram& program, const ElaborateOptions& options, Diagnostics& diagnostics)
        : program(program), options(options), report{program, network, diagnostics}
    {
    }
    ValueExprId constant(double v) { return network.values.constant(v); }

    const CheckedProgram& program;
    const ElaborateOptions& options;
    Network network;
    ReportOnce report;
    std::set<std::pair<const ForStatement*, std::string>> reported_indices;
    std::set<std::uint32_t> shaping_tunables;  // reported
    std::deque<Frame> frames;        // of instances: by index in InstanceSet
    Construct* construct = nullptr;  // whose attributes `self` means
    bool in_trait = false;           // what is asked for is an estimate
    NameTable<Span> names;           // of node and link rows
    RunningLinks running;
    NameTable<unsigned> unnamed;  // links called a--b so far
    std::vector<ValuePool::Interval> tunable_ranges;
    std::vector<double> tunable_defaults;
    // Processes by what they were called with, so that equal calls are one.
    std::map<std::vector<std::uint32_t>, ValueExprId> processes;
    // Of links that do nothing to packets, by row and direction: what else they say of impairments.
    std::map<std::pair<std::uint32_t, std::uint32_t>, RecordInfo> resting;
    std::optional<RecordInfo> usual_impairment;
    std::set<std::pair<std::uint32_t, std::uint32_t>> held_back;  // links that say for how long: the same
    std::map<std::uint32_t, Span> own_tcp;                        // by node row: where its TCP was given
    std::unordered_map<std::uint32_t, std::uint32_t> servers;     // indices into the network's, by node row
    Span gateway_at;
    std::shared_ptr<const SchemaValue> default_tcp;  // of nodes without settings; null: nothing asked for it yet
    std::uint32_t default_record = abi::kNone;       // of the network's: the same; kNone: there was no such node
    // Of files by path, what they are read as, and whether lines may be left out: index into the network's.
    std::map<std::tuple<std::string, abi::FieldKind, bool>, std::optional<std::uint32_t>> data_files;
    std::vector<std::optional<std::uint32_t>> layouts;                   // by schema, of those that were asked for
    std::map<RecordInfo, std::uint32_t> records;                         // by what they are: index into the network's
    std::map<std::string, std::pair<ValueExprId, ValueExprId>> by_rate;  // by workload: payload, rate
    std::optional<Span> experiment_run_at;
    std::optional<Span> longest_at;                                      // where an experiment measures max_time
    std::vector<std::vector<std::pair<std::string, Span>>> report_keys;  // of `report by`, as they are written
    // Workloads that something is measured of, and of which of their requests: indices.
    std::map<std::pair<std::vector<std::uint32_t>, std::string>, std::uint32_t> measured;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> measured_links;  // by row and element: the same
    std::map<std::string, std::vector<std::uint32_t>> workload_arrays;  // by the array's name: the first so many
    std::uint32_t named_workloads = 0;
    std::map<MeasureInfo, std::uint32_t> measures;    // indices
    std::vector<std::pair<MeasureInfo, Span>> parts;  // measures of a part of the run
    std::optional<Span> part_at;                      // where an experiment has one
    ComponentId experiment;                           // that is elaborated, if it is one
    std::optional<Span> run_at, addressing_at, routing_at;
    // Indices into the network's path queries by what they ask.
    std::map<std::tuple<PathFunction, QueryNodes, double>, std::size_t> queries;
    RangeIndex<std::uint32_t> links_at;                   // rows of links by the nodes that they end at
    std::uint32_t known_links = 0;                        // rows in it
    double query_time = 0;                                // of path queries, ns
    std::vector<std::pair<double, Span>> required_times;  // of the timeline's requirements, ns
    std::vector<NewRoute> static_routes;
    std::vector<NewSegmentRoute> segment_routes;
    std::map<std::string, std::uint32_t, std::less<>> tasks;  // names in Network::task_names
    std::map<std::uint32_t, Value> tables;                    // as lists, by table
    const Component* component = nullptr;                     // whose body is elaborated
    std::size_t inside = 0;           // instances of passed components, around what is elaborated
    std::uint32_t task = abi::kNone;  // of those: where nodes are placed now
    std::size_t steps = 0;
    bool link_missing = false;               // one was not made, for an error
    const std::string* asked_key = nullptr;  // by which an element is being chosen
    bool skipped = false;                    // the body of an `if` or loop, for an error: what is missing may be in it
    std::vector<InstancePrefix> prefixes;
    std::optional<Span> prefix_at;        // the instance's own `addressing`
    std::vector<std::uint32_t> row_pool;  // by node row: 0: the model's pool, n: prefixes[n - 1]
    std::uint32_t pool = 0;               // of the instance being elaborated
    std::size_t first_row = 0;            // of the same
    // Regions are indices into the network's, or kNone: by node row, and of the instance being elaborated.
    std::vector<std::uint32_t> row_region;
    std::uint32_t region = abi::kNone;
    std::optional<Span> region_at;  // the instance's own `routing`
    std::vector<std::uint32_t> named_regions;
    std::map<Builtin, ListResult> list_results;
    std::size_t calls_made = 0;
    std::deque<Value> bound;  // names of comprehensions, the innermost last; where they are doesn't change
    std::size_t depth = 0;    // expressions in each other, through calls, and clauses of comprehensions
    std::unordered_map<std::vector<std::uint32_t>, ValueExprId, CallHash> known_calls;
    std::unordered_map<std::shared_ptr<const SchemaValue>, std::uint32_t> known_records;
    std::vector<ActiveOverride> overrides;             // of the instance being elaborated, the innermost first
    std::map<const Override*, bool> override_used;     // of those that were active
    std::map<ExprId, std::optional<Value>> fallbacks;  // nullopt: of those that must be evaluated each time
    ByDistance by_distance;
    std::map<ProfileId, std::shared_ptr<const SchemaValue>> module_profiles;
    std::map<ValueExprId, Required> required;
    std::set<std::tuple<ValueExprId, std::uint32_t, std::uint32_t, std::uint32_t>> required_at;  // with their places
};

}  // namespace anml
