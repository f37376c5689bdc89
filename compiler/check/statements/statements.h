// Components, experiments, and the statements of their bodies.
#pragma once

#include "check/schemas/schemas.h"

namespace anml {

// link_traces.cpp
void let_links_follow_traces(CheckedProgram& program);
ExprId trace(Checking& in, SyntaxId id, SyntaxId file);
ExprId named_file(Checking& in, ExprId name);
// changes.cpp
void changes(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, SyntaxId id,
             SchemaId schema, Attribute& attribute);
// parameters.cpp
std::vector<Parameter> signature(Checking& in, SyntaxId list, bool of_model, bool of_component = false,
                                 bool of_function = false);
void refuse_component(Diagnostics& diagnostics, Type& type, Span place);
void parameter_values(Checking& in, SyntaxId list,
                      std::vector<Parameter>& parameters);  // declares them in the open scope
ValueRange range(Checking& in, SyntaxId id, const Type& type, std::string_view name);
void check_range(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ExprId value,
                 const Limits& range, const Type& type, std::string_view name, Span declared);
// components.cpp
void component_signature(Checking& in, ComponentId id);
bool component_body(Checking& in,
                    ComponentId id);  // unless it was checked: on demand, within the open one; false: too deep
// network_statements.cpp
// The component of a dotted name that can stand there: of an instance, or as a base; reports what is none.
std::optional<ComponentId> component_named(Checking& in, SyntaxId dotted_name, bool models);
bool node_statement(Checking& in, SyntaxId id, Statement& out);
bool instance_statement(Checking& in, SyntaxId id, Statement& out);
bool port_statement(Checking& in, SyntaxId id, Statement& out);
bool link_statement(Checking& in, SyntaxId id, Statement& out);
bool workload_statement(Checking& in, SyntaxId id, Statement& out);
SchemaId link_schema(const CheckedProgram& program, ExprId profile);  // of what may stand in braces behind the profile
// passed_components.cpp
ExprId passed_component(Checking& in, SyntaxId id, ComponentId component, SyntaxId arguments, const Type& wanted);
bool finished(Checking& in, ComponentId id, Span place);
const Symbol* passed_here(const Checking& in, SyntaxId dotted_name);
// overrides.cpp
std::vector<Override> overrides(Checking& in, SyntaxId block, ComponentId component);
// statement_order.cpp
std::vector<StatementId> statements(Checking& in, SyntaxId block);
bool check_named(Checking& in, std::string_view name, Span place);
bool check_link_named(Checking& in, std::string_view name, Span place);
void need_run(Checking& in, Span place);
// statements.cpp
bool statement(Checking& in, SyntaxId id, Statement& out);
void annotation(const SourceText& source, CheckedProgram& program, Diagnostics& diagnostics, SyntaxId id,
                Statement& out);
Type element_of(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ExprId over,
                bool comprehension = false);
Type number_type(const CheckedProgram& program, ExprId over);  // of the first of two names
RequireStatement require_statement(Checking& in, SyntaxId id);
std::uint32_t declare_local(Checking& in, SyntaxId identifier, Type type, bool in_body = false);
bool declarable(Checking& in, SyntaxId identifier);
// brackets.cpp
Brackets brackets(Checking& in, SyntaxId id, SyntaxId identifier);
std::uint32_t declare_part(Checking& in, SyntaxId identifier, Type type, const Brackets& brackets);
std::string numbering(const CheckerScope& scope, std::string_view name);
// experiments.cpp
bool experiment_base(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics, ComponentId id,
                     ComponentId base, SyntaxId name);
void take_parameters(CheckerScope& scope, CheckedProgram& program, Diagnostics& diagnostics, ComponentId id,
                     ComponentId base);
bool factor_statement(Checking& in, SyntaxId id, Statement& out);
bool is_measure_statement(const Checking& in, SyntaxId id);
bool measure_statement(Checking& in, SyntaxId id, Statement& out);
// labels.cpp
bool label_statement(Checking& in, SyntaxId id, Statement& out);
bool report_statement(Checking& in, SyntaxId id, Statement& out);
// timeline.cpp
bool timeline_statement(Checking& in, SyntaxId id, Statement& out);
bool static_route(Checking& in, SyntaxId id, Statement& out);
// workload_changes.cpp
void changed_workload(Checking& in, SyntaxId block, const ActionStatement& common, TimelineStatement& timeline);

}  // namespace anml
