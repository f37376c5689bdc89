// By keywords that begin statements, and by lines.
#include "syntax/parser/statement_bounds.h"

#include <algorithm>

#include "AnmlLexer.h"

namespace anml {

using grammar::AnmlLexer;

std::uint32_t StatementBounds::behind(std::uint32_t word) const
{
    const std::uint32_t partner = is_opening_bracket(type(word)) ? file_.partner(word) : FileTokens::kNone;
    return partner != FileTokens::kNone && partner > word ? partner + 1 : word + 1;
}

bool StatementBounds::begins_here(std::uint32_t word) const
{
    return begins_statement(type(word)) && !follows_annotation(file_, tokens_, word) &&
           (word == 0 || type(word - 1) != AnmlLexer::OVERRIDE);  // `override run`
}

std::uint32_t StatementBounds::piece_end(std::uint32_t first, std::uint32_t to) const
{
    std::uint32_t at = behind(first);
    while (at < to && !begins_here(at) && !begins_instance(at)) at = behind(at);
    return std::min(at, to);
}

bool StatementBounds::begins_instance(std::uint32_t word) const
{
    const auto next = word + 1 < file_.words.size() ? type(word + 1) : std::uint16_t{0};
    return type(word) == AnmlLexer::IDENTIFIER && file_.words[word].starts_line &&
           (next == AnmlLexer::IDENTIFIER || next == AnmlLexer::DOT) && !file_.words[word - 1].starts_line &&
           !follows_annotation(file_, tokens_, word);
}

}  // namespace anml
