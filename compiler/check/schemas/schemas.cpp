// Schemas and enums: attributes with types first, inherited ones before the schema's own; then ranges, defaults,
// requirements and traits.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::enter(SyntaxId declaration)
{
    static_cast<CheckerScope&>(*this) = {};
    file_ = span(declaration).file;
    if (sources_.file(file_).part_of) file_ = sources_.file(file_).part_of;
}

// The attribute that an item of a schema declares, with an annotation or without; invalid: it declares none.
SyntaxId Checker::attribute_of_item(SyntaxId item) const
{
    if (tree_.kind(item) == SyntaxKind::annotated) item = syntax::Annotated(tree_, item).declaration();
    return tree_.kind(item) == SyntaxKind::attribute_decl ? item : SyntaxId{};
}

void Checker::schema_shape(SchemaId id)
{
    Progress& progress = shape_progress_[id.value];
    if (progress != Progress::untouched) return;
    const Nested nested(*this, program_.schema(id).span);
    if (!nested.fits()) return;
    progress = Progress::active;
    const CheckerScope saved = *this;
    const SyntaxId syntax = schema_syntax_[id.value];
    enter(syntax);

    std::vector<Attribute> attributes;
    const syntax::SchemaDeclaration schema(tree_, syntax);
    if (schema.has_base()) {
        const SyntaxId base_syntax = schema.base();
        const Symbol* symbol = find_dotted(base_syntax);
        if (symbol && symbol->kind != SymbolKind::schema) {
            diagnostics_.report(Diag::unknown_type, span(base_syntax),
                                fmt::format("`{}` is not a schema", text(base_syntax)));
        } else if (symbol) {
            const SchemaId base{symbol->index};
            schema_shape(base);
            if (shape_progress_[base.value] == Progress::active) {
                diagnostics_
                    .report(Diag::recursive_declaration, span(base_syntax),
                            fmt::format("`{}` extends itself", program_.schema(id).name))
                    .also(program_.schema(base).span, "declared here");
            } else if (shape_progress_[base.value] == Progress::untouched) {
                // Too deep: reported where it would have been checked.
            } else if (schema_depth_[base.value] + 1 >= kDeepestDeclarations) {
                report_depth(span(base_syntax));
            } else {
                schema_depth_[id.value] = schema_depth_[base.value] + 1;
                program_.schemas[id.value].base = base;
                attributes = program_.schema(base).attributes;
            }
        }
    }
    for (const SyntaxId item : schema.items()) {
        const SyntaxId attribute = attribute_of_item(item);
        if (!attribute) continue;
        const syntax::ValueDeclaration declared(tree_, attribute);
        const std::uint8_t flags = tree_.node(attribute).flags;
        Attribute a;
        declares(declared.name());
        a.name = text(declared.name());
        a.span = span(declared.name());
        a.doc = doc(item);
        a.type = type_of_name(declared.type(), flags);
        refuse_component(a.type, span(declared.type()));
        a.optional = flags & syntax_flag::optional;
        a.required = !a.optional && !declared.has_preset();
        if (attribute != item) changes(syntax::Annotated(tree_, item).annotation(), id, a);
        const auto same =
            std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& o) { return o.name == a.name; });
        if (same != attributes.end()) {
            diagnostics_.report(Diag::duplicate_name, a.span, fmt::format("`{}` is declared twice", a.name))
                .also(same->span, "first declared here");
            continue;
        }
        attributes.push_back(std::move(a));
    }
    program_.schemas[id.value].attributes = std::move(attributes);
    static_cast<CheckerScope&>(*this) = saved;
    shape_progress_[id.value] = Progress::done;
}

void Checker::schema_values(SchemaId id)
{
    if (values_progress_[id.value] != Progress::untouched) return;
    values_progress_[id.value] = Progress::active;
    const SyntaxId syntax = schema_syntax_[id.value];
    std::vector<SchemaRequirement> requirements;
    std::vector<SchemaTrait> traits;
    if (const SchemaId base = program_.schema(id).base) {
        schema_values(base);
        const Schema& from = program_.schema(base);
        for (std::size_t i = 0; i < from.attributes.size(); ++i)
            program_.schemas[id.value].attributes[i] = from.attributes[i];
        requirements = from.requirements;
        traits = from.traits;
        program_.schemas[id.value].extra = from.extra;
    }
    enter(syntax);
    self_ = id;
    maker_ = {SymbolKind::schema, id.value};
    for (const SyntaxId item : syntax::SchemaDeclaration(tree_, syntax).items()) {
        if (tree_.kind(item) == SyntaxKind::require_stmt) {
            requirements.push_back({require_statement(item), span(syntax::RequireStatement(tree_, item).condition())});
            continue;
        }
        if (tree_.kind(item) == SyntaxKind::extra_item) program_.schemas[id.value].extra = true;
        if (tree_.kind(item) == SyntaxKind::trait_decl) {
            trait(item, id, traits);
            continue;
        }
        const SyntaxId attribute = attribute_of_item(item);
        if (!attribute) continue;  // a hole
        const syntax::ValueDeclaration declared(tree_, attribute);
        const Span place = span(declared.name());
        std::size_t index = 0;
        while (index < program_.schema(id).attributes.size() && program_.schema(id).attributes[index].span != place)
            ++index;
        if (index == program_.schema(id).attributes.size()) continue;  // a duplicate
        const Attribute a = program_.schema(id).attributes[index];
        const Limits bounds = limits(attribute, a.type, a.name);
        ExprId fallback;
        if (declared.has_preset()) {
            fallback = value(declared.preset(), a.type, fmt::format("`{}`", a.name));
            check_range(fallback, bounds, a.type, a.name, a.span);
        }
        program_.schemas[id.value].attributes[index].range = bounds;
        program_.schemas[id.value].attributes[index].fallback = fallback;
        program_.schemas[id.value].attributes[index].fallback_asks_self = program_.asks_self(fallback);
    }
    report_missing_traits(id, traits);
    program_.schemas[id.value].requirements = std::move(requirements);
    program_.schemas[id.value].traits = std::move(traits);
    values_progress_[id.value] = Progress::done;
}

void Checker::check_enum(EnumId id)
{
    Enum& e = program_.enums[id.value];
    std::unordered_map<std::string_view, Span> declared;
    for (const SyntaxId value : syntax::EnumDeclaration(tree_, enum_syntax_[id.value]).values()) {
        if (tree_.is_hole(value)) continue;
        const std::string_view name = text(value);
        declares(value);
        const auto [same, fresh] = declared.try_emplace(name, span(value));
        if (!fresh) {
            diagnostics_.report(Diag::duplicate_name, span(value), fmt::format("`{}` is declared twice", name))
                .also(same->second, "first declared here");
            continue;
        }
        e.values.emplace_back(name);
        e.value_spans.push_back(span(value));
    }
}

// The standard library's attributes are read by elaboration, which binds them by name
// (tests/unit/compiler/elaborate_attributes.cpp).
void Checker::find_dead_attributes()
{
    if (program_.models.empty()) return;  // who imports it may read them
    const auto exported = exported_.find(sources_.main.value);
    for (const Schema& schema : program_.schemas) {
        // So may those that import another file, or take what this one exports.
        if (schema.span.file != sources_.main) continue;
        if (exported != exported_.end() && exported->second.contains(schema.name)) continue;
        const std::size_t own = schema.base ? program_.schema(schema.base).attributes.size() : 0;
        for (std::size_t i = own; i < schema.attributes.size(); ++i) {
            const Attribute& a = schema.attributes[i];
            if (read_attributes_.contains(a.span)) continue;
            const bool of_table =
                std::any_of(program_.data_tables.begin(), program_.data_tables.end(),
                            [&](const Table& t) { return t.schema && program_.schema(t.schema).span == schema.span; });
            diagnostics_.report(Diag::dead_attribute, a.span, fmt::format("nothing reads the attribute `{}`", a.name))
                .help(of_table
                          ? fmt::format("leave it out: with `extra` in `{}` the table keeps its column", schema.name)
                          : fmt::format("read it as `self.{}` or `value.{}`, or leave it out", a.name, a.name));
        }
    }
}

}  // namespace anml
