#include "lsp/completion/scope.h"

#include <algorithm>

#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

class Collector {
  public:
    explicit Collector(const Snapshot& snapshot) : s_(snapshot) {}
    std::vector<VisibleName> names;

    void add(SyntaxId id, Reach reach)
    {
        if (s_.tree.kind(id) == SyntaxKind::annotated) id = syntax::Annotated(s_.tree, id).declaration();
        if (s_.tree.is_hole(id) || s_.tree.is_none(id)) return;
        const SyntaxId name = syntax::name_of(s_.tree, id);
        if (!name.valid() || s_.tree.kind(name) != SyntaxKind::identifier) return;
        const Span span = s_.tree.node(name).span;
        if (span.begin != span.end) names.push_back({std::string(unquoted(s_.text(span))), id, reach, {}});
    }

    void file(FileId file, Reach reach, bool exported_only)
    {
        if (file.value >= s_.tree.roots.size()) return;
        const auto all = s_.tree.children_of(s_.tree.roots[file.value]);
        const auto is_pub = [&](SyntaxId id) { return (s_.tree.node(id).flags & syntax_flag::pub) != 0; };
        const bool some = exported_only && std::any_of(all.begin(), all.end(), is_pub);
        for (const SyntaxId id : all) {
            const SyntaxKind kind = s_.tree.kind(id);
            if (kind == SyntaxKind::import_decl || kind == SyntaxKind::edition_decl) continue;
            if (!some || is_pub(id)) add(id, reach);
        }
    }

    void imports(FileId file)
    {
        if (file.value >= s_.tree.roots.size()) return;
        for (const SyntaxId id : s_.tree.children_of(s_.tree.roots[file.value])) {
            if (s_.tree.kind(id) != SyntaxKind::import_decl) continue;
            const syntax::ImportDeclaration import(s_.tree, id);
            if (s_.tree.is_hole(import.path())) continue;
            std::string path, last;
            for (const SyntaxId part : s_.tree.children_of(import.path())) {
                last = unquoted(s_.text(s_.tree.node(part).span));
                path += (path.empty() ? "" : ".") + last;
            }
            if (import.has_alias() && !s_.tree.is_hole(import.alias()))
                last = unquoted(s_.text(s_.tree.node(import.alias()).span));
            if (auto found = s_.sources.imported(file, path))
                names.push_back({last, {}, Reach::file, std::move(found)});
        }
    }

    // Parameters, statements of blocks, names of loops: what each node on the way to the place declares inside.
    void around(FileId file, std::uint32_t offset)
    {
        SyntaxId id = s_.innermost(file, offset, offset);
        if (const SyntaxId open = open_block(file, offset); open.valid()) id = open;
        for (; id.valid(); id = s_.parent(id)) {
            const SyntaxKind kind = s_.tree.kind(id);
            if (kind == SyntaxKind::file) return;
            if (kind == SyntaxKind::block) block(id);
            if (kind == SyntaxKind::process_decl || kind == SyntaxKind::comprehension)
                for (const SyntaxId child : s_.tree.children_of(id)) add(child, Reach::block);
            if (kind == SyntaxKind::for_stmt) add(id, Reach::block);
            if (const SyntaxId list = syntax::parameters_of(s_.tree, id);
                list.valid() && s_.tree.kind(list) == SyntaxKind::parameter_list)
                for (const SyntaxId parameter : s_.tree.children_of(list)) add(parameter, Reach::block);
        }
    }

  private:
    // Behind the last word of a body that nothing closes yet the place is in that body, and in none of its nodes.
    SyntaxId open_block(FileId file, std::uint32_t offset) const
    {
        const TokenId before = s_.token_before(file, offset);
        if (!before) return {};
        const Span word = s_.tree.tokens[before.value].span;
        for (SyntaxId id = s_.innermost(file, word.begin, word.end); id.valid(); id = s_.parent(id)) {
            if (s_.tree.kind(id) != SyntaxKind::block) continue;
            const Span span = s_.tree.node(id).span;
            std::uint32_t inner = span.begin;
            for (const SyntaxId child : s_.tree.children_of(id))
                if (!s_.tree.is_none(child)) inner = std::max(inner, s_.tree.node(child).span.end);
            const bool closed = inner < span.end && s_.text(span).ends_with('}');
            if (!closed || offset < span.end) return id;
        }
        return {};
    }

    // What loops and conditions in it make can be named outside of them.
    void block(SyntaxId id)
    {
        for (const SyntaxId child : s_.tree.children_of(id)) {
            const SyntaxKind kind = s_.tree.kind(child);
            if (kind != SyntaxKind::for_stmt && kind != SyntaxKind::if_stmt) {
                add(child, Reach::block);
                continue;
            }
            for (const SyntaxId part : s_.tree.children_of(child))
                if (s_.tree.kind(part) == SyntaxKind::block) block(part);
        }
    }

    const Snapshot& s_;
};

std::vector<VisibleName> from_near_to_far(const Snapshot& snapshot, FileId file, std::uint32_t offset)
{
    Collector all(snapshot);
    all.around(file, offset);
    all.file(file, Reach::file, false);
    all.imports(file);
    for (FileId other{0}; other.value < snapshot.sources.files.size(); ++other.value)
        if (snapshot.sources.file(other).module == "std.prelude") all.file(other, Reach::prelude, true);
    return std::move(all.names);
}

}  // namespace

std::vector<VisibleName> visible_names(const Snapshot& snapshot, FileId file, std::uint32_t offset)
{
    std::vector<VisibleName> names = from_near_to_far(snapshot, file, offset);
    // What is nearer hides what is farther.
    std::stable_sort(names.begin(), names.end(),
                     [](const VisibleName& a, const VisibleName& b) { return a.name < b.name; });
    names.erase(std::unique(names.begin(), names.end(),
                            [](const VisibleName& a, const VisibleName& b) { return a.name == b.name; }),
                names.end());
    return names;
}

std::vector<VisibleName> names_of_module(const Snapshot& snapshot, const Import& module)
{
    Collector all(snapshot);
    if (module.file.valid())
        all.file(module.file, Reach::module, true);
    else if (module.folder < snapshot.sources.folders.size())
        for (const FileId file : snapshot.sources.folders[module.folder].files) all.file(file, Reach::module, true);
    return std::move(all.names);
}

SyntaxId find_declaration(const Snapshot& snapshot, FileId file, std::uint32_t offset, std::string_view dotted)
{
    const std::size_t dot = dotted.find('.');
    const std::string_view first = unquoted(dotted.substr(0, dot));
    for (const VisibleName& name : from_near_to_far(snapshot, file, offset)) {
        if (name.name != first) continue;
        if (dot == dotted.npos) return name.declaration;
        if (!name.module) return {};
        const std::string_view rest = unquoted(dotted.substr(dot + 1));
        for (const VisibleName& inside : names_of_module(snapshot, *name.module))
            if (inside.name == rest) return inside.declaration;
    }
    return {};
}

const Schema* schema_of(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid() || snapshot.tree.kind(declaration) != SyntaxKind::schema_decl) return nullptr;
    const Span name = snapshot.tree.node(syntax::name_of(snapshot.tree, declaration)).span;
    for (const Schema& schema : snapshot.program.schemas)
        if (schema.span == name) return &schema;
    return nullptr;
}

const Component* component_of(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid()) return nullptr;
    const SyntaxId identifier = syntax::name_of(snapshot.tree, declaration);
    if (!identifier.valid()) return nullptr;
    const Span name = snapshot.tree.node(identifier).span;
    for (const Component& component : snapshot.program.components)
        if (component.span == name) return &component;
    return nullptr;
}

const Schema* schema_of_profile(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid() || snapshot.tree.kind(declaration) != SyntaxKind::profile_decl) return nullptr;
    const Span name = snapshot.tree.node(syntax::name_of(snapshot.tree, declaration)).span;
    for (const Profile& profile : snapshot.program.profiles)
        if (profile.span == name && profile.schema.valid()) return &snapshot.program.schema(profile.schema);
    return nullptr;
}

std::optional<Type> type_of_parameter(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid() || snapshot.tree.kind(declaration) != SyntaxKind::parameter_decl) return std::nullopt;
    const Span name = snapshot.tree.node(syntax::name_of(snapshot.tree, declaration)).span;
    std::optional<Type> found;
    const auto look = [&](const auto& all) {
        for (const auto& one : all)
            for (const Parameter& parameter : one.parameters)
                if (parameter.span == name && !found) found = parameter.type;
    };
    look(snapshot.program.components);
    look(snapshot.program.profiles);
    look(snapshot.program.functions);
    look(snapshot.program.processes);
    return found;
}

std::vector<SyntaxId> parameters_of(const Snapshot& snapshot, SyntaxId declaration)
{
    std::vector<SyntaxId> all;
    if (declaration.valid() && snapshot.tree.kind(declaration) == SyntaxKind::instance_decl)
        declaration = component_declaration(snapshot, declaration);
    if (!declaration.valid()) return all;
    const SyntaxId list = syntax::parameters_of(snapshot.tree, declaration);
    if (!list.valid() || snapshot.tree.kind(list) != SyntaxKind::parameter_list) return all;
    for (const SyntaxId id : snapshot.tree.children_of(list))
        if (snapshot.tree.kind(id) == SyntaxKind::parameter_decl) all.push_back(id);
    return all;
}

SyntaxId component_declaration(const Snapshot& snapshot, SyntaxId instance)
{
    if (snapshot.tree.kind(instance) != SyntaxKind::instance_decl) return {};
    const SyntaxId name = syntax::InstanceDeclaration(snapshot.tree, instance).component();
    const Span span = snapshot.tree.node(name).span;
    const TokenId last = snapshot.token_at(span.file, span.end);
    const TokenId declared = last ? snapshot.declarations.of(last) : TokenId{};
    return declared ? snapshot.declared_by(snapshot.tree.tokens[declared.value].span) : SyntaxId{};
}

}  // namespace anml::lsp
