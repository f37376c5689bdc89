// Expressions and types.
#pragma once

#include "check/names/names.h"

namespace anml {

// wanted_types.cpp
bool is_numeric(const Type& t);  // or a list of such
// Two units to suggest for a plain number. Rates of other tools are bits per second.
std::pair<std::string_view, std::string_view> usual_units(Dimension d, double value);
ExprId require_type(Checking& in, ExprId expr, const Type& wanted, std::string_view what);
// types.cpp
Type type_of_name(Checking& in, SyntaxId dotted_name, std::uint8_t flags, bool of_function = false);
bool assignable(const CheckedProgram& program, const Type& from, const Type& to);
Type profile_type(const Profile& profile);
// keys.cpp
std::uint32_t keying(CheckedProgram& program,
                     std::vector<std::uint32_t> keys);                     // index of one that is for so many indices
std::uint32_t keying_of_rest(CheckedProgram& program, const Type& array);  // behind its first index
ExprId index_of(Checking& in, SyntaxId id, const Type& array, SyntaxId object);
ExprId bracket(Checking& in, SyntaxId id, std::string_view what, std::vector<std::uint32_t>& keys);
void key_signature(Checking& in, TableId id);
std::uint32_t keys_of_graph(const Checking& in);
void key_of_row(Checking& in, TableId id, const TableRow& row, std::string_view key, Span place);
// expressions.cpp
ExprId expression(Checking& in, SyntaxId id, const Type* wanted = nullptr);
// Checks against `wanted`; `what` names the place in messages: "`delay`", "the condition".
ExprId value(Checking& in, SyntaxId id, const Type& wanted, std::string_view what);
ExprId use_symbol(Checking& in, const Symbol& symbol, SyntaxId id);
Type wanted_element(const Type* wanted);
// selections.cpp
ExprId subscript(Checking& in, SyntaxId id);
// literals.cpp
ExprId quantity(Checking& in, SyntaxId id, const Type* wanted = nullptr);
ExprId address(Checking& in, SyntaxId id, const Type* wanted);
// operators.cpp
ExprId unary(Checking& in, SyntaxId id, const Type* wanted);
ExprId binary(Checking& in, SyntaxId id, const Type* wanted);
// Of a numeric expression of literals; nullopt where it depends on names.
std::optional<double> constant(const CheckedProgram& program, ExprId id);
// calls.cpp
ExprId call(Checking& in, SyntaxId id);
// Arguments by parameter; invalid ids where the default holds.
std::vector<ExprId> arguments(Checking& in, SyntaxId argument_list, const std::vector<Parameter>& parameters,
                              Span callee, std::string_view callee_name, Span declared);
// distributions.cpp
ExprId distribution_call(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& arguments);
// sample_files.cpp
ExprId samples(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& arguments);
// mathematics.cpp
// A number or quantity, random or not; reports what else it is.
bool numeric(const CheckedProgram& program, Diagnostics& diagnostics, ExprId id, std::string_view what);
bool same_dimension(const CheckedProgram& program, Diagnostics& diagnostics, ExprId first, ExprId other,
                    std::string_view what);
ExprId mathematics(Checking& in, SyntaxId id, Builtin builtin, std::vector<ExprId> given);
ExprId draw(Checking& in, SyntaxId id, std::vector<ExprId> given);
// measures.cpp
ExprId path_function(Checking& in, SyntaxId id, Builtin builtin, const std::vector<ExprId>& arguments);
ExprId measure(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given);
ExprId load(Checking& in, SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given);
// functions.cpp
void function_signature(Checking& in, FunctionId id);
void function_body(Checking& in, FunctionId id);
ExprId function_call(Checking& in, SyntaxId id, FunctionId function, SyntaxId arguments);
ExprId link_bdp(Checking& in, SyntaxId id, ExprId link);
// generic_functions.cpp
std::uint32_t like(Checking& in, SyntaxId type, const std::vector<Parameter>& parameters);
void open_dimensions(Checking& in, FunctionId id);
std::vector<Dimension> opened(const Function& function);
void give_dimensions(Function& function, const std::vector<Dimension>& by_parameter);
// For the dimensions of the arguments; nothing: they are in error, or the function is.
std::optional<FunctionId> called_with(Checking& in, FunctionId id, std::vector<ExprId>& given, Span callee);
// comprehensions.cpp
ExprId comprehension(Checking& in, SyntaxId id, const Type* wanted);
bool report_python(const SourceText& source, Diagnostics& diagnostics, SyntaxId callee, SyntaxId arguments);
// lists.cpp
bool asks_list(Builtin builtin, const std::vector<ExprId>& given);
ExprId of_list(Checking& in, SyntaxId id, Builtin builtin, ExprId list);
ExprId length(Checking& in, SyntaxId id, Builtin builtin, ExprId given);
ExprId part_of_list(Checking& in, SyntaxId id, ExprId list, SyntaxId index);
ExprId list_operation(Checking& in, SyntaxId id, ValueOp op, std::string_view verb, ExprId a, ExprId b);
// strings.cpp
ExprId text_of(Checking& in, SyntaxId id, ExprId value);
// processes.cpp
void process_signature(Checking& in, ProcessId id);
void process_values(Checking& in, ProcessId id);

}  // namespace anml
