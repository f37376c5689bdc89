// Schemas, profiles and tables, and blocks of attributes.
#pragma once

#include "check/expressions/expressions.h"

namespace anml {

// attributes.cpp
bool has_attribute(const CheckedProgram& program, std::uint32_t schema, std::string_view name);
std::vector<AttributeValue> attributes(Checking& in, SyntaxId block, SchemaId schema, bool complete, Span construct,
                                       std::string_view what);
// schemas.cpp
void schema_shape(Checking& in, SchemaId id);   // bases, attributes and their types
void schema_values(Checking& in, SchemaId id);  // ranges, defaults and requirements
void check_enum(Checking& in, EnumId id);
void find_dead_attributes(Checking& in);
void enter(Checking& in, SyntaxId declaration);  // a fresh place at the top level of its file
// traits.cpp
void trait(Checking& in, SyntaxId id, SchemaId schema, std::vector<SchemaTrait>& traits);
void report_missing_traits(const CheckedProgram& program, Diagnostics& diagnostics, SchemaId id,
                           const std::vector<SchemaTrait>& traits);
ExprId mean(Checking& in, SyntaxId id, ExprId given);
ExprId given(Checking& in, SyntaxId id, ExprId attribute);
// profiles.cpp
void profile_signature(Checking& in, ProfileId id);
void profile_values(Checking& in, ProfileId id);
bool is_unbounded(const CheckedProgram& program, Diagnostics& diagnostics, const Profile& profile,
                  const std::vector<ExprId>& given, Span place);
ExprId profile_call(Checking& in, SyntaxId name, std::uint32_t index, SyntaxId list, Span place);
ExprId adapted(Checking& in, SyntaxId id);
void local_profile(Checking& in, SyntaxId id);
// tables.cpp
void table_signature(Checking& in, TableId id);
void table_values(Checking& in, TableId id);
// limits.cpp
Limits limits(Checking& in, SyntaxId declaration, const Type& type,
              std::string_view name);  // of an attribute or parameter
void check_limits(const CheckedProgram& program, Diagnostics& diagnostics, ExprId value, const Limits& limits,
                  std::string_view name, Span declared);

}  // namespace anml
