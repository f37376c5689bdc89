// What each word is: keywords, literals and comments by the lexer, names by what they mean.
#include <algorithm>
#include <unordered_map>

#include "check/names/language_words.h"
#include "lsp/capabilities.h"
#include "lsp/features/describe.h"

namespace anml::lsp {

namespace {

enum TokenKind : std::uint32_t {
    kNamespaceToken,
    kTypeToken,
    kClassToken,
    kEnumToken,
    kStructToken,
    kParameterToken,
    kVariableToken,
    kPropertyToken,
    kEnumMemberToken,
    kFunctionToken,
    kKeywordToken,
    kCommentToken,
    kStringToken,
    kNumberToken,
    kNoToken
};
constexpr const char* kKinds[] = {"namespace", "type",       "class",    "enum",    "struct",  "parameter", "variable",
                                  "property",  "enumMember", "function", "keyword", "comment", "string",    "number"};
constexpr std::uint32_t kDeclaration = 1, kDocumentation = 2, kDefaultLibrary = 4;  // modifiers
constexpr const char* kModifiers[] = {"declaration", "documentation", "defaultLibrary"};

TokenKind kind_of_declaration(SyntaxKind kind)
{
    switch (kind) {
        case SyntaxKind::schema_decl:
            return kStructToken;
        case SyntaxKind::enum_decl:
            return kEnumToken;
        case SyntaxKind::identifier:
            return kEnumMemberToken;
        case SyntaxKind::component_decl:
        case SyntaxKind::model_decl:
        case SyntaxKind::experiment_decl:
        case SyntaxKind::graph_decl:
            return kClassToken;
        case SyntaxKind::function_decl:
        case SyntaxKind::process_decl:
        case SyntaxKind::profile_decl:
            return kFunctionToken;
        case SyntaxKind::attribute_decl:
        case SyntaxKind::port_decl:
            return kPropertyToken;
        case SyntaxKind::parameter_decl:
            return kParameterToken;
        default:
            return kVariableToken;
    }
}

bool is_type_word(std::string_view word)
{
    static const std::vector<std::string_view> types = plain_type_names();
    return std::ranges::find(types, word) != types.end();
}

class TokenWriter {
  public:
    explicit TokenWriter(const Snapshot& snapshot) : s_(snapshot), map_(s_.positions(s_.sources.main)) {}

    json run(ByteRange within)
    {
        const TokenList& tokens = s_.tree.tokens;
        for (std::size_t i = 0; i < tokens.size() && tokens.file(i) == s_.sources.main; ++i) {
            if (tokens.end_of(i) <= within.begin) continue;
            if (tokens.begin_of(i) >= within.end) break;
            token(i, tokens[i]);
        }
        return data_;
    }

  private:
    void token(std::size_t at, const Token& token)
    {
        const std::string_view text = s_.text(token.span);
        switch (token.cls) {
            case TokenClass::keyword:
                return add(token.span, kKeywordToken, 0);
            case TokenClass::comment:
                return add(token.span, kCommentToken, 0);
            case TokenClass::doc_comment:
                return add(token.span, kCommentToken, kDocumentation);
            case TokenClass::literal:
                return add(token.span, text.starts_with('"') ? kStringToken : kNumberToken, 0);
            case TokenClass::identifier:
                return name(TokenId(at), token.span, text);
            case TokenClass::punctuation:
            case TokenClass::newline:
                return;
        }
    }

    void name(TokenId at, Span span, std::string_view text)
    {
        const TokenId declaration = s_.declarations.of(at);
        if (!declaration) {
            if (find_builtin(text)) return add(span, kFunctionToken, kDefaultLibrary);
            if (is_type_word(text)) add(span, kTypeToken, kDefaultLibrary);
            return;
        }
        const auto [place, fresh] = meanings_.try_emplace(declaration.value);
        if (fresh) {
            const Span declared = s_.tree.tokens[declaration.value].span;
            const SyntaxId id = s_.declared_by(declared);
            place->second = {id.valid() ? kind_of_declaration(s_.tree.kind(id)) : kNamespaceToken,
                             s_.sources.file(declared.file).path.starts_with("<std>/") ? kDefaultLibrary : 0};
        }
        add(span, place->second.first, place->second.second | (declaration == at ? kDeclaration : 0));
    }

    // A comment of several lines is a token a line.
    void add(Span span, TokenKind kind, std::uint32_t modifiers)
    {
        const std::string_view text = s_.text(span);
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
            if (end > begin) one(span.begin + std::uint32_t(begin), span.begin + std::uint32_t(end), kind, modifiers);
            begin = end + 1;
        }
    }

    void one(std::uint32_t begin, std::uint32_t end, TokenKind kind, std::uint32_t modifiers)
    {
        const LinePosition at = map_.position(begin);
        const std::uint32_t line = at.line - last_.line;
        for (const std::uint32_t number : {line, line == 0 ? at.character - last_.character : at.character,
                                           map_.length(begin, end), static_cast<std::uint32_t>(kind), modifiers})
            data_.push_back(number);
        last_ = at;
    }

    const Snapshot& s_;
    const PositionMap& map_;
    LinePosition last_;
    std::unordered_map<std::uint32_t, std::pair<TokenKind, std::uint32_t>> meanings_;  // by declaration
    json data_ = json::array();
};

json tokens_of(Workspace& workspace, const json& params, bool whole)
{
    const Snapshot& snapshot = workspace.snapshot(workspace.document(params));
    if (!snapshot.parsed()) return {{"data", json::array()}};
    ByteRange within{0, 0xffffffffu};
    if (!whole) within = snapshot.positions(snapshot.sources.main).range(field(params, "range"));
    return {{"data", TokenWriter(snapshot).run(within)}};
}

}  // namespace

json semantic_tokens(Workspace& workspace, const json& params) { return tokens_of(workspace, params, true); }
json semantic_tokens_of_range(Workspace& workspace, const json& params) { return tokens_of(workspace, params, false); }

json semantic_tokens_legend()
{
    json kinds = json::array(), modifiers = json::array();
    for (const char* kind : kKinds) kinds.push_back(kind);
    for (const char* modifier : kModifiers) modifiers.push_back(modifier);
    return {{"tokenTypes", kinds}, {"tokenModifiers", modifiers}};
}

}  // namespace anml::lsp
