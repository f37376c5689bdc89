// The tokens of a text as it is now, by the compiler's lexer, and where among them a place is: what completion and help
// with arguments go by, since they are asked for between a key and the next check.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lsp/documents/workspace.h"

namespace anml::lsp {

class CursorTokens {
  public:
    CursorTokens(const std::string& text, std::uint32_t offset);

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // Tokens that end before the place, comments left out: the word that is being written is none of them.
    std::size_t count() const { return words_.size(); }
    std::string_view word(std::size_t i) const { return i < words_.size() ? text(i) : std::string_view(); }
    std::string_view last(std::size_t back = 0) const
    {
        return back < words_.size() ? text(words_.size() - 1 - back) : std::string_view();
    }
    TokenClass cls(std::size_t i) const { return words_[i].cls; }
    bool starts_line(std::size_t i) const;
    bool prefix_starts_line() const;  // nothing but blanks stands before it on its line, or it is the first word
    // What of the word at the place, or of the text between quotes, stands before it, and where that begins.
    std::string_view prefix() const { return prefix_; }
    std::uint32_t prefix_begin() const { return prefix_begin_; }
    bool in_comment() const { return in_comment_; }
    bool in_string() const { return in_string_; }
    bool in_number() const { return in_number_; }  // the prefix is a number, perhaps with the begin of a unit
    // The last word is a number without a unit, and the place is behind it on its line.
    bool behind_number() const;
    // A backquote is open: the prefix is what stands behind it.
    bool quoted() const { return quoted_; }
    // What a completion takes the place of: the prefix, with the backquotes around it.
    std::uint32_t replaced_begin() const { return quoted_ ? prefix_begin_ - 1 : prefix_begin_; }
    std::uint32_t replaced_end() const { return replaced_end_; }

    // The innermost bracket that is open before this word; kNone: none is.
    std::size_t open_before(std::size_t word) const;
    // Where the statement or declaration begins whose bracket that is.
    std::size_t statement_of(std::size_t bracket) const;
    // Behind the bracket that closes the one there, or the number of words.
    std::size_t behind(std::size_t bracket) const;
    // The dotted name that ends with the last word but `back`, a dot first perhaps: "web.server".
    std::string dotted_before(std::size_t word) const;

  private:
    bool line_ends_between(std::uint32_t begin, std::uint32_t end) const;

    struct Word {
        std::uint32_t begin, end;
        TokenClass cls;
    };
    std::string_view text(std::size_t i) const
    {
        return std::string_view(text_).substr(words_[i].begin, words_[i].end - words_[i].begin);
    }

    const std::string& text_;
    std::vector<Word> words_;
    std::string_view prefix_;
    std::uint32_t prefix_begin_ = 0, replaced_end_ = 0;
    bool in_comment_ = false, in_string_ = false, in_number_ = false, quoted_ = false;

    void find_backquote(const TokenList& tokens, std::uint32_t offset);
};

}  // namespace anml::lsp
