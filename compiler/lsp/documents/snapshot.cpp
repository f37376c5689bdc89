// The stages as the driver's list has them (driver/session.cpp), up to `check`; behind the first error they say nothing
// more, and go on for what they understand.
#include "lsp/documents/snapshot.h"

#include <algorithm>

#include "import/graph_components.h"
#include "import/tables/read_table.h"
#include "lint/warnings.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

bool has_graphs(const SyntaxTree& tree)
{
    for (const SyntaxId root : tree.roots)
        for (const SyntaxId id : tree.children_of(root))
            if (tree.kind(id) == SyntaxKind::graph_decl) return true;
    return false;
}

std::uint64_t place(FileId file, std::uint32_t begin) { return std::uint64_t{file.value} << 32 | begin; }

}  // namespace

Snapshot::Snapshot(const std::string& path, const ReadOptions& options, const UnsavedTexts& unsaved, Depth depth)
    : encoding_(options.encoding)
{
    const SourceOptions read{path, options.include_dirs};
    Diagnostics unsaid;
    if (depth == Depth::text) {
        const auto open = unsaved.find(path_key(path));
        if (open != unsaved.end())
            sources.add(path, open->second, "");
        else if (!load_file(path, sources, diagnostics))
            return;
        tree = parse(sources, diagnostics).output;
        return;
    }
    const bool whole = load_sources(read, &unsaved, sources, diagnostics);
    for (const SourceFile& file : sources.files)
        if (!file.path.starts_with("<")) files_read.insert(path_key(file.path));
    if (!sources.readable(diagnostics)) return;
    good = true;  // so far, but for modules that are missing

    auto parsed = parse(sources, good ? diagnostics : unsaid);
    tree = std::move(parsed.output);
    good = good && parsed.whole;
    const Allowances allowances = good ? find_allowances(sources, tree) : Allowances{};
    const bool filter = good;

    good = good && read_tables(read, tree, sources, diagnostics);
    if (good && has_graphs(tree)) {
        auto expanded = expand_graphs(read, tree, sources, diagnostics);
        good = expanded.has_value();
        if (expanded) tree = std::move(*expanded);
    }
    // Files of tables and of values came to the others, whatever was found in them.
    if (tree.roots.size() != sources.files.size()) {
        auto again = parse(sources, good ? diagnostics : unsaid);
        tree = std::move(again.output);
        good = good && again.whole;
    }
    auto checked = check(sources, tree, good ? diagnostics : unsaid, "", &declarations);
    program = std::move(checked.output);
    good = good && checked.whole;
    if (filter) filter_warnings(sources, allowances, {}, false, diagnostics);
    good = good && whole;
}

const PositionMap& Snapshot::positions(FileId file) const
{
    auto& map = positions_[file.value];
    if (!map) map = std::make_unique<PositionMap>(sources.file(file).text, encoding_);
    return *map;
}

std::size_t Snapshot::first_from(FileId file, std::uint32_t offset) const
{
    std::size_t low = 0, high = tree.tokens.size();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        const FileId of = tree.tokens.file(middle);
        if (of < file || (of == file && tree.tokens.begin_of(middle) < offset))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

TokenId Snapshot::token_before(FileId file, std::uint32_t offset) const
{
    for (std::size_t at = first_from(file, offset); at-- > 0 && tree.tokens.file(at) == file;) {
        const TokenClass cls = tree.tokens.cls(at);
        if (cls != TokenClass::comment && cls != TokenClass::doc_comment && cls != TokenClass::newline)
            return TokenId(at);
    }
    return {};
}

TokenId Snapshot::token_at(FileId file, std::uint32_t offset) const
{
    const std::size_t low = first_from(file, offset + 1);  // the first that begins behind the offset
    TokenId found;
    for (std::size_t back = 1; back <= 2 && back <= low; ++back) {
        const std::size_t at = low - back;
        if (tree.tokens.file(at) != file || tree.tokens.end_of(at) < offset) continue;
        const bool inside = tree.tokens.end_of(at) > offset;
        if (tree.tokens.cls(at) == TokenClass::identifier) return TokenId(at);
        if (!found || inside) found = TokenId(at);
    }
    return found;
}

void Snapshot::find_parents() const
{
    if (!parents_.empty()) return;
    parents_.resize(tree.size());
    for (SyntaxId id{0}; id.value < tree.size(); ++id.value) {
        for (const SyntaxId child : tree.children_of(id)) parents_[child.value] = id;
        switch (tree.kind(id)) {
            case SyntaxKind::schema_decl:
            case SyntaxKind::enum_decl:
            case SyntaxKind::attribute_decl:
            case SyntaxKind::profile_decl:
            case SyntaxKind::process_decl:
            case SyntaxKind::state_decl:
            case SyntaxKind::function_decl:
            case SyntaxKind::component_decl:
            case SyntaxKind::model_decl:
            case SyntaxKind::experiment_decl:
            case SyntaxKind::graph_decl:
            case SyntaxKind::table_decl:
            case SyntaxKind::parameter_decl:
            case SyntaxKind::node_decl:
            case SyntaxKind::instance_decl:
            case SyntaxKind::port_decl:
            case SyntaxKind::link_decl:
            case SyntaxKind::let_stmt:
            case SyntaxKind::for_stmt:
            case SyntaxKind::for_clause:
            case SyntaxKind::workload_decl:
            case SyntaxKind::routing_decl: {
                const SyntaxId name = syntax::name_of(tree, id);
                if (!name.valid() || tree.kind(name) != SyntaxKind::identifier) break;
                const Span span = tree.node(name).span;
                declared_.emplace(place(span.file, span.begin), id);
                if (tree.kind(id) != SyntaxKind::enum_decl) break;
                for (const SyntaxId value : syntax::EnumDeclaration(tree, id).values()) {
                    const Span of = tree.node(value).span;
                    declared_.emplace(place(of.file, of.begin), value);
                }
                break;
            }
            default:
                break;
        }
    }
}

SyntaxId Snapshot::parent(SyntaxId id) const
{
    find_parents();
    return parents_[id.value];
}

SyntaxId Snapshot::declared_by(Span name) const
{
    find_parents();
    const auto found = declared_.find(place(name.file, name.begin));
    return found == declared_.end() ? SyntaxId{} : found->second;
}

SyntaxId Snapshot::innermost(FileId file, std::uint32_t begin, std::uint32_t end) const
{
    if (file.value >= tree.roots.size()) return {};
    SyntaxId at = tree.roots[file.value];
    for (bool deeper = true; deeper;) {
        deeper = false;
        for (const SyntaxId child : tree.children_of(at)) {
            if (tree.is_none(child)) continue;
            const Span span = tree.node(child).span;
            if (span.file != file || span.begin > begin || span.end < end) continue;
            // Of two that meet there, the one that begins there.
            at = child, deeper = true;
            if (span.end > begin) break;
        }
    }
    return at;
}

SyntaxId Snapshot::item_around(SyntaxId id) const
{
    find_parents();
    for (; id.valid(); id = parents_[id.value]) {
        const SyntaxId above = parents_[id.value];
        if (!above.valid()) return {};
        const SyntaxKind kind = tree.kind(above);
        if (kind == SyntaxKind::file || kind == SyntaxKind::block || kind == SyntaxKind::timeline_block) return id;
    }
    return {};
}

}  // namespace anml::lsp
