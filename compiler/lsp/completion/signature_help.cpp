// Signature help: the parameters of what is being called, and which of them the place is in.
#include <fmt/format.h>

#include "check/names/language_words.h"
#include "lsp/capabilities.h"
#include "lsp/completion/scope.h"
#include "lsp/completion/tokens.h"
#include "lsp/features/describe.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

struct Argument {
    std::size_t number = 0;  // commas before it
    std::string name;        // that it is given for; "": by its place
};

// Where among the arguments behind the bracket the place is.
Argument argument_at(const CursorTokens& words, std::size_t bracket)
{
    Argument at;
    int depth = 0;
    std::size_t begin = bracket + 1;
    for (std::size_t i = bracket + 1; i < words.count(); ++i) {
        const std::string_view word = words.word(i);
        depth += (word == "(" || word == "[" || word == "{") - (word == ")" || word == "]" || word == "}");
        if (depth != 0 || word != ",") continue;
        ++at.number;
        begin = i + 1;
    }
    if (words.word(begin + 1) == "=") at.name = unquoted(words.word(begin));
    return at;
}

// Of functions of the language, whose usage is a text: "`floor(a, step)`".
json of_builtin(Builtin builtin, const Argument& at, bool markdown)
{
    const std::string_view usage = builtin_usage(builtin);
    json parameters = json::array();
    const std::string_view first = usage.substr(0, usage.find('`'));
    const std::size_t open = first.find('('), close = first.rfind(')');
    std::size_t begin = open + 1;
    int depth = 0;
    for (std::size_t i = begin; open != first.npos && i <= close && close != first.npos; ++i) {
        if (first[i] == '(' || first[i] == '[') ++depth;
        if ((first[i] == ')' || first[i] == ']') && i != close) --depth;
        if (depth != 0 || (first[i] != ',' && i != close)) continue;
        while (begin < i && first[begin] == ' ') ++begin;
        parameters.push_back({{"label", std::string(first.substr(begin, i - begin))}});
        begin = i + 1;
    }
    const std::size_t last = parameters.empty() ? 0 : parameters.size() - 1;
    json signature = {{"label", std::string(first)}, {"parameters", parameters}};
    if (std::string doc = about_builtin(builtin); !doc.empty())
        signature["documentation"] = {{"kind", markdown ? "markdown" : "plaintext"}, {"value", std::move(doc)}};
    return {
        {"signatures", {std::move(signature)}}, {"activeSignature", 0}, {"activeParameter", std::min(at.number, last)}};
}

}  // namespace

json signature_help(Workspace& workspace, const json& params)
{
    Document& document = workspace.document(params);
    const PositionMap map(document.text, workspace.client.encoding);
    const std::uint32_t offset = map.offset(field(params, "position"));
    std::uint32_t then = offset;
    const Snapshot& snapshot = workspace.recent(document, then);
    const CursorTokens words(document.text, offset);
    if (!snapshot.parsed() || words.in_comment()) return nullptr;

    // The innermost call around; brackets of lists and groups lie between.
    for (std::size_t bracket = words.open_before(words.count());
         bracket != CursorTokens::kNone && words.word(bracket) != "{"; bracket = words.open_before(bracket))
    {
        if (words.word(bracket) != "(" || bracket == 0) continue;
        const Argument at = argument_at(words, bracket);
        std::string called = words.dotted_before(bracket);
        SyntaxId declared =
            called.empty() ? SyntaxId{} : find_declaration(snapshot, snapshot.sources.main, then, called);
        // `Lan net[3](`: the component stands before the name.
        std::size_t name = bracket;
        if (words.word(name - 1) == "]") name = words.open_before(name - 1);
        if (name != CursorTokens::kNone && name >= 2 && words.cls(name - 1) == TokenClass::identifier &&
            words.cls(name - 2) == TokenClass::identifier)
            declared = find_declaration(snapshot, snapshot.sources.main, then, called = words.dotted_before(name - 1));
        if (!declared.valid()) {
            if (const auto builtin = find_builtin(called)) return of_builtin(*builtin, at, workspace.client.markdown);
            continue;
        }
        const SyntaxId list = syntax::parameters_of(snapshot.tree, declared);
        if (!list.valid() || snapshot.tree.kind(list) != SyntaxKind::parameter_list) continue;
        json parameters = json::array();
        std::string label = called + "(";
        std::size_t active = at.number, i = 0;
        for (const SyntaxId id : snapshot.tree.children_of(list)) {
            if (snapshot.tree.kind(id) != SyntaxKind::parameter_decl) continue;
            const std::string_view name_of = snapshot.text(snapshot.tree.node(syntax::name_of(snapshot.tree, id)).span);
            if (!at.name.empty() && unquoted(name_of) == at.name) active = i;
            const std::string text = header_of(snapshot, id);
            label += (i == 0 ? "" : ", ") + text;
            json parameter = {{"label", text}};
            if (std::string doc = documentation_of(snapshot, id); !doc.empty())
                parameter["documentation"] = {{"kind", workspace.client.markdown ? "markdown" : "plaintext"},
                                              {"value", doc}};
            parameters.push_back(std::move(parameter));
            ++i;
        }
        json signature = {{"label", label + ")"}, {"parameters", std::move(parameters)}};
        if (std::string doc = documentation_of(snapshot, declared); !doc.empty())
            signature["documentation"] = {{"kind", workspace.client.markdown ? "markdown" : "plaintext"},
                                          {"value", doc}};
        return {{"signatures", {signature}}, {"activeSignature", 0}, {"activeParameter", active}};
    }
    return nullptr;
}

}  // namespace anml::lsp
