// Values of schemas: their attributes, and the records that the runtime reads.
#pragma once

#include <span>

#include "elaborate/values/evaluation.h"

namespace anml {

struct BoundArgument {
    std::optional<Value> value;  // none: the default holds
    Span place;
};
using ComputedNumbers = std::map<std::string_view, ValueExprId>;
// schema_values.cpp
std::shared_ptr<const SchemaValue> schema_value(Elaboration& in, SchemaId schema,
                                                const std::vector<AttributeValue>& given, Frame& frame,
                                                const SchemaValue* base, Span span, std::string_view what);
Value attribute(Elaboration& in, Construct& construct, std::uint32_t index);
Value profile(Elaboration& in, const Expr& e, Frame& frame);
void bind_values(Elaboration& in, const std::vector<Parameter>& parameters, std::vector<BoundArgument> given,
                 Frame& inner, Span span);
void bind_parameters(Elaboration& in, const std::vector<Parameter>& parameters, std::span<const ExprId> arguments,
                     Frame& outer, Frame& inner, Span span);
bool check_range(Elaboration& in, const Value& value, const Limits& range, const Type& type, std::string_view name,
                 Span span, Span declared, Frame& frame, bool implied = false);
const Value& attribute_of(const CheckedProgram& program, const SchemaValue& value, std::string_view name);
ValueExprId number_of(const CheckedProgram& program, const SchemaValue& value, std::string_view name);
DistributionValue distribution_of(ValuePool& values, const CheckedProgram& program, const SchemaValue& value,
                                  std::string_view name);
// directions.cpp
Value attribute_value(Elaboration& in, const Expr& e, Frame& frame);
// records.cpp
// Index into the network's records; kNone: the schema has no layout. `computed`: numbers that are not as given.
std::uint32_t layout_of(Elaboration& in, SchemaId schema);
std::uint32_t record_of(Elaboration& in, const SchemaValue& value, const ComputedNumbers& computed = {});
RecordInfo record_values(Elaboration& in, std::uint32_t layout, const SchemaValue& value,
                         const ComputedNumbers& computed = {});
std::uint32_t shared_record(Elaboration& in, RecordInfo record);  // index into the network's
// data_files.cpp
RecordValue file_of(Elaboration& in, const SchemaValue& value, const abi::RecordField& field);
bool listed_documents(Elaboration& in, const SchemaValue& value, DocumentInfo& document);
bool has_asked_documents(Elaboration& in, const SchemaValue& value, const WorkloadInfo& info);
bool replayed(Elaboration& in, const SchemaValue& value, WorkloadInfo& info);
bool has_hashes(const Network& network, const CheckedProgram& program, ReportOnce& report, const SchemaValue& value,
                Span place, const WorkloadInfo& info);
bool speaks_grpc(const Network& network, const CheckedProgram& program, ReportOnce& report, const SchemaValue& value,
                 Span place, const WorkloadInfo& info);
void replay_interval(Elaboration& in, const SchemaValue& value, WorkloadInfo& info);
// traits.cpp
Value given(Elaboration& in, const Expr& e, Frame& frame);
Value mean(Elaboration& in, const Expr& e, Frame& frame);
bool manner(Elaboration& in, const SchemaValue& value, WorkloadTraits& traits);
bool amounts(Elaboration& in, const SchemaValue& value, WorkloadTraits& traits);
// unused_attributes.cpp
void unused_value(ReportOnce& report, Span value, std::string message, std::string why);
void find_unused_attributes(Elaboration& in);
void unused_of_workload(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s,
                        const WorkloadInfo& info);
void unused(ReportOnce& report, Span span, std::string message, std::string help);

}  // namespace anml
