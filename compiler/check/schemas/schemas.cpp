// Schemas and enums: attributes with types first, inherited ones before the schema's own; then ranges, defaults,
// requirements and traits.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// The attribute that an item of a schema declares, with an annotation or without; invalid: it declares none.
SyntaxId attribute_of_item(const SyntaxTree& tree, SyntaxId item)
{
    if (tree.kind(item) == SyntaxKind::annotated) item = syntax::Annotated(tree, item).declaration();
    return tree.kind(item) == SyntaxKind::attribute_decl ? item : SyntaxId{};
}

}  // namespace

void enter(Checking& in, SyntaxId declaration)
{
    static_cast<CheckerScope&>(in) = {};
    in.file = in.span(declaration).file;
    if (in.sources.file(in.file).part_of) in.file = in.sources.file(in.file).part_of;
}

void schema_shape(Checking& in, SchemaId id)
{
    Progress& progress = in.shape_progress[id.value];
    if (progress != Progress::untouched) return;
    const NestedDeclaration nested(in, in.program.schema(id).span);
    if (!nested.fits()) return;
    progress = Progress::active;
    const CheckerScope saved = in;
    const SyntaxId syntax = in.schema_syntax[id.value];
    enter(in, syntax);

    std::vector<Attribute> attributes;
    const syntax::SchemaDeclaration schema(in.tree, syntax);
    if (schema.has_base()) {
        const SyntaxId base_syntax = schema.base();
        const Symbol* symbol = find_dotted(in, base_syntax);
        if (symbol && symbol->kind != SymbolKind::schema) {
            in.report(Diag::unknown_type, in.span(base_syntax),
                      fmt::format("`{}` is not a schema", in.text(base_syntax)));
        } else if (symbol) {
            const SchemaId base{symbol->index};
            schema_shape(in, base);
            if (in.shape_progress[base.value] == Progress::active) {
                in.report(Diag::recursive_declaration, in.span(base_syntax),
                          fmt::format("`{}` extends itself", in.program.schema(id).name))
                    .also(in.program.schema(base).span, "declared here");
            } else if (in.shape_progress[base.value] == Progress::untouched) {
                // Too deep: reported where it would have been checked.
            } else if (in.schema_depth[base.value] + 1 >= kDeepestDeclarations) {
                report_depth(in.diagnostics, in.span(base_syntax));
            } else {
                in.schema_depth[id.value] = in.schema_depth[base.value] + 1;
                in.program.schemas[id.value].base = base;
                attributes = in.program.schema(base).attributes;
            }
        }
    }
    for (const SyntaxId item : schema.items()) {
        const SyntaxId attribute = attribute_of_item(in.tree, item);
        if (!attribute) continue;
        const syntax::ValueDeclaration declared(in.tree, attribute);
        const std::uint8_t flags = in.tree.node(attribute).flags;
        Attribute a;
        in.declares(declared.name());
        a.name = in.text(declared.name());
        a.span = in.span(declared.name());
        a.doc = in.doc(item);
        a.type = type_of_name(in, declared.type(), flags);
        refuse_component(in.diagnostics, a.type, in.span(declared.type()));
        a.optional = flags & syntax_flag::optional;
        a.required = !a.optional && !declared.has_preset();
        if (attribute != item)
            changes(in, in.program, in.diagnostics, syntax::Annotated(in.tree, item).annotation(), id, a);
        const auto same =
            std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& o) { return o.name == a.name; });
        if (same != attributes.end()) {
            in.report(Diag::duplicate_name, a.span, fmt::format("`{}` is declared twice", a.name))
                .also(same->span, "first declared here");
            continue;
        }
        attributes.push_back(std::move(a));
    }
    in.program.schemas[id.value].attributes = std::move(attributes);
    static_cast<CheckerScope&>(in) = saved;
    in.shape_progress[id.value] = Progress::done;
}

void schema_values(Checking& in, SchemaId id)
{
    if (in.values_progress[id.value] != Progress::untouched) return;
    in.values_progress[id.value] = Progress::active;
    const SyntaxId syntax = in.schema_syntax[id.value];
    std::vector<SchemaRequirement> requirements;
    std::vector<SchemaTrait> traits;
    if (const SchemaId base = in.program.schema(id).base) {
        schema_values(in, base);
        const Schema& from = in.program.schema(base);
        for (std::size_t i = 0; i < from.attributes.size(); ++i)
            in.program.schemas[id.value].attributes[i] = from.attributes[i];
        requirements = from.requirements;
        traits = from.traits;
        in.program.schemas[id.value].extra = from.extra;
    }
    enter(in, syntax);
    in.self = id;
    in.maker = {SymbolKind::schema, id.value};
    for (const SyntaxId item : syntax::SchemaDeclaration(in.tree, syntax).items()) {
        if (in.tree.kind(item) == SyntaxKind::require_stmt) {
            requirements.push_back(
                {require_statement(in, item), in.span(syntax::RequireStatement(in.tree, item).condition())});
            continue;
        }
        if (in.tree.kind(item) == SyntaxKind::extra_item) in.program.schemas[id.value].extra = true;
        if (in.tree.kind(item) == SyntaxKind::trait_decl) {
            trait(in, item, id, traits);
            continue;
        }
        const SyntaxId attribute = attribute_of_item(in.tree, item);
        if (!attribute) continue;  // a hole
        const syntax::ValueDeclaration declared(in.tree, attribute);
        const Span place = in.span(declared.name());
        std::size_t index = 0;
        while (index < in.program.schema(id).attributes.size() && in.program.schema(id).attributes[index].span != place)
            ++index;
        if (index == in.program.schema(id).attributes.size()) continue;  // a duplicate
        const Attribute a = in.program.schema(id).attributes[index];
        const Limits bounds = limits(in, attribute, a.type, a.name);
        ExprId fallback;
        if (declared.has_preset()) {
            fallback = value(in, declared.preset(), a.type, fmt::format("`{}`", a.name));
            check_range(in, in.program, in.diagnostics, fallback, bounds, a.type, a.name, a.span);
        }
        in.program.schemas[id.value].attributes[index].range = bounds;
        in.program.schemas[id.value].attributes[index].fallback = fallback;
        in.program.schemas[id.value].attributes[index].fallback_asks_self = in.program.asks_self(fallback);
    }
    report_missing_traits(in.program, in.diagnostics, id, traits);
    in.program.schemas[id.value].requirements = std::move(requirements);
    in.program.schemas[id.value].traits = std::move(traits);
    in.values_progress[id.value] = Progress::done;
}

void check_enum(Checking& in, EnumId id)
{
    Enum& e = in.program.enums[id.value];
    std::unordered_map<std::string_view, Span> declared;
    for (const SyntaxId value : syntax::EnumDeclaration(in.tree, in.enum_syntax[id.value]).values()) {
        if (in.tree.is_hole(value)) continue;
        const std::string_view name = in.text(value);
        in.declares(value);
        const auto [same, fresh] = declared.try_emplace(name, in.span(value));
        if (!fresh) {
            in.report(Diag::duplicate_name, in.span(value), fmt::format("`{}` is declared twice", name))
                .also(same->second, "first declared here");
            continue;
        }
        e.values.emplace_back(name);
        e.value_spans.push_back(in.span(value));
    }
}

// The standard library's attributes are read by elaboration, which binds them by name
// (tests/unit/compiler/elaborate_attributes.cpp).
void find_dead_attributes(Checking& in)
{
    if (in.program.models.empty()) return;  // who imports it may read them
    const auto exported = in.exported.find(in.sources.main.value);
    for (const Schema& schema : in.program.schemas) {
        // So may those that import another file, or take what this one exports.
        if (schema.span.file != in.sources.main) continue;
        if (exported != in.exported.end() && exported->second.contains(schema.name)) continue;
        const std::size_t own = schema.base ? in.program.schema(schema.base).attributes.size() : 0;
        for (std::size_t i = own; i < schema.attributes.size(); ++i) {
            const Attribute& a = schema.attributes[i];
            if (in.read_attributes.contains(a.span)) continue;
            const bool of_table = std::any_of(
                in.program.data_tables.begin(), in.program.data_tables.end(),
                [&](const Table& t) { return t.schema && in.program.schema(t.schema).span == schema.span; });
            in.report(Diag::dead_attribute, a.span, fmt::format("nothing reads the attribute `{}`", a.name))
                .help(of_table
                          ? fmt::format("leave it out: with `extra` in `{}` the table keeps its column", schema.name)
                          : fmt::format("read it as `self.{}` or `value.{}`, or leave it out", a.name, a.name));
        }
    }
}

}  // namespace anml
