// Names: what modules declare, what a name means, and what is made of what.
#pragma once

#include "check/checking.h"

namespace anml {

// collect.cpp
void collect(Checking& in);
bool bind_language_schemas(CheckedProgram& program, Diagnostics& diagnostics);
// names.cpp
const Symbol* find(const Checking& in, std::string_view name);                          // in scopes, module, prelude
const Symbol* find_dotted(Checking& in, SyntaxId dotted_name);                          // reports what is missing
const Symbol* find_in_module(Checking& in, const Symbol& module, SyntaxId identifier);  // reports
std::string module_path(const SourceText& source, const CheckerScope& scope, const Symbol& module);
std::optional<Member> member_named(Checking& in, ComponentId component, std::string_view name);
const Symbol* hidden_by(const Checking& in, std::string_view name);
std::string_view kind_of(const CheckedProgram& program, const Symbol& symbol);
void report_unknown(Checking& in, Span span, std::string_view name);
void help_with_library(const Checking& in, Diagnostics::Builder& report, Span span, std::string_view name);
std::vector<std::string_view> visible_names(const Checking& in);
std::string string_value(const SourceText& source, Diagnostics& diagnostics,
                         SyntaxId literal);  // reports escapes that there are not
void find_placeholders(const SourceText& source, Diagnostics& diagnostics, SyntaxId literal);
// The module, enum, profile ... that a name or a dotted chain denotes; nullptr if it is a value or unknown.
const Symbol* static_symbol(Checking& in, SyntaxId id);
// cycles.cpp
void report_depth(Diagnostics& diagnostics, Span place);
void find_cycles(Checking& in);
void find_recursive_functions(Checking& in);
// defined_values.cpp
void defined_values(Checking& in, std::string_view model);
// link_names.cpp
// The name of a link or workload in it.
const SyntaxNode* find_link(Checking& in, std::string_view name);
void declare_link(Checking& in, SyntaxId identifier, Type type);  // or a workload
ExprId use_link(Checking& in, Symbol& symbol, SyntaxId id);
ExprId link_or_value(Checking& in, SyntaxId id);
void give_link_slots(CheckerScope& scope, CheckedProgram& program, const std::vector<StatementId>& body);

class NestedDeclaration {  // that is checked on demand, within others
  public:
    NestedDeclaration(Checking& in, Span place) : in_(in), fits_(++in.nested <= kDeepestDeclarations)
    {
        if (!fits_) report_depth(in.diagnostics, place);
    }
    ~NestedDeclaration() { --in_.nested; }
    bool fits() const { return fits_; }

  private:
    Checking& in_;
    bool fits_;
};

}  // namespace anml
