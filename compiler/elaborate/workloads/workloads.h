// Workloads: who sends what to whom, and whether it is answered.
#pragma once

#include "elaborate/schemas/schema_values.h"
#include "elaborate/workloads/balancers.h"

namespace anml {

constexpr double kHeadersIpv4 = 28, kHeadersIpv6 = 48;  // bytes, IP and UDP
// workloads.cpp
void workload(Elaboration& in, const WorkloadStatement& s, const Statement& at, Frame& frame);
bool matches_server(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info,
                    NodeRowId row, std::uint32_t port);
bool asked(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
// A number that no tunable may decide; nothing: an error was reported.
std::optional<std::uint32_t> fixed_number(Elaboration& in, const SchemaValue& value, std::string_view name, Span place,
                                          std::string_view what);
Span place_of(const CheckedProgram& program, const std::vector<AttributeValue>& attributes, SchemaId schema,
              std::string_view name, Span otherwise);
Span place_of(const CheckedProgram& program, const WorkloadStatement& s, std::string_view name, Span otherwise);
// balancers.cpp
void balancer(Elaboration& in, const SchemaValue& value, const NodeArray& group);
bool matches_balancer(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, const WorkloadInfo& info,
                      NodeRowId row, const Balancer& balancer, bool web);
// origins.cpp
bool origins(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
// calls.cpp
bool runs_there(Elaboration& in, const WorkloadStatement& s, const WorkloadInfo& info);
bool calls(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
// traffic.cpp
bool relays(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
ValueExprId interval_of(ValuePool& values, ValueExprId payload, ValueExprId rate, double headers);
std::optional<ComputedNumbers> interval_by_rate(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s,
                                                const WorkloadInfo& info);
bool peers(Elaboration& in, const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info);
// header_fields.cpp
bool headers(ReportOnce& report, const Value& list, Span place);
// flows.cpp
std::shared_ptr<const SchemaValue> with_interval(Elaboration& in, std::shared_ptr<const SchemaValue> value,
                                                 const WorkloadStatement& s, const WorkloadInfo& info);
// workload_changes.cpp
void change_workload(Elaboration& in, const ActionStatement& a, TimelineInfo info, Frame& frame);

}  // namespace anml
