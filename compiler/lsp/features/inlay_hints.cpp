// Inlay hints: names of parameters before arguments, values of what is computed, addresses and counts of nodes.
#include <fmt/format.h>

#include "lsp/capabilities.h"
#include "lsp/features/describe.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

constexpr int kType = 1, kParameter = 2;  // InlayHintKind

class Hints {
  public:
    Hints(const Document& document, const Snapshot& snapshot, ByteRange within)
        : document_(document), s_(snapshot), file_(s_.sources.main), map_(s_.positions(file_)), within_(within)
    {
    }

    json run()
    {
        visit(s_.tree.roots[file_.value]);
        return std::move(hints_);
    }

  private:
    void visit(SyntaxId id)
    {
        const SyntaxNode node = s_.tree.node(id);
        if (node.span.file != file_ || node.span.end < within_.begin || node.span.begin > within_.end) return;
        switch (node.kind) {
            case SyntaxKind::call: {
                const syntax::Call call(s_.tree, id);
                arguments(call.callee(), call.arguments());
                fact(node.span.begin, node.span.end, " = ");
                break;
            }
            case SyntaxKind::instance_decl: {
                const syntax::InstanceDeclaration instance(s_.tree, id);
                if (instance.has_arguments()) arguments(instance.component(), instance.arguments());
                break;
            }
            case SyntaxKind::node_decl: {
                const Span name = s_.tree.node(syntax::NodeDeclaration(s_.tree, id).name()).span;
                const syntax::NodeDeclaration declared(s_.tree, id);
                const std::uint32_t end =
                    declared.has_brackets() ? s_.tree.node(declared.brackets()).span.end : name.end;
                fact(name.begin, end, ": ");
                break;
            }
            case SyntaxKind::let_stmt:
                let(id);
                break;
            default:
                break;
        }
        for (const SyntaxId child : s_.tree.children_of(id)) visit(child);
    }

    void add(std::uint32_t at, std::string text, int kind, bool after)
    {
        if (at < within_.begin || at > within_.end) return;
        hints_.push_back({{"position", map_.position_json(at)},
                          {"label", std::move(text)},
                          {"kind", kind},
                          {"paddingRight", !after}});
    }

    void fact(std::uint32_t begin, std::uint32_t end, std::string_view before)
    {
        if (document_.facts_of != document_.version) return;
        const auto found = document_.facts.find({file_.value, begin});
        if (found != document_.facts.end() && !found->second.hint.empty())
            add(end, fmt::format("{}{}", before, found->second.hint), kType, true);
    }

    // What is written as a number needs no hint.
    void let(SyntaxId id)
    {
        const SyntaxId value = syntax::LetStatement(s_.tree, id).value();
        switch (s_.tree.kind(value)) {
            case SyntaxKind::literal_integer:
            case SyntaxKind::literal_number:
            case SyntaxKind::literal_quantity:
            case SyntaxKind::literal_boolean:
            case SyntaxKind::hole:
            case SyntaxKind::none:
                return;
            default:
                break;
        }
        const std::string shown = shown_value(s_, defined_as(s_, id));
        if (!shown.empty()) add(s_.tree.node(value).span.end, " = " + shown, kType, true);
    }

    void arguments(SyntaxId callee, SyntaxId list)
    {
        if (s_.tree.kind(list) != SyntaxKind::argument_list) return;
        const Span span = s_.tree.node(callee).span;
        const TokenId last = s_.token_at(span.file, span.end);
        const TokenId declaration = last ? s_.declarations.of(last) : TokenId{};
        if (!declaration) return;
        const SyntaxId declared = s_.declared_by(s_.tree.tokens[declaration.value].span);
        const SyntaxId parameters = declared.valid() ? syntax::parameters_of(s_.tree, declared) : SyntaxId{};
        if (!parameters.valid() || s_.tree.kind(parameters) != SyntaxKind::parameter_list) return;
        std::size_t at = 0;
        const auto names = syntax::ParameterList(s_.tree, parameters).parameters();
        for (const SyntaxId id : syntax::ArgumentList(s_.tree, list).arguments()) {
            if (s_.tree.kind(id) != SyntaxKind::argument || at >= names.size()) return;
            const syntax::Argument argument(s_.tree, id);
            if (argument.has_name()) return;  // from here on all have
            const SyntaxId parameter = names[at++];
            if (s_.tree.kind(parameter) != SyntaxKind::parameter_decl) continue;
            const std::string_view name = s_.text(s_.tree.node(syntax::name_of(s_.tree, parameter)).span);
            const Span value = s_.tree.node(argument.value()).span;
            if (s_.text(value) == name) continue;
            add(value.begin, fmt::format("{} =", name), kParameter, false);
        }
    }

    const Document& document_;
    const Snapshot& s_;
    FileId file_;
    const PositionMap& map_;
    ByteRange within_;
    json hints_ = json::array();
};

}  // namespace

json inlay_hints(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const Snapshot& snapshot = workspace.snapshot(document);
    if (!snapshot.parsed()) return json::array();
    return Hints(document, snapshot, snapshot.positions(snapshot.sources.main).range(field(params, "range"))).run();
}

}  // namespace anml::lsp
