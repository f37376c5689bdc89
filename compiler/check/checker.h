// The checker's working state, shared by the files of this folder: each holds the members for one kind of construct.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "check/check.h"
#include "check/names/language_words.h"

namespace anml {

enum class SymbolKind : std::uint8_t {
    module,
    schema,
    enumeration,
    profile,
    process,
    function,
    component,
    table,
    local
};

struct Symbol {
    SymbolKind kind = SymbolKind::local;
    std::uint32_t index = 0;  // of the declaration; FileId of a module; slot of a local
    Span span;
    Type type;           // of a local
    bool bound = false;  // by a comprehension: `index` counts from the outermost one
    ExprId computed{};  // of a `let` that asks for paths or measures: what it is, wherever it is used
    bool measures = false;  // ... and whether for measures
    bool own = false;    // of a module that does not export it
};

struct SpanHash {
    std::size_t operator()(const Span& span) const noexcept
    {
        return (std::size_t(span.file.value) << 32 | span.begin) * 0x9e3779b97f4a7c15ull;
    }
};

using Names = std::map<std::string, Symbol, std::less<>>;
// What a block declares further down: where, by which of its statements, and the `let`, if it is one. Loops and
// branches may make elements of one array in `others`, too.
struct Upcoming {
    Span span;
    SyntaxId let;
    std::uint32_t at = 0;
    std::vector<std::uint32_t> others = {};
};
using Places = std::unordered_map<std::string_view, Upcoming>;  // by name

// Two units to suggest for a plain number. Rates of other tools are bits per second.
std::pair<std::string_view, std::string_view> usual_units(Dimension d, double value);

struct Maker {
    SymbolKind kind;
    std::uint32_t index;
    friend auto operator<=>(const Maker&, const Maker&) = default;
};

// What is being checked; saved and restored around a statement that is checked on demand.
struct Context {
    std::optional<Maker> maker_;  // the schema or profile whose values are checked
    SchemaId self_;
    bool in_require_ = false;      // paths can be asked for
    bool may_be_measure_ = false;  // a name that is called there
    bool in_moment_ = false;       // ... of one time, and nothing that is measured
    bool asks_paths_ = false;      // one was
    bool asks_measures_ = false;   // the same of measures
    bool in_change_ = false;       // of the timeline: a link's new value
    unsigned loops_ = 0;
    std::uint32_t loop_slot_ = 0;          // of the outermost loop: what it makes has this or a later one
    std::string loop_name_, loop_number_;  // of the innermost: its name, and its number, if it has one
    std::uint32_t bound_ = 0;              // names that the comprehensions around bind
    SyntaxId let_;                         // whose value is checked
};

enum class Progress : std::uint8_t { untouched, active, done };

// An open block of statements. They are checked in the order of the text, but those first that others name.
struct Level {
    std::vector<SyntaxId> statements;
    std::vector<Progress> progress;
    std::vector<StatementId> checked;  // in the order in which they take effect
    Places names, links;               // declared further down; `links` with workloads
    std::size_t scopes = 0;            // open where the block's statements are checked
    Context context;
};

// A statement that is being checked.
struct OpenStatement {
    std::size_t level = 0;
    std::uint32_t at = 0;
    std::string_view name;  // that it was wanted for, and where; "": it was its turn
    Span wanted;
};

// Where the checker stands; saved and restored around a declaration that is checked on demand.
struct CheckerScope : Context {
    FileId file_;
    std::vector<Names> scopes_;  // the open blocks
    std::vector<Level> levels_;  // with their statements
    std::vector<OpenStatement> open_statements_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> outside_loops_;  // slots of what a loop had checked
    Names links_;                   // of the component, with its workloads
    SyntaxId body_;                 // of the component
    std::vector<Member> members_;   // of the component
    std::vector<Member> numbered_;  // those whose elements loops make
    std::uint32_t slots_ = 0;
    ComponentId component_;
    Places factors_;  // of the experiment
};

class Checker : private CheckerScope {
  public:
    Checker(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics, Declarations* declarations)
        : sources_(sources), tree_(tree), diagnostics_(diagnostics), declarations_(declarations)
    {
    }
    bool run(std::string_view model);  // false: there were errors
    CheckedProgram take() { return std::move(program_); }

  private:
    // collect.cpp: the names of every module
    void collect();
    void collect_file(FileId file);
    void collect_folder(std::size_t folder);
    void declare(Names& names, SyntaxId identifier, Symbol symbol);
    std::string full_name(FileId file, std::string_view name) const;
    bool bind_language_schemas();
    void let_links_follow_traces();

    // names.cpp: looking up
    const Symbol* find(std::string_view name) const;  // in scopes, module, prelude
    const Symbol* find_dotted(SyntaxId dotted_name);  // reports what is missing
    Span start_of_line(Span within) const;
    bool exported(const Symbol& symbol, const Symbol& module, SyntaxId identifier);
    const Symbol* find_in_module(const Symbol& module, SyntaxId identifier);  // reports
    std::string module_path(const Symbol& module) const;
    const Member* find_member(ComponentId component, std::string_view name);
    std::optional<Member> member_named(ComponentId component, std::string_view name);
    const Symbol* hidden_by(std::string_view name) const;
    std::string_view kind_of(const Symbol& symbol) const;
    void report_unknown(Span span, std::string_view name);
    bool suggest_value(Span span, std::string_view name, bool own, Diagnostics::Builder& report) const;
    std::string workloads_of(const Names& module) const;
    void help_with_library(Diagnostics::Builder& report, Span span, std::string_view name) const;
    // For an editor: what the name means, or that it is declared here.
    void means(SyntaxId identifier, Span declaration)
    {
        if (declarations_) declarations_->note(span(identifier), declaration);
    }
    void declares(SyntaxId identifier) { means(identifier, span(identifier)); }
    std::vector<std::string_view> visible_names() const;
    std::string_view text(SyntaxId id) const { return unquoted(sources_.text(tree_.node(id).span)); }
    std::string string_value(SyntaxId literal);  // reports escapes that there are not
    void find_placeholders(SyntaxId literal);
    Span span(SyntaxId id) const { return tree_.node(id).span; }
    std::string doc(SyntaxId id) const { return doc_text(sources_, tree_, id); }

    // types.cpp
    Type type_of_name(SyntaxId dotted_name, std::uint8_t flags, bool of_function = false);
    bool assignable(const Type& from, const Type& to) const;
    // keys.cpp
    std::uint32_t keying(std::vector<std::uint32_t> keys);  // index of one that is for so many indices
    std::uint32_t keying_of_rest(const Type& array);        // behind its first index
    ExprId index_of(SyntaxId id, const Type& array, SyntaxId object);
    ExprId bracket(SyntaxId id, std::string_view what, std::vector<std::uint32_t>& keys);
    ExprId listed_keys(ExprId list, std::uint32_t& keys);
    std::optional<ExprId> listed_by_let(const Expr& name);  // the list of strings that a `let` is, once more
    std::map<std::pair<std::uint32_t, std::uint32_t>, ExprId> listed_lets_;  // by component and slot
    void report_key(Span place, std::string_view key, const KeySet& keys);
    void key_signature(TableId id);
    std::uint32_t keys_of_graph() const;
    void key_of_row(TableId id, const TableRow& row, std::string_view key, Span place);
    static Type profile_type(const Profile& profile);
    std::string named(const Type& type) const { return type_name(program_, type); }
    std::string a_named(const Type& type) const { return a_type(program_, type); }

    // expressions.cpp, selections.cpp, operators.cpp, calls.cpp, mathematics.cpp, literals.cpp
    ExprId expression(SyntaxId id, const Type* wanted = nullptr);
    // Checks against `wanted`; `what` names the place in messages: "`delay`", "the condition".
    ExprId value(SyntaxId id, const Type& wanted, std::string_view what);
    bool means_value(std::string_view bare, const Type& wanted) const;
    std::string profile_from(const Type& found, const Type& wanted) const;
    std::string ether_of(std::optional<double> rate) const;
    void help_with_instance(Diagnostics::Builder& report, const Expr& found, const Type& wanted) const;
    void help_with_radio(Diagnostics::Builder& report, const Type& found, const Type& wanted) const;
    bool derives_radio(const Type& type) const;
    std::string_view table_of(const Type& key) const;  // whose key it is; "": of none
    ExprId require_type(ExprId expr, const Type& wanted, std::string_view what);
    ExprId add(ExprKind kind, Type type, Span span, std::uint32_t index = 0, double value = 0,
               std::vector<ExprId> operands = {});
    ExprId error(Span span) { return add(ExprKind::error, {}, span); }
    ExprId name(SyntaxId id, const Type* wanted);
    ExprId use_symbol(const Symbol& symbol, SyntaxId id);
    bool let_statement(SyntaxId id, Statement& out);
    ExprId let_computed(const Symbol& let, SyntaxId id);
    ExprId member(SyntaxId id);
    ExprId member(const Member& found, const Type& instance, SyntaxId id, ExprId object);
    ExprId subscript(SyntaxId id);
    ExprId quantity(SyntaxId id);
    ExprId address(SyntaxId id, const Type* wanted);
    ExprId address6(SyntaxId id, const Type* wanted);
    ExprId address_without_length(SyntaxId id, std::string_view alone);
    // The module, enum, profile ... that a name or a dotted chain denotes; nullptr if it is a value or unknown.
    const Symbol* static_symbol(SyntaxId id);
    bool swapped_arguments(std::span<const SyntaxId> list, const std::vector<Parameter>& parameters,
                           std::string_view callee, Span declared);
    bool is_link_profile(Span declared) const;
    ExprId tolerance(SyntaxId id, ExprId value, ExprId tolerance);
    ExprId compare_within(SyntaxId id, ExprId a, ExprId b, bool equality, std::uint32_t op);
    bool is_beyond_share(ExprId share, ExprId bound);
    ExprId unary(SyntaxId id, const Type* wanted);
    bool rate_in_seconds(SyntaxId id);
    ExprId binary(SyntaxId id, const Type* wanted);
    ExprId unknown_in_graph(SyntaxId object, SyntaxId identifier, const std::string& message, const Component& graph);
    ExprId conditional(SyntaxId id, const Type* wanted);
    ExprId list(SyntaxId id, const Type* wanted);
    static Type wanted_element(const Type* wanted);
    ExprId call(SyntaxId id);
    ExprId builtin_call(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& arguments);
    ExprId distribution_call(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& arguments);
    ExprId mixture(SyntaxId id, const std::vector<ExprId>& arguments);
    ExprId cumulative(SyntaxId id, const std::vector<ExprId>& given);
    ExprId samples(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& arguments);  // sample_files.cpp
    ExprId trace(SyntaxId id, SyntaxId file);
    ExprId named_file(ExprId name);
    std::string path_of(const std::string& name, FileId file) const;  // of a file that the text names
    // A number or quantity, random or not; reports what else it is.
    bool numeric(ExprId id, std::string_view what);
    bool same_dimension(ExprId first, ExprId other, std::string_view what);
    ExprId mathematics(SyntaxId id, Builtin builtin, std::vector<ExprId> given);
    ExprId rounded(SyntaxId id, Builtin builtin, std::vector<ExprId> given);
    ExprId square_root(SyntaxId id, ExprId given);
    ExprId plain(SyntaxId id, Builtin builtin, std::vector<ExprId> given);
    ExprId angle(SyntaxId id, Builtin builtin, std::vector<ExprId> given);
    ExprId draw(SyntaxId id, std::vector<ExprId> given);
    ExprId contains(SyntaxId id);
    std::optional<Type> type_of_addresses(ValueOp op, const Type& x, const Type& y) const;
    bool may_ask_routes(Span where, Builtin builtin);
    ExprId path_function(SyntaxId id, Builtin builtin, const std::vector<ExprId>& arguments);
    ExprId measure(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given);
    std::optional<std::uint32_t> part_of_run(SyntaxId id, Builtin builtin, std::vector<ExprId>& operands);
    bool has_attribute(std::uint32_t schema, std::string_view name) const;
    std::string others_with(SchemaId schema, std::string_view name) const;
    std::optional<abi::MeasurePhase> find_phase(SyntaxId id, Builtin builtin) const;
    std::optional<abi::MeasurePhase> phase(SyntaxId id, Builtin builtin);
    // Arguments by parameter; invalid ids where the default holds.
    std::vector<ExprId> arguments(SyntaxId argument_list, const std::vector<Parameter>& parameters, Span callee,
                                  std::string_view callee_name, Span declared);
    // Of a numeric expression of literals; nullopt where it depends on names.
    std::optional<double> constant(ExprId id) const;

    // cycles.cpp: also how deep declarations are made of each other, which later stages follow by recursion
    static constexpr std::uint32_t kDeepestDeclarations = 500;
    void report_depth(Span place);
    class Nested;  // a declaration that is checked on demand, within others
    void find_cycles();
    void find_recursive_functions();

    // schemas.cpp
    SyntaxId attribute_of_item(SyntaxId item) const;
    void schema_shape(SchemaId id);   // bases, attributes and their types
    void schema_values(SchemaId id);  // ranges, defaults and requirements
    void check_enum(EnumId id);
    void find_dead_attributes();

    // traits.cpp, changes.cpp
    Type type_of_trait(Trait trait) const;
    bool can_have(SchemaId schema, Trait trait) const;
    std::optional<Trait> trait_named(SyntaxId identifier, SchemaId schema);
    void trait(SyntaxId id, SchemaId schema, std::vector<SchemaTrait>& traits);
    void report_missing_traits(SchemaId id, const std::vector<SchemaTrait>& traits);
    ExprId mean(SyntaxId id, ExprId given);
    ExprId given(SyntaxId id, ExprId attribute);
    void changes(SyntaxId id, SchemaId schema, Attribute& attribute);

    // functions.cpp
    void function_signature(FunctionId id);
    void function_body(FunctionId id);
    ExprId function_call(SyntaxId id, FunctionId function, SyntaxId arguments);

    // generic_functions.cpp
    std::uint32_t like(SyntaxId type, const std::vector<Parameter>& parameters);
    void open_dimensions(FunctionId id);
    static std::vector<Dimension> opened(const Function& function);
    static void give_dimensions(Function& function, const std::vector<Dimension>& by_parameter);
    FunctionId instance_of(FunctionId id, const std::vector<Dimension>& by_parameter);
    // For the dimensions of the arguments; nothing: they are in error, or the function is.
    std::optional<FunctionId> called_with(FunctionId id, std::vector<ExprId>& given, Span callee);
    ExprId link_bdp(SyntaxId id, ExprId link);

    // loads.cpp
    ExprId load(SyntaxId id, Builtin builtin, const std::vector<SyntaxId>& given);

    // comprehensions.cpp
    ExprId comprehension(SyntaxId id, const Type* wanted);
    void for_clause(SyntaxId id, Comprehension& out, std::vector<ExprId>& operands);
    void bind(SyntaxId identifier, Type type);
    bool report_python(SyntaxId callee, SyntaxId arguments);

    // lists.cpp
    bool asks_list(Builtin builtin, const std::vector<ExprId>& given) const;
    ExprId of_list(SyntaxId id, Builtin builtin, ExprId list);
    ExprId length(SyntaxId id, Builtin builtin, ExprId given);
    ExprId part_of_list(SyntaxId id, ExprId list, SyntaxId index);
    ExprId list_operation(SyntaxId id, ValueOp op, std::string_view verb, ExprId a, ExprId b);

    // strings.cpp
    ExprId text_of(SyntaxId id, ExprId value);

    // profiles.cpp
    void profile_signature(ProfileId id);
    void profile_values(ProfileId id);
    bool is_unbounded(const Profile& profile, const std::vector<ExprId>& given, Span place);
    ExprId profile_call(SyntaxId name, std::uint32_t index, SyntaxId list, Span place);
    ExprId adapted(SyntaxId id);
    void local_profile(SyntaxId id);

    // tables.cpp
    void table_signature(TableId id);
    void table_values(TableId id);
    void unknown_column(const TableColumn& column, std::size_t more, SchemaId schema);
    std::optional<Table::Cell> table_cell(const std::string& text, const Type& type);
    std::string similar_profile(const std::string& name) const;
    void wrong_cell(const TableCell& cell, Span place, const Attribute& attribute);

    // processes.cpp
    void process_signature(ProcessId id);
    void process_values(ProcessId id);

    // parameters.cpp
    std::vector<SyntaxId> parameters_in(SyntaxId list) const;  // without holes
    std::vector<Parameter> signature(SyntaxId list, bool of_model, bool of_component = false, bool of_function = false);
    void refuse_component(Type& type, Span place);
    void parameter_values(SyntaxId list, std::vector<Parameter>& parameters);  // declares them in the open scope
    ValueRange range(SyntaxId id, const Type& type, std::string_view name);
    void check_range(ExprId value, const Limits& range, const Type& type, std::string_view name, Span declared);

    // defined_values.cpp
    void defined_values(std::string_view model);
    ExprId defined_value(FileId file, const Parameter& parameter);

    // limits.cpp
    Limits limits(SyntaxId declaration, const Type& type, std::string_view name);  // of an attribute or parameter
    void check_limits(ExprId value, const Limits& limits, std::string_view name, Span declared);

    // components.cpp
    void component_signature(ComponentId id);
    bool component_body(ComponentId id);  // unless it was checked: on demand, within the open one; false: too deep
    void check_body(ComponentId id);
    // The component of a dotted name that can stand there: of an instance, or as a base; reports what is none.
    std::optional<ComponentId> component_named(SyntaxId dotted_name, bool models);
    void extend(ComponentId id, SyntaxId syntax);  // the base's members, arguments and overrides

    // passed_components.cpp
    ExprId passed_component(SyntaxId id, ComponentId component, SyntaxId arguments, const Type& wanted);
    bool finished(ComponentId id, Span place);
    const Symbol* passed_here(SyntaxId dotted_name) const;

    // overrides.cpp
    struct Target;
    std::optional<Target> override_target(ComponentId component, SyntaxId dotted_name);
    std::vector<Override> overrides(SyntaxId block, ComponentId component);
    void enter(SyntaxId declaration);  // a fresh place at the top level of its file

    // attributes.cpp
    std::vector<AttributeValue> attributes(SyntaxId block, SchemaId schema, bool complete, Span construct,
                                           std::string_view what);
    struct Block;  // of attributes: what was given so far
    void attribute_entries(SyntaxId block, Block& out, LinkDirection direction);
    void attribute_entry(SyntaxId entry, Block& out, LinkDirection direction);
    void report_missing(const Block& block, Span construct);
    void own_attributes_of(ExprId id, std::vector<std::uint32_t>& out) const;
    bool find_attribute_cycle(const Block& block, LinkDirection direction, Span construct);  // reports
    const Schema* extension_with(const Schema& base, std::string_view attribute) const;

    // statement_order.cpp
    std::vector<StatementId> statements(SyntaxId block);
    void announce(SyntaxId id, std::uint32_t at, bool nested, Level& level) const;
    void check_statement(const OpenStatement& open);
    bool check_named(std::string_view name, Span place);
    bool check_link_named(std::string_view name, Span place);
    bool check_below(std::string_view name, Span place, Places Level::*names);
    void need_run(Span place);
    void check_on_demand(const OpenStatement& wanted);
    bool report_circle(const OpenStatement& again);
    static constexpr std::string_view kRun = "run {}";  // stands for what `run` says, as a name
    // statements.cpp, network_statements.cpp
    bool statement(SyntaxId id, Statement& out);
    void annotation(SyntaxId id, Statement& out);
    bool node_statement(SyntaxId id, Statement& out);
    void declare_index(std::uint32_t& slot, std::uint32_t& key_slot, Span place, const Brackets& brackets);
    void declare_index(std::uint32_t& slot, std::uint32_t& key_slot, Span place, bool several,
                       std::vector<std::uint32_t> keys);
    // brackets.cpp
    bool changes_in_loop(ExprId id) const;
    Brackets brackets(SyntaxId id, SyntaxId identifier);
    const Parameter* tunable_number(SyntaxId id) const;
    std::uint32_t declare_part(SyntaxId identifier, Type type, const Brackets& brackets);
    std::string numbering(std::string_view name) const;
    bool mentions(ExprId id, std::uint32_t slot) const;
    void per_element(NodeStatement& node);
    bool node_of_model(Span place, std::string_view name) const;
    bool known_component(SyntaxId dotted_name);
    bool swapped_instance(SyntaxId component, SyntaxId identifier);
    std::string node_to_join(ComponentId id) const;
    bool instance_statement(SyntaxId id, Statement& out);
    bool port_statement(SyntaxId id, Statement& out);

    // experiments.cpp
    void experiment_without_model(ComponentId id);
    bool experiment_base(ComponentId id, ComponentId base, SyntaxId name);
    void take_parameters(ComponentId id, ComponentId base);
    bool only_in_experiment(SyntaxId id, std::string_view word);
    bool factor_statement(SyntaxId id, Statement& out);
    // labels.cpp
    bool label_statement(SyntaxId id, Statement& out);
    ExprId label_subject(SyntaxId id);
    bool report_statement(SyntaxId id, Statement& out);
    void label_key(SyntaxId identifier);
    std::map<std::string, Span, std::less<>> label_keys_;  // where each stands for the first time
    bool is_measure_statement(SyntaxId id) const;
    bool measure_statement(SyntaxId id, Statement& out);
    bool link_statement(SyntaxId id, Statement& out);
    bool for_statement(SyntaxId id, Statement& out);
    Type element_of(ExprId over, bool comprehension = false);
    Type number_type(ExprId over) const;  // of the first of two names
    bool if_statement(SyntaxId id, Statement& out);
    bool workload_statement(SyntaxId id, Statement& out);
    // The name of a link or workload in it.
    const SyntaxNode* find_link(std::string_view name);
    void collect_links(SyntaxId block);
    void declare_link(SyntaxId identifier, Type type);  // or a workload
    ExprId use_link(Symbol& symbol, SyntaxId id);
    ExprId link_or_value(SyntaxId id);
    void give_link_slots(const std::vector<StatementId>& body);

    // timeline.cpp
    bool timeline_statement(SyntaxId id, Statement& out);
    std::string changeable_names(bool ramp) const;
    bool static_route(SyntaxId id, Statement& out);
    bool is_segment(ExprId segment);
    void action(SyntaxId id, TimelineStatement& timeline);
    void changed_attributes(SyntaxId block, const ActionStatement& common, TimelineStatement& timeline);
    void changed_attribute(SyntaxId entry, const ActionStatement& common, TimelineStatement& timeline);
    // workload_changes.cpp
    void changed_workload(SyntaxId block, const ActionStatement& common, TimelineStatement& timeline);
    RequireStatement require_statement(SyntaxId id);
    bool swapped_loop(SyntaxId id, ExprId over);
    RunStatement run_statement(SyntaxId id, Span place);
    AddressingStatement addressing_statement(SyntaxId id, Span place);
    RoutingStatement routing_statement(SyntaxId id, Span place);
    ExprId link_end(SyntaxId id);
    SchemaId link_schema(ExprId profile) const;  // of what may stand in braces behind the profile
    std::uint32_t declare_local(SyntaxId identifier, Type type, bool in_body = false);
    bool declarable(SyntaxId identifier);
    bool only_in_model(SyntaxId id, std::string_view keyword);

    const SourceSet& sources_;
    const SyntaxTree& tree_;
    Diagnostics& diagnostics_;
    Declarations* declarations_;               // nullptr: nobody asks
    std::map<std::string, Span> graph_names_;  // of `graph` declarations, if somebody asks
    CheckedProgram program_;

    std::vector<Names> modules_;  // by FileId, then of the folders
    FileId prelude_;
    std::vector<SyntaxId> schema_syntax_, enum_syntax_, profile_syntax_, process_syntax_, function_syntax_,
        component_syntax_, table_syntax_;
    std::map<std::uint32_t, ExprId> table_profiles_;          // by profile: without arguments, as cells name it
    std::vector<Progress> shape_progress_, values_progress_;  // by schema
    std::vector<std::uint32_t> schema_depth_;                 // bases below each other, by schema
    std::unordered_map<std::string_view, SyntaxNode> body_links_;  // all of `links_found_in_`, for messages
    SyntaxId links_found_in_;
    std::vector<Progress> profile_progress_;                  // by profile
    std::vector<Progress> body_progress_;                     // by component
    std::vector<bool> needs_run_;                             // by component: what `run` says of the model
    std::vector<std::uint32_t> component_depth_;              // how deep others stand in it, by component
    std::uint32_t nested_ = 0;                                // declarations that are being checked
    std::vector<Progress> function_progress_;                 // by function
    std::map<std::pair<std::uint32_t, std::vector<std::int8_t>>, FunctionId> function_instances_;
    std::map<std::uint32_t, std::uint32_t> declared_as_;  // of an instance: the function
    std::set<std::uint32_t> failed_functions_;  // those with errors in them, which any of their instances would have
    std::vector<ComponentId> open_components_;
    std::map<ComponentId, std::unordered_map<std::string_view, const Member*>> members_by_name_;  // of finished ones
    std::unordered_set<Span, SpanHash> read_attributes_;                      // by the span of their declaration
    std::map<std::uint32_t, std::set<std::string, std::less<>>> exported_;  // of modules that mark something
    std::set<std::pair<std::uint32_t, std::string>> modules_missed_, nodes_as_indices_;  // reported
    std::unordered_set<Span, SpanHash> kept_back_;                            // reported
    std::unordered_set<Span, SpanHash> circles_;                              // of statements, reported
    // What is made of what: schemas, profiles and functions through defaults, values and calls.
    std::map<Maker, std::vector<std::pair<Maker, Span>>> uses_;
    void use(SymbolKind kind, std::uint32_t index, Span span)
    {
        if (maker_) uses_[*maker_].push_back({{kind, index}, span});
    }
    std::string maker_name(const Maker& maker) const;
    std::set<std::string, std::less<>> extended_;  // names of what components, models and experiments extend
    std::vector<std::string> trace_paths_;         // of CheckedProgram::traces
};

class Checker::Nested {
  public:
    Nested(Checker& checker, Span place) : checker_(checker), fits_(++checker.nested_ <= kDeepestDeclarations)
    {
        if (!fits_) checker.report_depth(place);
    }
    ~Nested() { --checker_.nested_; }
    bool fits() const { return fits_; }

  private:
    Checker& checker_;
    bool fits_;
};

}  // namespace anml
