// The writer's working state, shared by the files of this folder: each holds the members for one part of a model.
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

class ProgramWriter {
  public:
    ProgramWriter(const CheckedProgram& program, const Network& network, const std::string& folder,
                  bool defaults = false);
    std::string run();
    std::string queue_profile(const LinkArray& link, int direction);
    std::string record_profile(const RecordInfo& record);
    std::string rest();  // see GraphNotes
    void prepare_rest();
    Expressions& values() { return values_; }
    bool sets_address(std::uint32_t row) const { return set_addresses_[row]; }
    const std::string& tcp_name(std::uint32_t record) const { return tcp_names_[record]; }
    // `record`: one of the schema, on whose choices it may depend.
    std::optional<double> default_number(std::string_view schema, std::string_view attribute,
                                         const RecordInfo* record = nullptr) const;
    std::optional<std::string> default_text(std::string_view schema, std::string_view attribute) const;
    const std::string& failure() const { return failure_.empty() ? values_.failure() : failure_; }
    void fail(std::string why)
    {
        if (failure_.empty()) failure_ = std::move(why);
    }

  private:
    // write_program.cpp
    const Expr* default_of(std::string_view name, std::string_view attribute, const RecordInfo* record) const;
    void take_names();
    std::string module(std::string_view name);  // "web", and imports it
    std::string parameters();
    std::string imports() const;
    void run_statement();
    static void add_times(std::int64_t follow_delays, const Convergence& convergence, AttributeList& list);
    void general();
    void regions();
    std::string choice_name(std::string_view schema, std::string_view attribute, std::uint32_t ordinal) const;
    // Adds what is not the schema's default.
    void add_number(AttributeList& list, std::string_view schema, std::string_view name, ValueExprId value,
                    Dimension d);
    void add_drawn(AttributeList& list, std::string_view schema, std::string_view name, const DistributionValue& value,
                   Dimension d);

    // write_nodes.cpp
    void nodes();
    void node(std::uint32_t row);
    std::string position(const NodeArray& row) const;
    void subnets(AttributeList& list, const EndpointInfo& endpoint) const;
    void tcp_profiles();
    std::string server(const ServerInfo& info);
    void addresses();

    // write_links.cpp
    struct LinkText {
        std::string profile;  // attributes but for the delay
        std::string delay;    // attributes; "" where it is the default
    };
    void links();
    void link(std::uint32_t row);
    std::map<std::string, std::string> direction(const LinkArray& link, int d);
    LinkText link_text(const LinkArray& link);
    std::string queue(ValueExprId capacity, ValueExprId packets, std::uint32_t discipline);
    std::string profile(std::string_view like, std::string_view schema, const std::string& attributes);
    std::string profile_of(const RecordInfo& record, AttributeList list);
    // node_records.cpp
    static bool has_addresses(const RecordInfo& record);
    // A rule that applies to none, which is left out: a selection of none has no text, and `[]` is anybody.
    static bool is_nobodys(const RecordInfo& record);
    std::string called(const RecordInfo& record);  // the profile of its schema's name
    std::string addresses_text(const RecordRanges& ranges) const;
    void add_record(AttributeList& list, const RecordInfo& record, std::string_view but = "");
    bool is_default(const RecordInfo& record, std::size_t field) const;
    std::string value_text(const RecordInfo& record, std::size_t field);  // which is there
    std::string schema_name(std::string_view full);  // "web.ClosedLoop" of "std.web.ClosedLoop", and imports it
    bool has_attribute(std::string_view schema, std::string_view name) const;
    std::string own_schema(const WorkloadInfo& info, std::string_view base);
    std::string rate_of(const RecordInfo& record, bool ipv6);
    std::string link_name(std::uint32_t row) const;  // as it is declared and named
    std::string unnamed(const LinkArray& link);      // what it would be called without a name
    std::string link_ends(const LinkArray& link) const;
    void static_routes();
    void segment_routes();
    std::string route_destination(const StaticRoute& route);
    void labels();

    // write_workloads.cpp
    void workloads();
    void workload(const WorkloadInfo& info);
    const std::string& nobody();
    std::string documents(std::span<const DocumentInfo> all);
    std::string document(const DocumentInfo& info);

    // write_timeline.cpp
    void timeline();
    std::string actions(std::size_t& row);
    std::string when(const TimelineInfo& info);
    void requirements(bool of_moments = true);
    double time_of(ValueExprId condition);

    const CheckedProgram& program_;
    const Network& network_;
    FreshNames names_;
    Expressions values_;
    std::map<std::string, std::string, std::less<>> modules_;  // by their names: what they are called here
    std::vector<std::string> tcp_names_;                       // by record; "" for the defaults
    std::vector<bool> set_addresses_;                          // by row
    std::map<std::uint32_t, std::uint32_t> endpoints_;         // by row
    std::set<std::uint32_t> named_links_;                      // rows that the timeline names
    std::map<std::string, unsigned, std::less<>> unnamed_;     // as the elaborator counts them
    std::map<std::string, std::string> documents_;             // profiles of `web.Document` by their attributes
    std::map<std::string, std::string> record_profiles_;       // of queues, by schema and attributes
    std::map<std::string, std::string> profiles_;              // of links, by their attributes without the delay
    std::map<std::string, std::string> schemas_;               // of workloads, by what stands behind their names
    std::string schema_declarations_;                          // the same as text
    std::string declarations_;                                 // of rest()
    std::string nobody_;                                       // an array without elements
    std::string out_;                                          // the body of the model
    std::string failure_;
};

}  // namespace anml
