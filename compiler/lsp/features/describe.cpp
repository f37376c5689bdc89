#include "lsp/features/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "check/names/language_words.h"
#include "doc/as_written.h"
#include "syntax/file_doc.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

constexpr std::size_t kLongestLine = 300;  // of a header that is shown

// The brace that opens a body: the first one outside parentheses and brackets.
std::size_t body_of(std::string_view text)
{
    int depth = 0;
    bool string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (string) {
            if (text[i] == '\\')
                ++i;
            else if (text[i] == '"')
                string = false;
            continue;
        }
        string = text[i] == '"';
        depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
        if (text[i] == '{' && depth == 0) return i;
    }
    return text.size();
}

bool is_short(SyntaxKind kind)
{
    return kind == SyntaxKind::let_stmt || kind == SyntaxKind::profile_decl || kind == SyntaxKind::attribute_decl ||
           kind == SyntaxKind::parameter_decl || kind == SyntaxKind::link_decl || kind == SyntaxKind::node_decl ||
           kind == SyntaxKind::state_decl || kind == SyntaxKind::port_decl;
}

// The component, model or experiment around a place; invalid where there is none.
const Component* surrounding_component(const Snapshot& snapshot, Span span)
{
    for (SyntaxId id = snapshot.innermost(span.file, span.begin, span.end); id.valid(); id = snapshot.parent(id)) {
        const SyntaxKind kind = snapshot.tree.kind(id);
        if (kind != SyntaxKind::component_decl && kind != SyntaxKind::model_decl && kind != SyntaxKind::experiment_decl)
            continue;
        const Span name = snapshot.tree.node(syntax::name_of(snapshot.tree, id)).span;
        for (const Component& component : snapshot.program.components)
            if (component.span == name) return &component;
    }
    return nullptr;
}

// Computes constants, as far as that takes neither a network nor a loop.
class Evaluator {
  public:
    Evaluator(const Snapshot& snapshot, const Component* component) : program_(snapshot.program), component_(component)
    {
    }

    std::optional<double> value(ExprId id, int depth = 0)
    {
        if (!id || depth > 100) return std::nullopt;
        const Expr& e = program_.expr(id);
        if (e.type.random || e.type.list || e.type.any) return std::nullopt;
        const auto operands = program_.operands_of(e);
        const auto of = [&](std::size_t i) { return value(operands[i], depth + 1); };
        switch (e.kind) {
            case ExprKind::number:
                return e.value;
            case ExprKind::negate:
                if (const auto a = of(0)) return -*a;
                return std::nullopt;
            case ExprKind::not_:
                if (const auto a = of(0)) return *a == 0 ? 1 : 0;
                return std::nullopt;
            case ExprKind::binary: {
                const auto a = of(0), b = of(1);
                if (!a || !b) return std::nullopt;
                return apply_operation(static_cast<ValueOp>(e.index), *a, *b) * (e.value == 0 ? 1 : e.value);
            }
            case ExprKind::conditional: {
                const auto condition = of(0);
                return condition ? of(*condition != 0 ? 1 : 2) : std::nullopt;
            }
            case ExprKind::local:
                return local(e.index, depth);
            default:
                return std::nullopt;
        }
    }

  private:
    std::optional<double> local(std::uint32_t slot, int depth)
    {
        if (!component_) return std::nullopt;
        for (const Parameter& parameter : component_->parameters)
            if (parameter.slot == slot) return value(parameter.fallback, depth + 1);
        for (const StatementId id : component_->body) {
            const auto* let = std::get_if<LetStatement>(&program_.statement(id).form);
            if (let && let->slot == slot) return value(let->value, depth + 1);
        }
        return std::nullopt;
    }

    const CheckedProgram& program_;
    const Component* component_;
};

// The schema of the language that has what stands in the keyword's braces.
SchemaId schema_behind(const CheckedProgram& p, std::string_view keyword)
{
    const std::pair<std::string_view, SchemaId> all[] = {
        {"host", p.host},       {"router", p.router},     {"switch", p.switch_}, {"endpoint", p.endpoint},
        {"link", p.link},       {"workload", p.workload}, {"run", p.run},        {"addressing", p.addressing},
        {"routing", p.routing}, {"route", p.segment_list}};
    const auto found =
        std::find_if(std::begin(all), std::end(all), [&](const auto& one) { return one.first == keyword; });
    return found == std::end(all) ? SchemaId{} : found->second;
}

}  // namespace

std::string header_of(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid()) return {};
    const SyntaxKind kind = snapshot.tree.kind(declaration);
    if (kind == SyntaxKind::identifier) return std::string(snapshot.text(snapshot.tree.node(declaration).span));
    const std::string_view whole = snapshot.text(snapshot.tree.node(declaration).span);
    std::string line = one_line(whole);
    if (!is_short(kind) || line.size() > kLongestLine) line = one_line(whole.substr(0, body_of(whole)));
    if (line.size() > kLongestLine) {
        std::size_t end = kLongestLine;
        while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
        line = line.substr(0, end) + " ...";
    }
    return line;
}

std::string documentation_of(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid()) return {};
    if (std::string text = words_about(snapshot.sources, snapshot.tree, declaration); !text.empty()) return text;
    const SyntaxId around = snapshot.parent(declaration);
    if (around.valid() && snapshot.tree.kind(around) == SyntaxKind::annotated)
        return doc_text(snapshot.sources, snapshot.tree, around);
    return {};
}

std::string about_file(const Snapshot& snapshot, FileId file)
{
    if (file.value >= snapshot.tree.roots.size()) return {};
    const std::string text = file_doc(snapshot.sources, snapshot.tree, file);
    return text.substr(0, text.find("\n\n"));
}

std::string about_word(const Snapshot& snapshot, std::string_view keyword)
{
    if (const SchemaId schema = schema_behind(snapshot.program, keyword); schema.valid())
        return snapshot.program.schema(schema).doc;
    const auto text = about_keyword(keyword);
    return text ? fmt::format("`{}`\n\n{}", text->usage, text->about) : "";
}

std::string origin_of(const Snapshot& snapshot, FileId file)
{
    if (file == snapshot.sources.main) return {};
    const SourceFile& source = snapshot.sources.file(file);
    if (source.path.starts_with("<")) return fmt::format("`{}`", source.module);
    return fmt::format("the file `{}`", std::filesystem::path(source.path).filename().string());
}

std::string kind_of(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid()) return "module";
    const SyntaxNode node = snapshot.tree.node(declaration);
    switch (node.kind) {
        case SyntaxKind::identifier:
            return "value";
        case SyntaxKind::node_decl:
            return std::string(snapshot.text(node.token));
        case SyntaxKind::for_stmt:
        case SyntaxKind::for_clause:
            return "loop variable";
        default:
            break;
    }
    std::string name(syntax_kind_name(node.kind));
    name = name.substr(0, name.find("_decl"));
    return name.substr(0, name.find("_stmt"));
}

ExprId expression_at(const Snapshot& snapshot, Span span)
{
    ExprId found;
    std::uint32_t length = 0xffffffffu;
    const auto& all = snapshot.program.expressions;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Span& of = all[i].span;
        if (of.file != span.file || of.begin > span.begin || of.end < span.end || of.end - of.begin >= length) continue;
        if (all[i].kind == ExprKind::error) continue;
        found = ExprId(i);
        length = of.end - of.begin;
    }
    return found;
}

std::optional<double> value_of(const Snapshot& snapshot, ExprId expression)
{
    if (!expression) return std::nullopt;
    return Evaluator(snapshot, surrounding_component(snapshot, snapshot.program.expr(expression).span))
        .value(expression);
}

ExprId defined_as(const Snapshot& snapshot, SyntaxId declaration)
{
    if (!declaration.valid()) return {};
    const SyntaxKind kind = snapshot.tree.kind(declaration);
    SyntaxId value;
    if (kind == SyntaxKind::let_stmt) value = syntax::LetStatement(snapshot.tree, declaration).value();
    if (kind == SyntaxKind::parameter_decl) value = syntax::ValueDeclaration(snapshot.tree, declaration).preset();
    if (!value.valid() || snapshot.tree.is_none(value) || snapshot.tree.is_hole(value)) return {};
    const Span span = snapshot.tree.node(value).span;
    const ExprId found = expression_at(snapshot, span);
    return found && snapshot.program.expr(found).span == span ? found : ExprId{};
}

std::string shown_value(const Snapshot& snapshot, ExprId expression)
{
    if (!expression) return {};
    const Type& type = snapshot.program.expr(expression).type;
    const auto value = value_of(snapshot, expression);
    if (!value) return {};
    switch (type.kind) {
        case TypeKind::boolean:
            return *value != 0 ? "true" : "false";
        case TypeKind::integer:
            return fmt::format("{}", *value);
        case TypeKind::number:
            return type.dim == dimension::none ? fmt::format("{}", *value) : format_quantity(*value, type.dim);
        default:
            return {};
    }
}

}  // namespace anml::lsp
