// The declarations of a file as a tree, and those of the workspace by name.
#include <fmt/format.h>

#include <algorithm>

#include "common/ascii.h"
#include "lsp/capabilities.h"
#include "lsp/features/describe.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

constexpr std::size_t kMostSymbols = 500;  // of the workspace, in an answer

// SymbolKind of LSP 3.17.
int symbol_kind(SyntaxKind kind)
{
    switch (kind) {
        case SyntaxKind::component_decl:
        case SyntaxKind::graph_decl:
            return 5;  // Class
        case SyntaxKind::model_decl:
            return 2;  // Module
        case SyntaxKind::experiment_decl:
        case SyntaxKind::workload_decl:
            return 24;  // Event
        case SyntaxKind::schema_decl:
            return 23;  // Struct
        case SyntaxKind::enum_decl:
            return 10;
        case SyntaxKind::profile_decl:
        case SyntaxKind::let_stmt:
            return 14;  // Constant
        case SyntaxKind::function_decl:
        case SyntaxKind::process_decl:
            return 12;
        case SyntaxKind::table_decl:
            return 18;  // Array
        case SyntaxKind::attribute_decl:
            return 8;  // Field
        case SyntaxKind::identifier:
            return 22;  // EnumMember
        case SyntaxKind::parameter_decl:
        case SyntaxKind::state_decl:
        case SyntaxKind::port_decl:
            return 7;  // Property
        case SyntaxKind::node_decl:
        case SyntaxKind::instance_decl:
            return 19;  // Object
        case SyntaxKind::link_decl:
            return 11;  // Interface
        default:
            return 13;  // Variable
    }
}

class Outline {
  public:
    explicit Outline(const Snapshot& snapshot) : s_(snapshot), map_(snapshot.positions(snapshot.sources.main)) {}

    json file(FileId file)
    {
        json all = json::array();
        for (const SyntaxId id : s_.tree.children_of(s_.tree.roots[file.value])) symbol(id, all);
        return all;
    }

  private:
    void symbol(SyntaxId id, json& to)
    {
        const SyntaxNode node = s_.tree.node(id);
        switch (node.kind) {
            case SyntaxKind::annotated:
                return symbol(syntax::Annotated(s_.tree, id).declaration(), to);
            case SyntaxKind::for_stmt:
            case SyntaxKind::if_stmt:
            case SyntaxKind::block:
                for (const SyntaxId child : s_.tree.children_of(id)) symbol(child, to);
                return;
            case SyntaxKind::schema_decl:
            case SyntaxKind::enum_decl:
            case SyntaxKind::profile_decl:
            case SyntaxKind::process_decl:
            case SyntaxKind::function_decl:
            case SyntaxKind::component_decl:
            case SyntaxKind::model_decl:
            case SyntaxKind::experiment_decl:
            case SyntaxKind::graph_decl:
            case SyntaxKind::table_decl:
            case SyntaxKind::attribute_decl:
            case SyntaxKind::parameter_decl:
            case SyntaxKind::state_decl:
            case SyntaxKind::node_decl:
            case SyntaxKind::instance_decl:
            case SyntaxKind::port_decl:
            case SyntaxKind::link_decl:
            case SyntaxKind::let_stmt:
            case SyntaxKind::workload_decl:
                break;
            default:
                return;
        }
        const SyntaxId name = syntax::name_of(s_.tree, id);
        if (!name.valid() || s_.tree.kind(name) != SyntaxKind::identifier) return;
        const Span of = s_.tree.node(name).span;
        if (of.begin == of.end) return;
        json made = {{"name", std::string(unquoted(s_.text(of)))},
                     {"detail", detail(id, node)},
                     {"kind", symbol_kind(node.kind)},
                     {"range", map_.range_json(node.span.begin, node.span.end)},
                     {"selectionRange", map_.range_json(of.begin, of.end)}};
        json inside = json::array();
        if (node.kind == SyntaxKind::enum_decl) {
            for (const SyntaxId value : syntax::EnumDeclaration(s_.tree, id).values()) {
                const Span at = s_.tree.node(value).span;
                if (s_.tree.kind(value) != SyntaxKind::identifier || at.begin == at.end) continue;
                const json range = map_.range_json(at.begin, at.end);
                inside.push_back(
                    {{"name", std::string(s_.text(at))}, {"kind", 22}, {"range", range}, {"selectionRange", range}});
            }
        } else {
            for (const SyntaxId child : s_.tree.children_of(id)) {
                const SyntaxKind kind = s_.tree.kind(child);
                if (kind == SyntaxKind::parameter_list)
                    for (const SyntaxId parameter : s_.tree.children_of(child)) symbol(parameter, inside);
                else
                    symbol(child, inside);
            }
        }
        if (!inside.empty()) made["children"] = std::move(inside);
        to.push_back(std::move(made));
    }

    std::string detail(SyntaxId id, const SyntaxNode& node) const
    {
        if (node.kind == SyntaxKind::instance_decl)
            return std::string(s_.text(s_.tree.node(syntax::InstanceDeclaration(s_.tree, id).component()).span));
        return kind_of(s_, id);
    }

    const Snapshot& s_;
    const PositionMap& map_;
};

void flatten(const json& tree, const std::string& uri, const std::string& container, json& flat)
{
    for (const json& one : tree) {
        json made = {{"name", one["name"]},
                     {"kind", one["kind"]},
                     {"location", {{"uri", uri}, {"range", one["selectionRange"]}}}};
        if (!container.empty()) made["containerName"] = container;
        flat.push_back(std::move(made));
        if (one.contains("children")) flatten(one["children"], uri, one["name"].get<std::string>(), flat);
    }
}

// Whether the letters occur in the name in that order, whatever their case.
bool matches(std::string_view query, std::string_view name)
{
    std::size_t at = 0;
    for (const char c : name)
        if (at < query.size() && to_lower(c) == to_lower(query[at])) ++at;
    return at == query.size();
}

}  // namespace

json document_symbols(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const Snapshot& snapshot = workspace.snapshot(document);
    if (!snapshot.parsed()) return json::array();
    const json tree = Outline(snapshot).file(snapshot.sources.main);
    if (workspace.client.hierarchical) return tree;
    json flat = json::array();
    flatten(tree, document.uri, "", flat);
    return flat;
}

json workspace_symbols(Workspace& workspace, const json& params)
{
    const std::string query = params.value("query", std::string());
    const auto of = [](const Workspace& in, const Snapshot& snapshot) {
        json flat = json::array();
        if (snapshot.parsed())
            flatten(Outline(snapshot).file(snapshot.sources.main),
                    in.uri(snapshot.sources.file(snapshot.sources.main)), "", flat);
        return flat;
    };
    json all = json::array();
    for (json& flat : workspace.symbols(of)) {
        for (json& one : flat) {
            if (!matches(query, one["name"].get_ref<const std::string&>())) continue;
            all.push_back(std::move(one));
            if (all.size() >= kMostSymbols) return all;
        }
    }
    return all;
}

}  // namespace anml::lsp
