// Stage 7: final ids, orders, sizes and offsets: the only input of code generation.
//
// Tables are the image's own rows (runtime/abi/image.h); values are the expressions behind each ValueId.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/routes/requirements.h"
#include "analysis/routes/route_tables.h"
#include "analysis/tasks/task_graph.h"
#include "base/diagnostics.h"
#include "base/values/sample_tree.h"
#include "source/source_set.h"

namespace anml {

struct Plan {
    abi::Image header{};  // counts and scalars; pointers null
    std::string strings;  // NUL-separated pool
    std::vector<abi::NodeRow> node_rows;
    std::vector<abi::LinkRow> link_rows;
    std::vector<abi::StringRef> keys;
    std::vector<abi::RouteTable> tables;
    std::vector<abi::RouteRange> ranges;
    std::vector<abi::NextHop> hops;
    std::vector<abi::RouteColumn> columns;
    std::vector<std::uint8_t> codes;
    std::vector<std::uint32_t> alternatives;
    std::vector<abi::SegmentRow> segments;
    std::vector<abi::SteeringRow> steering;
    std::vector<abi::EndpointRow> endpoints;
    std::vector<abi::EndpointPrefixRow> endpoint_prefixes;
    std::vector<abi::ServerRow> servers;
    std::vector<abi::DocumentRow> documents;
    std::vector<abi::TargetRow> targets;
    std::vector<abi::WorkloadRow> workloads;
    std::vector<abi::ParameterRow> parameters;
    std::vector<abi::RequirementRow> requirements;
    std::vector<abi::ThresholdRow> thresholds;
    std::vector<abi::MeasureRow> measures;
    std::vector<std::uint32_t> measured;
    std::vector<abi::NameRow> node_names, link_names;
    std::vector<abi::WorkloadLabelRow> workload_labels;
    std::vector<abi::ReportRow> reports;
    std::vector<abi::StringRef> report_words;
    std::vector<abi::Slice> report_slices;
    std::vector<abi::ReportHostsRow> report_hosts;
    std::vector<abi::TaskRow> task_rows;
    std::vector<abi::TraceRow> traces;
    std::vector<std::uint32_t> opportunities;  // ms, of all traces
    std::vector<abi::FileRow> files;
    std::vector<abi::FileDocument> file_documents;
    std::vector<abi::Arrival> arrivals;
    std::vector<abi::Sha256> hashes;
    std::vector<abi::WrittenRequest> requests;
    bool requests_hash = false;  // some are made, or checked, with hashes
    std::vector<abi::RecordRow> records;
    std::vector<std::uint32_t> record_words;
    std::vector<SampleTree> samplers;          // of abi::Distribution: its ValueOp::tunable name ValueIds
    std::vector<abi::ValueId> sampler_values;  // that they read, sorted
    std::vector<EmpiricalTable> samples;       // that they draw from
    std::vector<abi::TimelineRow> timeline;
    std::vector<abi::TimelineTarget> timeline_targets;
    std::vector<abi::EpochRow> epochs;
    std::vector<abi::TableChange> table_changes;
    std::vector<abi::ColumnChange> column_changes;
    std::vector<abi::CodeChange> code_changes;
    ValuePool expressions;
    std::vector<ValueExprId> values;  // by abi::ValueId
};

struct PlanInputs {
    const SourceSet& sources;
    const Network& network;
    const RouteTables& routes;
    const Requirements& requirements;
    const TaskGraph& tasks;
};

std::optional<Plan> make_plan(const PlanInputs& inputs, Diagnostics& diagnostics);
std::string dump_plan(const Plan& plan);  // --emit=plan: JSON
std::string verify_plan(const Plan& plan);

}  // namespace anml
