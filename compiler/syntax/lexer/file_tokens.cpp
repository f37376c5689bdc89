// What stands at the words of a file: brackets, documentation; and what words begin, by their types.
#include "syntax/lexer/file_tokens.h"

#include <algorithm>
#include <iterator>

#include "AnmlLexer.h"

namespace anml {

using grammar::AnmlLexer;

std::uint32_t FileTokens::partner(std::uint32_t word) const
{
    const auto at = std::lower_bound(partners_.begin(), partners_.end(), word,
                                     [](const Entry& entry, std::uint32_t wanted) { return entry.word < wanted; });
    return at != partners_.end() && at->word == word ? at->value : kNone;
}

std::uint32_t FileTokens::inside(std::uint32_t word) const
{
    const auto next = std::upper_bound(inside_.begin(), inside_.end(), word,
                                       [](std::uint32_t wanted, const Entry& entry) { return wanted < entry.word; });
    return next == inside_.begin() ? kNone : (next - 1)->value;
}

std::uint32_t FileTokens::skipped_to(std::uint32_t word) const
{
    const auto next = skipped_.upper_bound(word);
    return next == skipped_.begin() ? word : std::max(word, std::prev(next)->second);
}

std::size_t FileTokens::add_bracket(std::uint32_t word, std::uint32_t partner)
{
    partners_.push_back({word, partner});
    return partners_.size() - 1;
}

void FileTokens::set_inside(std::uint32_t from, std::uint32_t bracket)
{
    if (bracket != (inside_.empty() ? kNone : inside_.back().value)) inside_.push_back({from, bracket});
}

TokenId doc_before(const TokenList& tokens, const FileTokens& file, std::uint32_t word)
{
    const std::uint32_t token = file.words[word].token;
    std::uint32_t at = token;
    while (at > 0 && tokens.cls(at - 1) == TokenClass::doc_comment && tokens.file(at - 1) == file.file) --at;
    return at == token ? TokenId{} : TokenId(at);
}

void document(SyntaxTree& tree, const FileTokens& file, SyntaxId id, std::uint32_t word)
{
    if (const TokenId first = doc_before(tree.tokens, file, word)) tree.document(id, first);
}

bool begins_operand(std::uint16_t type)
{
    switch (type) {
        case AnmlLexer::INTEGER:
        case AnmlLexer::NUMBER:
        case AnmlLexer::QUANTITY:
        case AnmlLexer::IDENTIFIER:
        case AnmlLexer::LPAREN:
        case AnmlLexer::SELF:
            return true;
        default:
            return false;
    }
}

bool begins_declaration(std::uint16_t type)
{
    switch (type) {
        case AnmlLexer::EDITION:
        case AnmlLexer::IMPORT:
        case AnmlLexer::SCHEMA:
        case AnmlLexer::ENUM:
        case AnmlLexer::PROFILE:
        case AnmlLexer::PROCESS:
        case AnmlLexer::FUNCTION:
        case AnmlLexer::COMPONENT:
        case AnmlLexer::MODEL:
        case AnmlLexer::EXPERIMENT:
        case AnmlLexer::GRAPH:
        case AnmlLexer::TABLE:
        case AnmlLexer::PUB:
            return true;
        default:
            return false;
    }
}

bool begins_statement(std::uint16_t type)
{
    switch (type) {
        case AnmlLexer::AT:
        case AnmlLexer::PROFILE:
        case AnmlLexer::ROUTER:
        case AnmlLexer::SWITCH:
        case AnmlLexer::HOST:
        case AnmlLexer::ENDPOINT:
        case AnmlLexer::LINK:
        case AnmlLexer::LET:
        case AnmlLexer::FOR:
        case AnmlLexer::WORKLOAD:
        case AnmlLexer::REQUIRE:
        case AnmlLexer::RUN:
        case AnmlLexer::ADDRESSING:
        case AnmlLexer::ROUTING:
        case AnmlLexer::ROUTE:
        case AnmlLexer::AT_TIME:
        case AnmlLexer::RAMP:
        case AnmlLexer::OVERRIDE:
        case AnmlLexer::LABEL:
        case AnmlLexer::REPORT:
            return true;
        default:
            return false;
    }
}

bool follows_annotation(const FileTokens& file, const TokenList& tokens, std::uint32_t word)
{
    const auto type = [&](std::uint32_t w) { return tokens.type(file.words[w].token); };
    if (word == 0 || word > file.words.size() || type(word - 1) != AnmlLexer::RPAREN) return false;
    const std::uint32_t open = file.partner(word - 1);
    return open != FileTokens::kNone && open >= 2 && type(open - 2) == AnmlLexer::AT;
}

}  // namespace anml
