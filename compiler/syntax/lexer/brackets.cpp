// Matches the brackets of a file, and finds those that are never closed.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/lexer/file_tokens.h"

namespace anml {

namespace {

using grammar::AnmlLexer;

// The opening bracket that a closing one belongs to, or 0.
std::uint16_t opening_of(std::uint16_t type)
{
    switch (type) {
        case AnmlLexer::RBRACE:
            return AnmlLexer::LBRACE;
        case AnmlLexer::RPAREN:
            return AnmlLexer::LPAREN;
        case AnmlLexer::RBRACK:
            return AnmlLexer::LBRACK;
        default:
            return 0;
    }
}

char closing_of(std::uint16_t type) { return type == AnmlLexer::LBRACE ? '}' : type == AnmlLexer::LPAREN ? ')' : ']'; }

}  // namespace

bool is_opening_bracket(std::uint16_t type)
{
    return type == AnmlLexer::LBRACE || type == AnmlLexer::LPAREN || type == AnmlLexer::LBRACK;
}

// Whether each bracket has its own counterpart: then a declaration that stands in one is misplaced, and nothing is
// open.
static bool balanced(const FileTokens& file, const TokenList& tokens)
{
    std::vector<std::uint16_t> open;
    for (const auto& word : file.words) {
        const std::uint16_t type = tokens.type(word.token);
        if (is_opening_bracket(type)) {
            open.push_back(type);
        } else if (const std::uint16_t wanted = opening_of(type)) {
            if (open.empty() || open.back() != wanted) return false;
            open.pop_back();
        }
    }
    return open.empty();
}

bool match_brackets(const SourceSet& sources, FileTokens& file, const TokenList& tokens, Diagnostics& diagnostics)
{
    struct Open {
        std::uint32_t word;
        std::size_t bracket;
    };
    std::vector<Open> open;
    auto type_of = [&](std::uint32_t word) { return tokens.type(file.words[word].token); };
    // No statement begins with a name and `=`, so a block that does holds attributes, and no statements.
    auto attributes = [&](std::uint32_t brace) {
        return brace + 2 < file.words.size() && type_of(brace + 1) == AnmlLexer::IDENTIFIER &&
               type_of(brace + 2) == AnmlLexer::ASSIGN;
    };
    const bool whole = balanced(file, tokens);
    // `for` in brackets that are closed before any brace stands there. What was found holds for those up to there, too.
    std::uint32_t comprehension_end = 0;
    const auto of_comprehension = [&](std::uint32_t word) {
        if (type_of(word) != AnmlLexer::FOR || open.empty() || type_of(open.back().word) != AnmlLexer::LBRACK)
            return false;
        if (word < comprehension_end) return true;
        std::uint32_t at = word + 1;
        for (std::size_t depth = 1; at < file.words.size(); ++at) {
            const std::uint16_t type = type_of(at);
            if (type == AnmlLexer::LBRACE || type == AnmlLexer::RBRACE) return false;
            if (type == AnmlLexer::LBRACK) ++depth;
            if (type == AnmlLexer::RBRACK && --depth == 0) break;
        }
        if (at == file.words.size()) return false;
        comprehension_end = at;
        return true;
    };
    for (std::uint32_t i = 0; i < file.words.size(); ++i) {
        std::uint16_t type = type_of(i);
        if (file.words[i].starts_line && begins_declaration(type) && type != AnmlLexer::PROFILE && !whole) {
            open.clear();  // what is still open here is never closed
        } else if (file.words[i].starts_line && begins_statement(type) && !of_comprehension(i)) {
            while (!whole && !open.empty() &&
                   (type_of(open.back().word) != AnmlLexer::LBRACE || attributes(open.back().word)))
                open.pop_back();
        }
        if (std::uint16_t wanted = opening_of(type)) {
            // A `}` gives up brackets inside its block; `)` and `]` only close what is innermost.
            std::size_t depth = open.size();
            while (wanted == AnmlLexer::LBRACE && depth > 0 && type_of(open[depth - 1].word) != wanted) --depth;
            if (depth > 0 && type_of(open[depth - 1].word) == wanted) {
                open.resize(depth);
                file.add_bracket(i, open.back().word);
                file.match(open.back().bracket, i);
                open.pop_back();
            }
        }
        // A string that is never closed has the end of its line, and what closes brackets there.
        if (type == AnmlLexer::OPEN_STRING)
            for (const char c : sources.text(tokens[file.words[i].token].span))
                if (!open.empty() && c == closing_of(type_of(open.back().word))) {
                    file.match(open.back().bracket, i);
                    open.pop_back();
                }
        file.set_inside(i, open.empty() ? FileTokens::kNone : open.back().word);
        if (is_opening_bracket(type)) {
            if (open.size() == kDeepestNesting) {
                diagnostics.report(Diag::nesting_too_deep, tokens[file.words[i].token].span,
                                   fmt::format("brackets are nested more than {} deep", kDeepestNesting));
                return false;
            }
            open.push_back({i, file.add_bracket(i, FileTokens::kNone)});
        }
    }
    return true;
}

}  // namespace anml
