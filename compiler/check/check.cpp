// The order of the checks: names, then what declarations look like from outside, then the expressions inside them.
#include "check/check.h"

#include <algorithm>

#include "check/names/consequences.h"
#include "check/statements/statements.h"

namespace anml {
namespace {

bool check_all(Checking& in, std::string_view model)
{
    const std::size_t before = in.diagnostics.errors();
    collect(in);
    for (const SourceFile& file : in.sources.files) in.program.library_files.push_back(file.path.starts_with("<std>/"));
    if (!bind_language_schemas(in.program, in.diagnostics)) return false;

    for (EnumId id{0}; id.value < in.program.enums.size(); ++id.value) check_enum(in, id);
    in.schema_depth.resize(in.program.schemas.size());
    for (SchemaId id{0}; id.value < in.program.schemas.size(); ++id.value) schema_shape(in, id);
    let_links_follow_traces(in.program);
    for (TableId id{0}; id.value < in.program.data_tables.size(); ++id.value) table_signature(in, id);
    const std::size_t profiles = in.program.profiles.size();  // those of bodies follow
    for (ProfileId id{0}; id.value < profiles; ++id.value) profile_signature(in, id);
    for (ProcessId id{0}; id.value < in.program.processes.size(); ++id.value) process_signature(in, id);
    in.function_progress.resize(in.program.functions.size());
    for (FunctionId id{0}; id.value < in.program.functions.size(); ++id.value) function_signature(in, id);
    in.body_progress.resize(in.program.components.size());
    in.component_depth.resize(in.program.components.size());
    in.needs_run.resize(in.program.components.size());
    for (ComponentId id{0}; id.value < in.program.components.size(); ++id.value) component_signature(in, id);

    for (SchemaId id{0}; id.value < in.program.schemas.size(); ++id.value) schema_values(in, id);
    for (ProcessId id{0}; id.value < in.program.processes.size(); ++id.value) process_values(in, id);
    for (ProfileId id{0}; id.value < profiles; ++id.value) profile_values(in, id);
    for (TableId id{0}; id.value < in.program.data_tables.size(); ++id.value) table_values(in, id);
    for (FunctionId id{0}; id.value < in.program.functions.size(); ++id.value) function_body(in, id);
    for (ComponentId id{0}; id.value < in.program.components.size(); ++id.value) component_body(in, id);
    in.diagnostics.drop_if([&](const Diagnostic& d) {  // which keys a table with errors has is not known
        return d.diag == Diag::unknown_key && std::ranges::any_of(in.broken_keys, [&](const std::string& table) {
                   return d.message.starts_with(table + " has no key");
               });
    });
    defined_values(in, model);
    find_cycles(in);
    find_recursive_functions(in);
    if (in.diagnostics.errors() != before) return false;
    find_dead_attributes(in);
    return in.diagnostics.errors() == before;
}

}  // namespace

Partial<CheckedProgram> check(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics,
                              std::string_view model, Declarations* declarations)
{
    const bool holes = tree.has_holes() || std::any_of(sources.files.begin(), sources.files.end(),
                                                       [](const SourceFile& file) { return !file.missing.empty(); });
    Diagnostics found;
    Checking in(sources, tree, holes ? found : diagnostics, declarations);
    Partial<CheckedProgram> result;
    result.whole = check_all(in, model) && !holes;
    result.output = std::move(in.program);
    if (holes) {
        drop_consequences(sources, tree, found);
        diagnostics.append(std::move(found));
    }
    if (declarations) declarations->finish(sources, tree);
    return result;
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
