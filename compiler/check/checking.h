// The check's state, and what its functions share. Those of a folder are declared in its header.
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

// Declarations within each other, which later stages follow by recursion.
constexpr std::uint32_t kDeepestDeclarations = 500;

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
    Type type;              // of a local
    bool bound = false;     // by a comprehension: `index` counts from the outermost one
    ExprId computed{};      // of a `let` that asks for paths or measures: what it is, wherever it is used
    bool measures = false;  // ... and whether for measures
    bool own = false;       // of a module that does not export it
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

struct Maker {
    SymbolKind kind;
    std::uint32_t index;
    friend auto operator<=>(const Maker&, const Maker&) = default;
};

// What is being checked; saved and restored around a statement that is checked on demand.
struct Context {
    std::optional<Maker> maker;  // the schema or profile whose values are checked
    SchemaId self;
    bool in_require = false;      // paths can be asked for
    bool may_be_measure = false;  // a name that is called there
    bool in_moment = false;       // ... of one time, and nothing that is measured
    bool asks_paths = false;      // one was
    bool asks_measures = false;   // the same of measures
    bool in_change = false;       // of the timeline: a link's new value
    Span every;                   // the statement, where its times have no number
    unsigned loops = 0;
    std::uint32_t loop_slot = 0;         // of the outermost loop: what it makes has this or a later one
    std::string loop_name, loop_number;  // of the innermost: its name, and its number, if it has one
    std::uint32_t bound = 0;             // names that the comprehensions around bind
    SyntaxId let;                        // whose value is checked
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
    FileId file;
    std::vector<Names> scopes;  // the open blocks
    std::vector<Level> levels;  // with their statements
    std::vector<OpenStatement> open_statements;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> outside_loops;  // slots of what a loop had checked
    Names links;                                                         // of the component, with its workloads
    SyntaxId body;                                                       // of the component
    std::vector<Member> members;                                         // of the component
    std::vector<Member> numbered;                                        // those whose elements loops make
    std::uint32_t slots = 0;
    ComponentId component;
    Places factors;  // of the experiment
};

struct SourceText {
    std::string_view text(SyntaxId id) const { return unquoted(sources.text(tree.node(id).span)); }
    Span span(SyntaxId id) const { return tree.node(id).span; }
    std::string doc(SyntaxId id) const { return doc_text(sources, tree, id); }

    const SourceSet& sources;
    const SyntaxTree& tree;
};

struct Checking : SourceText, CheckerScope {
    Checking(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics, Declarations* declarations)
        : SourceText{sources, tree}, diagnostics(diagnostics), declarations(declarations)
    {
    }
    ExprId add(ExprKind kind, Type type, Span span, std::uint32_t index = 0, double value = 0,
               std::vector<ExprId> operands = {});
    ExprId call(Builtin builtin, Type type, Span span, std::vector<ExprId> operands)
    {
        return add(ExprKind::call, type, span, static_cast<std::uint32_t>(builtin), 0, std::move(operands));
    }
    ExprId error(Span span) { return add(ExprKind::error, {}, span); }
    Diagnostics::Builder report(Diag diag, Span span, std::string message) const
    {
        return diagnostics.report(diag, span, std::move(message));
    }
    std::string named(const Type& type) const { return type_name(program, type); }
    std::string a_named(const Type& type) const { return a_type(program, type); }
    // For an editor: what the name means, or that it is declared here.
    void means(SyntaxId identifier, Span declaration)
    {
        if (declarations) declarations->note(span(identifier), declaration);
    }
    void declares(SyntaxId identifier) { means(identifier, span(identifier)); }
    void use(SymbolKind kind, std::uint32_t index, Span span)
    {
        if (maker) uses[*maker].push_back({{kind, index}, span});
    }

    Diagnostics& diagnostics;
    Declarations* declarations;               // nullptr: nobody asks
    std::map<std::string, Span> graph_names;  // of `graph` declarations, if somebody asks
    CheckedProgram program;

    std::vector<Names> modules;  // by FileId, then of the folders
    FileId prelude;
    std::vector<SyntaxId> schema_syntax, enum_syntax, profile_syntax, process_syntax, function_syntax, component_syntax,
        table_syntax;
    std::map<std::uint32_t, ExprId> table_profiles;               // by profile: without arguments, as cells name it
    std::vector<Progress> shape_progress, values_progress;        // by schema
    std::vector<std::uint32_t> schema_depth;                      // bases below each other, by schema
    std::unordered_map<std::string_view, SyntaxNode> body_links;  // all of `links_found_in`, for messages
    SyntaxId links_found_in;
    std::vector<Progress> profile_progress;      // by profile
    std::vector<Progress> body_progress;         // by component
    std::vector<bool> needs_run;                 // by component: what `run` says of the model
    std::vector<std::uint32_t> component_depth;  // how deep others stand in it, by component
    std::uint32_t nested = 0;                    // declarations that are being checked
    std::vector<Progress> function_progress;     // by function
    std::map<std::pair<std::uint32_t, std::vector<std::int8_t>>, FunctionId> function_instances;
    std::map<std::uint32_t, std::uint32_t> declared_as;  // of an instance: the function
    std::set<std::uint32_t> failed_functions;  // those with errors in them, which any of their instances would have
    std::vector<ComponentId> open_components;
    std::map<ComponentId, std::unordered_map<std::string_view, const Member*>> members_by_name;  // of finished ones
    std::unordered_set<Span, SpanHash> read_attributes;                    // by the span of their declaration
    std::map<std::uint32_t, std::set<std::string, std::less<>>> exported;  // of modules that mark something
    std::set<std::pair<std::uint32_t, std::string>> modules_missed, nodes_as_indices;  // reported
    std::unordered_set<Span, SpanHash> kept_back;                                      // reported
    std::unordered_set<Span, SpanHash> once;  // what is reported for all its uses: statements in a circle, `let`s
    // What is made of what: schemas, profiles and functions through defaults, values and calls.
    std::map<Maker, std::vector<std::pair<Maker, Span>>> uses;
    std::set<std::string, std::less<>> extended;  // names of what components, models and experiments extend
    std::vector<std::string> trace_paths;         // of CheckedProgram::traces
    std::map<std::pair<std::uint32_t, std::uint32_t>, ExprId> lets;  // what they are, by component and slot
    std::vector<std::string> broken_keys;  // KeySet::of() of tables with errors: which keys they have is not known
    bool keyless = false;                // a table without keys was taken for some: reported
    std::set<std::uint32_t> incomplete;  // components with a statement that is not understood: it may make anything
    std::map<std::string, Span, std::less<>> label_keys;                    // where each stands for the first time
};

}  // namespace anml
