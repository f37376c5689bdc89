// The words of one file, as the parser sees them: without comments, with their brackets matched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "syntax/syntax_tree.h"

namespace anml {

class FileTokens {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffu;

    struct Word {
        std::uint32_t token : 31 = 0;  // into SyntaxTree::tokens
        bool starts_line : 1 = false;  // nothing but comments stands before it on its line
    };
    FileId file;
    std::vector<Word> words;
    bool cut_off = false;  // a comment that is never closed took the rest: what is missing is no second mistake

    std::uint32_t partner(std::uint32_t word) const;  // of a bracket: the word that matches it
    std::uint32_t inside(std::uint32_t word) const;   // the innermost bracket open at this word
    // An error was reported at this word already.
    bool bad(std::uint32_t word) const { return bad_.contains(word); }
    void mark_bad(std::uint32_t word) { bad_.insert(word); }
    // Words of a block that one error explains: nothing more is said of them.
    void skip(std::uint32_t from, std::uint32_t to) { skipped_[from] = std::max(skipped_[from], to); }
    std::uint32_t skipped_to(std::uint32_t word) const;  // where they end; the word itself if it is none of them

    // In the order of words; returns what `match` takes.
    std::size_t add_bracket(std::uint32_t word, std::uint32_t partner);
    void match(std::size_t opening, std::uint32_t closing) { partners_[opening].value = closing; }
    void set_inside(std::uint32_t from, std::uint32_t bracket);  // from that word on

  private:
    struct Entry {
        std::uint32_t word, value;
    };
    std::vector<Entry> partners_;  // of brackets
    std::vector<Entry> inside_;    // from where on another bracket is the innermost one
    std::set<std::uint32_t> bad_;
    std::map<std::uint32_t, std::uint32_t> skipped_;  // from a word up to another
};

// Appends the file's tokens to `tokens`. What no word begins with is reported and becomes a bad word.
FileTokens lex_file(const SourceSet& sources, FileId file, TokenList& tokens, Diagnostics& diagnostics);

// Fills in partners and what is inside what. A bracket that is never closed stays without partner and is left for the
// parser to report, which can say what it missed. False, and a diagnostic, where brackets are nested too deep to parse.
bool match_brackets(const SourceSet& sources, FileTokens& file, const TokenList& tokens, Diagnostics& diagnostics);

constexpr std::uint32_t kDeepestNesting = 200;

bool begins_declaration(std::uint16_t token_type);  // only ever at the top of a file, apart from `profile`
bool begins_statement(std::uint16_t token_type);    // never part of an expression: not `if`, which may be
// Can stand right of a binary operator: a `%` between a number and it is the operator.
bool begins_operand(std::uint16_t token_type);
bool is_opening_bracket(std::uint16_t token_type);

// The first of the `///` comments before the word; invalid where there are none.
TokenId doc_before(const TokenList& tokens, const FileTokens& file, std::uint32_t word);
// Gives the node the `///` comments before the word, if there are any.
void document(SyntaxTree& tree, const FileTokens& file, SyntaxId id, std::uint32_t word);

// Whether the word before is an annotation's last: what it stands before belongs to the same statement.
bool follows_annotation(const FileTokens& file, const TokenList& tokens, std::uint32_t word);

}  // namespace anml
