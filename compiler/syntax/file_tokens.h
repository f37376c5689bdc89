// The words of one file, as the parser sees them: without comments, with their brackets matched.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/syntax_tree.h"

namespace anml {

struct FileTokens {
    static constexpr std::uint32_t kNone = 0xffffffffu;

    struct Word {
        std::uint32_t token = 0;        // into SyntaxTree::tokens
        std::uint32_t partner = kNone;  // of a bracket: the word that matches it
        std::uint32_t inside = kNone;   // the innermost bracket open at this word
        bool starts_line = false;       // nothing but comments stands before it on its line
        bool bad = false;               // an error was reported at this word already
    };
    FileId file;
    std::vector<Word> words;
};

// Appends the file's tokens to `tokens`. What no word begins with is reported and becomes a bad word.
FileTokens lex_file(const SourceSet& sources, FileId file, std::vector<Token>& tokens, Diagnostics& diagnostics);

// Fills in `partner` and `inside`. A bracket that is never closed stays without partner and is left for the parser to
// report, which can say what it missed. False, and a diagnostic, where brackets are nested too deep to parse.
bool match_brackets(FileTokens& file, const std::vector<Token>& tokens, Diagnostics& diagnostics);

constexpr std::uint32_t kDeepestNesting = 200;

bool begins_declaration(std::uint16_t token_type);  // only ever at the top of a file, apart from `profile`
bool begins_statement(std::uint16_t token_type);    // never part of an expression: not `if`, which may be
// Can stand right of a binary operator: a `%` between a number and it is the operator.
bool begins_operand(std::uint16_t token_type);

// Whether the word before is an annotation's last: what it stands before belongs to the same statement.
bool follows_annotation(const FileTokens& file, const std::vector<Token>& tokens, std::uint32_t word);

}  // namespace anml
