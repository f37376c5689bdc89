// The order of the checks: names, then what declarations look like from outside, then the expressions inside them.
#include "check/check.h"

#include <algorithm>

#include "check/checker.h"
#include "check/names/consequences.h"

namespace anml {

Partial<CheckedProgram> check(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics,
                              std::string_view model, Declarations* declarations)
{
    const bool holes = tree.has_holes() || std::any_of(sources.files.begin(), sources.files.end(),
                                                       [](const SourceFile& file) { return !file.missing.empty(); });
    Diagnostics found;
    Checker checker(sources, tree, holes ? found : diagnostics, declarations);
    Partial<CheckedProgram> result;
    result.whole = checker.run(model) && !holes;
    result.output = checker.take();
    if (holes) {
        drop_consequences(sources, tree, found);
        diagnostics.append(std::move(found));
    }
    if (declarations) declarations->finish(sources, tree);
    return result;
}

bool Checker::run(std::string_view model)
{
    const std::size_t before = diagnostics_.errors();
    collect();
    for (const SourceFile& file : sources_.files) program_.library_files.push_back(file.path.starts_with("<std>/"));
    if (!bind_language_schemas()) return false;

    for (EnumId id{0}; id.value < program_.enums.size(); ++id.value) check_enum(id);
    schema_depth_.resize(program_.schemas.size());
    for (SchemaId id{0}; id.value < program_.schemas.size(); ++id.value) schema_shape(id);
    let_links_follow_traces();
    for (TableId id{0}; id.value < program_.data_tables.size(); ++id.value) table_signature(id);
    const std::size_t profiles = program_.profiles.size();  // those of bodies follow
    for (ProfileId id{0}; id.value < profiles; ++id.value) profile_signature(id);
    for (ProcessId id{0}; id.value < program_.processes.size(); ++id.value) process_signature(id);
    function_progress_.resize(program_.functions.size());
    for (FunctionId id{0}; id.value < program_.functions.size(); ++id.value) function_signature(id);
    body_progress_.resize(program_.components.size());
    component_depth_.resize(program_.components.size());
    needs_run_.resize(program_.components.size());
    for (ComponentId id{0}; id.value < program_.components.size(); ++id.value) component_signature(id);

    for (SchemaId id{0}; id.value < program_.schemas.size(); ++id.value) schema_values(id);
    for (ProcessId id{0}; id.value < program_.processes.size(); ++id.value) process_values(id);
    for (ProfileId id{0}; id.value < profiles; ++id.value) profile_values(id);
    for (TableId id{0}; id.value < program_.data_tables.size(); ++id.value) table_values(id);
    for (FunctionId id{0}; id.value < program_.functions.size(); ++id.value) function_body(id);
    for (ComponentId id{0}; id.value < program_.components.size(); ++id.value) component_body(id);
    defined_values(model);
    find_cycles();
    find_recursive_functions();
    if (diagnostics_.errors() != before) return false;
    find_dead_attributes();
    return diagnostics_.errors() == before;
}

SchemaId CheckedProgram::find_schema(std::string_view full_name) const
{
    for (std::size_t i = 0; i < schemas.size(); ++i)
        if (schemas[i].full_name == full_name) return SchemaId{i};
    return {};
}

bool CheckedProgram::derives(SchemaId id, SchemaId base) const
{
    for (; id; id = schema(id).base)
        if (id == base) return true;
    return false;
}

bool CheckedProgram::extends(ComponentId id, ComponentId wanted) const
{
    for (; id; id = component(id).base)
        if (id == wanted) return true;
    return false;
}

bool CheckedProgram::asks_self(ExprId id) const
{
    if (!id) return false;
    const Expr& e = expr(id);
    if (e.kind == ExprKind::own_attribute) return true;
    for (ExprId operand : operands_of(e))
        if (asks_self(operand)) return true;
    return false;
}

SchemaId CheckedProgram::node_schema(abi::NodeKind kind) const
{
    switch (kind) {
        case abi::NodeKind::host:
            return host;
        case abi::NodeKind::router:
            return router;
        case abi::NodeKind::switch_:
            return switch_;
        case abi::NodeKind::endpoint:
            return endpoint;
    }
    return host;
}

}  // namespace anml
