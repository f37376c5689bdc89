// What a model says besides what it is made of: experiments, measures, requirements, the timeline.
#pragma once

#include "elaborate/schemas/schema_values.h"

namespace anml {

// measures.cpp
Value measure(Elaboration& in, const Expr& e, Builtin function, Frame& frame);
Value load_query(Elaboration& in, const Expr& e, Builtin function, Frame& frame);
void check_parts(Elaboration& in);
// requirements.cpp
void require(Elaboration& in, ValueExprId holds, std::string message, Span span, bool implied = false,
             std::string text = "");
// Of a comparison that does not hold, what it compares.
void note_sides(Elaboration& in, Diagnostics::Builder& report, ExprId condition, Frame& frame);
// What is said where it does not hold; nothing if that cannot be computed, which is reported.
std::optional<std::string> message_of(Elaboration& in, const RequireStatement& requirement, Frame& frame);
// experiments.cpp
void experiment_run(Elaboration& in, const RunStatement& s, const Statement& at, Frame& frame);
void factor(Elaboration& in, const FactorStatement& s, const Statement& at, Frame& frame);
void measured(Elaboration& in, const Value& value, const Statement& at);
void check_experiment(Elaboration& in, const Component& model);
// timeline.cpp
void timeline(Elaboration& in, const TimelineStatement& s, const Statement& at, Frame& frame);
std::vector<LinkSlice> links_between(Elaboration& in, const TargetRange& a, const TargetRange& b);  // two nodes
void finish_timeline(Elaboration& in);  // what needs the run's duration
// validate.cpp
void validate(Elaboration& in, const Component& model);

}  // namespace anml
