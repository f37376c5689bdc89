// Call hierarchy: which components a component is made of, and which have it in them.
#include "lsp/capabilities.h"
#include "lsp/features/describe.h"
#include "lsp/features/references.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

bool is_component(SyntaxKind kind)
{
    return kind == SyntaxKind::component_decl || kind == SyntaxKind::model_decl ||
           kind == SyntaxKind::experiment_decl || kind == SyntaxKind::graph_decl;
}

SyntaxId caller_around(const Snapshot& snapshot, Span span)
{
    for (SyntaxId id = snapshot.innermost(span.file, span.begin, span.end); id.valid(); id = snapshot.parent(id))
        if (is_component(snapshot.tree.kind(id))) return id;
    return {};
}

TokenId name_of(const Snapshot& snapshot, SyntaxId component)
{
    const Span span = snapshot.tree.node(syntax::name_of(snapshot.tree, component)).span;
    return anml::token_at(snapshot.tree, span.file, span.begin);
}

// `asked`: the document by which its snapshot is found again.
json item(const Workspace& workspace, const Snapshot& snapshot, SyntaxId component, const std::string& asked)
{
    const TokenId name = name_of(snapshot, component);
    if (!name) return nullptr;
    const Span span = snapshot.tree.tokens[name.value].span, whole = snapshot.tree.node(component).span;
    const std::string uri = workspace.uri(snapshot.sources.file(span.file));
    if (uri.empty()) return nullptr;
    const Declared declared = declared_at(snapshot, name);
    const PositionMap& map = snapshot.positions(span.file);
    return {{"name", std::string(unquoted(snapshot.text(span)))},
            {"kind", 5},
            {"detail", kind_of(snapshot, component)},
            {"uri", uri},
            {"range", map.range_json(whole.begin, whole.end)},
            {"selectionRange", map.range_json(span.begin, span.end)},
            {"data", {{"document", asked}, {"file", declared.key}, {"begin", declared.begin}}}};
}

struct Asked {
    const Snapshot& snapshot;
    TokenId name;
    std::string document;
};

Asked asked(Workspace& workspace, const json& params)
{
    const json& data = field(field(params, "item"), "data");
    const std::string uri = text_field(data, "document");
    Document* document = workspace.find(uri);
    if (!document) throw RequestError{error_code::invalid_params, "the document is not open: " + uri};
    const Snapshot& snapshot = workspace.snapshot(*document);
    const TokenId name = find_in(snapshot, {data.at("file").get<std::string>(), data.at("begin").get<std::uint32_t>()});
    if (!name) throw RequestError{error_code::request_failed, "the text has changed"};
    return {snapshot, name, uri};
}

}  // namespace

json prepare_call_hierarchy(Workspace& workspace, const json& params)
{
    const Cursor cursor = workspace.cursor(params);
    const Snapshot& snapshot = cursor.snapshot;
    const TokenId at = snapshot.token_at(cursor.file, cursor.offset);
    const TokenId declaration = at ? snapshot.declarations.of(at) : TokenId{};
    if (!declaration) return nullptr;
    const SyntaxId id = snapshot.declared_by(snapshot.tree.tokens[declaration.value].span);
    if (!id.valid() || !is_component(snapshot.tree.kind(id))) return nullptr;
    json made = item(workspace, snapshot, id, cursor.document.uri);
    return made.is_null() ? made : json::array({std::move(made)});
}

json incoming_calls(Workspace& workspace, const json& params)
{
    const Asked of = asked(workspace, params);
    json calls = json::array();
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> known;  // by the caller's name
    each_name(workspace, of.snapshot, of.name, [&](const Snapshot& snapshot, Span place, bool declares) {
        if (declares) return;
        const SyntaxId caller = caller_around(snapshot, place);
        const TokenId name = caller.valid() ? name_of(snapshot, caller) : TokenId{};
        if (!name) return;
        const Declared declared = declared_at(snapshot, name);
        const auto [entry, fresh] = known.try_emplace({declared.key, declared.begin}, calls.size());
        if (fresh) {
            // The document by which this one is seen: itself where it is open, else the one that was asked.
            const std::string uri = workspace.uri(snapshot.sources.file(place.file));
            json from = item(workspace, snapshot, caller, workspace.find(uri) ? uri : of.document);
            if (from.is_null()) return void(known.erase(entry));
            calls.push_back({{"from", std::move(from)}, {"fromRanges", json::array()}});
        }
        calls[entry->second]["fromRanges"].push_back(snapshot.positions(place.file).range_json(place.begin, place.end));
    });
    return calls;
}

json outgoing_calls(Workspace& workspace, const json& params)
{
    const Asked of = asked(workspace, params);
    const Snapshot& snapshot = of.snapshot;
    const SyntaxId component = snapshot.declared_by(snapshot.tree.tokens[of.name.value].span);
    json calls = json::array();
    if (!component.valid()) return calls;
    const Span whole = snapshot.tree.node(component).span;
    std::map<std::uint32_t, std::size_t> known;  // by declaration
    for (std::size_t i = of.name.value; i < snapshot.tree.tokens.size(); ++i) {
        if (snapshot.tree.tokens.file(i) != whole.file || snapshot.tree.tokens.begin_of(i) >= whole.end) break;
        const TokenId declaration = snapshot.declarations.of(TokenId(i));
        if (!declaration || declaration == TokenId(i)) continue;
        const SyntaxId called = snapshot.declared_by(snapshot.tree.tokens[declaration.value].span);
        if (!called.valid() || !is_component(snapshot.tree.kind(called))) continue;
        const auto [entry, fresh] = known.try_emplace(declaration.value, calls.size());
        if (fresh) {
            json to = item(workspace, snapshot, called, of.document);
            if (to.is_null()) {
                known.erase(entry);
                continue;
            }
            calls.push_back({{"to", std::move(to)}, {"fromRanges", json::array()}});
        }
        calls[entry->second]["fromRanges"].push_back(
            snapshot.positions(whole.file)
                .range_json(snapshot.tree.tokens.begin_of(i), snapshot.tree.tokens.end_of(i)));
    }
    return calls;
}

}  // namespace anml::lsp
