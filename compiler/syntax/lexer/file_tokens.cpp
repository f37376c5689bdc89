// What stands at the words of a file, found by their numbers: brackets, documentation.
#include "syntax/lexer/file_tokens.h"

#include <algorithm>
#include <iterator>

namespace anml {

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

}  // namespace anml
