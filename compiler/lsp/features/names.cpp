// Definition, references, and renaming: from a name to its declaration and to all others that mean it.
#include <fmt/format.h>

#include <algorithm>

#include "lsp/capabilities.h"
#include "lsp/features/references.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

TokenId name_at(const Cursor& cursor)
{
    const TokenId at = cursor.snapshot.token_at(cursor.file, cursor.offset);
    if (!at || cursor.snapshot.tree.tokens.cls(at.value) != TokenClass::identifier) return {};
    return at;
}

SyntaxId import_around(const Snapshot& snapshot, Span span)
{
    for (SyntaxId id = snapshot.innermost(span.file, span.begin, span.end); id.valid(); id = snapshot.parent(id))
        if (snapshot.tree.kind(id) == SyntaxKind::import_decl) return id;
    return {};
}

struct Renaming {
    const Snapshot& snapshot;
    TokenId name, declaration;
};

// The name that can be given another one; throws RequestError, with the reason.
Renaming renaming(const Cursor& cursor)
{
    const TokenId name = name_at(cursor);
    const TokenId declaration = name ? cursor.snapshot.declarations.of(name) : TokenId{};
    if (!declaration) throw RequestError{error_code::request_failed, "there is no name that the text declares"};
    const Span span = cursor.snapshot.tree.tokens[declaration.value].span;
    if (cursor.snapshot.sources.file(span.file).path.starts_with("<") ||
        (cursor.document.library && span.file == cursor.snapshot.sources.main))
        throw RequestError{error_code::request_failed, "the standard library keeps its names"};
    if (const SyntaxId import = import_around(cursor.snapshot, span); import.valid()) {
        const syntax::ImportDeclaration declared(cursor.snapshot.tree, import);
        if (!declared.has_alias()) throw RequestError{error_code::request_failed, "a module has the name of its file"};
    }
    return {cursor.snapshot, name, declaration};
}

// ": " and the first error that was not there before; nothing where there is none.
std::string new_error(const Diagnostics& before, const Diagnostics& after)
{
    for (const Diagnostic& d : after.list()) {
        const auto same = [&](const Diagnostic& old) { return old.diag == d.diag && old.message == d.message; };
        if (d.severity == Severity::error && std::none_of(before.list().begin(), before.list().end(), same))
            return ": " + d.message;
    }
    return {};
}

bool is_part(SyntaxKind kind)
{
    return kind == SyntaxKind::node_decl || kind == SyntaxKind::link_decl || kind == SyntaxKind::instance_decl ||
           kind == SyntaxKind::workload_decl || kind == SyntaxKind::routing_decl;
}

// A node, link, instance or workload of that name in the body, loops and conditions included.
SyntaxId part_named(const Snapshot& snapshot, SyntaxId body, std::string_view name)
{
    for (const SyntaxId child : snapshot.tree.children_of(body)) {
        if (is_part(snapshot.tree.kind(child))) {
            const SyntaxId identifier = syntax::name_of(snapshot.tree, child);
            if (identifier.valid() && unquoted(snapshot.text(snapshot.tree.node(identifier).span)) == name)
                return child;
        }
        if (const SyntaxId found = part_named(snapshot, child, name); found.valid()) return found;
    }
    return {};
}

// Parts of an instance have a name each, and with it the parts of what its component extends, and of what extends that:
// the stages behind `check` tell them apart by these. The reason why the name cannot be given; "": it can.
std::string taken_in_network(const Snapshot& snapshot, TokenId declaration, std::string_view wanted)
{
    const CheckedProgram& program = snapshot.program;
    SyntaxId around = snapshot.declared_by(snapshot.tree.tokens[declaration.value].span);
    if (!around.valid() || !is_part(snapshot.tree.kind(around))) return {};
    while (around.valid() && snapshot.tree.kind(around) != SyntaxKind::component_decl &&
           snapshot.tree.kind(around) != SyntaxKind::model_decl)
        around = snapshot.parent(around);
    if (!around.valid()) return {};
    const Span own = snapshot.tree.node(syntax::name_of(snapshot.tree, around)).span;
    const auto extends = [&](ComponentId one, Span other) {
        for (std::size_t steps = program.components.size(); one.valid() && steps > 0; --steps) {
            if (program.component(one).span == other) return true;
            one = program.component(one).base;
        }
        return false;
    };
    ComponentId mine;
    for (std::uint32_t i = 0; i < program.components.size(); ++i)
        if (program.components[i].span == own) mine = ComponentId{i};
    for (std::uint32_t i = 0; i < program.components.size(); ++i) {
        const Component& component = program.components[i];
        const bool related = extends(ComponentId{i}, own) || (mine.valid() && extends(mine, component.span));
        const SyntaxId declared = related ? snapshot.declared_by(component.span) : SyntaxId{};
        const SyntaxId part = declared.valid() ? part_named(snapshot, declared, wanted) : SyntaxId{};
        if (!part.valid()) continue;
        const SyntaxKind kind = snapshot.tree.kind(part);
        const std::string_view text = snapshot.text(snapshot.tree.node(part).span);
        const std::string what = kind == SyntaxKind::instance_decl ? "an instance"
                                 : kind == SyntaxKind::routing_decl
                                     ? "a region"
                                     : fmt::format("a {}", text.substr(0, text.find(' ')));
        return fmt::format("`{}` has {} `{}` already", component.name, what, wanted);
    }
    return {};
}

}  // namespace

json definition(Workspace& workspace, const json& params)
{
    const Cursor cursor = workspace.cursor(params);
    const Snapshot& snapshot = cursor.snapshot;
    const TokenId name = name_at(cursor);
    if (!name) return nullptr;
    const Span span = snapshot.tree.tokens[name.value].span;
    if (const SyntaxId import = import_around(snapshot, span); import.valid()) {
        const SyntaxId path = syntax::ImportDeclaration(snapshot.tree, import).path();
        std::string module;
        for (const SyntaxId part : snapshot.tree.children_of(path))
            module += (module.empty() ? "" : ".") + std::string(unquoted(snapshot.text(snapshot.tree.node(part).span)));
        const auto found = snapshot.sources.imported(span.file, module);
        return found && found->file.valid() ? workspace.location(snapshot, {found->file, 0, 0}) : json();
    }
    const TokenId declaration = snapshot.declarations.of(name);
    return declaration ? workspace.location(snapshot, snapshot.tree.tokens[declaration.value].span) : json();
}

json references(Workspace& workspace, const json& params)
{
    const Cursor cursor = workspace.cursor(params);
    const TokenId name = name_at(cursor);
    const TokenId declaration = name ? cursor.snapshot.declarations.of(name) : TokenId{};
    if (!declaration) return nullptr;
    const bool itself = params.value("context", json::object()).value("includeDeclaration", true);
    json all = json::array();
    each_name(workspace, cursor.snapshot, declaration, [&](const Snapshot& snapshot, Span place, bool declares) {
        if (declares && !itself) return;
        if (json location = workspace.location(snapshot, place); !location.is_null())
            all.push_back(std::move(location));
    });
    return all;
}

json document_highlight(Workspace& workspace, const json& params)
{
    const Cursor cursor = workspace.cursor(params);
    const TokenId name = name_at(cursor);
    const TokenId declaration = name ? cursor.snapshot.declarations.of(name) : TokenId{};
    if (!declaration) return nullptr;
    json all = json::array();
    for (const TokenId other : cursor.snapshot.declarations.names_of(declaration)) {
        const Span place = cursor.snapshot.tree.tokens[other.value].span;
        if (place.file != cursor.file) continue;
        all.push_back({{"range", cursor.snapshot.positions(cursor.file).range_json(place.begin, place.end)},
                       {"kind", other == declaration ? 3 : 2}});
    }
    return all;
}

json prepare_rename(Workspace& workspace, const json& params)
{
    const Cursor cursor = workspace.cursor(params);
    const Renaming renamed = renaming(cursor);
    const Span span = cursor.snapshot.tree.tokens[renamed.name.value].span;
    return {{"range", cursor.snapshot.positions(cursor.file).range_json(span.begin, span.end)},
            {"placeholder", std::string(unquoted(cursor.snapshot.text(span)))}};
}

json rename(Workspace& workspace, const json& params)
{
    const std::string wanted(unquoted(text_field(params, "newName")));
    const Cursor cursor = workspace.cursor(params);
    const Renaming renamed = renaming(cursor);
    if (!is_plain_name(wanted) && !is_quotable_name(wanted))
        throw RequestError{error_code::invalid_params, fmt::format("`{}` cannot be a name", wanted)};
    const std::string written = quoted_name(wanted);
    if (const std::string taken = taken_in_network(cursor.snapshot, renamed.declaration, wanted); !taken.empty())
        throw RequestError{error_code::request_failed, taken};

    struct Edits {
        std::string key, text;
        std::vector<Span> places;
    };
    std::map<std::string, Edits> files;  // by URI
    json changes = json::object();
    each_name(workspace, cursor.snapshot, renamed.declaration, [&](const Snapshot& snapshot, Span place, bool) {
        const SourceFile& file = snapshot.sources.file(place.file);
        const json location = workspace.location(snapshot, place);
        if (location.is_null() || file.path.starts_with("<"))
            throw RequestError{error_code::request_failed, fmt::format("it is named in `{}` too", file.path)};
        const std::string& uri = location["uri"].get_ref<const std::string&>();
        changes[uri].push_back({{"range", location["range"]}, {"newText", written}});
        Edits& edits = files[uri];
        edits.key = key_of(file);
        edits.text = file.text;
        edits.places.push_back(place);
    });

    // Tried before it is proposed: the same names mean the declaration, and no others.
    UnsavedTexts texts = workspace.texts();
    const Span declared = cursor.snapshot.tree.tokens[renamed.declaration.value].span;
    Declared after = declared_at(cursor.snapshot, renamed.declaration);
    for (auto& [uri, edits] : files) {
        std::sort(edits.places.begin(), edits.places.end(),
                  [](const Span& a, const Span& b) { return a.begin > b.begin; });
        for (const Span& place : edits.places) {
            edits.text.replace(place.begin, place.end - place.begin, written);
            if (edits.key == after.key && place.begin < declared.begin)
                after.begin += std::uint32_t(written.size()) - (place.end - place.begin);
        }
        texts[edits.key] = edits.text;
    }
    const Snapshot tried(cursor.document.path, {workspace.client.include_dirs, workspace.client.encoding}, texts);
    const TokenId found = find_in(tried, after);
    const std::size_t here = found ? tried.declarations.names_of(found).size() : 0;
    const std::size_t before = cursor.snapshot.declarations.names_of(renamed.declaration).size();
    if (here != before || tried.diagnostics.errors() > cursor.snapshot.diagnostics.errors())
        throw RequestError{error_code::request_failed,
                           fmt::format("with the name `{}` the text would mean something else{}", wanted,
                                       new_error(cursor.snapshot.diagnostics, tried.diagnostics))};
    return {{"changes", changes}};
}

}  // namespace anml::lsp
