// Stage 7: final ids, orders, sizes and offsets: the only input of code generation.
//
// Tables are the image's own rows (runtime/abi/image.h); values are the expressions behind each ValueId.
#pragma once

#include <string>
#include <vector>

#include "analysis/routes/requirements.h"
#include "analysis/routes/route_tables.h"
#include "analysis/tasks/task_graph.h"
#include "base/values/sample_tree.h"
#include "source/source_set.h"

namespace anml {

struct Plan {
    abi::Image header{};  // counts and scalars; pointers null
    std::string strings;  // NUL-separated pool
#define ANML_TABLE(row, rows, count) std::vector<row> rows;
#include "runtime/abi/image_tables.def"
    bool requests_hash = false;           // some are made, or checked, with hashes
    std::vector<SampleTree> samplers;     // of abi::Distribution: its ValueOp::tunable name ValueIds
    std::vector<EmpiricalTable> samples;  // that they draw from
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

Plan make_plan(const PlanInputs& inputs);
std::string dump_plan(const Plan& plan);  // --emit=plan: JSON
std::string verify_plan(const Plan& plan);

}  // namespace anml
