// The elaborator's working state, shared by the files of this folder: each holds the members for one kind of construct.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/range_index.h"
#include "check/checked_program.h"
#include "elaborate/name_table.h"
#include "elaborate/network.h"
#include "elaborate/network_checks.h"
#include "elaborate/topology/numbered.h"
#include "elaborate/value.h"
#include "elaborate/workloads/balancers.h"

namespace anml {

struct UrlOrigin;

// An instance of a component (the model is one), or the arguments of a profile.
struct Frame {
    std::string path;  // "net[3]"; "" for the model
    std::vector<Value> slots;
};

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

class Elaborator {
  public:
    Elaborator(const CheckedProgram& program, const ElaborateOptions& options, Diagnostics& diagnostics)
        : program_(program), options_(options), diagnostics_(diagnostics)
    {
    }
    std::optional<Network> run();

  private:
    // elaborate.cpp
    std::optional<ComponentId> choose_model();
    Diagnostics::Builder report(Diag diag, Span span, std::string message);  // once per place, in the current instance
    std::string path(std::string_view name) const;                           // of a name in the current instance
    // Of a place in the standard library, the place in the user's text that led there.
    Span users_place(Span span) const;
    Span leading_from(Span use) { return std::exchange(led_from_, of_library(use) ? led_from_ : use); }
    ValueExprId constant(double v) { return network_.values.constant(v); }

    // parameters.cpp
    void model_parameters(const Component& model);
    void tunable(const Parameter& parameter, Value value, Frame& frame);
    void show_parameter(const Parameter& parameter, const Value& value, std::uint32_t tunable);
    void unknown_defines(const Component& model);
    ValuePool::Interval constant_range(const ValueRange& range, Frame& frame);

    // evaluate.cpp, mathematics.cpp, selections.cpp
    Value evaluate(ExprId id, Frame& frame);
    Value worked_out(ExprId id, Frame& frame);
    // The same, of a name without a copy: it may stand for very many. Else it is kept in `own`.
    const Value& seen(ExprId id, Frame& frame, Value& own);
    Value binary(const Expr& e, Frame& frame);
    Value within_tolerance(const Value& value, const Value& tolerance, bool inside);
    Value conditional(const Expr& e, Frame& frame);
    Value call(const Expr& e, Frame& frame);
    Value mathematics(const Expr& e, Builtin function, Frame& frame);
    Value draw(const Expr& e, Frame& frame);
    Value path_query(const Expr& e, Builtin function, Frame& frame);
    Value measure(const Expr& e, Builtin function, Frame& frame);
    std::optional<LinkSlice> asked_link(const Expr& e, Frame& frame);
    Value measured_link(const Expr& e, Builtin function, Frame& frame);
    Value load_query(const Expr& e, Builtin function, Frame& frame);
    Value measure_of(const MeasureInfo& wanted);
    ExprId request_operand(const Expr& e) const;
    bool take_part(const Expr& e, Frame& frame, MeasureInfo& wanted);
    void check_parts();
    std::vector<std::uint32_t> measured_workloads(const Expr& e, Frame& frame);
    bool measured_alike(const WorkloadInfo& a, const WorkloadInfo& b) const;
    std::optional<std::string> measured_request(const Expr& e, Frame& frame);
    bool ask_for(const std::string& request, const std::vector<std::uint32_t>& workloads, Span at);
    Value select(const Expr& e, Frame& frame);
    Value select_flat(const Value& object, const Expr& e, std::int64_t low, std::int64_t high, Span place);
    Value select_in(const Value& object, const Expr& e, std::int64_t low, std::int64_t high, Span place);
    bool grows(const Expr& e) const;
    bool missing_element(const Expr& e, Span place);  // false: it was not asked for by its key
    Value member(const Expr& e, Frame& frame);
    Value not_made(const Expr& e, const Frame& inside);
    const Value* port_of_one(const Expr& e, Frame& frame);
    Value port_value(const InstanceSet& set, const Expr& e);
    Value node_list(const Expr& e, Frame& frame);
    Value checked(ValueExprId id, Span span);  // not finite: an error
    Value function_call(const Expr& e, Frame& frame);
    Value body_of(const Function& f, Frame& own);
    bool remembers(const Function& f) const;
    Value remembered(std::uint32_t function, Frame& own);
    Value link_bdp(const Expr& e, Frame& frame);

    // comprehensions.cpp
    Value comprehension(const Expr& e, Frame& frame);
    bool clause(const Expr& e, std::size_t index, Frame& frame, std::vector<Value>& out);
    bool round(const Expr& e, std::size_t index, Value number, Value element, Frame& frame,
               std::vector<Value>& out);

    // lists.cpp
    Value of_list(const Expr& e, Builtin function, Frame& frame);
    ValueExprId folded(ValueOp op, std::span<const ValueExprId> numbers);
    Value length(const Expr& e, Builtin function, Frame& frame);
    Value list_part(const ListValue& list, const Expr& e, Frame& frame);
    Value list_operation(ValueOp op, const Value& left, const Value& right, Span place);
    bool fits_list(std::size_t count, Span place);
    ValueExprId equal(const Value& left, const Value& right);  // of one type, which can be compared

    // strings.cpp
    Value string_operation(ValueOp op, const std::string& left, const std::string& right, Span place);
    Value text(const Expr& e, Frame& frame);
    std::optional<ValueExprId> number(ExprId id, Frame& frame);
    std::optional<ValueExprId> number_in(const Value& value);  // what it computes or draws; nullopt: nothing
    // A number that may not depend on a tunable; `what` says for what it is wanted.
    std::optional<std::int64_t> shape(ExprId id, Frame& frame, std::string_view what);
    void report_shape(ValueExprId id, Span span, std::string_view what);
    std::vector<std::uint32_t> tunables_in(ValueExprId id) const;

    Value trace(const LinkTrace& trace);  // links.cpp
    // tables.cpp
    Value table(const Expr& e);
    Value cell(const Expr& e);
    Span cell_place(Span span) const;

    // distributions.cpp
    Value drawn(ValueExprId id);  // a number, or a distribution where it draws
    ValueExprId expression_of(const DistributionValue& value);
    std::optional<std::pair<ValueExprId, ValueExprId>> scaled_means(ValueOp op, const Value& left, const Value& right);
    Value distribution_call(const Expr& e, Builtin function, Frame& frame);
    // `places`: of the arguments.
    Value distribution(Builtin function, const std::vector<ValueExprId>& given, const std::vector<Span>& places);
    Value mixture(const Expr& e, Frame& frame);
    Value cumulative(const Expr& e, Frame& frame);  // cumulative.cpp
    Value process(const Expr& e, Frame& frame);
    bool argument_holds(ValueExprId holds, std::string message, Span place);

    // fixed_values.cpp
    bool is_fixed(ExprId id) const;
    Value fallback(const Attribute& attribute);
    // The value of a module's profile without arguments, or with an error; nullptr: it is none.
    std::shared_ptr<const SchemaValue> module_profile(ExprId id);

    // schema_values.cpp
    std::shared_ptr<const SchemaValue> schema_value(SchemaId schema, const std::vector<AttributeValue>& given,
                                                    Frame& frame, const SchemaValue* base, Span span,
                                                    std::string_view what);
    bool has_all(const SchemaValue& base, SchemaId checked, const std::vector<AttributeValue>& given,
                 std::string_view what);
    // One direction of a link's value; all of any other.
    std::shared_ptr<const SchemaValue> directed_value(SchemaId schema, const std::vector<AttributeValue>& given,
                                                      Frame& frame, const SchemaValue* base, Span span,
                                                      std::string_view what, LinkDirection direction);
    Value attribute(Construct& construct, std::uint32_t index);
    Value attribute_value(const Expr& e, Frame& frame);
    Value profile(const Expr& e, Frame& frame);
    Value profile_value(const Profile& p, std::span<const ExprId> arguments, Frame& frame, Span span);
    std::shared_ptr<Definition> definition(const Schema& schema, const std::vector<AttributeValue>& given, Frame& frame,
                                           const SchemaValue* base) const;
    Value inherited(const Construct& construct, std::uint32_t index, bool& again);
    struct Argument {
        std::optional<Value> value;  // none: the default holds
        Span place;
    };
    void bind_values(const std::vector<Parameter>& parameters, std::vector<Argument> given, Frame& inner, Span span);
    void bind_parameters(const std::vector<Parameter>& parameters, std::span<const ExprId> arguments, Frame& outer,
                         Frame& inner, Span span);
    bool check_random_range(const DistributionValue& value, ValueExprId low, ValueExprId high, std::string_view limits,
                            const Type& type, std::string_view name, Span span, Span declared);
    // A distribution that is worked out anew each time stays within the range.
    Value within(const Value& value, const ValueRange& range, Frame& frame, Span span);
    bool check_range(const Value& value, const Limits& range, const Type& type, std::string_view name, Span span,
                     Span declared, Frame& frame, bool implied = false);
    bool of_library(Span declared) const;
    bool check_limits(const Value& value, const Limits& limits, std::string_view name, Span span, Span declared);
    void require(ValueExprId holds, std::string message, Span span, bool implied = false, std::string text = "");
    const Value& attribute_of(const SchemaValue& value, std::string_view name) const;
    ValueExprId number_of(const SchemaValue& value, std::string_view name) const;
    DistributionValue distribution_of(const SchemaValue& value, std::string_view name);
    // records.cpp
    // Index into the network's records; kNone: the schema has no layout. `computed`: numbers that are not as given.
    std::uint32_t layout_of(SchemaId schema);
    using ComputedNumbers = std::map<std::string_view, ValueExprId>;
    std::uint32_t record_of(const SchemaValue& value, const ComputedNumbers& computed = {});
    RecordList records_of(const Value& values);  // of a list, or the one that stands for it
    RecordInfo record_values(std::uint32_t layout, const SchemaValue& value, const ComputedNumbers& computed = {});
    RecordRanges ranges_of(const Value& value, Span span);
    // shaped_classes.cpp
    void shaped_classes(const RecordInfo& record, Span span);
    std::uint32_t shared_record(RecordInfo record);  // index into the network's

    // data_files.cpp
    // Index into the network's files of what an attribute names; nullopt: none is named, or an error was reported.
    std::optional<std::uint32_t> data_file(const SchemaValue& value, std::string_view name, abi::FieldKind kind);
    RecordValue file_of(const SchemaValue& value, const abi::RecordField& field);
    bool listed_documents(const SchemaValue& value, DocumentInfo& document);
    bool has_asked_documents(const SchemaValue& value, const WorkloadInfo& info);
    bool replayed(const SchemaValue& value, WorkloadInfo& info);
    bool has_hashes(const SchemaValue& value, Span place, const WorkloadInfo& info);
    bool speaks_grpc(const SchemaValue& value, Span place, const WorkloadInfo& info);
    void replay_interval(const SchemaValue& value, WorkloadInfo& info);

    // statements.cpp
    void execute(const std::vector<StatementId>& body, Frame& frame);
    static constexpr std::size_t kMaxSteps = 4'000'000;  // a network of more rows is a mistake
    bool step(const Statement& at);                      // false: that were more statements than a model may make
    // Of what is done for each of so many elements. False, and an error, where that alone is too much.
    bool within_budget(std::uint64_t count, Span place, std::string_view what);
    void place(const TaskName& task);  // what follows is in it
    void instance(const InstanceStatement& s, const Statement& at, Frame& frame);
    std::uint32_t make_instance(const InstanceStatement& s, const Statement& at, Frame& frame,
                                const Component& component, std::span<const std::int64_t> numbers);
    static constexpr std::size_t kMostInstances = 2'000'000;
    void run_statement(const RunStatement& s, const Statement& at, Frame& frame);
    // experiments.cpp
    void experiment_run(const RunStatement& s, const Statement& at, Frame& frame);
    void factor(const FactorStatement& s, const Statement& at, Frame& frame);
    bool is_possible(const Value& value, ExprId written, const FactorStatement& s, Frame& frame);
    void measured(const Value& value, const Statement& at);
    void check_experiment(const Component& model);
    std::string level(const Value& value, ExprId written, const FactorInfo& factor);
    void addressing(const AddressingStatement& s, const Statement& at, Frame& frame);
    bool once(std::optional<Span>& first, const Statement& at, std::string_view keyword);

    // passed_components.cpp
    Value passed_component(const Expr& e, Frame& frame);
    const Component& component_of(const InstanceStatement& s, Frame& frame);
    void bind_instance(const InstanceStatement& s, const Component& component, Frame& frame, Frame& inner, Span span);

    // numbered.cpp: arrays whose elements are made one by one
    struct Dimensions {
        std::vector<std::int64_t> numbers, counts;
    };
    // A number, or the place of a key among `keys`. `what` says for what it is wanted.
    std::optional<std::int64_t> index(ExprId id, const KeySet* keys, Frame& frame, std::string_view what);
    std::shared_ptr<const KeySet> keys_of_chosen(const Value& value, const Type& array);
    std::optional<Dimensions> dimensions(const Brackets& brackets, std::string_view name, Frame& frame);
    std::optional<std::vector<std::int64_t>> numbers(const std::vector<ExprId>& ids, std::string_view name,
                                                     Frame& frame);
    void empty_arrays(const Component& component, Frame& frame);  // that loops will fill
    void add_numbered(Value& array, std::span<const std::int64_t> numbers, Value element, bool whole,
                      std::string_view name, std::span<const std::uint32_t> keys, Span place);
    std::string bracketed(std::string_view name, std::span<const std::int64_t> numbers,
                          std::span<const std::uint32_t> keys) const;
    void set_index(std::uint32_t slot, std::uint32_t key_slot, std::span<const std::int64_t> place,
                   std::span<const std::uint32_t> keys, Frame& frame);
    Value select_numbered(const NumberedArray& array, const Expr& e, std::int64_t low, std::int64_t high, Span place);

    // loops.cpp
    void loop(const ForStatement& s, const Statement& at, Frame& frame);
    bool iterate(const ForStatement& s, const Statement& at, Value element, std::int64_t number, Frame& frame);
    // Of what a loop runs over, whose type is that: null where its elements have none.
    std::shared_ptr<const KeySet> keys_in(const Value& over, const Type& type) const;
    Value number_or_key(const KeySet* keys, std::int64_t number);

    // components.cpp: extension and overrides
    struct ActiveOverride {
        const Override* override;
        std::size_t depth;  // how much of its path was entered
        Frame* frame;       // of its values
    };
    void body(const Component& component, Frame& frame, Span span);
    std::vector<ActiveOverride> entering(const std::vector<ActiveOverride>& active, std::string_view instance) const;
    void activate(const std::vector<Override>& overrides, Frame& frame);
    // Those of what the current instance calls `name`, in the order in which they apply.
    std::vector<ActiveOverride> overrides_of(std::string_view name);
    std::shared_ptr<const SchemaValue> overridden(std::string_view name, std::shared_ptr<const SchemaValue> value,
                                                  std::string_view what);
    void report_unused_overrides();

    // positions.cpp
    std::optional<NodePosition> position(const SchemaValue& node_attributes, const Statement& at);
    Value distance(const Expr& e, Frame& frame);

    // nearest.cpp
    Value nearest(const Expr& e, Frame& frame);
    bool measure(const NodeSet& nodes, const TargetRange& from, const Expr& e);

    // nodes.cpp, tcp.cpp, links.cpp, workloads.cpp
    void node(const NodeStatement& s, const Statement& at, Frame& frame);
    std::optional<TargetRange> node_row(const NodeStatement& s, const Statement& at, Frame& frame,
                                        const Dimensions& made, bool array, std::uint32_t ahead);
    bool own_addresses(const SchemaValue& attributes, const NodeStatement& s, const Statement& at, NodeArray& group);
    bool joins(NodeRowId row, const NodeArray& last) const;
    TargetRange join_last(NodeRowId row);
    void endpoint(const SchemaValue& attributes, NodeRowId row, const Statement& at);
    // endpoint_prefixes.cpp
    bool endpoint_prefixes(const SchemaValue& attributes, EndpointInfo& info, const Statement& at);
    void check_endpoint_prefixes();
    const ServerInfo* server_of(NodeRowId row) const;                            // nullptr: none is simulated
    std::uint32_t tcp(const SchemaValue& node_attributes, const Statement& at);  // index into the network's records
    // node_records.cpp: what else it is, of its attributes that are records.
    void node_records(const SchemaValue& node_attributes, NodeArray& group);
    void idle_processor(const SchemaValue& processing);
    void queue_on_air(const LinkArray& link, int direction);
    void link(const LinkStatement& s, const Statement& at, Frame& frame);
    void link_row(std::string name, bool is_array, std::shared_ptr<const KeySet> keys, std::uint32_t count,
                  const LinkEnd& left, const LinkEnd& right, const SchemaValue& attributes, bool one_way, Span span);
    // joined_links.cpp
    struct RunningLinks {
        const LinkStatement* statement = nullptr;
        const Frame* frame = nullptr;
        LinkRowId row;
        std::int64_t next = 0;  // index
    } running_;                 // of links that a loop makes one after the other
    bool joins_links(const LinkStatement& s, const Frame& frame, std::int64_t index, Span span);
    // impairments.cpp: index into the network's records; kNone where packets arrive as they were sent.
    std::uint32_t impairment_of(const SchemaValue& link, std::uint32_t row, std::uint32_t direction);
    DistributionValue reorder_delay_of(ValueExprId mtu, ValueExprId overhead, ValueExprId rate);
    const RecordInfo& usual_impairment();             // of a link that says nothing of it, but for `reorder_delay`
    void impair_at_rest(const TimelineInfo& change);  // the links that get impairments later
    std::string unnamed(const TargetRange& left, const TargetRange& right, bool is_array);
    void workload(const WorkloadStatement& s, const Statement& at, Frame& frame);
    struct MadeWorkload {
        std::uint32_t workload = 0;  // index
        std::vector<std::int64_t> numbers;
    };
    std::optional<MadeWorkload> add_workload(const WorkloadStatement& s, const Statement& at, Frame& frame);
    Value select_links(const LinkSet& set, const Expr& e, std::int64_t low, std::int64_t high, Span place);
    bool documents(const SchemaValue& value, std::string_view attribute, const WorkloadStatement& s,
                   WorkloadInfo& info);
    bool web(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    bool matches_server(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info, NodeRowId row,
                        std::uint32_t port);
    // balancers.cpp
    void balancer(const SchemaValue& value, const NodeArray& group);
    bool matches_balancer(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info, NodeRowId row,
                          const Balancer& balancer, bool web);
    bool asked(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);

    // origins.cpp
    void server_of_all_hosts(const SchemaValue& value, const WorkloadInfo& info);
    bool origins(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    bool answers_there(const WorkloadInfo& info, NodeRowId row, const UrlOrigin& origin,
                       const std::function<Span()>& place);
    Span place_in_file(const std::string& path, std::size_t begin, std::size_t end, Span otherwise);

    // calls.cpp
    bool runs_there(const WorkloadStatement& s, const WorkloadInfo& info);
    bool calls(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    bool sends_to_group(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info);
    bool relays(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    void unused_of_calls(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info);
    bool headers(const Value& list, Span place);  // header_fields.cpp
    bool document(const SchemaValue& value, Span place, WorkloadInfo& info);
    // A number that no tunable may decide; nothing: an error was reported.
    std::optional<std::uint32_t> fixed_number(const SchemaValue& value, std::string_view name, Span place,
                                              std::string_view what);
    Span place_of(const std::vector<AttributeValue>& attributes, SchemaId schema, std::string_view name,
                  Span otherwise) const;
    Span place_of(const WorkloadStatement& s, std::string_view name, Span otherwise) const;
    bool claim(const std::string& name, Span span);
    void number_queries();  // evaluate.cpp

    // traits.cpp
    Value given(const Expr& e, Frame& frame);
    Value mean(const Expr& e, Frame& frame);
    Construct finished(const SchemaValue& value) const;
    Value trait(Construct& construct, Trait trait);
    bool manner(const SchemaValue& value, WorkloadTraits& traits);
    bool amounts(const SchemaValue& value, WorkloadTraits& traits);

    // traffic.cpp
    static constexpr double kHeadersIpv4 = 28, kHeadersIpv6 = 48;  // bytes, IP and UDP
    ValueExprId interval_of(ValueExprId payload, ValueExprId rate, double headers);
    std::optional<ComputedNumbers> interval_by_rate(const SchemaValue& value, const WorkloadStatement& s,
                                                    const WorkloadInfo& info);
    // flows.cpp
    std::shared_ptr<const SchemaValue> with_interval(std::shared_ptr<const SchemaValue> value,
                                                     const WorkloadStatement& s, const WorkloadInfo& info);
    bool peers(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    bool nearest_is_known(const WorkloadInfo& info, Span place, std::string_view otherwise);
    bool is_server(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info, NodeRowId row);

    // labels.cpp
    void label(const LabelStatement& s, Frame& frame);
    void report_by(const ReportStatement& s, const Statement& at);
    bool check_labels();
    bool tells_apart(const std::vector<std::size_t>& labels) const;

    // timeline.cpp, static_routes.cpp
    void timeline(const TimelineStatement& s, const Statement& at, Frame& frame);
    bool timeline_times(const TimelineStatement& s, const Statement& at, Frame& frame, TimelineInfo& info);
    void action(const ActionStatement& a, TimelineInfo info, Frame& frame);
    bool follows_trace(const TimelineInfo& info);
    bool keeps_other_discipline(const TimelineInfo& info, std::uint32_t record);
    bool action_targets(const ActionStatement& a, Frame& frame, TimelineInfo& info);
    std::vector<LinkSlice> links_between(const TargetRange& a, const TargetRange& b);  // two nodes
    // workload_changes.cpp
    bool workload_stays(const TimelineInfo& info);
    void change_workload(const ActionStatement& a, TimelineInfo info, Frame& frame);
    void numbered_times(const TimelineStatement& s, const Statement& at, Frame& frame, TimelineInfo info);
    void requirement_at(const TimelineStatement& s, const Statement& at, ValueExprId time, Frame& frame);
    void finish_timeline();  // what needs the run's duration
    void static_route(const StaticRouteStatement& s, const Statement& at, Frame& frame);
    void finish_static_routes();  // what needs all addresses
    struct RouteDestination {
        NodeSet nodes;
        std::optional<PrefixValue> addresses;  // instead of nodes
    };
    struct NewSegment;
    std::optional<RouteDestination> route_destination(const StaticRouteStatement& s, const Value& destination);
    // segment_routes.cpp
    void segment_route(const StaticRouteStatement& s, const Statement& at, Frame& frame);
    bool segments_from(const TargetRange& head, const StaticRouteStatement& s, const std::vector<Value>& values,
                       std::vector<NewSegment>& segments);
    bool follows_segments(const TargetRange& node, Span place, const char* found = ", found ");
    void finish_segment_routes();

    // regions.cpp
    void unused_value(Span value, std::string message, std::string why);
    void routing(const RoutingStatement& s, const Statement& at, Frame& frame);
    void finish_regions();  // what needs all nodes

    // unused_attributes.cpp, unused_tcp.cpp: what is given and read by nobody
    void find_unused_attributes();
    void unused_costs();
    void unused_weights();
    void unused_metrics();
    void unused_impairments();
    void unused_radios();
    void unused_of_workload(const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info);
    void unused_of_tcp(const SchemaValue& tcp, const SchemaValue& defaults);
    void unused_tcp();
    void unused(Span span, std::string message, std::string help);

    // addresses.cpp, prefixes.cpp, validate.cpp
    struct Pool;
    struct Taken;
    struct InstancePrefix {
        std::optional<PrefixValue> prefix, ipv6;  // at least one of them
        std::uint32_t outer;                      // around it: 0: the model's pool, n: prefixes_[n - 1]
        std::string instance;
        Span span;
    };
    struct Family;
    void instance_prefix(const AddressingStatement& s, const Statement& at, Frame& frame);
    bool second_family(const PrefixValue* first, const PrefixValue* ipv6, std::string_view name, Span span);
    Value subnet(const Expr& e, Frame& frame);
    Value in_prefix(const Expr& e, Builtin function, Frame& frame);  // `host` and `contains`
    Value counted(const Expr& e, const Value& left, const Value& right, Frame& frame);  // `address + n`
    // Which of these a node takes its address of a family from; `alone`: it has no other.
    struct PoolChoice {
        std::uint32_t pool = abi::kNone;
        bool alone = false;
    };
    PoolChoice pool_of_family(std::uint32_t pool, bool ipv6) const;
    PoolChoice pool_of_row(std::uint32_t row, bool ipv6) const;
    bool address_pools(const Component& model, Family& family);
    std::vector<Taken> set_addresses(const Family& family);
    bool assign_addresses(const Component& model, Family& family);
    // families.cpp
    void choose_families();
    bool lacks_family(const WorkloadInfo& workload, const NodeArray* lacking);
    bool covers_half(const NodeArray& node, bool ipv6, Span span);
    void add_routes(const StaticRoute& route, const PrefixValue& prefix);
    void take_gateway(const Pool& pool, std::vector<Taken>& taken);
    void anycast_has_family();
    bool usable_anycast(const NodeArray& group, const Family& family);
    void take_anycast(const Family& family, std::vector<Taken>& taken);
    void report_exhausted(const Pool& pool, AddressBits needed, AddressBits available, std::string_view why);
    bool fill(const Pool& pool, bool with_gateway, const std::vector<Taken>& all,
              const std::vector<std::uint32_t>& rows);
    void assign_addresses(const Component& model);
    void validate(const Component& model);

    const CheckedProgram& program_;
    const ElaborateOptions& options_;
    Diagnostics& diagnostics_;
    Diagnostics muted_;  // takes what was reported before from the same place
    std::set<std::pair<Diag, std::pair<std::uint32_t, std::uint32_t>>> reported_;
    struct Round {
        Span loop;
        const ForStatement* statement;
        const Frame* frame;
        std::int64_t number;  // of a list's element
    };
    // Of the loops that are running, the innermost last, whose indices are reported once, whatever they are used for.
    std::vector<Round> rounds_;
    std::string round_text(const Round& round) const;
    // Of a comparison that does not hold, what it compares.
    void note_sides(Diagnostics::Builder& report, ExprId condition, Frame& frame);
    // What is said where it does not hold; nothing if that cannot be computed, which is reported.
    std::optional<std::string> message_of(const RequireStatement& requirement, Frame& frame);
    std::set<std::pair<const ForStatement*, std::string>> reported_indices_;
    void report_index(Span place, std::string message, std::int64_t index, std::size_t size, bool grows = false);
    Network network_;
    std::deque<Frame> frames_;        // of instances: by index in InstanceSet
    std::string path_;                // of the instance being elaborated
    Construct* construct_ = nullptr;  // whose attributes `self` means
    bool in_trait_ = false;           // what is asked for is an estimate
    NameTable<Span> names_;           // of node and link rows
    NameTable<unsigned> unnamed_;     // links called a--b so far
    std::vector<ValuePool::Interval> tunable_ranges_;
    std::vector<double> tunable_defaults_;
    // Processes by what they were called with, so that equal calls are one.
    std::map<std::vector<std::uint32_t>, ValueExprId> processes_;
    // Of links that do nothing to packets, by row and direction: what else they say of impairments.
    std::map<std::pair<std::uint32_t, std::uint32_t>, RecordInfo> resting_;
    std::optional<RecordInfo> usual_impairment_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> held_back_;  // links that say for how long: the same
    std::map<std::uint32_t, Span> own_tcp_;                        // by node row: where its TCP was given
    std::unordered_map<std::uint32_t, std::uint32_t> servers_;     // indices into the network's, by node row
    Span gateway_at_;
    std::shared_ptr<const SchemaValue> default_tcp_;  // of nodes without settings; null: nothing asked for it yet
    std::uint32_t default_record_ = abi::kNone;       // of the network's: the same; kNone: there was no such node
    // Of files by path, what they are read as, and whether lines may be left out: index into the network's.
    std::map<std::tuple<std::string, abi::FieldKind, bool>, std::optional<std::uint32_t>> data_files_;
    std::vector<std::optional<std::uint32_t>> layouts_;                   // by schema, of those that were asked for
    std::map<RecordInfo, std::uint32_t> records_;                         // by what they are: index into the network's
    std::map<std::string, std::pair<ValueExprId, ValueExprId>> by_rate_;  // by workload: payload, rate
    std::optional<Span> experiment_run_at_;
    std::optional<Span> longest_at_;                                      // where an experiment measures max_time
    std::vector<std::vector<std::pair<std::string, Span>>> report_keys_;  // of `report by`, as they are written
    // Workloads that something is measured of, and of which of their requests: indices.
    std::map<std::pair<std::vector<std::uint32_t>, std::string>, std::uint32_t> measured_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> measured_links_;  // by row and element: the same
    std::map<std::string, std::vector<std::uint32_t>> workload_arrays_;  // by the array's name: the first so many
    std::uint32_t named_workloads_ = 0;
    std::map<MeasureInfo, std::uint32_t> measures_;  // indices
    std::vector<std::pair<MeasureInfo, Span>> parts_;  // measures of a part of the run
    std::optional<Span> part_at_;                      // where an experiment has one
    ComponentId experiment_;                         // that is elaborated, if it is one
    std::optional<Span> run_at_, addressing_at_, routing_at_;
    // Indices into the network's path queries by what they ask.
    using QueryNodes = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // rows and elements
    std::map<std::tuple<PathFunction, QueryNodes, double>, std::size_t> queries_;
    RangeIndex<std::uint32_t> links_at_;                   // rows of links by the nodes that they end at
    std::uint32_t known_links_ = 0;                        // rows in it
    double query_time_ = 0;                                // of path queries, ns
    std::vector<std::pair<double, Span>> required_times_;  // of the timeline's requirements, ns
    struct NewRoute {
        StaticRoute route;
        TargetRange source, via;
        NodeSet to;                         // its destination, where it is nodes
        std::optional<PrefixValue> prefix;  // or addresses
    };
    std::vector<NewRoute> static_routes_;
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
    std::vector<NewSegmentRoute> segment_routes_;
    std::map<std::string, std::uint32_t, std::less<>> tasks_;  // names in Network::task_names
    std::map<std::uint32_t, Value> tables_;                    // as lists, by table
    const Table* table_ = nullptr;                             // whose rows are being made
    std::size_t table_row_ = 0;                                // ... and which
    const Component* component_ = nullptr;                     // whose body is elaborated
    std::size_t inside_ = 0;           // instances of passed components, around what is elaborated
    std::uint32_t task_ = abi::kNone;  // of those: where nodes are placed now
    std::size_t steps_ = 0;
    bool link_missing_ = false;  // one was not made, for an error
    const std::string* asked_key_ = nullptr;  // by which an element is being chosen
    bool skipped_ = false;       // the body of an `if` or loop, for an error: what is missing may be in it
    std::vector<InstancePrefix> prefixes_;
    std::optional<Span> prefix_at_;        // the instance's own `addressing`
    std::vector<std::uint32_t> row_pool_;  // by node row: 0: the model's pool, n: prefixes_[n - 1]
    std::uint32_t pool_ = 0;               // of the instance being elaborated
    std::size_t first_row_ = 0;            // of the same
    // Regions are indices into the network's, or kNone: by node row, and of the instance being elaborated.
    std::vector<std::uint32_t> row_region_;
    std::uint32_t region_ = abi::kNone;
    std::optional<Span> region_at_;  // the instance's own `routing`
    std::vector<std::uint32_t> named_regions_;
    // What was computed of a list last, by function: in a loop the same is asked again and again.
    struct ListResult {
        std::shared_ptr<const ListValue> list;
        ValueExprId result;
    };
    std::map<Builtin, ListResult> list_results_;
    std::vector<Span> calls_;  // of functions, the innermost last
    Span led_from_;            // the innermost use of a function, process, profile or component in the user's text
    std::size_t calls_made_ = 0;
    std::deque<Value> bound_;  // names of comprehensions, the innermost last; where they are doesn't change
    // Of the evaluation: expressions in each other, through calls, and clauses of comprehensions. What a stack of 8 MB
    // has room for.
    static constexpr std::size_t kDeepestExpression = 3000;
    std::size_t depth_ = 0;
    // What functions returned that would be asked the same again, by function and arguments: numbers, and records by
    // which they are, which stay.
    struct CallHash {
        std::size_t operator()(const std::vector<std::uint32_t>& call) const;
    };
    std::unordered_map<std::vector<std::uint32_t>, ValueExprId, CallHash> known_calls_;
    std::unordered_map<std::shared_ptr<const SchemaValue>, std::uint32_t> known_records_;
    std::vector<ActiveOverride> overrides_;             // of the instance being elaborated, the innermost first
    std::map<const Override*, bool> override_used_;     // of those that were active
    std::map<ExprId, std::optional<Value>> fallbacks_;  // nullopt: of those that must be evaluated each time
    // The nodes of the last `nearest` by distance, as far as somebody asked for them: what lies before a cut is nearer
    // than what lies behind it.
    struct ByDistance {
        NodeSet nodes;
        TargetRange from;
        std::vector<std::pair<double, std::uint32_t>> order;  // distance, index in the selection
        std::vector<std::size_t> cuts;                        // ascending, from 0 to all
    } by_distance_;
    std::map<ProfileId, std::shared_ptr<const SchemaValue>> module_profiles_;
    struct Required {
        std::size_t first;  // of the network's requirements with this condition
        bool implied;
    };
    std::map<ValueExprId, Required> required_;
    std::set<std::tuple<ValueExprId, std::uint32_t, std::uint32_t, std::uint32_t>> required_at_;  // with their places
};

}  // namespace anml
