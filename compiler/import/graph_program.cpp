#include "import/graph_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "runtime/abi/records.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

// What draws and computes; nothing that asks for paths, nodes or files, but for `empirical`.
constexpr std::string_view kFunctions[] = {
    "min",     "max",  "floor",     "ceil",     "round",   "abs",         "sqrt",       "exp",       "log",
    "pow",     "sin",  "cos",       "constant", "uniform", "exponential", "normal",     "lognormal", "pareto",
    "weibull", "zipf", "geometric", "chance",   "mixture", "truncated",   "cumulative", "empirical"};

bool names_file(std::string_view attribute)
{
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i)
        if (const abi::RecordField* field = abi::find_field(abi::record_layout(i), attribute))
            if (abi::is_file(field->kind)) return true;
    return false;
}

class Program {
  public:
    Program(std::string text, const TextFolders& folders) : folders_(folders)
    {
        file_ = sources_.add("graph", std::move(text), "");
        Diagnostics diagnostics;
        tree_ = parse(sources_, diagnostics).if_whole();
    }

    bool parsed() const { return tree_.has_value(); }
    const SyntaxTree& tree() const { return *tree_; }
    std::span<const SyntaxId> declarations() const
    {
        return syntax::File(*tree_, tree_->roots[file_.value]).declarations();
    }
    std::string name(SyntaxId id) const { return std::string(unquoted(sources_.text(tree_->node(id).span))); }

    // Its text, names of files as they will be.
    std::string text(SyntaxId id) const
    {
        std::vector<Span> files;
        find_files(id, files);
        const Span span = tree_->node(id).span;
        std::string out;
        std::uint32_t at = span.begin;
        for (const Span& file : files) {
            out += sources_.text({span.file, at, file.begin + 1});
            out += folders_.moved(std::string(sources_.text({span.file, file.begin + 1, file.end - 1})));
            at = file.end - 1;
        }
        return out + std::string(sources_.text({span.file, at, span.end}));
    }

    // Whether all that it names is a function or one of these.
    bool names_only(SyntaxId id, const std::set<std::string>& known) const
    {
        if (tree_->kind(id) == SyntaxKind::member || tree_->kind(id) == SyntaxKind::self) return false;
        if (tree_->kind(id) == SyntaxKind::name) {
            const std::string word = name(id);
            return known.contains(word) ||
                   std::find(std::begin(kFunctions), std::end(kFunctions), word) != std::end(kFunctions);
        }
        for (const SyntaxId child : tree_->children_of(id))
            if (!names_only(child, known)) return false;
        return true;
    }

  private:
    // The string of each `empirical("file")` and `cumulative("file")`, and of each attribute that is a file, quotes
    // included.
    void find_files(SyntaxId id, std::vector<Span>& files) const
    {
        if (tree_->kind(id) == SyntaxKind::call) files_of(syntax::Call(*tree_, id), files);
        if (tree_->kind(id) == SyntaxKind::attribute) {
            const syntax::Attribute attribute(*tree_, id);
            if (names_file(name(attribute.name()))) add_file(attribute.value(), files);
        }
        for (const SyntaxId child : tree_->children_of(id)) find_files(child, files);
    }
    void files_of(syntax::Call call, std::vector<Span>& files) const
    {
        if (name(call.callee()) != "empirical" && name(call.callee()) != "cumulative") return;
        for (const SyntaxId argument : syntax::ArgumentList(*tree_, call.arguments()).arguments()) {
            add_file(syntax::Argument(*tree_, argument).value(), files);
        }
    }
    void add_file(SyntaxId value, std::vector<Span>& files) const
    {
        const Span span = tree_->node(value).span;
        // Names with escapes stay as they are.
        if (tree_->kind(value) == SyntaxKind::literal_string &&
            sources_.text(span).find('\\') == std::string_view::npos)
            files.push_back(span);
    }

    const TextFolders& folders_;
    SourceSet sources_;
    FileId file_;
    std::optional<SyntaxTree> tree_;
};

}  // namespace

std::string TextFolders::moved(const std::string& file) const
{
    namespace fs = std::filesystem;
    if (fs::path(file).is_absolute()) return file;
    std::error_code error;
    const fs::path near = fs::proximate(fs::path(from) / file, to.empty() ? "." : to, error);
    return error ? file : near.string();
}

std::optional<GraphProgram> read_graph_program(std::string_view text, const TextFolders& folders, bool workloads)
{
    const Program program(std::string(text), folders);
    if (!program.parsed()) return std::nullopt;
    const SyntaxTree& tree = program.tree();
    GraphProgram result;
    for (const SyntaxId id : program.declarations()) {
        switch (tree.kind(id)) {
            case SyntaxKind::import_decl:
                if (program.name(syntax::ImportDeclaration(tree, id).path()).starts_with("std."))
                    result.imports.insert(program.text(id));
                else
                    ++result.dropped;
                break;
            case SyntaxKind::process_decl:
                result.processes.insert(program.name(syntax::name_of(tree, id)));
                result.declarations += program.text(id) + "\n\n";
                break;
            case SyntaxKind::schema_decl:  // of a workload
                result.declarations += program.text(id) + "\n\n";
                break;
            case SyntaxKind::profile_decl:
                result.profiles.insert(program.name(syntax::name_of(tree, id)));
                result.declarations += program.text(id) + "\n";
                break;
            case SyntaxKind::model_decl:
                for (const SyntaxId statement :
                     syntax::Block(tree, syntax::ComponentDeclaration(tree, id).body()).statements())
                {
                    const SyntaxKind kind = tree.kind(statement);
                    if (!workloads && (kind == SyntaxKind::workload_decl || kind == SyntaxKind::profile_decl)) continue;
                    switch (kind) {
                        case SyntaxKind::addressing_decl:
                        case SyntaxKind::routing_decl:
                        case SyntaxKind::route_stmt:
                        case SyntaxKind::profile_decl:  // of documents that a workload asks for
                        case SyntaxKind::workload_decl:
                        case SyntaxKind::require_stmt:
                        case SyntaxKind::run_decl:
                            result.statements += program.text(statement) + "\n";
                            break;
                        default:
                            ++result.dropped;
                    }
                }
                break;
            default:
                ++result.dropped;
        }
    }
    return result;
}

std::optional<std::string> read_drawn(std::string_view text, const TextFolders& folders,
                                      const std::set<std::string>& processes)
{
    if (text.find_first_of("{}\n") != std::string_view::npos || text.find("//") != std::string_view::npos)
        return std::nullopt;
    const Program program(fmt::format("profile drawn : Link {{ loss = {}\n}}\n", text), folders);
    if (!program.parsed() || program.declarations().size() != 1) return std::nullopt;
    const SyntaxTree& tree = program.tree();
    const SyntaxId profile = program.declarations()[0];
    if (tree.kind(profile) != SyntaxKind::profile_decl) return std::nullopt;
    const auto attributes =
        syntax::AttributeBlock(tree, syntax::ProfileDeclaration(tree, profile).attributes()).attributes();
    if (attributes.size() != 1) return std::nullopt;
    const SyntaxId value = syntax::Attribute(tree, attributes[0]).value();
    if (tree.kind(value) == SyntaxKind::attribute_block || !program.names_only(value, processes)) return std::nullopt;
    return program.text(value);
}

}  // namespace anml
