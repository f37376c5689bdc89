// The elaborator's working state, shared by the files of this folder: each holds the members for one kind of construct.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/checked_program.h"
#include "elaborate/network.h"
#include "elaborate/value.h"

namespace anml {

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
    ValueExprId constant(double v) { return network_.values.constant(v); }

    // parameters.cpp
    void model_parameters(const Component& model);
    void tunable(const Parameter& parameter, Value value, Frame& frame);
    void show_parameter(const Parameter& parameter, const Value& value, std::uint32_t tunable);
    void unknown_defines(const Component& model);
    ValuePool::Interval constant_range(const ValueRange& range, Frame& frame);

    // define.cpp: the value of -D
    std::optional<Value> read_define(const Parameter& parameter, std::string_view text);

    // evaluate.cpp, operators.cpp, selections.cpp
    Value evaluate(ExprId id, Frame& frame);
    Value binary(const Expr& e, Frame& frame);
    Value conditional(const Expr& e, Frame& frame);
    Value call(const Expr& e, Frame& frame);
    Value path_query(const Expr& e, Builtin function, Frame& frame);
    Value select(const Expr& e, Frame& frame);
    Value member(const Expr& e, Frame& frame);
    Value checked(ValueExprId id, Span span);  // not finite: an error
    std::optional<ValueExprId> number(ExprId id, Frame& frame);
    // A number that may not depend on a tunable; `what` says for what it is wanted.
    std::optional<std::int64_t> shape(ExprId id, Frame& frame, std::string_view what);
    void report_shape(ValueExprId id, Span span, std::string_view what);
    std::vector<std::uint32_t> tunables_in(ValueExprId id) const;

    // schema_values.cpp
    std::shared_ptr<const SchemaValue> schema_value(SchemaId schema, const std::vector<AttributeValue>& given,
                                                    Frame& frame, const SchemaValue* base, Span span,
                                                    std::string_view what);
    // One direction of a link's value; all of any other.
    std::shared_ptr<const SchemaValue> directed_value(SchemaId schema, const std::vector<AttributeValue>& given,
                                                      Frame& frame, const SchemaValue* base, Span span,
                                                      std::string_view what, LinkDirection direction);
    Value attribute(Construct& construct, std::uint32_t index);
    Value attribute_value(const Expr& e, Frame& frame);
    Value profile(const Expr& e, Frame& frame);
    void bind_parameters(const std::vector<Parameter>& parameters, std::span<const ExprId> arguments, Frame& outer,
                         Frame& inner, Span span);
    bool check_range(const Value& value, const ValueRange& range, const Type& type, std::string_view name, Span span,
                     Span declared, Frame& frame, std::string note = "");
    void require(ValueExprId holds, std::string message, Span span);
    const Value& attribute_of(const SchemaValue& value, std::string_view name) const;
    ValueExprId number_of(const SchemaValue& value, std::string_view name) const;
    DistributionValue distribution_of(const SchemaValue& value, std::string_view name);

    // statements.cpp
    void execute(const std::vector<StatementId>& body, Frame& frame);
    void place(const Statement& at);  // what follows is in the task that @task names
    void loop(const ForStatement& s, const Statement& at, Frame& frame);
    void instance(const InstanceStatement& s, const Statement& at, Frame& frame);
    void run_statement(const RunStatement& s, const Statement& at, Frame& frame);
    void addressing(const AddressingStatement& s, const Statement& at, Frame& frame);
    void routing(const RoutingStatement& s, const Statement& at, Frame& frame);
    bool once(std::optional<Span>& first, const Statement& at, std::string_view keyword);

    // nodes.cpp, tcp.cpp, links.cpp, workloads.cpp
    void node(const NodeStatement& s, const Statement& at, Frame& frame);
    void endpoint(const SchemaValue& attributes, NodeRowId row, const Statement& at);
    std::uint32_t tcp(const SchemaValue& node_attributes, const Statement& at);  // index into the network's tcps
    void link(const LinkStatement& s, const Statement& at, Frame& frame);
    void link_row(std::string name, bool is_array, std::uint32_t count, const LinkEnd& left, const LinkEnd& right,
                  const SchemaValue& attributes, bool one_way, Span span);
    std::string unnamed(const TargetRange& left, const TargetRange& right, bool is_array);
    void workload(const WorkloadStatement& s, const Statement& at, Frame& frame);
    Value select_links(const LinkSet& set, const Expr& e, std::int64_t low, std::int64_t high, Span place);
    bool closed_loop(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    std::uint32_t port_of(const SchemaValue& value, Span place);
    Span place_of(const WorkloadStatement& s, std::string_view name, Span otherwise) const;
    bool claim(const std::string& name, Span span);

    // traffic.cpp
    bool peers(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    bool cbr(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
    void bulk(const SchemaValue& value, WorkloadInfo& info);

    // timeline.cpp, static_routes.cpp
    void timeline(const TimelineStatement& s, const Statement& at, Frame& frame);
    bool timeline_times(const TimelineStatement& s, const Statement& at, Frame& frame, TimelineInfo& info);
    void action(const ActionStatement& a, TimelineInfo info, Frame& frame);
    bool action_targets(const ActionStatement& a, Frame& frame, TimelineInfo& info);
    std::vector<LinkSlice> links_between(const TargetRange& a, const TargetRange& b) const;  // two nodes
    void requirement_at(const TimelineStatement& s, const Statement& at, Frame& frame);
    void finish_timeline();  // what needs the run's duration
    void static_route(const StaticRouteStatement& s, const Statement& at, Frame& frame);
    void finish_static_routes();  // what needs all addresses

    // addresses.cpp, validate.cpp
    void assign_addresses(const Component& model);
    void validate(const Component& model);

    const CheckedProgram& program_;
    const ElaborateOptions& options_;
    Diagnostics& diagnostics_;
    Diagnostics muted_;  // takes what was reported before from the same place
    std::set<std::pair<Diag, std::pair<std::uint32_t, std::uint32_t>>> reported_;
    Network network_;
    std::deque<Frame> frames_;                              // of instances: by index in InstanceSet
    std::string path_;                                      // of the instance being elaborated
    Construct* construct_ = nullptr;                        // whose attributes `self` means
    std::map<std::string, Span, std::less<>> names_;        // of node and link rows
    std::map<std::string, unsigned, std::less<>> unnamed_;  // links called a--b so far
    std::vector<ValuePool::Interval> tunable_ranges_;
    std::vector<double> tunable_defaults_;
    std::uint32_t default_tcp_ = abi::kNone;  // of nodes without settings; kNone: there was none yet
    std::optional<Span> run_at_, addressing_at_, routing_at_;
    double query_time_ = 0;                                       // of path queries, ns
    std::vector<std::pair<StaticRoute, NodeSet>> static_routes_;  // with their destination, where it is nodes
    std::map<std::string, std::uint32_t, std::less<>> tasks_;     // names in Network::task_names
    std::uint32_t task_ = abi::kNone;                             // of those: where nodes are placed now
    std::size_t steps_ = 0;
};

}  // namespace anml
