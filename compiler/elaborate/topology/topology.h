// Statements, instances, nodes and links.
#pragma once

#include "elaborate/schemas/schema_values.h"
#include "elaborate/topology/numbered.h"

namespace anml {

// Of an array whose elements are made one by one.
struct Dimensions {
    std::vector<std::int64_t> numbers, counts;
};
// links.cpp
Value trace(Network& network, const LinkTrace& trace);
void link(Elaboration& in, const LinkStatement& s, const Statement& at, Frame& frame);
// shaped_classes.cpp
void shaped_classes(const Network& network, ReportOnce& report, const RecordInfo& record, Span span);
// statements.cpp
void execute(Elaboration& in, const std::vector<StatementId>& body, Frame& frame);
bool step(Elaboration& in, const Statement& at);  // false: that were more statements than a model may make
// Of what is done for each of so many elements. False, and an error, where that alone is too much.
bool within_budget(Elaboration& in, std::uint64_t count, Span place, std::string_view what);
void place(Elaboration& in, const TaskName& task);  // what follows is in it
bool once(ReportOnce& report, std::optional<Span>& first, const Statement& at, std::string_view keyword);
// passed_components.cpp
Value passed_component(Elaboration& in, const Expr& e, Frame& frame);
const Component& component_of(const CheckedProgram& program, const InstanceStatement& s, Frame& frame);
void bind_instance(Elaboration& in, const InstanceStatement& s, const Component& component, Frame& frame, Frame& inner,
                   Span span);
// numbered.cpp
std::optional<Dimensions> dimensions(Elaboration& in, const Brackets& brackets, std::string_view name, Frame& frame);
std::optional<std::vector<std::int64_t>> numbers(Elaboration& in, const std::vector<ExprId>& ids, std::string_view name,
                                                 Frame& frame);
void empty_arrays(const Component& component, Frame& frame);  // that loops will fill
void add_numbered(const CheckedProgram& program, ReportOnce& report, Value& array,
                  std::span<const std::int64_t> numbers, Value element, bool whole, std::string_view name,
                  std::span<const std::uint32_t> keys, Span place);
std::string bracketed(const CheckedProgram& program, std::string_view name, std::span<const std::int64_t> numbers,
                      std::span<const std::uint32_t> keys);
void set_index(Elaboration& in, std::uint32_t slot, std::uint32_t key_slot, std::span<const std::int64_t> place,
               std::span<const std::uint32_t> keys, Frame& frame);
Value select_numbered(Elaboration& in, const NumberedArray& array, const Expr& e, std::int64_t low, std::int64_t high,
                      Span place);
// loops.cpp
void loop(Elaboration& in, const ForStatement& s, const Statement& at, Frame& frame);
void report_index(Elaboration& in, Span place, std::string message, std::int64_t index, std::size_t size,
                  bool grows = false);
// components.cpp
void body(Elaboration& in, const Component& component, Frame& frame, Span span);
std::vector<ActiveOverride> entering(const std::vector<ActiveOverride>& active, std::string_view instance);
void activate(Elaboration& in, const std::vector<Override>& overrides, Frame& frame);
// Those of what the current instance calls `name`, in the order in which they apply.
std::vector<ActiveOverride> overrides_of(Elaboration& in, std::string_view name);
std::shared_ptr<const SchemaValue> overridden(Elaboration& in, std::string_view name,
                                              std::shared_ptr<const SchemaValue> value, std::string_view what);
void report_unused_overrides(Elaboration& in);
// nodes.cpp
void node(Elaboration& in, const NodeStatement& s, const Statement& at, Frame& frame);
const ServerInfo* server_of(Elaboration& in, NodeRowId row);  // nullptr: none is simulated
bool claim(Elaboration& in, const std::string& name, Span span);
// node_records.cpp
std::uint32_t tcp(Elaboration& in, const SchemaValue& node_attributes,
                  const Statement& at);  // index into the network's records
void node_records(Elaboration& in, const SchemaValue& node_attributes, NodeArray& group);
void queue_on_air(const Network& network, ReportOnce& report, const LinkArray& link, int direction);
// joined_links.cpp
bool joins_links(Elaboration& in, const LinkStatement& s, const Frame& frame, std::int64_t index, Span span);
// impairments.cpp
std::uint32_t impairment_of(Elaboration& in, const SchemaValue& link, std::uint32_t row, std::uint32_t direction);
void impair_at_rest(Elaboration& in, const TimelineInfo& change);  // the links that get impairments later
// labels.cpp
void label(Elaboration& in, const LabelStatement& s, Frame& frame);
void report_by(Elaboration& in, const ReportStatement& s, const Statement& at);
bool check_labels(Elaboration& in);
// unused_tcp.cpp
void unused_of_tcp(const ValuePool& values, const CheckedProgram& program, ReportOnce& report, const SchemaValue& tcp,
                   const SchemaValue& defaults);
void unused_tcp(Elaboration& in);

}  // namespace anml
