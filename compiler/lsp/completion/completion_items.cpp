#include "lsp/completion/completion_items.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/names/language_words.h"
#include "lsp/features/describe.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

constexpr std::size_t kMostItems = 1000;

struct UnitName {
    std::string_view name;
    Dimension dim;
};
constexpr UnitName kUnits[] = {
#define ANML_UNIT(name, dim, numerator, denominator) {name, dimension::dim},
#include "common/units.def"
#undef ANML_UNIT
};

int kind_of_item(SyntaxKind kind)
{
    switch (kind) {
        case SyntaxKind::schema_decl:
            return kStruct;
        case SyntaxKind::enum_decl:
            return kEnum;
        case SyntaxKind::component_decl:
        case SyntaxKind::model_decl:
        case SyntaxKind::experiment_decl:
        case SyntaxKind::graph_decl:
            return kClass;
        case SyntaxKind::function_decl:
        case SyntaxKind::process_decl:
        case SyntaxKind::profile_decl:
            return kFunction;
        case SyntaxKind::let_stmt:
            return kConstant;
        case SyntaxKind::attribute_decl:
            return kField;
        case SyntaxKind::identifier:
            return kEnumMember;
        default:
            return kVariable;
    }
}

}  // namespace

CompletionItems::CompletionItems(const Snapshot& snapshot, const CursorTokens& words, std::uint32_t offset,
                                 const Document& document, const Client& client)
    : s_(snapshot),
      w_(words),
      offset_(offset),
      client_(client),
      map_(document.text, client.encoding),
      range_(map_.range_json(w_.replaced_begin(), w_.replaced_end()))
{
}

json CompletionItems::take() { return {{"isIncomplete", incomplete_}, {"items", std::move(items_)}}; }

const std::vector<VisibleName>& CompletionItems::names()
{
    if (!names_) names_ = visible_names(s_, s_.sources.main, offset_);
    return *names_;
}

void CompletionItems::add(std::string_view label, int kind, char order, std::string detail, std::string doc,
                          std::string insert)
{
    // What begins otherwise is not meant; where nothing is written yet, all may be. Between backquotes stand names.
    if (!w_.in_number() && !begins_so(label)) return;
    if (w_.quoted() && insert.empty()) return;
    if (items_.size() >= kMostItems) {
        incomplete_ = true;
        return;
    }
    json item = {{"label", label},
                 {"kind", kind},
                 {"sortText", fmt::format("{}{}", order, label)},
                 {"textEdit", {{"range", range_}, {"newText", insert.empty() ? std::string(label) : insert}}}};
    if (w_.quoted()) item["filterText"] = fmt::format("`{}`", label);  // as what it takes the place of begins
    if (!detail.empty()) item["detail"] = std::move(detail);
    if (!doc.empty())
        item["documentation"] = {{"kind", client_.markdown ? "markdown" : "plaintext"}, {"value", std::move(doc)}};
    items_.push_back(std::move(item));
}

std::string_view CompletionItems::module_name(const VisibleName& name) const
{
    return name.module->file.valid() ? std::string_view(s_.sources.file(name.module->file).module) : name.module->name;
}

void CompletionItems::add(const VisibleName& name, char order, std::string_view module)
{
    if (!begins_so(module.empty() ? std::string_view(name.name) : module)) return;  // before its text is made
    if (name.module) {
        const FileId file = name.module->file;
        return add(name.name, kModule, order, fmt::format("module {}", module_name(name)),
                   file.valid() ? about_file(s_, file) : "", quoted_name(name.name));
    }
    const std::string before = module.empty() ? "" : fmt::format("{}.", module);
    add(before + name.name, kind_of_item(s_.tree.kind(name.declaration)), order, header_of(s_, name.declaration),
        documentation_of(s_, name.declaration),
        (module.empty() ? "" : quoted_name(module) + ".") + quoted_name(name.name));
}

void CompletionItems::words(std::initializer_list<std::string_view> all, std::string_view detail, char order)
{
    for (const std::string_view word : all)
        if (begins_so(word)) add(word, kKeyword, order, std::string(detail), about_word(s_, word));
}

void CompletionItems::attributes(const Schema* schema, bool changes)
{
    if (!schema) return;
    for (const Attribute& attribute : schema->attributes) {
        if ((changes && !attribute.steps) || !begins_so(attribute.name)) continue;
        const SyntaxId declared = s_.declared_by(attribute.span);
        const std::string detail = declared.valid()
                                       ? header_of(s_, declared)
                                       : fmt::format("{}: {}", attribute.name, type_name(s_.program, attribute.type));
        add(attribute.name, kProperty, attribute.required && !changes ? '0' : '1', detail, attribute.doc,
            quoted_name(attribute.name) + (w_.last() == "." ? "" : " = "));
    }
}

void CompletionItems::units(const std::optional<Type>& wanted)
{
    std::string_view begun;
    bool blank = true;
    if (w_.in_number()) {
        const std::string_view number = w_.prefix();
        const std::size_t at = unit_position(number);
        begun = number.substr(std::min(at, number.size()));
        blank = at > 0 && number[at - 1] == ' ';
        const std::uint32_t end = w_.prefix_begin() + std::uint32_t(number.size());
        range_ = map_.range_json(end - std::uint32_t(begun.size()), end);
    }
    char order = '@';  // as the table has them
    for (const UnitName& unit : kUnits) {
        ++order;
        if (!unit.name.starts_with(begun)) continue;
        if (wanted && (wanted->kind != TypeKind::number || wanted->dim != unit.dim) && wanted->kind != TypeKind::error)
            continue;
        add(unit.name, kUnit, order, dimension_name(unit.dim), "",
            (blank || !begun.empty() ? "" : " ") + std::string(unit.name));
    }
}

void CompletionItems::types(bool declared)
{
    for (const std::string_view type : plain_type_names()) add(type, kStruct, '0', "type");
    words({"random", "component"}, "type", '1');
    if (!declared) return;
    for (const VisibleName& name : names()) {
        if (is_kind(name, SyntaxKind::schema_decl) || is_kind(name, SyntaxKind::enum_decl)) add(name, '2');
        if (name.module) add(name, '3');
    }
}

void CompletionItems::values_of(const Enum& of)
{
    for (std::size_t i = 0; i < of.values.size(); ++i)
        add(of.values[i], kEnumMember, '0', of.name,
            i < of.value_spans.size() ? documentation_of(s_, s_.declared_by(of.value_spans[i])) : "");
}

void CompletionItems::builtins(const std::function<bool(Builtin)>& fits)
{
    for (int b = 0; b <= static_cast<int>(Builtin::max_load); ++b) {
        const auto builtin = static_cast<Builtin>(b);
        if (begins_so(builtin_name(builtin)) && fits(builtin))
            add(builtin_name(builtin), kFunction, '5', std::string(builtin_usage(builtin)), about_builtin(builtin));
    }
}

void CompletionItems::parameters(SyntaxId declaration, std::string_view behind, char order)
{
    for (const SyntaxId id : parameters_of(s_, declaration)) {
        const std::string name(unquoted(s_.text(s_.tree.node(syntax::name_of(s_.tree, id)).span)));
        add(name, kProperty, order, header_of(s_, id), documentation_of(s_, id),
            fmt::format("{}{}", quoted_name(name), behind));
    }
}

void CompletionItems::members_of(const Component& component, const std::function<bool(const Member&)>& fits)
{
    for (const Member& member : component.members) {
        if (fits && !fits(member)) continue;
        const SyntaxId declared = s_.declared_by(member.span);
        add(member.name, kProperty, '0',
            declared.valid() ? header_of(s_, declared) : type_name(s_.program, member.type),
            declared.valid() ? documentation_of(s_, declared) : "", quoted_name(member.name));
    }
}

void CompletionItems::fitting(const std::function<bool(const VisibleName&)>& fits)
{
    for (const VisibleName& name : names()) {
        if (!name.module) {
            if (fits(name)) add(name, '0');
            continue;
        }
        bool any = false;
        for (const VisibleName& inside : names_of_module(s_, *name.module)) {
            if (!fits(inside)) continue;
            add(inside, '2', name.name);
            any = true;
        }
        if (any) add(name, '1');
    }
}

void CompletionItems::module(std::string_view label, std::string_view name, std::string doc)
{
    add(label, kModule, '0', fmt::format("module {}", name), std::move(doc), std::string(label));
}

}  // namespace anml::lsp
