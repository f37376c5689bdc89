// The writer's working state, and what the files of this folder share: each has the functions for one part of a model.
#pragma once

#include <map>
#include <set>

#include "check/checked_program.h"
#include "printer/expressions.h"
#include "printer/names.h"

namespace anml {

// Attributes in the order in which they are written, as `name = value`.
class AttributeList {
  public:
    void add(std::string_view name, std::string_view value);
    void block(std::string_view name, const AttributeList& inner);
    bool empty() const { return text_.empty(); }
    const std::string& text() const { return text_; }
    std::string braces() const;  // " { ... }", or "" of none

  private:
    std::string text_;
};

struct ProgramWriter {
    ProgramWriter(const CheckedProgram& program, const Network& network, const std::string& folder,
                  bool defaults = false);
    const std::string& failure() const { return failed.empty() ? values.failure() : failed; }
    void fail(std::string why)
    {
        if (failed.empty()) failed = std::move(why);
    }
    std::string selection(const std::vector<TargetRange>& ranges) const
    {
        return node_selection(network, ranges, of_graph);
    }

    const CheckedProgram& program;
    const Network& network;
    FreshNames names;
    const bool of_graph;  // see Expressions
    Expressions values;
    std::map<std::string, std::string, std::less<>> modules;  // by their names: what they are called here
    std::vector<std::string> tcp_names;                       // by record; "" for the defaults
    std::vector<bool> set_addresses;                          // by row: whether it would not come about by itself
    std::map<std::uint32_t, std::uint32_t> endpoints;         // by row
    std::set<std::uint32_t> named_links;                      // rows that the timeline names
    std::map<std::string, unsigned, std::less<>> unnamed;     // as the elaborator counts them
    std::map<std::string, std::string> documents;             // profiles of `web.Document` by their attributes
    std::map<std::string, std::string> record_profiles;       // of queues, by schema and attributes
    std::map<std::string, std::string> profiles;              // of links, by their attributes without the delay
    std::map<std::string, std::string> schemas;               // of workloads, by what stands behind their names
    std::string schema_declarations;                          // the same as text
    std::string declarations;                                 // of a graph's notes
    std::string nobody;                                       // an array without elements
    std::string out;                                          // the body of the model
    std::string failed;
};

std::string module(ProgramWriter& in, std::string_view name);  // "web", and imports it
std::string schema_name(ProgramWriter& in,
                        std::string_view full);  // "web.ClosedLoop" of "std.web.ClosedLoop": the same
std::string imports(const ProgramWriter& in);
void run_statement(ProgramWriter& in);
void general(ProgramWriter& in);
void regions(ProgramWriter& in);
// `record`: one of the schema, on whose choices it may depend.
std::optional<double> default_number(const CheckedProgram& program, std::string_view schema, std::string_view attribute,
                                     const RecordInfo* record = nullptr);
std::optional<std::string> default_text(const CheckedProgram& program, std::string_view schema,
                                        std::string_view attribute);
std::string choice_name(const CheckedProgram& program, std::string_view schema, std::string_view attribute,
                        std::uint32_t ordinal);
bool has_attribute(const CheckedProgram& program, std::string_view schema, std::string_view name);
// Adds what is not the schema's default.
void add_number(ProgramWriter& in, AttributeList& list, std::string_view schema, std::string_view name,
                ValueExprId value, Dimension d);
void add_drawn(ProgramWriter& in, AttributeList& list, std::string_view schema, std::string_view name,
               const DistributionValue& value, Dimension d);

// write_nodes.cpp
void nodes(ProgramWriter& in);
void tcp_profiles(ProgramWriter& in);
void addresses(ProgramWriter& in);

// write_links.cpp
void links(ProgramWriter& in);
std::string queue(ProgramWriter& in, ValueExprId capacity, ValueExprId packets, std::uint32_t discipline);
std::string profile_of(ProgramWriter& in, const RecordInfo& record, AttributeList list);
void add_record(ProgramWriter& in, AttributeList& list, const RecordInfo& record, std::string_view but = "");
std::string written_link_name(const Network& network, std::uint32_t row);  // as it is declared and named
void static_routes(ProgramWriter& in);
void segment_routes(ProgramWriter& in);

// node_records.cpp
bool has_addresses(const RecordInfo& record);
// A rule that applies to none, which is left out: a selection of none has no text, and `[]` is anybody.
bool is_nobodys(const RecordInfo& record);
std::string called(ProgramWriter& in, const RecordInfo& record);  // the profile of its schema's name
std::string addresses_text(const ProgramWriter& in, const RecordRanges& ranges);

// write_labels.cpp, write_workloads.cpp, write_timeline.cpp
void labels(ProgramWriter& in);
void workloads(ProgramWriter& in);
void workload(ProgramWriter& in, const WorkloadInfo& info);
void timeline(ProgramWriter& in);
void requirements(ProgramWriter& in, bool of_moments = true);

}  // namespace anml
