// Completion: what may stand at a place, with its type, unit and documentation.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "lsp/capabilities.h"
#include "lsp/context.h"
#include "lsp/describe.h"
#include "lsp/scope.h"
#include "lsp/words.h"
#include "source/embedded_modules.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

constexpr std::size_t kMostItems = 1000;

// CompletionItemKind of LSP 3.17.
enum Kind : int {
    kMethod = 2,
    kFunction = 3,
    kField = 5,
    kVariable = 6,
    kClass = 7,
    kModule = 9,
    kProperty = 10,
    kUnit = 11,
    kEnum = 13,
    kKeyword = 14,
    kEnumMember = 20,
    kConstant = 21,
    kStruct = 22
};

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

class Completion {
  public:
    Completion(const Snapshot& snapshot, const Words& words, std::uint32_t offset, const Document& document,
               const Client& client)
        : s_(snapshot),
          w_(words),
          offset_(offset),
          file_(s_.sources.main),
          context_(s_, w_, offset),
          client_(client),
          map_(document.text, client.encoding),
          range_(map_.range_json(w_.prefix_begin(), w_.prefix_begin() + std::uint32_t(w_.prefix().size())))
    {
    }

    json run()
    {
        if (!w_.in_comment() && !w_.in_string()) find();
        return {{"isIncomplete", incomplete_}, {"items", std::move(items_)}};
    }

  private:
    void find()
    {
        if (w_.in_number()) return units();
        if (w_.last() == ".") return members();
        if (w_.last() == "@") return words({"task", "changes"}, "annotation");
        if (w_.last() == "import") return modules();
        const std::size_t bracket = w_.open_before(w_.count());
        if (bracket == Words::kNone) return top_level();
        if (w_.word(bracket) == "(") {
            parameters(bracket);
            return values(nullptr);
        }
        if (w_.word(bracket) == "[") return values(nullptr);
        block(bracket);
    }

    // --- what is offered

    void add(std::string_view label, int kind, char order, std::string detail = "", std::string doc = "",
             std::string insert = "")
    {
        if (items_.size() >= kMostItems) {
            incomplete_ = true;
            return;
        }
        // What begins otherwise is not meant; where nothing is written yet, all may be.
        const std::string_view prefix = w_.in_number() ? std::string_view() : w_.prefix();
        if (!label.starts_with(prefix.substr(0, 1))) return;
        json item = {{"label", label},
                     {"kind", kind},
                     {"sortText", fmt::format("{}{}", order, label)},
                     {"textEdit", {{"range", range_}, {"newText", insert.empty() ? std::string(label) : insert}}}};
        if (!detail.empty()) item["detail"] = std::move(detail);
        if (!doc.empty())
            item["documentation"] = {{"kind", client_.markdown ? "markdown" : "plaintext"}, {"value", std::move(doc)}};
        items_.push_back(std::move(item));
    }

    void add(const VisibleName& name, char order)
    {
        if (name.module) {
            const std::string_view module = name.module->file.valid()
                                                ? std::string_view(s_.sources.file(name.module->file).module)
                                                : name.module->name;
            return add(name.name, kModule, order, fmt::format("module {}", module), "", quoted_name(name.name));
        }
        if (!name.name.starts_with(w_.prefix().substr(0, 1))) return;  // before its text is made
        add(name.name, kind_of_item(s_.tree.kind(name.declaration)), order, header_of(s_, name.declaration),
            documentation_of(s_, name.declaration), quoted_name(name.name));
    }

    void words(std::initializer_list<std::string_view> all, std::string_view detail)
    {
        for (const std::string_view word : all) add(word, kKeyword, '7', std::string(detail));
    }

    void attributes(const Schema* schema)
    {
        if (!schema) return;
        for (const Attribute& attribute : schema->attributes) {
            const SyntaxId declared = s_.declared_by(attribute.span);
            const std::string detail =
                declared.valid() ? header_of(s_, declared)
                                 : fmt::format("{}: {}", attribute.name, type_name(s_.program, attribute.type));
            add(attribute.name, kProperty, attribute.required ? '0' : '1', detail, attribute.doc,
                quoted_name(attribute.name) + (w_.last() == "." ? "" : " = "));
        }
    }

    // A unit behind a number, of the attribute's dimension first.
    void units()
    {
        const std::string_view number = w_.prefix();
        const std::size_t at = unit_position(number);
        const std::string_view begun = number.substr(std::min(at, number.size()));
        const std::uint32_t begin = w_.prefix_begin() + std::uint32_t(number.size() - begun.size());
        range_ = map_.range_json(begin, w_.prefix_begin() + std::uint32_t(number.size()));
        const Type* wanted = context_.wanted_type();
        const bool blank = at > 0 && number[at - 1] == ' ';
        for (const UnitName& unit : kUnits) {
            if (!unit.name.starts_with(begun)) continue;
            if (wanted && wanted->kind == TypeKind::number && wanted->dim != unit.dim) continue;
            add(unit.name, kUnit, '0', dimension_name(unit.dim), "",
                (blank || !begun.empty() ? "" : " ") + std::string(unit.name));
        }
    }

    void modules()
    {
        for (const EmbeddedModule& module : embedded_modules())
            add(module.module, kModule, '0', "of the standard library");
    }

    void top_level()
    {
        // Behind a name and a colon, as of a profile, stands a schema.
        if (w_.last() == ":") return schemas();
        words({"import", "component", "model", "experiment", "schema", "enum", "profile", "process", "function",
               "graph", "table", "pub"},
              "declaration");
    }

    void schemas()
    {
        each_visible([&](const VisibleName& name) {
            if (name.module || is_kind(name, SyntaxKind::schema_decl) || is_kind(name, SyntaxKind::enum_decl))
                add(name, '2');
        });
        for (const std::string_view type : {"bool", "int", "number", "time", "size", "rate", "length", "ratio",
                                            "string", "file", "address", "prefix", "node"})
            add(type, kStruct, '3', "type");
    }

    bool is_kind(const VisibleName& name, SyntaxKind kind) const
    {
        return name.declaration.valid() && s_.tree.kind(name.declaration) == kind;
    }

    template <class Each>
    void each_visible(const Each& each)
    {
        for (const VisibleName& name : visible_names(s_, file_, offset_)) each(name);
    }

    // What an expression may begin with; of an attribute's type the likely ones first.
    void values(const Type* wanted)
    {
        if (wanted && wanted->kind == TypeKind::enumeration && wanted->ref < s_.program.enums.size()) {
            const Enum& of = s_.program.enums[wanted->ref];
            for (std::size_t i = 0; i < of.values.size(); ++i)
                add(of.values[i], kEnumMember, '0', of.name,
                    i < of.value_spans.size() ? documentation_of(s_, s_.declared_by(of.value_spans[i])) : "");
        }
        if (!wanted || wanted->kind == TypeKind::boolean) words({"true", "false"}, "bool");
        each_visible([&](const VisibleName& name) {
            const SyntaxKind kind = name.module ? SyntaxKind::none : s_.tree.kind(name.declaration);
            if (kind == SyntaxKind::model_decl || kind == SyntaxKind::experiment_decl ||
                kind == SyntaxKind::schema_decl)
                return;
            char order = name.reach == Reach::block ? '1' : name.reach == Reach::prelude ? '4' : '3';
            if (kind == SyntaxKind::profile_decl && wanted && wanted->kind == TypeKind::schema) {
                const Schema* schema = schema_of_profile(s_, name.declaration);
                if (!schema || !fits(*schema, wanted->ref)) return;
                order = '0';
            }
            add(name, order);
        });
        for (int b = 0; b <= static_cast<int>(Builtin::path); ++b) {
            const auto builtin = static_cast<Builtin>(b);
            add(builtin_name(builtin), kFunction, '5', std::string(builtin_usage(builtin)));
        }
        add("self", kKeyword, '6');
    }

    bool fits(const Schema& schema, std::uint32_t wanted) const
    {
        for (std::size_t i = 0; i < s_.program.schemas.size(); ++i)
            if (&s_.program.schemas[i] == &schema) return s_.program.derives(SchemaId(i), SchemaId(wanted));
        return false;
    }

    // --- where the place is

    // Parameters of what is called, that have no argument yet.
    void parameters(std::size_t bracket)
    {
        if (w_.last() == "=") return;
        SyntaxId declared = find_declaration(s_, file_, offset_, w_.dotted_before(bracket));
        if (!declared.valid() && bracket >= 1) {  // `Lan net[3](`
            std::size_t before = bracket;
            if (w_.word(before - 1) == "]") before = w_.open_before(before - 1);
            if (before != Words::kNone && before >= 1)
                declared = find_declaration(s_, file_, offset_, w_.dotted_before(before - 1));
        }
        if (declared.valid() && s_.tree.kind(declared) == SyntaxKind::instance_decl)
            declared = component_declaration(s_, declared);
        if (!declared.valid()) return;
        const SyntaxId list = syntax::parameters_of(s_.tree, declared);
        if (!list.valid() || s_.tree.kind(list) != SyntaxKind::parameter_list) return;
        for (const SyntaxId id : s_.tree.children_of(list)) {
            if (s_.tree.kind(id) != SyntaxKind::parameter_decl) continue;
            const std::string name(unquoted(s_.text(s_.tree.node(syntax::name_of(s_.tree, id)).span)));
            add(name, kProperty, '0', header_of(s_, id), documentation_of(s_, id), quoted_name(name) + " = ");
        }
    }

    void block(std::size_t bracket)
    {
        const Context::Head head = bracket == 0 ? Context::Head{} : context_.attributes_around(bracket);
        const bool begins = w_.last() == "{" || w_.last() == "}" || w_.last() == "," || starts_line();
        if (head.schema) {
            if (begins && w_.last() != "=") return attributes(head.schema);
            return values(context_.wanted_type());
        }
        if (head.first == "schema") return w_.last() == ":" ? schemas() : words({"require"}, "statement");
        if (begins && head.statements) {
            words({"router",   "switch",  "host", "endpoint",   "link",    "let",   "for",  "if",
                   "workload", "require", "run",  "addressing", "routing", "route", "port", "profile",
                   "label",    "report",  "at",   "every",      "from",    "ramp"},
                  "statement");
            if (head.first == "experiment") words({"vary", "search"}, "statement");
            each_visible([&](const VisibleName& name) {
                if (name.module || is_kind(name, SyntaxKind::component_decl) || is_kind(name, SyntaxKind::graph_decl))
                    add(name, '2');
            });
            return;
        }
        if (begins && head.first != "enum") {  // overrides of an instance
            const SyntaxId declared =
                find_declaration(s_, file_, offset_, context_.dotted_at(w_.statement_of(bracket)));
            if (const Component* component = component_of(s_, declared)) return members_of(*component);
        }
        // Behind the colon of a link stands a profile, of a workload a schema.
        const std::string_view first = w_.word(context_.statement_here());
        if (w_.last() == ":" && first == "workload") return schemas();
        if (w_.last() == ":" && first == "link") {
            const Type link{.kind = TypeKind::schema, .ref = s_.program.link.value};
            return values(&link);
        }
        values(nullptr);
    }

    // Whether nothing but blanks stands before the prefix on its line.
    bool starts_line() const { return map_.line_of(w_.prefix_begin()) > 0 && only_blanks(); }
    bool only_blanks() const { return line_text_.find_first_not_of(" \t") == std::string_view::npos; }

    void members_of(const Component& component)
    {
        for (const Member& member : component.members) {
            const SyntaxId declared = s_.declared_by(member.span);
            add(member.name, kProperty, '0',
                declared.valid() ? header_of(s_, declared) : type_name(s_.program, member.type),
                declared.valid() ? documentation_of(s_, declared) : "", quoted_name(member.name));
        }
    }

    // Behind a dot: of a module, an enum, an instance, a link, or what `self` stands for.
    void members()
    {
        std::size_t end = w_.count() - 1;  // the dot
        std::string path;
        // Subscripts say which, and not what: they are left out.
        for (std::size_t i = end; i-- > 0;) {
            if (w_.word(i) == "]") {
                const std::size_t open = w_.open_before(i);
                if (open == Words::kNone) break;
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
            return bracket == Words::kNone || bracket == 0 ? void()
                                                           : attributes(context_.attributes_around(bracket).schema);
        }
        for (const VisibleName& name : visible_names(s_, file_, offset_)) {
            if (name.name != unquoted(path.substr(0, path.find('.')))) continue;
            const std::size_t dot = path.find('.');
            if (name.module && dot == path.npos) {
                for (const VisibleName& inside : names_of_module(s_, *name.module)) add(inside, '0');
                return;
            }
            if (name.module) return of_declaration(find_declaration(s_, file_, offset_, path), "");
            return of_declaration(name.declaration, dot == path.npos ? "" : path.substr(dot + 1));
        }
    }

    void of_declaration(SyntaxId declared, std::string_view path)
    {
        if (!declared.valid()) return;
        const SyntaxKind kind = s_.tree.kind(declared);
        if (kind == SyntaxKind::enum_decl) {
            for (const SyntaxId value : s_.tree.children_of(declared))
                if (s_.tree.kind(value) == SyntaxKind::identifier && value != syntax::name_of(s_.tree, declared))
                    add(s_.text(s_.tree.node(value).span), kEnumMember, '0', "", documentation_of(s_, value));
            return;
        }
        if (kind == SyntaxKind::link_decl) return words({"up", "down"}, "direction");
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
            if (component) members_of(*component);
            return;
        }
        if (kind == SyntaxKind::parameter_decl && path.empty()) {
            const Span name = s_.tree.node(syntax::name_of(s_.tree, declared)).span;
            for (const Component& c : s_.program.components)
                for (const Parameter& p : c.parameters)
                    if (p.span == name && p.type.kind == TypeKind::schema && p.type.ref < s_.program.schemas.size())
                        return attributes(&s_.program.schemas[p.type.ref]);
        }
    }

  public:
    void line(std::string_view text) { line_text_ = text; }

  private:
    const Snapshot& s_;
    const Words& w_;
    std::uint32_t offset_;
    FileId file_;
    Context context_;
    const Client& client_;
    PositionMap map_;
    json range_;
    std::string_view line_text_;  // before the prefix
    json items_ = json::array();
    bool incomplete_ = false;
};

}  // namespace

json completion(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const PositionMap map(document.text, workspace.client.encoding);
    const std::uint32_t offset = map.offset(params.at("position"));
    std::uint32_t then = offset;
    const Snapshot& snapshot = workspace.recent(document, then);
    if (snapshot.sources.files.empty()) return json::array();
    const Words words(document.text, offset);
    Completion completion(snapshot, words, then, document, workspace.client);
    const std::uint32_t begin = map.line_begin(map.line_of(words.prefix_begin()));
    completion.line(std::string_view(document.text).substr(begin, words.prefix_begin() - begin));
    return completion.run();
}

}  // namespace anml::lsp
