// Stage 3: the program with its names resolved and its types known. Nothing is instantiated: a component's body is
// still one list of statements, a loop still a loop.
//
// Expressions, statements and declarations are flat vectors with typed ids. A body (of a component or a profile) has
// numbered slots: parameters, lets, loop variables, nodes and instances; elaboration gives each instance of the body a
// frame of that many values. Numbers are in canonical units.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/address.h"
#include "base/files/link_trace.h"
#include "base/ids.h"
#include "base/key_set.h"
#include "base/values/quantity.h"
#include "runtime/abi/image.h"

namespace anml {

using ExprId = Id<struct ExprTag>;
using StatementId = Id<struct StatementTag>;
using SchemaId = Id<struct SchemaTag>;
using EnumId = Id<struct EnumTag>;
using ProfileId = Id<struct ProfileTag>;
using FunctionId = Id<struct FunctionTag>;
using ComponentId = Id<struct ComponentTag>;
using ProcessId = Id<struct ProcessTag>;
using TableId = Id<struct TableTag>;

enum class TypeKind : std::uint8_t {
    error,  // unknown, after an error or at a hole: fits everything
    boolean,
    integer,
    number,  // with `dim`
    trace,   // a rate that a file says
    string,
    file,  // that data is read from
    address,
    prefix,
    enumeration,  // ref: EnumId
    schema,       // ref: SchemaId
    node,         // ref: abi::NodeKind, or kNone for any
    instance,     // ref: ComponentId
    link,
    workload,
    component,  // ref: ComponentId; a component that extends it, passed to one that makes an instance of it
};

struct Type {
    TypeKind kind = TypeKind::error;
    Dimension dim{};
    std::uint32_t ref = abi::kNone;
    std::uint8_t array = 0;  // node, instance, link, workload: how many indices are still to be given
    bool many = false;       // node, instance, link, workload: chosen by a wildcard or slice
    bool random = false;     // boolean, integer, number: drawn anew each time
    bool tolerance = false;  // such a number, uniform: `20 ms ± 2 ms`; numbers may be compared with it
    bool list = false;       // a list of such values
    bool or_trace = false;   // number: of an attribute that takes a trace too
    bool any = false;        // number: of whatever dimension, a parameter of a function
    // Index into the program's keyings: of an array for each index that is still to be given, of a list or a selection
    // for its elements, of a string the keys of which it is one. 0: there are none.
    std::uint32_t keys = 0;
    friend bool operator==(const Type&, const Type&) = default;
};

enum class ExprKind : std::uint8_t {
    error,
    number,         // value, also for booleans and integers
    string,         // index into strings
    file,           // index into files
    address,        // index: IPv4
    prefix,         // index: IPv4, value: length
    address6,       // index into ipv6
    prefix6,        // index into ipv6, value: length
    enum_value,     // index: ordinal
    local,          // index: slot
    own_attribute,  // self.x: index of the attribute
    attribute,      // [0].x of a schema value: index of the attribute
    direction,      // [0].up or [0].down of a link's value: index is a LinkDirection
    member,         // [0].x of an instance: index is the slot there
    element,        // [0][ [1] ]
    every,          // [0][*]
    slice,          // [0][ [1] .. [2] ], index 1: half-open
    negate,
    not_,
    binary,  // index: ValueOp; value: factor that makes a product or quotient canonical
    conditional,
    call,       // index: Builtin
    profile,    // index: ProfileId; an operand per parameter, invalid where its default holds
    process,    // index: ProcessId; the same
    function,   // index: FunctionId; the same
    table,      // index: TableId: a list of its rows
    cell,       // index: column, of the row that is being made
    component,  // index: ComponentId, passed as a value; an operand per parameter, invalid where the instance gives it
    list,
    comprehension,  // index: of the program's; operands: the element, then three for each clause, see Comprehension
    bound,          // a name of a comprehension: index counts from the one that was bound last, 0
};

struct Expr {
    ExprKind kind = ExprKind::error;
    Type type;
    Span span;
    std::uint32_t index = 0;
    double value = 0;
    std::uint32_t first_operand = 0, operand_count = 0;
};

// The functions that the language has built in. rtt, hops, reachable and bottleneck ask for paths and stand only in
// `require`.
enum class Builtin : std::uint8_t {
#define ANML_BUILTIN(id, usage) id,
#include "check/expressions/builtins.def"
};
std::string_view builtin_name(Builtin builtin);
std::string_view builtin_usage(Builtin builtin);
inline bool is_path_function(Builtin b) { return b >= Builtin::rtt; }
inline bool is_measure(Builtin b) { return b >= Builtin::p50 && b <= Builtin::losses; }
inline abi::MeasureKind measure_kind(Builtin b)
{
    return static_cast<abi::MeasureKind>(static_cast<int>(b) - static_cast<int>(Builtin::p50));
}
Dimension dimension_of_measure(abi::MeasureKind kind, abi::MeasurePhase phase);
inline bool is_link_measure(Builtin b) { return is_measure(b) && abi::is_of_link(measure_kind(b)); }
// Whether a second argument may be a direction.
inline bool is_of_link(Builtin b) { return is_link_measure(b) || b == Builtin::load; }
// Whether a second argument may say which phase of a workload's transactions, or which direction of a link.
inline bool has_phases(Builtin b)
{
    return is_link_measure(b) || (is_measure(b) && abi::measure_unit(measure_kind(b)) == abi::Unit::time);
}
// `from` and `until` of `p95(browse, from = 30 s, until = 60 s)`.
bool is_end_of_part(Builtin builtin, std::string_view name);
// What a call of a measure, or of `load`, has in Expr::value: a phase, and which of the ends of a part of the run are
// its last operands.
inline constexpr std::uint32_t kHasFrom = 1u << 8, kHasUntil = 1u << 9;
constexpr abi::MeasurePhase phase_in(double value)
{
    return static_cast<abi::MeasurePhase>(static_cast<std::uint32_t>(value) & (kHasFrom - 1));
}
constexpr bool has_end(double value, std::uint32_t end) { return (static_cast<std::uint32_t>(value) & end) != 0; }
// Behind what is measured stand the name of a workload's request, and a phase.
inline std::size_t most_of_measure(Builtin b) { return is_link_measure(b) || !has_phases(b) ? 2 : 3; }
std::string measures_there_are();  // "p50, p90, ... of a workload, and queue_delay, ... of a link"
inline bool is_distribution(Builtin b) { return b >= Builtin::constant && b <= Builtin::empirical; }
std::optional<Builtin> find_builtin(std::string_view name);
// A letter for each argument of a distribution: v is a value as it draws them, n a plain number. "" for those that take
// something else.
std::string_view distribution_arguments(Builtin distribution);

// `[x * 2 for x in list if x > 1]`. Of each clause the operands are the list, or the least number; the greatest, of a
// range; and the condition. Invalid ones are not there.
struct Comprehension {
    struct Clause {
        bool counted = false;    // binds the element's number, then the element
        bool half_open = false;  // of a range
    };
    std::vector<Clause> clauses;
};

struct ValueRange {  // `in low .. high`; invalid ids where there is none
    ExprId low, high;
    bool half_open = false;
};

// What a declaration says of its values besides their type.
struct Limits : ValueRange {
    std::uint32_t least = 0, most = 0xffffffffu;  // elements of a list or selection
    std::string pattern;                          // of a string; "": any
};

struct Attribute {
    std::string name, doc;
    Type type;
    bool optional = false;
    bool required = false;  // has no default and is not optional
    Limits range;
    ExprId fallback;
    bool fallback_asks_self = false;  // other attributes of the construct
    bool steps = false;               // the timeline may change it at once ...
    bool ramps = false;               // ... and step by step
    Span span;                        // of its name
};

// Under which name the runtime changes an attribute of links; nothing: it cannot.
std::optional<abi::TimelineAttribute> changed_as(std::string_view attribute);

// What a schema tells the stages behind this one of its values.
enum class Trait : std::uint8_t {
#define ANML_TRAIT(name, schema, type, demanded) name,
#include "check/schemas/traits.def"
};
std::string_view trait_name(Trait trait);

struct RequireStatement {
    ExprId condition;
    std::string message;  // where it is a literal or made up
    ExprId computed;      // or else what computes it
    std::string text;     // of the condition
};

struct SchemaRequirement {
    RequireStatement require;
    Span span;
};

struct SchemaTrait {
    Trait trait{};
    ExprId value;
    SchemaId schema;  // that declares it
    Span span;        // of its name
};

struct Schema {
    std::string name, full_name, doc;  // "Link", "std.prelude.Link"; the main file's have no module
    SchemaId base;
    std::vector<Attribute> attributes;            // inherited ones first
    std::vector<SchemaRequirement> requirements;  // inherited ones first
    std::vector<SchemaTrait> traits;              // inherited ones too, which its own replace
    Span span;                                    // of its name
    bool extra = false;                           // tables may have columns that it does not know
    const SchemaTrait* find(Trait wanted) const;  // nullptr: it has none of that name
};

struct Enum {
    std::string name, full_name, doc;
    std::vector<std::string> values;
    std::vector<Span> value_spans;
    Span span;
};

struct Parameter {
    std::string name, doc;
    Type type;
    Limits range;
    ExprId fallback;
    ExprId defined;         // what -D says instead
    bool required = false;  // has no default
    bool tunable = false;
    std::uint32_t slot = 0;
    std::uint32_t like = abi::kNone;  // of a function: the parameter whose dimension it has; of `quantity` itself
    Span span;
};

// Which direction of a link an attribute is given for: up runs from the left end to the right.
enum class LinkDirection : std::uint8_t { up, down, both };

struct AttributeValue {
    std::uint32_t attribute = 0;
    ExprId value;
    Span span;  // of its name
    LinkDirection direction = LinkDirection::both;
    bool asks_self = false;  // other attributes of the construct
};

struct Profile {
    std::string name, full_name, doc;
    SchemaId schema;
    std::vector<Parameter> parameters;
    ExprId base;  // the profile that has the other attributes; invalid: none
    std::vector<AttributeValue> attributes;
    std::uint32_t slot_count = 0;  // of its own frame; unused where local
    ComponentId owner;             // the component that it is declared in and whose frame it uses; invalid at top level
    Span span;
};

// A random process: variables that each of its users keeps, and what it draws.
struct Process {
    struct Variable {
        std::string name;
        Type type;
        ExprId initial, next;
        std::uint32_t slot = 0;
        Span span;  // of its name
    };
    std::string name, full_name, doc;
    std::vector<Parameter> parameters;
    Type type;  // of what it draws
    std::vector<Variable> variables;
    ExprId yield;
    std::uint32_t slot_count = 0;
    Span span;
};

// A pure function: an expression over its parameters. One that takes quantities of any dimension is here as it was
// declared, for dimensions that are left open, and once more for each dimensions that it is called with.
struct Function {
    std::string name, full_name, doc;
    std::vector<Parameter> parameters;
    Type type;
    ExprId body;
    std::uint32_t slot_count = 0;
    std::uint32_t like = abi::kNone;  // the parameter whose dimension its result has
    bool generic = false;             // as it was declared, with parameters of any dimension
    bool asks_paths = false;          // so that it stands in `require` only
    bool asks_measures = false;       // so that it stands in a `require` of the whole run only
    bool recursive = false;           // calls itself, directly or through others
    Span span;
};

// Rows of a file, each a value of a schema.
struct Table {
    struct Cell {
        double number = 0;        // a number, truth, ordinal, address; of IPv6 an index into ipv6
        bool ipv6 = false;        // an address or a prefix
        std::uint32_t index = 0;  // of a string, or of a profile's expression; a prefix's length
        bool given = false;       // else the default holds
        Span place;
    };
    std::string name, full_name, doc;
    SchemaId schema;
    std::uint32_t keys = abi::kNone;      // of its rows: index into the program's key sets
    std::vector<AttributeValue> columns;  // each given by an expression of the kind `cell`, whose place is the header
    std::vector<Cell> cells;              // row by row
    std::vector<Span> rows;
    Span span;
};

// Other values for a node, link or workload of a component: from outside an instance, or in a component that extends
// it.
struct Override {
    std::vector<std::string> path;  // "uplink", "lan.uplink"; "run" and the like in a model that extends another
    ExprId profile;                 // of a link
    SchemaId schema;                // of the attributes: what is known of the target here
    std::vector<AttributeValue> attributes;
    Span span;
};

// Behind the name of a declaration: in a loop which element of an array it makes, then how many.
struct Brackets {
    std::vector<ExprId> numbers, counts;
    std::vector<std::uint32_t> keys;  // of each of them: index into the program's key sets, or kNone
    std::uint8_t size() const { return static_cast<std::uint8_t>(numbers.size() + counts.size()); }
};

struct NodeStatement {
    abi::NodeKind kind{};
    std::string name;
    std::uint32_t slot = 0;
    Brackets brackets;
    std::vector<AttributeValue> attributes;
    // Where `index` is while the attributes are evaluated, once for each element; kNone: `position` doesn't ask for it.
    std::uint32_t index_slot = abi::kNone, key_slot = abi::kNone;  // `key`: the same
    std::string doc;
};

struct InstanceStatement {
    ComponentId component;
    std::string name;
    std::uint32_t slot = 0;
    Brackets brackets;
    std::vector<ExprId> arguments;  // by parameter; invalid where its default holds
    std::uint32_t index_slot =
        abi::kNone;  // of an array: where `index`, the element's number, is while they are evaluated
    std::uint32_t key_slot = abi::kNone;
    std::vector<Override> overrides;
    ExprId passed;  // the component, where a parameter says which; then `component` is what it extends
};

struct PortStatement {  // a name for the outside
    std::uint32_t slot = 0;
    ExprId value;
    std::uint32_t keys = abi::kNone;  // of a foreign graph's nodes: index into the program's key sets
};

struct LinkStatement {
    std::string name;                 // "" where unnamed
    bool one_way = false;             // ->
    std::vector<ExprId> numbers;      // its indices
    std::vector<std::uint32_t> keys;  // of each of them, as of Brackets
    ExprId left, right;
    ExprId profile;
    SchemaId schema;  // of the attributes: the profile's
    std::vector<AttributeValue> attributes;
    // Of links of several elements: where `index` and `key` are while profile and attributes are evaluated, once for
    // each; kNone where they don't ask for it.
    std::uint32_t index_slot = abi::kNone, key_slot = abi::kNone;
    std::uint32_t slot = abi::kNone;  // of its name, which links with other indices share; kNone where nothing uses it
};

struct LetStatement {
    std::uint32_t slot = 0;
    ExprId value;
};

struct ForStatement {
    std::uint32_t slot = 0;
    std::uint32_t number_slot = abi::kNone;  // of the element's number, where the loop names it
    ValueRange range;
    ExprId over;       // instead of a range: a list, or a selection of nodes, instances or links
    ExprId condition;  // of `while`: where the loop ends before its range does
    std::vector<StatementId> body;
};

struct IfStatement {
    ExprId condition;
    std::vector<StatementId> then, otherwise;
};

struct WorkloadStatement {
    std::string name;
    std::vector<ExprId> numbers;      // in a loop: its indices
    std::vector<std::uint32_t> keys;  // of each of them, as of Brackets
    SchemaId schema;
    ExprId on;
    std::vector<AttributeValue> attributes;
    std::uint32_t slot = abi::kNone;  // of its name; kNone where nothing uses it
};

struct RunStatement {
    bool of_experiment = false;
    std::vector<AttributeValue> attributes;
};

// `vary clients in [1, 2]` or `search load in 1 .. 100`, in an experiment.
struct FactorStatement {
    std::string name;
    std::uint32_t parameter = abi::kNone;  // of the experiment
    std::uint32_t attribute = abi::kNone;  // of Experiment, where it is no parameter
    ExprId levels;                         // a list; invalid: searched for
    ExprId low, high;                      // between which
};

// `label home[i], surf[i] { name = "x" }`
struct LabelValue {
    std::string key;
    ExprId value;  // a string
    Span span;
};
struct LabelStatement {
    std::vector<ExprId> subjects;  // nodes, instances, links and workloads
    std::vector<LabelValue> labels;
};

// `report by region, class`
struct ReportStatement {
    std::vector<std::pair<std::string, Span>> keys;
};

// `measure p99(browse)`, in an experiment.
struct MeasureStatement {
    ExprId measured;
};

struct AddressingStatement {
    bool of_component = false;  // a prefix for an instance
    std::vector<AttributeValue> attributes;
};

struct RoutingStatement {
    bool of_component = false;  // of an instance, where it has no name
    std::string name;           // of a region
    Span named;                 // where the name stands
    ExprId nodes;               // its nodes
    std::vector<AttributeValue> attributes;
};

// `route a to 10.1.0.0/16 via b`, or by segments: `via [b, link, c] { weight = 2 }`
struct StaticRouteStatement {
    ExprId source, destination;
    ExprId via;                    // invalid where it is by segments
    std::vector<ExprId> segments;  // nodes and links
    std::vector<AttributeValue> attributes;
};

// A change of one attribute, in the block of a timeline's statement.
struct ActionStatement {
    ExprId object, other;  // `other`: of `a -- b`, the links between the two
    abi::TimelineAttribute attribute{};
    std::uint32_t declared = abi::kNone;  // attribute of Link that is set; kNone: of a workload, or up, down, on, off
    ExprId value;                         // in a ramp the first one; invalid: `on` says it
    ExprId last;                          // in a ramp
    bool on = false;                      // up or on; not down or off
    LinkDirection direction = LinkDirection::both;
    Span span;
};

struct TimelineStatement {
    abi::TimelineForm form{};
    ExprId first, last, step;                // times; invalid where left out
    std::uint32_t number_slot = abi::kNone;  // of `every`: where the number of the time is; kNone: it has no name
    std::vector<ActionStatement> actions;
    std::vector<std::pair<RequireStatement, Span>> requirements;
};

struct Statement {
    Span span;                        // of its name, or of its keyword where it has none
    std::uint32_t task = abi::kNone;  // of a node or instance: index into the program's tasks
    std::variant<NodeStatement, InstanceStatement, LinkStatement, LetStatement, ForStatement, IfStatement,
                 WorkloadStatement, RequireStatement, RunStatement, AddressingStatement, RoutingStatement,
                 StaticRouteStatement, TimelineStatement, PortStatement, FactorStatement, MeasureStatement,
                 LabelStatement, ReportStatement>
        form;
};

struct Member {  // what `instance.name` can mean
    std::string name;
    std::uint32_t slot = 0;
    Type type;
    Span span;
    bool let = false;  // which a component that extends it may declare anew
};

struct Component {
    std::string name, full_name, doc;
    bool is_model = false;
    bool is_experiment = false;          // extends a model, whose parameters it has
    ComponentId base;                    // that it extends: its slots are the first ones here
    std::vector<ExprId> base_arguments;  // by parameter of the base; invalid where its default holds
    std::vector<Override> overrides;     // of the base
    std::vector<Parameter> parameters;
    std::vector<StatementId> body;
    std::vector<Member> members;
    std::vector<Member> numbered;  // of its own body: arrays whose elements loops make, also if they make none
    std::uint32_t slot_count = 0;
    Span span;      // of its name
    Span declared;  // all of it, to its closing brace
};

struct TaskName {  // of `@task("name")`
    std::string name;
    Span span;
};

// A file as the text names it, and where it was found.
struct NamedFile {
    std::string name, path;
    Span span;
};

struct CheckedProgram {
    std::vector<Expr> expressions;
    std::vector<ExprId> operands;
    std::vector<AddressBits> ipv6;  // addresses and prefixes of IPv6 that the text has
    std::vector<std::string> strings;
    std::vector<Comprehension> comprehensions;
    std::vector<Statement> statements;
    std::vector<TaskName> tasks;  // by annotation
    std::vector<Schema> schemas;
    std::vector<Enum> enums;
    std::vector<Profile> profiles;
    std::vector<Process> processes;
    std::vector<Table> data_tables;       // of `table`
    std::vector<std::shared_ptr<KeySet>> key_sets;
    std::vector<std::vector<std::uint32_t>> keyings{{}};  // by index that is still to be given: a key set, or kNone
    std::vector<EmpiricalTable> tables;   // of `empirical`
    std::vector<std::string> data_files;  // that were read for values, by path
    std::vector<NamedFile> files;         // that attributes name
    std::vector<LinkTrace> traces;        // of `trace`
    std::vector<Function> functions;
    std::vector<Component> components;
    std::vector<bool> library_files;       // by FileId: of the standard library
    std::vector<ComponentId> models;       // of the main file
    std::vector<ComponentId> experiments;  // of the main file
    // The schemas that the language itself gives a meaning to.
    SchemaId link, queue, host, router, switch_, endpoint, run, addressing, component_addressing, routing, segment_list,
        workload, experiment;

    const Expr& expr(ExprId id) const { return expressions[id.value]; }
    // Of the next index; kNone: it is a number alone.
    std::uint32_t keys_index(const Type& type) const
    {
        return keyings[type.keys].empty() ? abi::kNone : keyings[type.keys].front();
    }
    std::shared_ptr<const KeySet> key_set(std::uint32_t index) const
    {
        return index == abi::kNone ? nullptr : key_sets[index];
    }
    std::shared_ptr<const KeySet> keys_of(const Type& type) const { return key_set(keys_index(type)); }
    std::span<const ExprId> operands_of(const Expr& e) const
    {
        return {operands.data() + e.first_operand, e.operand_count};
    }
    const Statement& statement(StatementId id) const { return statements[id.value]; }
    const Schema& schema(SchemaId id) const { return schemas[id.value]; }
    const Profile& profile(ProfileId id) const { return profiles[id.value]; }
    const Function& function(FunctionId id) const { return functions[id.value]; }
    const Component& component(ComponentId id) const { return components[id.value]; }
    SchemaId find_schema(std::string_view full_name) const;       // invalid if there is none
    bool derives(SchemaId schema, SchemaId base) const;           // also from itself
    bool extends(ComponentId component, ComponentId base) const;  // also itself
    bool asks_self(ExprId id) const;                              // for an attribute of the construct that it stands in
    SchemaId node_schema(abi::NodeKind kind) const;
};

// Whether the wildcard (or slice) of a selection of nodes runs over instances, and whether it runs over an array of
// nodes.
struct Selection {
    bool instances = false, nodes = false;
};
Selection selection_of(const CheckedProgram& program, ExprId id);

// What a network is made of, which selections choose from.
inline bool is_part(const Type& type)
{
    return type.kind == TypeKind::node || type.kind == TypeKind::instance || type.kind == TypeKind::link ||
           type.kind == TypeKind::workload;
}

// Nodes or instances that were chosen before, in their order: no array, but indexed as a list is.
bool is_flat(const Type& type);

// What is said where a list has too few or too many elements.
std::string cardinality_message(std::string_view name, const Limits& limits, std::size_t found);

// "time", "int", "`Link`", "an array of hosts": for messages.
inline Type node_type(abi::NodeKind kind) { return {.kind = TypeKind::node, .ref = static_cast<std::uint32_t>(kind)}; }
std::string type_name(const CheckedProgram& program, const Type& type);
// With its article: "a time", "an int".
std::string a_type(const CheckedProgram& program, const Type& type);

}  // namespace anml
