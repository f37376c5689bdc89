// Definition, references, and renaming: from a name to its declaration and to all others that mean it.
#include <fmt/format.h>

#include <algorithm>

#include "lsp/capabilities.h"
#include "lsp/references.h"
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
    if (here != before || tried.diagnostics.errors() > cursor.snapshot.diagnostics.errors()) {
        std::string why;
        for (const Diagnostic& d : tried.diagnostics.list())
            if (d.severity == Severity::error && why.empty()) why = ": " + d.message;
        throw RequestError{error_code::request_failed,
                           fmt::format("with the name `{}` the text would mean something else{}", wanted, why)};
    }
    return {{"changes", changes}};
}

}  // namespace anml::lsp
