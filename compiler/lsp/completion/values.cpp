#include "lsp/completion/values.h"

#include "lsp/features/describe.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

Values::Sort Values::sort_of(const std::optional<Type>& wanted)
{
    if (!wanted) return Sort::anything;
    switch (wanted->kind) {
        case TypeKind::error:
        case TypeKind::component:
            return Sort::anything;
        case TypeKind::node:
        case TypeKind::instance:
        case TypeKind::link:
        case TypeKind::workload:
            return Sort::part;
        case TypeKind::enumeration:
            return Sort::enumeration;
        case TypeKind::schema:
            return Sort::schema;
        case TypeKind::boolean:
        case TypeKind::integer:
        case TypeKind::number:
            return Sort::number;
        default:
            return Sort::other;
    }
}

bool Values::is_profile_of(const VisibleName& name, std::uint32_t schema) const
{
    if (!items_.is_kind(name, SyntaxKind::profile_decl)) return false;
    const Schema* of = schema_of_profile(s_, name.declaration);
    if (!of) return false;
    const auto id = static_cast<std::size_t>(of - s_.program.schemas.data());
    return s_.program.derives(SchemaId(id), SchemaId(schema));
}

std::optional<char> Values::order_of_part(const VisibleName& name, const Type& wanted) const
{
    const bool node = wanted.kind == TypeKind::node;
    switch (s_.tree.kind(name.declaration)) {
        case SyntaxKind::node_decl:
        case SyntaxKind::port_decl:
            return node ? std::optional('0') : std::nullopt;
        case SyntaxKind::link_decl:
            return wanted.kind == TypeKind::link ? std::optional('0') : std::nullopt;
        case SyntaxKind::workload_decl:
            return wanted.kind == TypeKind::workload ? std::optional('0') : std::nullopt;
        case SyntaxKind::instance_decl:  // it has some inside
        case SyntaxKind::let_stmt:
        case SyntaxKind::for_stmt:
        case SyntaxKind::for_clause:
            return '1';
        case SyntaxKind::parameter_decl: {
            const auto type = type_of_parameter(s_, name.declaration);
            if (!type || type->kind == TypeKind::error || type->kind == TypeKind::schema) return '1';
            return type->kind == wanted.kind ? std::optional('0') : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

std::optional<char> Values::order_of(const VisibleName& name, const std::optional<Type>& wanted) const
{
    const Sort sort = sort_of(wanted);
    if (name.module) return sort == Sort::part || sort == Sort::enumeration ? std::nullopt : std::optional('4');
    const SyntaxKind kind = s_.tree.kind(name.declaration);
    if (kind == SyntaxKind::model_decl || kind == SyntaxKind::experiment_decl || kind == SyntaxKind::schema_decl)
        return std::nullopt;
    if (sort == Sort::part) return order_of_part(name, *wanted);
    if (sort == Sort::anything) return name.reach == Reach::block ? '1' : name.reach == Reach::prelude ? '4' : '3';
    switch (kind) {
        case SyntaxKind::let_stmt:
        case SyntaxKind::for_stmt:
        case SyntaxKind::for_clause:
            return sort == Sort::schema ? '3' : '1';  // behind profiles: nobody knows what they are
        case SyntaxKind::parameter_decl: {
            const auto type = type_of_parameter(s_, name.declaration);
            // A value of a schema or a part has others inside.
            const bool has_some = !type || type->kind == TypeKind::error || type->kind == TypeKind::schema ||
                                  sort_of(type) == Sort::part || type->list;
            if (!has_some && sort != Sort::number && type->kind != wanted->kind) return std::nullopt;
            const bool same =
                type && type->kind == wanted->kind && type->dim == wanted->dim && type->list == wanted->list;
            return same ? '0' : '2';
        }
        case SyntaxKind::function_decl: {
            const Type* made = type_of_function(name.declaration);
            const bool never = made && made->kind != TypeKind::error &&
                               (sort != sort_of(*made) || sort == Sort::other) && made->kind != wanted->kind;
            return never ? std::nullopt : std::optional('3');
        }
        case SyntaxKind::process_decl:
            return wanted->random ? std::optional('2') : std::nullopt;
        case SyntaxKind::enum_decl:
            return sort == Sort::enumeration && wanted->ref < s_.program.enums.size() &&
                           s_.declared_by(s_.program.enums[wanted->ref].span) == name.declaration
                       ? std::optional('3')
                       : std::nullopt;
        case SyntaxKind::node_decl:
        case SyntaxKind::link_decl:
            // Their attributes are numbers and strings.
            return sort == Sort::number || sort == Sort::other ? std::optional('4') : std::nullopt;
        case SyntaxKind::instance_decl:
        case SyntaxKind::table_decl:
            return '4';
        case SyntaxKind::profile_decl:
        case SyntaxKind::component_decl:
        case SyntaxKind::graph_decl:
        case SyntaxKind::workload_decl:
            return std::nullopt;
        default:
            return '3';
    }
}

const Type* Values::type_of_function(SyntaxId declaration) const
{
    for (const Function& function : s_.program.functions)
        if (s_.declared_by(function.span) == declaration) return &function.type;
    return nullptr;
}

bool Values::fits(Builtin function, const std::optional<Type>& wanted, bool paths) const
{
    if (!paths && ((is_path_function(function) && function != Builtin::bdp) || is_measure(function))) return false;
    if (!wanted || wanted->kind == TypeKind::error) return true;
    switch (sort_of(wanted)) {
        case Sort::part:
        case Sort::enumeration:
        case Sort::schema:
            return false;
        case Sort::other:
            return (wanted->kind == TypeKind::string && function == Builtin::text) ||
                   (wanted->kind == TypeKind::prefix && function == Builtin::subnet) ||
                   (wanted->kind == TypeKind::address && function == Builtin::host) ||
                   (wanted->kind == TypeKind::trace && function == Builtin::trace);
        default:
            break;
    }
    if (function == Builtin::text || function == Builtin::subnet || function == Builtin::host ||
        function == Builtin::contains)
        return false;
    if (function == Builtin::trace) return wanted->or_trace;
    return wanted->random || !is_distribution(function);
}

void Values::profiles(std::uint32_t schema)
{
    items_.fitting([&](const VisibleName& name) { return is_profile_of(name, schema); });
}

void Values::add(const std::optional<Type>& wanted, bool paths)
{
    const Sort sort = sort_of(wanted);
    if (sort == Sort::enumeration && wanted->ref < s_.program.enums.size())
        items_.values_of(s_.program.enums[wanted->ref]);
    if (sort == Sort::anything || wanted->kind == TypeKind::boolean) items_.words({"true", "false"}, "bool");
    if (sort == Sort::schema) profiles(wanted->ref);
    for (const VisibleName& name : items_.names()) {
        if (name.module && sort == Sort::schema) continue;  // those that have a profile are there
        if (!items_.begins_so(name.name)) continue;
        if (const auto order = order_of(name, wanted)) items_.add(name, *order);
    }
    items_.builtins([&](Builtin function) { return fits(function, wanted, paths); });
    if (sort != Sort::part) items_.words({"if"}, "condition");
    if (sort != Sort::part) items_.words({"self"}, "the value around", '6');
}

void Values::measures()
{
    items_.builtins([](Builtin function) { return is_measure(function); });
}

void Values::subjects(bool nodes)
{
    for (const VisibleName& name : items_.names()) {
        if (name.module || !items_.begins_so(name.name)) continue;
        const SyntaxKind kind = s_.tree.kind(name.declaration);
        if (kind == SyntaxKind::let_stmt || kind == SyntaxKind::for_stmt) continue;
        std::optional<char> order;
        for (const TypeKind part : {TypeKind::node, TypeKind::link, TypeKind::workload}) {
            if (order || (nodes && part != TypeKind::node)) continue;
            order = order_of_part(name, Type{.kind = part});
        }
        if (order) items_.add(name, *order);
    }
}

// Behind a dot: of a module, an enum, an instance, a link, or what `self` stands for.
void Values::members(std::uint32_t offset)
{
    std::string path;
    // Subscripts say which, and not what: they are left out.
    for (std::size_t i = w_.count() - 1; i-- > 0;) {
        if (w_.word(i) == "]") {
            const std::size_t open = w_.open_before(i);
            if (open == CursorTokens::kNone) break;
            i = open;
            continue;
        }
        const bool dot = w_.word(i) == ".";
        if (!dot && w_.cls(i) != TokenClass::identifier && w_.word(i) != "self") break;
        if (dot == (path.empty() || path.starts_with('.'))) break;
        path = std::string(w_.word(i)) + path;
    }
    if (path.empty()) return;
    if (path == "self") {
        const std::size_t bracket = w_.open_before(w_.count());
        if (bracket != CursorTokens::kNone && bracket != 0)
            items_.attributes(context_.attributes_around(bracket).schema);
        return;
    }
    for (const VisibleName& name : items_.names()) {
        if (name.name != unquoted(path.substr(0, path.find('.')))) continue;
        const std::size_t dot = path.find('.');
        if (!name.module) return members_of(name.declaration, dot == path.npos ? "" : path.substr(dot + 1));
        if (dot != path.npos) return members_of(find_declaration(s_, s_.sources.main, offset, path), "");
        for (const VisibleName& inside : names_of_module(s_, *name.module)) items_.add(inside, '0');
        return;
    }
}

void Values::members_of(SyntaxId declared, std::string_view path)
{
    if (!declared.valid()) return;
    const SyntaxKind kind = s_.tree.kind(declared);
    if (kind == SyntaxKind::enum_decl) {
        for (const SyntaxId value : s_.tree.children_of(declared))
            if (s_.tree.kind(value) == SyntaxKind::identifier && value != syntax::name_of(s_.tree, declared))
                items_.add(s_.text(s_.tree.node(value).span), kEnumMember, '0', "", documentation_of(s_, value));
        return;
    }
    if (kind == SyntaxKind::link_decl) return items_.words({"up", "down"}, "direction");
    if (kind == SyntaxKind::instance_decl) {
        const Component* component = component_of(s_, component_declaration(s_, declared));
        while (component && !path.empty()) {
            const std::string_view first = unquoted(path.substr(0, path.find('.')));
            path = path.find('.') == path.npos ? std::string_view() : path.substr(path.find('.') + 1);
            const Component* next = nullptr;
            for (const Member& member : component->members)
                if (member.name == first && member.type.kind == TypeKind::instance &&
                    member.type.ref < s_.program.components.size())
                    next = &s_.program.components[member.type.ref];
            component = next;
        }
        if (component) items_.members_of(*component);
        return;
    }
    const auto type = path.empty() ? type_of_parameter(s_, declared) : std::nullopt;
    if (type && type->kind == TypeKind::schema && type->ref < s_.program.schemas.size())
        items_.attributes(&s_.program.schemas[type->ref]);
}

}  // namespace anml::lsp
